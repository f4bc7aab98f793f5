"""The plies of a log, gathered into decisions."""

from collections.abc import Iterator
from dataclasses import dataclass

from arena.core.ply import PlyRecord
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
    start = 0
    plies: list[PlyRecord] = []
    for index, logged in log.numbered_plies:
        ply = logged.record
        if plies and ply.decision and (ply.seat, ply.decision) == (plies[0].seat, plies[0].decision):
            plies.append(ply)
            continue
        if plies:
            yield LoggedDecision(start, tuple(plies))
        start, plies = index, [ply]
    if plies:
        yield LoggedDecision(start, tuple(plies))
