"""A common budget for work that must not crowd out the matches."""

from __future__ import annotations

from typing import Final

BURST_S: Final = 0.05
"""What may be used ahead of its time, so that a few never wait."""


class Pacer:
    """Hands out turns, so many a second at the most, first come, first served."""

    def __init__(self, per_second: float) -> None:
        """Nothing was handed out yet."""
        self._each_s = 1 / per_second
        self._next = 0.0

    def wait_s(self, now: float) -> float:
        """A turn is taken; so many seconds from `now` (seconds of a monotonic clock) it comes."""
        self._next = max(self._next, now - BURST_S) + self._each_s
        return max(0.0, self._next - now)
