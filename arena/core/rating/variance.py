"""How certain a live Elo rating is: the variance of its error, carried along with every update.

The error e of a rating is rating - strength. With c = ln 10 / 400, the update of `arena.core.rating.elo` makes it::

    e' = e - a * sum of w(j) * (e - e(j)) + K / (n - 1) * noise,    a = c * K / (n - 1)

so, the errors being taken as independent, its variance P follows::

    P' = (1 - a * sum of w(j))**2 * P + sum of (a * w(j))**2 * P(j) + (K / (n - 1))**2 * V

c w(j) is the slope of the expected score, averaged over where the true difference d may lie: with
g = 1 / sqrt(1 + 3 c**2 (P + P(j)) / pi**2) it is g E (1 - E) at g d (the approximation of Glickman, "Parameter
estimation in large dynamic paired comparison experiments", 1999). The slope at d itself would count a new bot's first
matches for too much.

V is the variance of the sum of a bot's pair scores in one match, divided by the matches of the group. The n - 1 pairs
of one match share one placing: between equal bots it is (n**2 - 1) / 12, that is (n + 1) / 3 times what independent
pairs would have. So the sum of the pairs' own variances E (1 - E) is scaled by (n + 1) / 3.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from typing import Final

from arena.core.rating.expected_score import MILLIONTHS, expected_score
from arena.core.rating.rating import INFORMATION_UNIT, PRIOR_INFORMATION

_SLOPE: Final = Fraction(5_756_463, 10**9)
"""ln 10 / 400: how fast the log odds of a pair rise with a point."""

_SPREAD: Final = Fraction(100_724, 10**10)
"""3 (ln 10 / 400)**2 / pi**2: how fast uncertainty, in square points, flattens the expected score."""

_NEW_VERSION_VARIANCE: Final = Fraction(100**2)
"""A new version may be stronger or weaker than the last by a standard deviation of 100 points."""


@dataclass(frozen=True, slots=True)
class Opponent:
    """What the variance needs to know of an opponent."""

    difference_milli: int
    """The own rating minus its rating, in thousandths of a point."""
    variance: Fraction
    """Of its rating, in square points."""


def information_after(variance: Fraction, opponents: Sequence[Opponent], *, k: int, matches: int) -> int:
    """The information of a rating after a group; `variance` is that before it, `k` in points."""
    gain = Fraction(k, len(opponents))
    weights = [gain * _SLOPE * _mean_slope(variance, each) for each in opponents]
    own = (1 - sum(weights)) ** 2 * variance
    of_opponents = sum(weight**2 * each.variance for weight, each in zip(weights, opponents, strict=True))
    pairs = sum(_pair_variance(each.difference_milli) for each in opponents)
    noise = gain**2 * Fraction(len(opponents) + 2, 3) * pairs / matches
    return _information(own + of_opponents + noise)


def information_of_new_version(information: int) -> int:
    """The information that the rating of the last version holds about the next one."""
    return _information(Fraction(INFORMATION_UNIT, information) + _NEW_VERSION_VARIANCE)


def _mean_slope(variance: Fraction, opponent: Opponent) -> Fraction:
    """w of the update: E (1 - E), averaged over what is not known of the two ratings."""
    flattening = 1 + _SPREAD * (variance + opponent.variance)
    g = Fraction(isqrt(MILLIONTHS**2 * flattening.denominator // flattening.numerator), MILLIONTHS)
    return g * _pair_variance(round(g * opponent.difference_milli))


def _pair_variance(difference_milli: int) -> Fraction:
    """E (1 - E): the variance of the score of a pair that never ties."""
    expected = expected_score(difference_milli)
    return Fraction(expected * (MILLIONTHS - expected), MILLIONTHS**2)


def _information(variance: Fraction) -> int:
    return max(PRIOR_INFORMATION, round(INFORMATION_UNIT / variance))
