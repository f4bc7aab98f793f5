"""The arena's heartbeat, by which it notices that it stood still."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

import structlog

from arena.core.stalls import BEAT_NS, StallMeter
from arena.core.time_control import NS_PER_MS
from arena.runner.timers import Timers

_NS_PER_S: Final = 1_000_000_000
_log = structlog.get_logger(__name__)


async def beat_while(
    busy: Callable[[], bool], started: asyncio.Event, stalls: StallMeter, timers: Timers
) -> None:
    """Beats for ever while there are matches, and rests while there are none, so that an idle arena costs nothing.

    `started` is set whenever a match begins.
    """
    while True:
        started.clear()
        while busy():
            stalled = stalls.beat(timers.now())
            if stalled:
                _log.warning(
                    "the arena stood still; nobody is charged for it", stalled_ms=stalled // NS_PER_MS
                )
            await asyncio.sleep(BEAT_NS / _NS_PER_S)
        stalls.rest()
        await started.wait()
