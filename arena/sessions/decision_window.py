"""The open decisions of a session, and those held back until its bot has answered others (`open_decisions`).

The clock of a held decision does not run, so a bot must not be able to hold decisions for free. A decision is held up
to `hold_ms` while the bot thinks about decisions whose clock is at least as short, since it pays there. While it thinks
about others, such as those of a challenge with an hour to think, all decisions of a seat are held `hold_ms` in total.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from arena.core.match import MatchSetup
from arena.core.referee.seat import Hold
from arena.runner.question import Question
from arena.runner.timers import Handle, Timers

if TYPE_CHECKING:
    from arena.sessions.seat import AssignedSeat


class AskedSeat(Protocol):
    """The seat that a decision is sent to."""

    @property
    def assignment(self) -> int:
        """Its number within its session, which a claim may change."""

    @property
    def setup(self) -> MatchSetup:
        """Its match."""

    def delayed(self, decision: int, by_ns: int) -> None:
        """Note that the question has waited while messages to other owners' bots were encoded."""

    def written(self, decision: int, at: int) -> None:
        """Note that gRPC has taken the frame that holds the question."""


class Asked:
    """A decision on its way to a bot. Its clock starts when it has been written."""

    def __init__(self, seat: AskedSeat, question: Question, time_left_ms: int) -> None:
        self.seat = seat
        self.question = question
        self.time_left_ms = time_left_ms


class HeldDecision:
    """A decision that is held back. Times in nanoseconds."""

    def __init__(self, seat: AssignedSeat, now: int) -> None:
        self.seat = seat
        self._since = now
        self._until = now + seat.setup.time_control.hold_ns
        self._unpaid_since: int | None = None
        """Since when it has waited for decisions that cost the bot nothing."""

    def due(self, open_seats: set[AssignedSeat], limit: int, now: int) -> int:
        """Return when the decision has to be released if nothing changes.

        `open_seats`: those with an open decision; `limit`: how many decisions the bot takes at a time.
        """
        if sum(_pays(other.setup, self.seat.setup) for other in open_seats) >= limit:
            self.charge(now)
            return self._until
        if self._unpaid_since is None:
            self._unpaid_since = now
        return min(self._until, self._unpaid_since + self.seat.hold_left_ns)

    def charge(self, now: int) -> None:
        """Take the unpaid waiting time from the seat's allowance."""
        if self._unpaid_since is not None:
            self.seat.hold_left_ns = max(0, self.seat.hold_left_ns - (now - self._unpaid_since))
            self._unpaid_since = None

    def end(self, now: int, *, used_up: bool) -> Hold:
        """Stop holding the decision back. `used_up`: it may be held no longer, though the bot answers others."""
        self.charge(now)
        in_match = self.seat.setup.time_control.hold_ns - self.seat.hold_left_ns
        return Hold(now - self._since, in_match, used_up=used_up)


class DecisionWindow:
    """Releases the decisions of a session's seats: at most `limit` are open at a time, the others are held back."""

    def __init__(self, timers: Timers) -> None:
        self.limit = 1
        self.connected = False
        """Without a connection no decision is held back: its clock runs."""
        self.released = 0
        """How many decisions were released."""
        self._timers = timers
        self._open: set[AssignedSeat] = set()
        # A list: an empty deque takes 760 bytes, and most sessions are idle.
        self._held: list[HeldDecision] = []
        """Oldest first."""
        self._alarm: Handle | None = None

    @property
    def has_open(self) -> bool:
        """Whether any decision is open."""
        return bool(self._open)

    @property
    def _has_room(self) -> bool:
        return len(self._open) < self.limit or not self.connected

    def add(self, seat: AssignedSeat) -> None:
        """Release the decision that the seat is asked, or hold it back. One about a known position is never held."""
        if self._has_room or seat.knows_position:
            self._release(seat)
            return
        self._held.append(HeldDecision(seat, self._timers.now()))
        self.release_held()

    def add_open(self, seat: AssignedSeat) -> None:
        """Count a decision that another session has released."""
        self._open.add(seat)

    def remove(self, seat: AssignedSeat) -> None:
        """Forget the decision of the seat, which is closed. Call `release_held` when its consequences are sent."""
        self._open.discard(seat)
        if self._held:
            self._held = [held for held in self._held if held.seat is not seat]

    def release_held(self) -> None:
        """Release held decisions, oldest first: as many as there is room for, and those that are due."""
        if not self._held:
            return
        now = self._timers.now()
        while self._held and self._has_room:
            self._release_one(self._held[0], now, used_up=False)
        for held in list(self._held):
            if held in self._held and held.due(self._open, self.limit, now) <= now:
                self._release_one(held, now, used_up=True)
        self._set_alarm(now)

    def _release_one(self, held: HeldDecision, now: int, *, used_up: bool) -> None:
        self._held.remove(held)
        self._release(held.seat, held.end(now, used_up=used_up))

    def _release(self, seat: AssignedSeat, hold: Hold | None = None) -> None:
        self._open.add(seat)
        self.released += 1
        seat.release(self._timers.now(), hold)

    def _set_alarm(self, now: int) -> None:
        """Look again when the first held decision is due."""
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        if self._held:
            due = min(held.due(self._open, self.limit, now) for held in self._held)
            self._alarm = self._timers.call_at(due, self.release_held)


def _pays(other: MatchSetup, waiting: MatchSetup) -> bool:
    """Return whether time spent on a decision of one match costs a bot at least as much as in the match that waits.

    Anybody can make a challenge with a partner, so of other competitions only ladders count.
    """
    if (other.ladder, other.tournament) == (waiting.ladder, waiting.tournament):
        return True
    return other.ladder is not None and _clock_ns(other) <= _clock_ns(waiting)


def _clock_ns(setup: MatchSetup) -> int:
    return setup.time_control.per_decision_ns + setup.time_control.bank_ns
