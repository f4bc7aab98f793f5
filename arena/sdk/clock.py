"""The clock of one decision as the bot sees it."""

from dataclasses import dataclass

from arena.v1 import play_pb2


@dataclass(frozen=True, slots=True)
class Clock:
    """How long one decision may take; docs/protocol.md, "The clock", has the arena's arithmetic."""

    per_decision_ms: int
    """Free time for this decision."""
    bank_ms: int
    """What is left of the bank; only time beyond `per_decision_ms` is taken from it."""
    increment_ms: int
    """Added to the bank if the answer comes in time."""
    time_left_ms: int
    """Time until the decision is lost, counted from its arrival."""
    deadline: float
    """The same on this program's `time.monotonic()`, in seconds: arrival + `time_left_ms`."""


def clock_of(decision: play_pb2.Decision, arrived: float) -> Clock:
    """Return the clock of a decision that arrived at `arrived` on `time.monotonic()`."""
    return Clock(
        per_decision_ms=decision.per_decision_ms,
        bank_ms=decision.bank_ms,
        increment_ms=decision.increment_ms,
        time_left_ms=decision.time_left_ms,
        deadline=arrived + decision.time_left_ms / 1000,
    )
