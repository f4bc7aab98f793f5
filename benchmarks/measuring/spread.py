"""What several measurements of one thing say together."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median


@dataclass(frozen=True, slots=True)
class Spread:
    """The lowest, the middle and the highest of several measurements."""

    low: float
    middle: float
    """The median: what a goal is held against."""
    high: float


def spread(values: Iterable[float]) -> Spread:
    """Return the spread of one measurement or more.

    Raises ValueError: there is none, or one is no finite number.
    """
    ordered = sorted(values)
    if not ordered or not all(math.isfinite(value) for value in ordered):
        raise ValueError("a spread needs measurements, and finite ones")
    return Spread(ordered[0], median(ordered), ordered[-1])


def ratios(pairs: Sequence[tuple[float, float]]) -> Spread:
    """Ours over theirs, each pair by itself: what slowed the machine down for a while slowed both of a pair.

    Raises ValueError: there is no pair, or theirs is 0 in one.
    """
    if any(theirs == 0 for _, theirs in pairs):
        raise ValueError("a ratio needs something to be held against")
    return spread(ours / theirs for ours, theirs in pairs)


def percentile(ordered: Sequence[float], share: float) -> float:
    """Return the nearest-rank percentile of ascending values: the lowest one that `share` of them do not exceed.

    Raises ValueError: there are no values.
    """
    if not ordered:
        raise ValueError("a percentile needs values")
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]
