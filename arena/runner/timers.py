"""Time as the runner needs it: a monotonic clock in nanoseconds and calls at a later moment."""

import asyncio
import time
from collections.abc import Callable
from typing import Final, Protocol

from arena.core.units import NS_PER_S

_HOPS: Final = 4
"""Turns of the loop in which everything that a socket had ready has been read and handed on.

A socket wakes the reader, the reader queues the frame, the frame is handled; and uvloop's first turn comes before it
looks at the sockets.
"""

_TICK_S: Final = 0.001
"""In what steps uvloop counts: its alarms may go off by so much too early."""


class Handle(Protocol):
    """A call that is still to come."""

    def cancel(self) -> None:
        """Cancel the call."""


class Timers(Protocol):
    """A clock and its alarms; a fake one drives the tests."""

    def now(self) -> int:
        """Return nanoseconds of the monotonic clock."""

    def call_at(self, when: int, call: Callable[[], None]) -> Handle:
        """Call at that time, after one full pass over the sockets."""


class LoopTimers:
    """The clock and alarms of an asyncio event loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        """`loop`: its own clock is the monotonic one."""
        self._loop = loop

    def now(self) -> int:
        """Return nanoseconds of the monotonic clock."""
        return time.monotonic_ns()

    def call_at(self, when: int, call: Callable[[], None]) -> Handle:
        """Call at that time, after one full pass over the sockets: what has arrived is read before any verdict."""
        alarm = _Alarm(self._loop, when, call)
        alarm.set_at(when / NS_PER_S)
        return alarm


class _Alarm:
    """One call that is still to come."""

    __slots__ = ("_call", "_handle", "_loop", "_when")

    def __init__(self, loop: asyncio.AbstractEventLoop, when: int, call: Callable[[], None]) -> None:
        self._loop = loop
        self._when = when
        self._call = call
        self._handle: asyncio.Handle

    def set_at(self, loop_time: float) -> None:
        """Set the time of the loop at which it goes off."""
        self._handle = self._loop.call_at(loop_time, self._ring)

    def cancel(self) -> None:
        """Cancel the alarm."""
        self._handle.cancel()

    def _ring(self) -> None:
        if time.monotonic_ns() < self._when:
            self.set_at(self._loop.time() + _TICK_S)
        else:
            self._hop(_HOPS)

    def _hop(self, hops: int) -> None:
        if hops:
            self._handle = self._loop.call_soon(self._hop, hops - 1)
            return
        # The loop's handle names this alarm and is named by it: what is called must not wait in that circle, a whole
        # match, until the garbage collector comes.
        call, self._call = self._call, _nothing
        call()


def _nothing() -> None:
    """Replace the call of an alarm that has gone off."""
