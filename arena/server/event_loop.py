"""The event loop that an arena runs on, and when Python looks for garbage in it."""

from __future__ import annotations

import asyncio
import gc
import sys
from collections.abc import Callable, Coroutine
from typing import Final, TypeVar

T = TypeVar("T")

_SWITCH_S: Final = 0.001

_YOUNG: Final = 2_000
_PASSES: Final = 10
_FULL_PASSES: Final = 100
"""How many more objects there must be than at the last pass over the youngest ones, how many of those passes make one
over the middle-aged, and how many of those make a full one. Python's own 700, 10, 10 are for programs that nobody waits
for: with 500 matches in play a full pass took up to a second and a half, and there was one every few seconds."""


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


def switch_often() -> None:
    """A thread that computes gives way to the event loop after a millisecond, instead of Python's five.

    Listings are read and worded in threads; every decision of every match waits for the loop.
    """
    sys.setswitchinterval(_SWITCH_S)


def collect_rarely() -> None:
    """The garbage collector looks through everything once in two million new objects.

    It has little to find: what an arena is done with, matches and connections above all, is free without it.
    """
    gc.set_threshold(_YOUNG, _PASSES, _FULL_PASSES)
