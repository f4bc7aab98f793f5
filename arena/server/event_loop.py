"""The event loop that an arena runs on, and when Python looks for garbage in it."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable, Coroutine
from typing import TypeVar

T = TypeVar("T")


def run(main: Coroutine[None, None, T]) -> T:
    """What `main` returns, run on uvloop where it is installed and on asyncio's own loop elsewhere."""
    with asyncio.Runner(loop_factory=_fastest_loop()) as runner:
        return runner.run(main)


def _fastest_loop() -> Callable[[], asyncio.AbstractEventLoop]:
    """Makes uvloop's loop if it is there: the server extra brings it, except where it does not exist."""
    try:
        import uvloop
    except ImportError:
        return asyncio.new_event_loop
    return uvloop.new_event_loop


def keep_all_loaded() -> None:
    """What is in memory now is never looked at again by the garbage collector.

    The libraries of an arena are half a million objects that stay to its end. To walk them takes 50 ms, in which every
    bot waits.
    """
    gc.collect()
    gc.freeze()
