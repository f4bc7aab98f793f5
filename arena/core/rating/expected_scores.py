"""Many expected scores at once, each to the last digit that of `expected_score`."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from arena.core.rating.expected_score import STEP_MILLI, TABLE

_TABLE: Final = np.array((*TABLE, TABLE[-1]), np.int64)
"""With the last entry twice, so that every step has an end."""

_HALF: Final = STEP_MILLI // 2


def expected_scores(differences_milli: NDArray[np.int64]) -> NDArray[np.int64]:
    """The expected scores in millionths for rating differences in thousandths of a point, none below 0."""
    capped = np.minimum(differences_milli, STEP_MILLI * (len(TABLE) - 1))
    step = capped // STEP_MILLI
    low = _TABLE[step]
    whole, rest = np.divmod((_TABLE[step + 1] - low) * (capped - step * STEP_MILLI), STEP_MILLI)
    half_to_even = (rest > _HALF) | ((rest == _HALF) & (whole % 2 == 1))
    return np.asarray(low + whole + half_to_even, np.int64)
