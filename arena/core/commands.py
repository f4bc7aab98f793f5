"""What the referee tells its surroundings to do, in order."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from arena.core.match import Cause, MatchResult, NoteRecord, PlyRecord
from arena.core.terminations import SeatEnding
from engine.game import Event


class IgnoreReason(Enum):
    """Why an answer has no effect; the numbers of AnswerIgnored.Reason in play.proto."""

    LATE = 1
    REPEATED = 2
    UNKNOWN = 3


@dataclass(frozen=True, slots=True)
class SetUp:
    """The match has begun: what happened in the set-up."""

    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Ask:
    """Ask a seat its next decision."""

    seat: int
    decision: int


@dataclass(frozen=True, slots=True)
class Played:
    """One action was applied."""

    record: PlyRecord
    seen: tuple[int | None, ...]
    """The action as each seat sees it, and last as a spectator does; None where it is not seen at all."""


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class IgnoreAnswer:
    """Tell a seat that its answer had no effect."""

    seat: int
    decision: int
    reason: IgnoreReason
    late_ns: int


@dataclass(frozen=True, slots=True)
class EndSeat:
    """Tell a seat that it has forfeited."""

    seat: int
    ending: SeatEnding


@dataclass(frozen=True, slots=True)
class Note:
    """Write a note into the match log."""

    record: NoteRecord


@dataclass(frozen=True, slots=True)
class Finish:
    """The match is over."""

    result: MatchResult


Command = SetUp | Ask | Played | CloseDecision | IgnoreAnswer | EndSeat | Note | Finish
