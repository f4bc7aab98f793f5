"""The referee's record of one seat, and of its open question."""

from collections.abc import Callable
from typing import Final

from arena.core.clock.seat_clock import SeatClock
from arena.core.endings.clock_use import ClockUse
from arena.core.endings.terminations import SeatEnding


class Hold:
    """How long a decision was held back before it was released. Times in nanoseconds."""

    def __init__(self, held_ns: int, match_ns: int, *, used_up: bool) -> None:
        """`match_ns`: what was used of the hold of the whole match; `used_up`: released because it had to be."""
        self.held_ns = held_ns
        self.match_ns = match_ns
        self.used_up = used_up


_NOT_HELD: Final = Hold(0, 0, used_up=False)


class OpenDecision:
    """The decision that is open. Times in nanoseconds."""

    def __init__(self, seat: int, decision: int, asked_at: int) -> None:
        self.seat = seat
        self.decision = decision
        self.asked_at = asked_at
        self.released_at: int | None = None
        """When the question was given to the bot's connection to be written; None while it is held back."""
        self.started_at: int | None = None
        """When its clock started; None until the question is known to be written."""
        self.hold = _NOT_HELD
        self.judged_from = 0
        """Before this time it cannot have been missed: its program was waiting for a processor at its deadline."""


class RefereeSeat:
    """One seat of a running match. Times in nanoseconds."""

    def __init__(self, clock: SeatClock, stalled: Callable[[int, int], int]) -> None:
        """`stalled`: returns how much of the time between two times the arena did not run."""
        self.clock = clock
        self._stalled = stalled
        self.decisions = 0
        self.strikes = 0
        self.ending: SeatEnding | None = None
        """Set once the seat has forfeited."""
        self.lost_at: int | None = None
        """Since when it has no connection."""
        self.why_lost = ""
        """The bot's action that ended the connection, a sentence part; empty if unknown."""
        self.absent_ns = 0
        """How long it was absent with a decision open, as far as booked."""
        self.missed: dict[int, int] = {}
        """By missed decision: when it was lost."""

    @property
    def standing(self) -> bool:
        """Whether the seat has not forfeited."""
        return self.ending is None

    def clock_use(self, question: OpenDecision, now: int) -> ClockUse:
        """Return the limits of its clock at its open decision and what it has used of them."""
        clock, hold = self.clock, question.hold
        return ClockUse(
            clock.control,
            bank_ns=clock.bank_ns,
            earned_ns=clock.earned_ns,
            seat_used_ns=clock.used_ns,
            absent_ns=self.absent(question, now),
            held_ns=hold.held_ns,
            hold_used_ns=hold.match_ns,
            hold_used_up=hold.used_up,
        )

    def absent(self, question: OpenDecision | None, now: int) -> int:
        """Return how long in all the seat was absent with a decision open. `question`: its open one.

        Time in which the arena did not run does not count: nobody could come back.
        """
        if self.lost_at is None or question is None:
            return self.absent_ns
        since = max(self.lost_at, question.asked_at)
        return self.absent_ns + max(0, now - since - self._stalled(since, now))

    def come_back(self, question: OpenDecision | None, now: int) -> None:
        """Record that the seat has a connection again."""
        self.absent_ns = self.absent(question, now)
        self.lost_at = None
        self.why_lost = ""
