"""Pings, and timeouts of writes, for all connections together."""

from typing import Final, Protocol

from arena.core.units import NS_PER_S
from arena.runner.timers import Timers
from arena.wire.play.incoming import PING_S

PING_EVERY_NS: Final = PING_S * NS_PER_S
"""The length of a round of pings."""

_TICKS: Final = 60
TICK_NS: Final = PING_EVERY_NS // _TICKS
"""The length of a step: of 5,000 connections 84 are pinged at a time, which takes some 10 ms."""

TOGETHER: Final = 80
"""So many connections share a tick before another is used: the threads wake up once for all of them."""

WRITE_WITHIN_S: Final = 5.0
"""A write that takes longer means that the bot does not read."""

WRITE_LOOKS: Final = 10
"""How often a write is checked within that time. While the arena itself stalls, at most one check is lost."""

_LOOK_EVERY_NS: Final = round(WRITE_WITHIN_S * NS_PER_S / WRITE_LOOKS)


class KeptAlive(Protocol):
    """A connection that is pinged, and whose writes are checked."""

    def ping_in_round(self, number: int) -> None:
        """Send the ping of the round of this number, if one is due."""

    def too_slow(self) -> None:
        """Handle a write that takes too long."""


class PingSchedule:
    """Gives every connection its turn to ping once a round, some at a time, which costs a fraction of one by one."""

    def __init__(self, timers: Timers) -> None:
        self._timers = timers
        self._ticks: list[dict[KeptAlive, None]] = [{} for _ in range(_TICKS)]
        self._tick_of: dict[KeptAlive, int] = {}
        self._steps = 0
        """Ticks so far; the last one is `_steps % _TICKS`."""
        self._due = 0
        self._scheduled = False

    def join(self, connection: KeptAlive) -> None:
        """Give the connection its turn once a round from now on, first within a round.

        It gets the tick with the most connections of those that are not full, the latest of several. If all are full,
        the tick with the fewest.
        """
        ahead = [(self._steps + step) % _TICKS for step in range(_TICKS, 0, -1)]
        with_room = [tick for tick in ahead if len(self._ticks[tick]) < TOGETHER]
        if with_room:
            tick = max(with_room, key=lambda each: len(self._ticks[each]))
        else:
            tick = min(ahead, key=lambda each: len(self._ticks[each]))
        self._ticks[tick][connection] = None
        self._tick_of[connection] = tick
        if not self._scheduled:
            self._schedule(self._timers.now() + TICK_NS)

    def leave(self, connection: KeptAlive) -> None:
        """Stop pinging the connection."""
        tick = self._tick_of.pop(connection, None)
        if tick is not None:
            del self._ticks[tick][connection]

    def _schedule(self, due: int) -> None:
        self._due, self._scheduled = due, True
        self._timers.call_at(due, self._step)

    def _step(self) -> None:
        self._scheduled = bool(self._tick_of)
        if not self._scheduled:
            return
        self._steps += 1
        rounds, tick = divmod(self._steps, _TICKS)
        for connection in list(self._ticks[tick]):
            # Rare pings of one tick stay together, and those of neighbouring ticks are in different rounds.
            connection.ping_in_round(rounds + tick)
        # An arena that stood still does not make up for it all at once.
        self._schedule(max(self._due + TICK_NS, self._timers.now()))


class WriteWatch:
    """Checks now and then the connections that are writing a frame; there are rarely more than a few."""

    def __init__(self, timers: Timers) -> None:
        self._timers = timers
        self._writing: dict[KeptAlive, int] = {}
        """How often the frame that is being written was checked."""
        self._looking = False

    def begin(self, connection: KeptAlive) -> None:
        """Watch a write: the connection is too slow if it still writes after `WRITE_LOOKS` more checks."""
        self._writing[connection] = 0
        if not self._looking:
            self._look_later()

    def end(self, connection: KeptAlive) -> None:
        """Stop watching a write."""
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
