"""What is done for all connections in turn, so that none of them needs an alarm of its own: pings, looks at writes."""

from __future__ import annotations

from typing import Final, Protocol

from arena.core.units import NS_PER_S
from arena.runner.timers import Timers

PING_EVERY_NS: Final = 15 * NS_PER_S
"""How long a round of pings takes."""

_TICKS: Final = 60
TICK_NS: Final = PING_EVERY_NS // _TICKS
"""A round goes on in steps of this length: 5,000 connections are pinged by 84 at a time, which takes some 10 ms."""

WRITE_WITHIN_S: Final = 5.0
"""A write that takes longer means that the bot does not read."""

WRITE_LOOKS: Final = 10
"""So often a write is looked at within that time. If the arena itself stands still, that takes up one look at most."""

_LOOK_EVERY_NS: Final = round(WRITE_WITHIN_S * NS_PER_S / WRITE_LOOKS)


class Pinged(Protocol):
    """A connection, as the round of pings sees it."""

    def ping(self) -> None:
        """One more ping goes out."""
        ...


class PingSchedule:
    """Pings every connection once in a round, a few at a time, so that thousands of pings never come together.

    Those of one step go out and come back together, which costs a third of what they would cost one by one.
    """

    def __init__(self, timers: Timers) -> None:
        """Nothing happens while there is nobody."""
        self._timers = timers
        self._ticks: list[dict[Pinged, None]] = [{} for _ in range(_TICKS)]
        self._tick_of: dict[Pinged, int] = {}
        self._now = 0
        """The tick that was last."""
        self._due = 0
        self._going_on = False

    def join(self, connection: Pinged) -> None:
        """The connection is pinged once a round from now on, for the first time within a round at the latest.

        It goes where the fewest are, and of several such places to the one that comes last.
        """
        ahead = min(range(_TICKS, 0, -1), key=lambda step: len(self._ticks[(self._now + step) % _TICKS]))
        tick = (self._now + ahead) % _TICKS
        self._ticks[tick][connection] = None
        self._tick_of[connection] = tick
        if not self._going_on:
            self._go_on_at(self._timers.now() + TICK_NS)

    def leave(self, connection: Pinged) -> None:
        """No more pings, if there were any."""
        tick = self._tick_of.pop(connection, None)
        if tick is not None:
            del self._ticks[tick][connection]

    def _go_on_at(self, due: int) -> None:
        self._due, self._going_on = due, True
        self._timers.call_at(due, self._step)

    def _step(self) -> None:
        self._going_on = bool(self._tick_of)
        if not self._going_on:
            return
        self._now = (self._now + 1) % _TICKS
        for connection in list(self._ticks[self._now]):
            connection.ping()
        # An arena that stood still does not make up for it all at once.
        self._go_on_at(max(self._due + TICK_NS, self._timers.now()))


class Written(Protocol):
    """A connection, as the watch over writes sees it."""

    def too_slow(self) -> None:
        """A write takes too long: the bot does not read."""
        ...


class WriteWatch:
    """Looks now and then at all connections that are writing a frame at that moment: hardly ever more than a few."""

    def __init__(self, timers: Timers) -> None:
        """Nothing happens while nothing is written."""
        self._timers = timers
        self._writing: dict[Written, int] = {}
        """How often the frame that is being written was looked at."""
        self._looking = False

    def begin(self, connection: Written) -> None:
        """A frame is being written. If it still is after `WRITE_LOOKS` more looks, the connection is too slow."""
        self._writing[connection] = 0
        if not self._looking:
            self._look_later()

    def end(self, connection: Written) -> None:
        """The frame is written, or nobody waits for it any more."""
        self._writing.pop(connection, None)

    def _look_later(self) -> None:
        self._looking = True
        self._timers.call_at(self._timers.now() + _LOOK_EVERY_NS, self._look)

    def _look(self) -> None:
        self._looking = False
        for connection, looks in list(self._writing.items()):
            self._writing[connection] = looks + 1
            # The first look may have come at once.
            if looks == WRITE_LOOKS:
                self.end(connection)
                connection.too_slow()
        if self._writing:
            self._look_later()
