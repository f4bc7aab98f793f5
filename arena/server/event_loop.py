"""The event loop of an arena, and the settings of garbage collector and threads."""

import asyncio
import gc
import sys
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Final, TypeVar

T = TypeVar("T")

_SWITCH_S: Final = 0.00025

_YOUNG: Final = 2_000
_PASSES: Final = 10
_FULL_PASSES: Final = 100
"""Thresholds of the three generations of the garbage collector. With Python's own 700, 10, 10 and 500 matches in play,
a full collection took up to 1.5 s every few seconds."""


def run(main: Coroutine[None, None, T]) -> T:
    """Run `main` on uvloop if it is installed, otherwise on asyncio's own loop; return its result."""
    factory: Callable[[], asyncio.AbstractEventLoop] = asyncio.new_event_loop
    with suppress(ImportError):
        import uvloop

        factory = uvloop.new_event_loop
    with asyncio.Runner(loop_factory=factory) as runner:
        return runner.run(main)


def tune() -> None:
    """Set garbage collection and threads for an arena; to be called when everything is loaded.

    The libraries are half a million objects that stay to the end: to walk them takes 50 ms, in which every bot waits,
    so they are exempt. Matches and connections are freed without the collector, so it runs fully once in two million
    new objects. And a computing thread releases the interpreter after 0.25 ms, instead of Python's 5 ms: listings are
    read and encoded in threads, and every decision of every match waits for the loop.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(_YOUNG, _PASSES, _FULL_PASSES)
    sys.setswitchinterval(_SWITCH_S)
