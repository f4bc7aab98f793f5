"""The arena's heartbeat, by which it notices stalls."""

import asyncio
import time
from collections.abc import Callable
from typing import Final

import structlog

from arena.core.clock.stalls import BEAT_NS, StallMeter
from arena.core.units import NS_PER_MS, NS_PER_S
from arena.runner.timers import Timers
from arena.store.audit.entries import AuditKind
from arena.store.audit.writer import AuditSink, tell_nobody

AUDITED_NS: Final = NS_PER_S // 2
"""Stalls of this length and more stand in the audit trail: bots may have lost connections over them."""

LOG_EVERY_NS: Final = 60 * NS_PER_S
"""A busy machine makes the arena stand still several times a second; its operator reads of it once in this time."""

_log = structlog.get_logger(__name__)


async def beat_while(  # noqa: PLR0913 - who wants to know of it
    busy: Callable[[], bool],
    started: asyncio.Event,
    stalls: StallMeter,
    timers: Timers,
    *,
    lag: Callable[[float, float], None] = lambda _late, _own: None,
    beaten: Callable[[int], None] = lambda _: None,
    audit: AuditSink = tell_nobody,
    worked: Callable[[], int] = time.thread_time_ns,
) -> None:
    """Beat for ever while there are matches, and rest while there are none: an idle arena costs nothing.

    `started` is set whenever a match begins; `lag` is called with the seconds that each beat is late, and how many of
    them the loop's own work took, `beaten` with the time of each beat, and `audit` with long stalls. `worked`: the
    processor time of the calling thread, in nanoseconds.
    """
    news = StallNews(audit)
    while True:
        started.clear()
        due: int | None = None
        worked_before = 0
        while busy():
            now, worked_now = timers.now(), worked()
            news.note(stalls.beat(now), now)
            if due is not None:
                late, own = max(0, now - due), max(0, worked_now - worked_before - BEAT_NS)
                lag(late / NS_PER_S, min(late, own) / NS_PER_S)
            beaten(now)
            worked_before = worked_now
            due = now + BEAT_NS
            await asyncio.sleep(BEAT_NS / NS_PER_S)
        stalls.rest()
        await started.wait()


class StallNews:
    """Sums stalls up for the service log: the first is logged at once, later ones at most once a minute."""

    def __init__(self, audit: AuditSink = tell_nobody) -> None:
        """`audit`: called with each long stall, for the audit trail."""
        self._audit = audit
        self._lengths: list[int] = []
        self._silent_until: int | None = None

    def note(self, stalled_ns: int, now_ns: int) -> None:
        """Take the length of a stall that has just ended, or 0, and report what is due."""
        if stalled_ns:
            self._lengths.append(stalled_ns)
        if stalled_ns >= AUDITED_NS:
            self._audit(
                AuditKind.STALL,
                f"the arena stood still for {stalled_ns // NS_PER_MS} ms while matches were played; time in which "
                "answers waited for it is not charged",
                length_ns=stalled_ns,
            )
        if not self._lengths or (self._silent_until is not None and now_ns < self._silent_until):
            return
        _log.warning(
            "the arena stood still; time in which answers waited for it is not charged",
            times=len(self._lengths),
            longest_ms=max(self._lengths) // NS_PER_MS,
            total_ms=sum(self._lengths) // NS_PER_MS,
        )
        self._lengths.clear()
        self._silent_until = now_ns + LOG_EVERY_NS
