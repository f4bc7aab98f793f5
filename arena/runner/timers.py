"""Time as the runner needs it: a monotonic clock in nanoseconds and calls at a later moment."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Final, Protocol

_NS_PER_S: Final = 1_000_000_000
_HOPS: Final = 3
"""Turns of the loop in which everything that a socket had ready has been read and handed on."""


class Handle(Protocol):
    """A call that is still to come."""

    def cancel(self) -> None:
        """It does not come."""
        ...


class Timers(Protocol):
    """A clock and its alarms; a fake one drives the tests."""

    def now(self) -> int:
        """Nanoseconds of the monotonic clock."""
        ...

    def call_at(self, when: int, call: Callable[[], None]) -> Handle:
        """Calls at that time, after one full pass over the sockets."""
        ...


class LoopTimers:
    """The clock and alarms of an asyncio event loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        """`loop`: its own clock is the monotonic one."""
        self._loop = loop

    def now(self) -> int:
        """Nanoseconds of the monotonic clock."""
        return time.monotonic_ns()

    def call_at(self, when: int, call: Callable[[], None]) -> Handle:
        """Calls at that time, after one full pass over the sockets: what has arrived is read before any verdict."""
        return self._loop.call_at(when / _NS_PER_S, self._hop, _HOPS, call)

    def _hop(self, hops: int, call: Callable[[], None]) -> None:
        if hops:
            self._loop.call_soon(self._hop, hops - 1, call)
        else:
            call()
