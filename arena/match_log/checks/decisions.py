"""The plies of a log, gathered into decisions."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from arena.core.ply import PlyRecord
from arena.match_log.decode import LoggedPly
from arena.match_log.reader import MatchLog


@dataclass(frozen=True, slots=True)
class LoggedDecision:
    """One decision: one ply, or the plies of a plan."""

    index: int
    """Of the record of its first ply."""
    plies: tuple[PlyRecord, ...]

    @property
    def first(self) -> PlyRecord:
        """The ply that carries the times."""
        return self.plies[0]


def decisions_of(log: MatchLog) -> Iterator[LoggedDecision]:
    """Yield the decisions in order. Each ply of a forfeited seat is one by itself: the seat was not asked."""
    for _, group in groupby(log.numbered_plies, _decision):
        (index, first), *others = group
        yield LoggedDecision(index, (first.record, *(logged.record for _, logged in others)))


def _decision(numbered: tuple[int, LoggedPly]) -> tuple[int, int]:
    """Return what the plies of one decision have in common."""
    index, logged = numbered
    return logged.record.seat, logged.record.decision or -index
