"""The effects of the referee, for the runner to carry out in order."""

from dataclasses import dataclass
from enum import Enum

from arena.core.endings.arena_faults import Facts
from arena.core.endings.terminations import SeatEnding
from arena.core.match import Cause, MatchResult, NoteRecord
from arena.core.ply import PlyRecord
from engine.game import Event


class IgnoreReason(Enum):
    """Why an answer has no effect; the numbers of AnswerIgnored.Reason in play.proto."""

    LATE = 1
    REPEATED = 2
    UNKNOWN = 3


@dataclass(frozen=True)
class SetUp:
    """The match has begun: what happened in the set-up."""

    events: tuple[Event, ...]


class Ask:
    """Ask a seat its next decision."""

    def __init__(self, seat: int, decision: int) -> None:
        """No dataclass, as `Played`: one is made for every decision."""
        self.seat = seat
        self.decision = decision


class Played:
    """One action was applied."""

    def __init__(self, record: PlyRecord, seen: tuple[int | None, ...]) -> None:
        self.record = record
        self.seen = seen
        """The action as each seat sees it, and last as a spectator does; None where it is not seen at all."""


@dataclass(frozen=True)
class CloseDecision:
    """Tell a seat that the default action was played instead of its answer. Times in nanoseconds."""

    seat: int
    decision: int
    cause: Cause
    """TIME_FORFEIT or ILLEGAL_ACTION."""
    action: int
    late_ns: int
    strikes: int
    strikes_allowed: int
    bank_ns: int
    sentence: str
    evidence: Facts
    """As that of an ending by this strike."""


@dataclass(frozen=True)
class IgnoreAnswer:
    """Tell a seat that its answer had no effect."""

    seat: int
    decision: int
    reason: IgnoreReason
    late_ns: int


@dataclass(frozen=True)
class EndSeat:
    """Tell a seat that it has forfeited."""

    seat: int
    ending: SeatEnding


Effect = SetUp | Ask | Played | CloseDecision | IgnoreAnswer | EndSeat | NoteRecord | MatchResult
"""The last two: write the note into the match log; the match is over."""
