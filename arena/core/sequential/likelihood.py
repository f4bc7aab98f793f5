"""How much likelier results are under one mean than under another, whatever their distribution is.

The generalised likelihood ratio of a distribution of which only the mean is given: under each of the two means, the
distribution on the observed values is the likeliest one that has it. Proposition 1.1 of M. Van den Bergh, "Comparing
the approximations for the generalized log likelihood ratio of a multinomial distribution"
(https://www.cantate.be/Fishtest/comparing_approximations.pdf); with real-valued results it is the empirical likelihood
of A. B. Owen, "Empirical Likelihood Ratio Confidence Intervals for a Single Functional", Biometrika 75 (1988).
"""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating[Any]]

LEAST_WEIGHT: Final = 1e-3
"""The least weight of the lowest and the highest value that a result can have.

Without it no distribution on what was observed has a mean beyond it. Fishtest and fastchess use the same number.
"""

_MOST_STEPS: Final = 60
_CLOSE: Final = 1e-9
"""Of the width in which the root lies. The ratio has a maximum there, so its own error is of the second order."""


def log_likelihood_ratio(
    values: Floats, weights: Floats, mean0: Floats | float, mean1: Floats | float
) -> Floats:
    """Return log(likelihood under `mean1` / likelihood under `mean0`) of each row of weights.

    `values`: ascending, the first and the last are the lowest and the highest that are possible; shape (k).
    `weights`: how often each was observed, shape (..., k). The means are between the first and the last value; shape
    (...) or numbers.
    """
    padded = np.array(weights, dtype=float)
    padded[..., [0, -1]] = np.maximum(padded[..., [0, -1]], LEAST_WEIGHT)
    return _largest(values, padded, np.asarray(mean0)) - _largest(values, padded, np.asarray(mean1))


def _largest(values: Floats, weights: Floats, mean: Floats) -> Floats:
    """Return minus the log-likelihood, up to a constant: the largest sum(w log(1 + theta (x - mean))) over theta.

    Its derivative decreases, so its root is found by Newton's method between two bounds that close in.
    """
    apart = values - mean[..., None]
    low, high = -1 / apart[..., -1], -1 / apart[..., 0]
    low, high = (np.broadcast_to(each, weights.shape[:-1]).astype(float) for each in (low, high))
    width = high - low
    theta = (weights * apart).sum(-1) / (weights * apart**2).sum(-1)
    theta = np.where((theta > low) & (theta < high), theta, (low + high) / 2)
    for _ in range(_MOST_STEPS):
        share = apart / (1 + theta[..., None] * apart)
        slope = (weights * share).sum(-1)
        low, high = np.where(slope > 0, theta, low), np.where(slope > 0, high, theta)
        step = theta + slope / (weights * share**2).sum(-1)
        following = np.where((step > low) & (step < high), step, (low + high) / 2)
        moved = np.abs(following - theta)
        theta = following
        if np.all(moved <= _CLOSE * width):
            break
    return np.asarray((weights * np.log1p(theta[..., None] * apart)).sum(-1))
