"""Decisions of a session that wait until its bot has answered others (`open_decisions`): which of them, how long.

A decision that waits has no running clock, so its bot must not be able to make it wait for nothing. It waits up to
`hold_ms` for a decision whose own clock is as short: the bot pays there. For any other one, say of a challenge with an
hour to think, the decisions of a seat wait `hold_ms` in all the match.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol

from arena.core.match import MatchSetup


class HoldingSeat(Protocol):
    """A seat whose decisions may have to wait."""

    setup: MatchSetup
    hold_left_ns: int
    """How much longer its decisions may wait in this match for others that cost their bot nothing."""


class HeldDecision:
    """One decision that waits. Times in nanoseconds."""

    def __init__(self, seat: HoldingSeat, now: int) -> None:
        """It waits from now on."""
        self._seat = seat
        self._until = now + seat.setup.time_control.hold_ns
        self._unpaid_since: int | None = None
        """Since when it has waited for decisions that cost the bot nothing."""

    def due(self, open_seats: Collection[HoldingSeat], limit: int, now: int) -> int:
        """Return when the decision has to go out if nothing changes.

        `open_seats`: those whose decisions are open; `limit`: how many the bot answers at a time.
        """
        if sum(_pays(other.setup, self._seat.setup) for other in open_seats) >= limit:
            self.book(now)
            return self._until
        if self._unpaid_since is None:
            self._unpaid_since = now
        return min(self._until, self._unpaid_since + self._seat.hold_left_ns)

    def book(self, now: int) -> None:
        """Take from the seat's allowance what the decision has waited for nothing."""
        if self._unpaid_since is not None:
            self._seat.hold_left_ns = max(0, self._seat.hold_left_ns - (now - self._unpaid_since))
            self._unpaid_since = None


def _pays(other: MatchSetup, waiting: MatchSetup) -> bool:
    """Return whether time spent on a decision of one match costs a bot at least as much as in the match that waits.

    Anybody can make a challenge with a partner, so of other competitions only ladders count.
    """
    if (other.ladder, other.tournament) == (waiting.ladder, waiting.tournament):
        return True
    return other.ladder is not None and _clock_ns(other) <= _clock_ns(waiting)


def _clock_ns(setup: MatchSetup) -> int:
    return setup.time_control.per_decision_ns + setup.time_control.bank_ns
