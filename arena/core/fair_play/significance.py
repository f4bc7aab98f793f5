"""Tail probabilities and corrections: how often chance alone does as much, and what many looks cost.

Student's t by the continued fraction of the incomplete beta function (M. Abramowitz and I. A. Stegun, *Handbook of
Mathematical Functions*, 1964, 26.5.8 and 26.7.1); the hypergeometric tail is R. A. Fisher's exact test (*Statistical
Methods for Research Workers*, 5th ed. 1934, section 21.02); Holm's correction is S. Holm, "A simple sequentially
rejective multiple test procedure", *Scandinavian Journal of Statistics* 6 (1979), 65-70; the interval of a share is
E. B. Wilson's, *Journal of the American Statistical Association* 22 (1927), 209-212.
"""

import math
from collections.abc import Sequence
from functools import cache
from typing import Final

_TINY: Final = 1e-300
_CLOSE: Final = 1e-14
_MOST_TERMS: Final = 500
_HALVINGS: Final = 80
_FAR: Final = 1e6
"""Standard errors beyond which nothing is looked for."""

NORMAL_95: Final = 1.959964
"""Half a 95 % interval of the normal distribution, in standard deviations."""


def normal_tail(deviations: float) -> float:
    """Return the chance that a normal variable is at least so many standard deviations above its mean."""
    return math.erfc(deviations / math.sqrt(2)) / 2


def student_tail(t: float, freedom: int) -> float:
    """Return the chance that Student's t with `freedom` degrees of freedom, at least 1, is `t` or more."""
    half = _incomplete_beta(freedom / 2, 0.5, freedom / (freedom + t * t)) / 2
    return half if t >= 0 else 1 - half


@cache
def student_quantile(tail: float, freedom: int) -> float:
    """Return the t that is exceeded with this chance, between 0 and 1/2, to a millionth."""
    low, high = 0.0, _FAR
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if student_tail(middle, freedom) > tail else (low, middle)
    return high


def fisher_tail(hits: int, tries: int, other_hits: int, other_tries: int) -> float:
    """Return the chance of so many hits or more here if hits were random: Fisher's exact test, one-sided."""
    all_hits, all_tries = hits + other_hits, tries + other_tries
    whole = math.comb(all_tries, all_hits)
    more = range(hits, min(tries, all_hits) + 1)
    return sum(math.comb(tries, n) * math.comb(other_tries, all_hits - n) for n in more) / whole


def wilson(hits: float, tries: float) -> tuple[float, float]:
    """Return the 95 % Wilson interval of a share of which `hits` of `tries` were seen; (0, 1) without tries."""
    if tries <= 0:
        return 0.0, 1.0
    share, extra = hits / tries, NORMAL_95**2 / tries
    middle = (share + extra / 2) / (1 + extra)
    half = math.sqrt(max(0.0, share * (1 - share) * extra + extra * extra / 4)) / (1 + extra)
    return max(0.0, middle - half), min(1.0, middle + half)


def holm(chances: Sequence[float]) -> list[float]:
    """Return Holm's adjusted p values."""
    order = sorted(range(len(chances)), key=lambda place: chances[place])
    adjusted, reached = [0.0] * len(chances), 0.0
    for rank, place in enumerate(order):
        reached = max(reached, min(1.0, (len(chances) - rank) * chances[place]))
        adjusted[place] = reached
    return adjusted


def _incomplete_beta(a: float, b: float, x: float) -> float:
    """Return I_x(a, b), for a and b above 0 and x from 0 to 1."""
    if x <= 0 or x >= 1:
        return 0.0 if x <= 0 else 1.0
    logs = a * math.log(x) + b * math.log1p(-x) - math.lgamma(a) - math.lgamma(b) + math.lgamma(a + b)
    front = math.exp(logs)
    if x < (a + 1) / (a + b + 2):
        return front * _fraction(a, b, x) / a
    return 1 - front * _fraction(b, a, 1 - x) / b


def _fraction(a: float, b: float, x: float) -> float:
    """Return the continued fraction of I_x(a, b), term by term (Lentz's method)."""
    upper, lower = 1.0, 1 / _off_zero(1 - (a + b) * x / (a + 1))
    found = lower
    for m in range(1, _MOST_TERMS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        step = 1.0
        for term in (even, odd):
            lower = 1 / _off_zero(1 + term * lower)
            upper = _off_zero(1 + term / upper)
            step = lower * upper
            found *= step
        if abs(step - 1) < _CLOSE:
            break
    return found


def _off_zero(value: float) -> float:
    return value if abs(value) > _TINY else _TINY
