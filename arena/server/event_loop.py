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
_NEVER: Final = 1_000_000_000
"""Thresholds of the three generations of the garbage collector. With Python's own 700, 10, 10 and 500 matches in play,
a full collection took up to 1.5 s every few seconds; with 5,000 connected bots one takes half a second, so none begins
by itself (`collect_at_rest`)."""

_LOOK_S: Final = 60.0
_REST_BETWEEN_S: Final = 600.0
_AT_LATEST_S: Final = 6 * 3600.0


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
    so they are exempt. Matches and connections are freed without the collector, so it looks at objects that have lived
    for long only in `collect_at_rest`. And a computing thread releases the interpreter after 0.25 ms, instead of
    Python's 5 ms: listings are read and encoded in threads, and every decision of every match waits for the loop.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(_YOUNG, _PASSES, _NEVER)
    sys.setswitchinterval(_SWITCH_S)


async def collect_at_rest(rests: Callable[[], bool]) -> None:
    """Run full passes of the garbage collector while nobody waits for the loop, for ever.

    One in ten minutes at most, when `rests` says that no match is in play. If there is always one, one in six hours all
    the same: then half a second is lost with thousands of bots, which is charged to none of them.
    """
    loop = asyncio.get_running_loop()
    last = loop.time()
    while True:
        await asyncio.sleep(_LOOK_S)
        since = loop.time() - last
        if since >= (_REST_BETWEEN_S if rests() else _AT_LATEST_S):
            gc.collect()
            last = loop.time()
