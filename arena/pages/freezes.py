"""Frozen standings on pages: which ladders have a freeze, and the lines of a wall while ranks are revealed."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from arena.pages.reads import PageError
from arena.v1 import ladder_pb2

REASON: Final = "STANDINGS_FROZEN"
"""The reason of the arena's refusal to show what counts after a freeze."""
WALL_LINES: Final = 11
"""Lines of a wall while standings are frozen: a projector shows them without scrolling."""
HIDDEN_LINES: Final = 5
"""Of these, lines of bots that are still hidden; more only while few ranks are revealed."""


@dataclass(frozen=True, slots=True)
class WallLines:
    """What a wall shows while ranks are revealed."""

    hidden: Sequence[ladder_pb2.Standing]
    """The last lines that are still of the freeze, best first."""
    revealed: Sequence[ladder_pb2.Standing]
    """The best final lines, best first: those that were revealed last."""
    all_hidden: int
    all_revealed: int
    """How many lines there are of each kind."""

    @property
    def newest_rank(self) -> int:
        """The final rank that was revealed last; 0: none yet. Anchors have no rank."""
        return min((line.rank for line in self.revealed if line.rank), default=0)


def wall_lines(standings: Sequence[ladder_pb2.Standing]) -> WallLines:
    """Return the lines of a wall from all lines of the standings, in the order of ListStandings."""
    hidden = [line for line in standings if line.frozen]
    revealed = [line for line in standings if not line.frozen]
    few = max(HIDDEN_LINES, WALL_LINES - len(revealed))
    last = hidden[-few:]
    return WallLines(last, revealed[: WALL_LINES - len(last)], len(hidden), len(revealed))


def with_freeze(ladders: Iterable[ladder_pb2.Ladder]) -> list[ladder_pb2.Ladder]:
    """Return the ladders whose standings are frozen or will freeze."""
    return [ladder for ladder in ladders if ladder.HasField("freeze_time")]


def is_of_freeze(error: PageError) -> bool:
    """Return whether something cannot be shown because standings are frozen."""
    return error.reason == REASON
