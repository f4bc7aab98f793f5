"""The network time of one connection, and how much of it is credited to its seats."""

from typing import Final

from arena.core.clock.time_control import TimeControl

MOST_CREDIT_NS: Final = 100_000_000
"""The most that a decision is credited with."""

_SHARE_OF_DECISION: Final = 10


def most_credit_ns(control: TimeControl) -> int:
    """Return the most network time that one decision is credited with: 100 ms, or a tenth of `per_decision`."""
    return min(MOST_CREDIT_NS, control.per_decision_ns // _SHARE_OF_DECISION)


class RoundTrip:
    """The shortest time between a ping and its pong, or a decision and its answer, on a connection.

    A bot that delays pongs must delay every answer too, and gains at most the cap, which all may have.
    """

    __slots__ = ("_ponged", "local", "lowest_ns")

    def __init__(self, *, local: bool) -> None:
        """`local`: a Unix socket, on which nothing is credited."""
        self.local = local
        self.lowest_ns: int | None = None
        """The lowest time so far, or None."""
        self._ponged = False

    def note_pong(self, took_ns: int) -> None:
        """Record a pong."""
        self._ponged = True
        self.note_answer(took_ns)

    def note_answer(self, took_ns: int) -> None:
        """Record an answer; it took at least the round trip.

        If question and answer both wait for the event loop, the answer can be stamped before the question is known to
        be sent: it then took no time.
        """
        took_ns = max(0, took_ns)
        if self.lowest_ns is None or took_ns < self.lowest_ns:
            self.lowest_ns = took_ns

    def credit_ns(self, control: TimeControl) -> int:
        """Return the credit of each decision."""
        if self.local or not self._ponged or self.lowest_ns is None:
            return 0
        return min(self.lowest_ns, most_credit_ns(control))
