"""Elo differences in points and score differences, each from the other.

A bot rated d points above another is expected to score E(d) = 1 / (1 + 10^(-d/400)) against it (Elo, "The Rating of
Chessplayers", 1978; the logistic form, as in `arena.core.rating`). Bots that meet each other differ in their scores by
2 E(d) - 1 = tanh(d ln(10) / 800). Bots that meet a third differ in their scores against it, which also depends on how
strong it is: on the level p, the mean of their two scores.
"""

import math
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating[Any]]

POINTS: Final = 400 / math.log(10)
"""Points for each unit of the logit of a score."""


def met_difference(elo: float) -> float:
    """Return the score difference of two bots that meet each other, in -1..1."""
    return math.tanh(elo / (2 * POINTS))


def field_difference(elo: float, level: Floats | float) -> Floats:
    """Return the score difference of two bots in the same field, at this level (their mean score, 0..1).

    The difference 2h solves logit(p + h) - logit(p - h) = d ln(10) / 400. With t = tanh(d ln(10) / 800) and
    q = p (1 - p) that is t (q + h^2) = h, of which the root near 0 is wanted.
    """
    slope = math.tanh(elo / (2 * POINTS))
    spread = np.asarray(level) * (1 - np.asarray(level))
    return np.asarray(4 * spread * slope / (1 + np.sqrt(1 - 4 * spread * slope**2)))


def met_elo(difference: float) -> float:
    """Return the Elo difference of two bots that meet each other; infinite where one has won everything."""
    return 2 * POINTS * math.atanh(difference) if abs(difference) < 1 else math.copysign(math.inf, difference)


def field_elo(difference: float, level: float) -> float:
    """Return the Elo difference of two bots in the same field; infinite beyond what the level allows."""
    high, low = level + difference / 2, level - difference / 2
    if min(high, low) <= 0 or max(high, low) >= 1:
        return math.copysign(math.inf, difference) if difference else 0.0
    return POINTS * (_logit(high) - _logit(low))


def _logit(score: float) -> float:
    return math.log(score / (1 - score))
