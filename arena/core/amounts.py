"""Amounts of things by their words, as exchanges name them (`engine.game.Exchange`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping


def summed(parts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    """All of them together, in alphabetical order."""
    sums: Counter[str] = Counter()
    for each in parts:
        sums.update(each)
    return dict(sorted(sums.items()))
