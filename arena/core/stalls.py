"""When the arena itself stood still: nobody is charged for that."""

from __future__ import annotations

from collections import deque
from typing import Final

BEAT_NS: Final = 5_000_000
"""How often the heartbeat is due."""

GAP_NS: Final = 20_000_000
"""A gap between two beats that is longer than this is a stall, all of it."""

_REMEMBERED: Final = 4_096


class StallMeter:
    """The gaps in the arena's heartbeat. Times are nanoseconds of its monotonic clock."""

    def __init__(self) -> None:
        """Starts at rest: time before the first beat is no stall."""
        self._gaps: deque[tuple[int, int]] = deque(maxlen=_REMEMBERED)
        self._last_beat: int | None = None
        self.count = 0
        """Stalls that there have been."""
        self.total_ns = 0
        """How long all of them lasted together."""

    def beat(self, now_ns: int) -> int:
        """Notes a heartbeat. The length of the stall that ended with it, or 0."""
        last, self._last_beat = self._last_beat, now_ns
        if last is None or now_ns - last <= GAP_NS:
            return 0
        self._gaps.append((last, now_ns))
        self.count += 1
        self.total_ns += now_ns - last
        return now_ns - last

    def rest(self) -> None:
        """The heartbeat stops on purpose; the time until the next beat is no stall."""
        self._last_beat = None

    def overlap(self, start_ns: int, end_ns: int) -> int:
        """How much of the time from start to end the arena stood still, a stall that still lasts included."""
        total = 0
        for gap_start, gap_end in reversed(self._gaps):
            if gap_end <= start_ns:
                break
            total += max(0, min(end_ns, gap_end) - max(start_ns, gap_start))
        last = self._last_beat
        if last is not None and end_ns - last > GAP_NS:
            total += max(0, end_ns - max(start_ns, last))
        return total
