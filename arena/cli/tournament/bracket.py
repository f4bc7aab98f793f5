"""A bracket as text: the rounds of each part, their ties one below the other."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from rich.console import Group, RenderableType

from arena.cli.framework.output import table
from arena.v1 import tournament_pb2
from arena.wire.tournament_wording import part_of, points
from arena.wire.wording import enum_word, short


def bracket_text(ties: Sequence[tournament_pb2.Tie]) -> RenderableType:
    """Return all brackets: a table for each part of each stage and pool, with a row for each place of a tie."""
    columns = [">round", ">tie", "", "~bot", ">points", "decided by"]
    return Group(*(table(columns, _without_repeats(rows), title) for title, rows in parts(ties)))


def parts(ties: Sequence[tournament_pb2.Tie]) -> Iterator[tuple[str, list[tuple[str, ...]]]]:
    """Yield the title of each part of the brackets, and its rows: round, tie, mark, bot, points, what decided."""
    order = sorted(ties, key=lambda tie: (tie.stage, tie.pool, tie.bracket, tie.level, tie.number))
    for title, of_part in groupby(order, key=part_of):
        yield title.capitalize(), [row for tie in of_part for row in _rows(tie)]


def _without_repeats(rows: Sequence[tuple[str, ...]]) -> Iterator[tuple[str, ...]]:
    """Yield the rows, those of a tie after its first without what they have in common."""
    before: tuple[str, ...] = ()
    for row in rows:
        level, tie, mark, bot, of_bot, decided = row
        repeated = before[:2] == row[:2]
        yield ("", "", mark, bot, of_bot, "") if repeated else (level, tie, mark, bot, of_bot, decided)
        before = row


def _rows(tie: tournament_pb2.Tie) -> Iterator[tuple[str, ...]]:
    decided = "" if not tie.end else enum_word(tournament_pb2.Tie.End, tie.end).replace("_", " ")
    for place in tie.places:
        yield (
            str(tie.level),
            str(tie.number),
            ">" if place.rank == 1 and tie.end != tournament_pb2.Tie.END_NOT_NEEDED else "",
            short(place.bot) if place.bot else "-" if tie.end else "?",
            points(place.points_milli) if tie.ended_pairings else "",
            decided,
        )
