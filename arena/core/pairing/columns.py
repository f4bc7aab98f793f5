"""What is known of each candidate of a ladder, as columns of whole numbers of 64 bits: the same on every machine."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

Column = NDArray[np.int64]
"""A number for each candidate, by bot."""
Mask = NDArray[np.bool_]


def column(numbers: Iterable[int]) -> Column:
    """The numbers in their order."""
    return np.fromiter(numbers, np.int64)
