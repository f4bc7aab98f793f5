"""Standings of ladders, and matches, as CSV and JSON; what all downloads are written with."""

from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from typing import Any, Final

from google.protobuf.json_format import MessageToJson
from google.protobuf.message import Message

from arena.pages.reads import ROWS, ArenaReads
from arena.v1 import ending_pb2, ladder_pb2, match_pb2
from arena.wire.csv_text import csv_of
from arena.wire.wording import enum_word, format_time, short

FORMS: Final = ("csv", "json")
"""The forms of these files, as the ending of their names."""
MARKDOWN: Final = "md"
MEDIA_TYPES: Final = {
    "csv": "text/csv; charset=utf-8",
    "json": "application/json",
    MARKDOWN: "text/markdown; charset=utf-8",
}
"""By the ending of the file's name."""

Columns = Mapping[str, Callable[[Any], object]]
"""A table: by column its name, and what gives its value for a line."""


async def ladder_standings(reads: ArenaReads, name: str, form: str) -> str:
    """Return all standings of a ladder. Raises PageError."""
    request = ladder_pb2.ListStandingsRequest(name=name)
    listing = await reads.rows(reads.ladders.ListStandings, request)
    if form == "json":
        return as_json(listing)
    return as_csv(_STANDINGS, listing.standings)


async def matches(reads: ArenaReads, form: str, **filters: str) -> AsyncIterator[str]:
    """Yield all matches, newest first, in pieces: as CSV a row for each seat. Raises PageError.

    `filters`: fields of ListMatchesRequest.
    """
    request = match_pb2.ListMatchesRequest(page_size=ROWS, **filters)  # type: ignore[arg-type]
    begun = False
    while True:
        page = await reads.get(reads.matches.ListMatches, request)
        if form == "json":
            written = ",\n".join(map(as_json, page.matches))
            yield ("" if begun else '{"matches": [\n') + (",\n" if begun and written else "") + written
        else:
            seats = (
                (match, number, seat) for match in page.matches for number, seat in enumerate(match.seats)
            )
            yield as_csv(_SEATS, seats, heading=not begun)
        begun = True
        if not page.next_page_token:
            break
        request.page_token = page.next_page_token
    if form == "json":
        yield "\n]}\n"


def as_json(message: Message) -> str:
    """Return a message as the protobuf mapping to JSON has it, with all fields."""
    return MessageToJson(
        message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True, indent=None
    )


def as_csv(columns: Columns, lines: Iterable[Any], *, heading: bool = True) -> str:
    """Return a row for each line, below the names of the columns unless there is no `heading`."""
    rows = ([cell(line) for cell in columns.values()] for line in lines)
    return csv_of(list(columns) if heading else (), rows)


def _solo(value: Callable[[ladder_pb2.SoloStanding], object]) -> Callable[[ladder_pb2.Standing], object]:
    """Return a cell that is empty on a rated ladder."""
    return lambda line: value(line.solo) if line.HasField("solo") else ""


_STANDINGS: Final[Columns] = {
    "rank": lambda line: line.rank or "",
    "bot": lambda line: short(line.bot),
    "language": lambda line: line.language,
    "rating": lambda line: "" if line.HasField("solo") else line.rating_milli / 1000,
    "uncertainty": lambda line: "" if line.HasField("solo") else line.uncertainty_milli / 1000,
    "matches": lambda line: line.matches,
    "mean_placing": lambda line: line.mean_placing_milli / 1000,
    "forfeits": lambda line: line.forfeits,
    "decisions": lambda line: line.decisions,
    "mean_think_us": lambda line: line.mean_think_us,
    "max_think_us": lambda line: line.max_think_us,
    "adjusted_score": _solo(lambda solo: solo.adjusted_score_milli / 1000),
    "score_uncertainty": _solo(
        lambda solo: solo.uncertainty_milli / 1000 if solo.HasField("uncertainty_milli") else ""
    ),
    "mean_score": _solo(lambda solo: solo.mean_score_milli / 1000),
    "best_score": _solo(lambda solo: solo.best_score if solo.HasField("best_score") else ""),
    "boards": _solo(lambda solo: solo.boards),
    "level": _solo(lambda solo: solo.level),
    "frozen": lambda line: int(line.frozen),
}

_SEATS: Final[Columns] = {
    "match": lambda line: short(line[0].name),
    "ladder": lambda line: short(line[0].ladder),
    "tournament": lambda line: short(line[0].tournament),
    "group": lambda line: line[0].group,
    "game": lambda line: short(line[0].game),
    "state": lambda line: enum_word(match_pb2.MatchState, line[0].state),
    "rated": lambda line: int(line[0].rated),
    "ending": lambda line: line[0].ending,
    "plies": lambda line: line[0].plies,
    "start_time": lambda line: format_time(line[0].start_time),
    "end_time": lambda line: format_time(line[0].end_time),
    "seat": lambda line: line[1],
    "bot": lambda line: short(line[2].bot),
    "version": lambda line: short(line[2].bot_version),
    "placing": lambda line: line[2].placing or "",
    "score": lambda line: line[2].score,
    "termination": lambda line: enum_word(ending_pb2.Termination, line[2].ending.termination).upper(),
    "fault": lambda line: enum_word(ending_pb2.Fault, line[2].ending.fault),
    "decisions": lambda line: line[2].decisions,
    "strikes": lambda line: line[2].strikes,
    "used_ms": lambda line: line[2].used_ms,
}
"""Of (Match, number of the seat, MatchSeat)."""
