"""A bracket as text: the rounds of each part, their ties one below the other."""

from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType

from arena.cli.framework.output import table
from arena.v1 import tournament_pb2
from arena.wire.tournament_sheets import bracket_rows


def bracket_text(ties: Sequence[tournament_pb2.Tie]) -> RenderableType:
    """Return all brackets: a table for each part of each stage and pool, with a row for each place of a tie."""
    columns = [">round", ">tie", "", "!bot", ">points", "?decided by"]
    return Group(*(table(columns, _without_repeats(rows), title) for title, rows in bracket_rows(ties)))


def _without_repeats(rows: Sequence[tuple[str, ...]]) -> Iterator[tuple[str, ...]]:
    """Yield the rows, those of a tie after its first without what they have in common."""
    before: tuple[str, ...] = ()
    for row in rows:
        level, tie, mark, bot, of_bot, decided = row
        repeated = before[:2] == row[:2]
        yield ("", "", mark, bot, of_bot, "") if repeated else (level, tie, mark, bot, of_bot, decided)
        before = row
