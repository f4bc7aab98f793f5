"""Standings, crosstable, bracket and schedule of a tournament as CSV, JSON and Markdown."""

from typing import Any, Final

from arena.pages.downloads import MARKDOWN, Columns, as_csv, as_json
from arena.pages.reads import ArenaReads, PageError
from arena.v1 import tournament_pb2
from arena.wire.csv_text import csv_of
from arena.wire.tournament_sheets import (
    Sheet,
    bracket_sheet,
    crosstable_sheet,
    schedule_sheet,
    standings_sheet,
)
from arena.wire.tournament_wording import format_progress, has_bracket, why_no_bracket
from arena.wire.wording import short

PARTS: Final = ("standings", "crosstable", "bracket", "schedule")
"""What can be downloaded of a tournament besides its matches."""

FORMS: Final = ("csv", "json", MARKDOWN)


def parts_of(tournament: tournament_pb2.Tournament) -> tuple[str, ...]:
    """Return the parts that a tournament has."""
    return tuple(part for part in PARTS if part != "bracket" or has_bracket(tournament))


async def tournament_file(reads: ArenaReads, name: str, part: str, form: str) -> str:
    """Return a part of a tournament ("tournaments/{tournament}") in one of the forms.

    Raises PageError: 404 for the bracket of a tournament that has none.
    """
    match part:
        case "standings":
            return _standings(await _crosstable(reads, name), form)
        case "crosstable":
            return _cells(await _crosstable(reads, name), form)
        case "bracket":
            return await _bracket(reads, name, form)
        case _:
            return await _schedule(reads, name, form)


async def _crosstable(reads: ArenaReads, name: str) -> Any:
    request = tournament_pb2.GetCrosstableRequest(name=name)
    return await reads.get(reads.tournaments.GetCrosstable, request)


def _standings(answer: tournament_pb2.GetCrosstableResponse, form: str) -> str:
    """Return the standings; as JSON with the crosstable."""
    if form == "csv":
        return as_csv(_STANDINGS, answer.standings)
    return as_json(answer) if form == "json" else _markdown(standings_sheet(answer.standings))


def _cells(answer: tournament_pb2.GetCrosstableResponse, form: str) -> str:
    """Return what each bot scored against each other one; as CSV a row for each two that have met."""
    if form != "csv":
        return as_json(answer) if form == "json" else _markdown(crosstable_sheet(answer.rows))
    bots = [short(row.bot) for row in answer.rows]
    cells = (
        (bot, other, cell)
        for bot, row in zip(bots, answer.rows, strict=True)
        for other, cell in zip(bots, row.cells, strict=True)
        if cell.matches
    )
    return as_csv(_CELLS, cells)


async def _bracket(reads: ArenaReads, name: str, form: str) -> str:
    request = tournament_pb2.GetTournamentRequest(name=name)
    tournament = (await reads.get(reads.tournaments.GetTournament, request)).tournament
    if not has_bracket(tournament):
        why = why_no_bracket(tournament)
        raise PageError(404, f"{why[0].upper()}{why[1:]}.")
    asked = tournament_pb2.GetBracketRequest(name=name)
    answer = await reads.get(reads.tournaments.GetBracket, asked)
    return as_json(answer) if form == "json" else _texts(bracket_sheet(answer.ties), form)


async def _schedule(reads: ArenaReads, name: str, form: str) -> str:
    listing = await reads.rows(reads.tournaments.ListPairings, tournament_pb2.ListPairingsRequest(name=name))
    rounds = (
        await reads.rows(reads.tournaments.ListRounds, tournament_pb2.ListRoundsRequest(name=name))
    ).rounds
    if form == "json":
        written = (", ".join(map(as_json, rows)) for rows in (listing.pairings, rounds))
        return '{{"pairings": [{}], "rounds": [{}]}}'.format(*written)
    return _texts(schedule_sheet(listing.pairings, rounds), form)


def _texts(sheet: Sheet, form: str) -> str:
    return csv_of(sheet.columns, sheet.rows) if form == "csv" else _markdown(sheet)


def _markdown(sheet: Sheet) -> str:
    return "".join(f"{line}\n" for line in sheet.for_people().markdown())


_STANDINGS: Final[Columns] = {
    "rank": lambda line: line.rank or "",
    "bot": lambda line: short(line.bot),
    "score": lambda line: line.score_milli / 1000,
    "pairs": lambda line: line.pairs,
    "firsts": lambda line: line.firsts,
    "matches": lambda line: line.matches,
    "forfeits": lambda line: line.forfeits,
    "not_played": lambda line: line.not_played,
    "rating": lambda line: line.rating_milli / 1000,
    "uncertainty": lambda line: line.uncertainty_milli / 1000,
    "points": lambda line: line.points_milli / 1000 if line.HasField("points_milli") else "",
    "reached": lambda line: format_progress(line.progress),
}

_CELLS: Final[Columns] = {
    "bot": lambda cell: cell[0],
    "opponent": lambda cell: cell[1],
    "score": lambda cell: cell[2].score_milli / 1000,
    "matches": lambda cell: cell[2].matches,
}
"""Of (bot, opponent, CrosstableCell)."""
