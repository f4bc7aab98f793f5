"""The goods: kinds, values, and how many of each a match has."""

from enum import Enum, IntEnum
from typing import Final


class Good(IntEnum):
    """A kind of good, numbered in the order of C4."""

    MEAT = 0
    SWORDS = 1
    SALT = 2
    HIDES = 3
    IVORY = 4
    CLOTH = 5
    GEMS = 6
    PAPER = 7

    __hash__ = int.__hash__  # that of Enum is written in Python, and views are keys of caches


class GoodsSet(Enum):
    """How many goods are in a match (C2)."""

    FULL = "FULL"
    """48 goods."""
    SHORT = "SHORT"
    """32 goods."""


GOODS: Final = tuple(Good)
"""All kinds by number."""

NO_GOOD: Final = -1
"""In the engine's lists of goods: none."""

COMMON_POINTS: Final = 3
RARE_POINTS: Final = 6

POINTS: Final = (COMMON_POINTS,) * 4 + (RARE_POINTS,) * 4
"""Points of a delivered good by kind (C19)."""

GOODS_COUNT: Final = {GoodsSet.FULL: (9,) * 4 + (3,) * 4, GoodsSet.SHORT: (6,) * 4 + (2,) * 4}
"""How many goods of each kind a set has (C2)."""


def canonical_bag(counts: tuple[int, ...]) -> bytes:
    """Return the goods by their numbers, all of the first kind, then all of the second, ... (C4)."""
    return bytes(good for good, count in enumerate(counts) for _ in range(count))
