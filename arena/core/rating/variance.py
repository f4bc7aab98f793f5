"""How certain a live Elo rating is: the variance of its error, carried along with every update.

The error e of a rating is rating - strength. With slope w(j) = E (1 - E) and c = ln 10 / 400 the update of
`arena.core.rating.elo` changes it, to first order, by::

    e' = e - a * sum of w(j) * (e - e(j)) + K / (n - 1) * noise,    a = c * K / (n - 1)

so, the errors being taken as independent, its variance P follows::

    P' = (1 - a * sum of w(j))**2 * P + sum of (a * w(j))**2 * P(j) + (K / (n - 1))**2 * V

V is the variance of the sum of a bot's pair scores in one match, divided by the matches of the group. The n -
1 pairs of one match share one placing: between equal bots it is (n**2 - 1) / 12, that is (n + 1) / 3 times
what independent pairs would have. So the sum of the pairs' own variances w(j) is scaled by (n + 1) / 3.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from arena.core.rating.expected_score import MILLIONTHS
from arena.core.rating.rating import INFORMATION_UNIT, PRIOR_INFORMATION

_SLOPE: Final = Fraction(5_756_463, 10**9)
"""ln 10 / 400: how fast the log odds of a pair rise with a point."""

_NEW_VERSION_VARIANCE: Final = Fraction(100**2)
"""A new version may be stronger or weaker than the last by a standard deviation of 100 points."""


@dataclass(frozen=True, slots=True)
class Opponent:
    """What the variance needs to know of an opponent."""

    expected: int
    """The expected score against it, in millionths."""
    variance: Fraction
    """Of its rating, in square points."""

    @property
    def pair_variance(self) -> Fraction:
        """E (1 - E): the variance of the score of one pair that never ties."""
        return Fraction(self.expected * (MILLIONTHS - self.expected), MILLIONTHS**2)


def information_after(variance: Fraction, opponents: Sequence[Opponent], *, k: int, matches: int) -> int:
    """The information of a rating after a group; `variance` is that before it, `k` in points."""
    gain = Fraction(k, len(opponents))
    steepness = gain * _SLOPE
    pairs = sum((each.pair_variance for each in opponents), Fraction(0))
    of_opponents = sum(
        ((steepness * each.pair_variance) ** 2 * each.variance for each in opponents), Fraction(0)
    )
    noise = gain**2 * Fraction(len(opponents) + 2, 3) * pairs / matches
    return _information((1 - steepness * pairs) ** 2 * variance + of_opponents + noise)


def information_of_new_version(information: int) -> int:
    """The information that the rating of the last version holds about the next one."""
    return _information(Fraction(INFORMATION_UNIT, information) + _NEW_VERSION_VARIANCE)


def _information(variance: Fraction) -> int:
    return max(PRIOR_INFORMATION, round(INFORMATION_UNIT / variance))
