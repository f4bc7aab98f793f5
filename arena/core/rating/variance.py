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

from collections.abc import Sequence
from dataclasses import dataclass
from math import isqrt, prod
from typing import Final

from arena.core.rating.expected_score import MILLIONTHS, expected_score, half_to_even
from arena.core.rating.rating import INFORMATION_UNIT, PRIOR_INFORMATION

_SLOPE_BILLIONTHS: Final = 5_756_463
"""ln 10 / 400: how fast the log odds of a pair rise with a point."""

_SPREAD_OF_UNIT: Final = 100_724 * INFORMATION_UNIT // 10**10
"""3 (ln 10 / 400)**2 / pi**2: how fast uncertainty flattens the expected score; for an information of 1."""

_NEW_VERSION_VARIANCE: Final = 100**2
"""A new version may be stronger or weaker than the last by a standard deviation of 100 points: square points."""

_WEIGHT_UNIT: Final = 10**9 * MILLIONTHS**3
"""Of a slope in billionths, a g in millionths, and an E (1 - E) in millionths of millionths."""


@dataclass(frozen=True, slots=True)
class Opponent:
    """What the variance needs to know of an opponent."""

    difference_milli: int
    """The own rating minus its rating, in thousandths of a point."""
    information: int
    """Of its rating."""


def information_after(information: int, opponents: Sequence[Opponent], *, k: int, matches: int) -> int:
    """Return the information of a rating after a group; `information`: before it, `k` in points.

    With P = unit / information, and every a w(j) a number of parts of `unit_of_weights`, P' is brought over one
    denominator: whole numbers throughout, rounded once.
    """
    count = len(opponents)
    weights = [k * _SLOPE_BILLIONTHS * _mean_slope(information, each) for each in opponents]
    unit_of_weights = count * _WEIGHT_UNIT
    kept = unit_of_weights - sum(weights)
    shared = information * prod(each.information for each in opponents)
    carried = kept * kept * (shared // information)
    for weight, each in zip(weights, opponents, strict=True):
        carried += weight * weight * (shared // each.information)
    carried_unit = unit_of_weights * unit_of_weights * shared
    noise = k * k * (count + 2) * sum(_pair_variance(each.difference_milli) for each in opponents)
    noise_unit = INFORMATION_UNIT * count * count * 3 * matches * MILLIONTHS**2
    return _information(carried_unit * noise_unit, carried * noise_unit + noise * carried_unit)


def information_of_new_version(information: int) -> int:
    """Return the information that the rating of the last version holds about the next one."""
    return _information(
        INFORMATION_UNIT * information, INFORMATION_UNIT + _NEW_VERSION_VARIANCE * information
    )


def _mean_slope(information: int, opponent: Opponent) -> int:
    """Return w of the update, its g in millionths: E (1 - E), averaged over the uncertainty of both ratings."""
    both = information * opponent.information
    flattened = both + _SPREAD_OF_UNIT * (information + opponent.information)
    g = isqrt(MILLIONTHS**2 * both // flattened)
    return g * _pair_variance(half_to_even(g * opponent.difference_milli, MILLIONTHS))


def _pair_variance(difference_milli: int) -> int:
    """Return E (1 - E) in millionths of millionths: the variance of the score of a pair that never ties."""
    expected = expected_score(difference_milli)
    return expected * (MILLIONTHS - expected)


def _information(numerator: int, denominator: int) -> int:
    return max(PRIOR_INFORMATION, half_to_even(numerator, denominator))
