"""A histogram: plain numbers, cheap to add to."""

from __future__ import annotations

import threading
from bisect import bisect_left
from collections.abc import Sequence


class Buckets:
    """A histogram: how many values fell below each bound, and their sum. Any thread may add to it."""

    def __init__(self, bounds: Sequence[float]) -> None:
        """`bounds`: ascending, the upper end of each bucket; one for all larger values comes on top."""
        self.bounds = tuple(bounds)
        self._counts = [0] * (len(self.bounds) + 1)
        self._sum = 0.0
        self.highest = 0.0
        """Of all values."""
        self._lock = threading.Lock()

    def add(self, value: float) -> None:
        """One more value."""
        with self._lock:
            self._counts[bisect_left(self.bounds, value)] += 1
            self._sum += value
            self.highest = max(self.highest, value)

    def read(self) -> tuple[list[int], float]:
        """How many values each bucket has, and the sum of all."""
        with self._lock:
            return list(self._counts), self._sum
