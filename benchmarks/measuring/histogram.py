"""What a histogram of the arena's metrics says of one stretch of time."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Self

from prometheus_client.parser import text_string_to_metric_families


@dataclass(frozen=True, slots=True)
class Histogram:
    """How many values were at most so large, for each bound."""

    below: tuple[tuple[float, float], ...]
    """(bound, count), ascending; the last bound is infinite."""

    @classmethod
    def of(cls, page: str, name: str) -> Self:
        """Return the histogram of that name on a page of metrics."""
        samples = (each for family in text_string_to_metric_families(page) for each in family.samples)
        buckets = [
            (float(each.labels["le"]), each.value) for each in samples if each.name == f"{name}_bucket"
        ]
        return cls(tuple(sorted(buckets)))

    @property
    def count(self) -> float:
        """How many values there are."""
        return self.below[-1][1] if self.below else 0.0

    def since(self, before: Self) -> Histogram:
        """Return the values that have come after `before`, which is the same histogram."""
        pairs = zip(self.below, before.below, strict=True)
        return Histogram(tuple((bound, now - then) for (bound, now), (_, then) in pairs))

    def quantile(self, share: float) -> float:
        """Return the value that this share does not exceed, as Prometheus computes it: evenly spread in its bucket.

        What lies beyond the last bound counts as that bound; without values 0.
        """
        wanted = share * self.count
        for (low, fewer), (high, more) in pairwise(((0.0, 0.0), *self.below)):
            if more >= wanted and more > fewer:
                return low if high == float("inf") else low + (high - low) * (wanted - fewer) / (more - fewer)
        return 0.0
