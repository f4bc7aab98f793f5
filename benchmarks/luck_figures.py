"""What match groups say of luck: the advantage of a place at the table, what spreads results, how many groups it takes.

All scores are those of pairs (docs/ratings.md): 1 for being ahead, 1/2 for a tie, 0 for being behind; an even score is
1/2. All intervals are normal ones of 95 %.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import NormalDist, fmean
from typing import Final

from benchmarks.luck_groups import Group, SeatedMatch

EVEN: Final = 0.5
_NORMAL: Final = NormalDist()
HALF_OF_95: Final = _NORMAL.inv_cdf(0.975)
"""Half the width of a 95 % interval, in standard errors."""
_ELO: Final = 400 / math.log(10)
_MOST_CERTAIN: Final = 0.999
"""A score beyond it, or beyond 1 minus it, is taken for it: a bot that won all matches is not infinitely stronger."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number that was measured."""

    value: float
    half: float
    """Half the width of its 95 % interval."""

    def holds(self, value: float) -> bool:
        """Return whether the interval contains the value."""
        return abs(value - self.value) <= self.half


def mean_of(values: Sequence[float]) -> Estimate:
    """Return the mean of two or more independent values."""
    return Estimate(fmean(values), HALF_OF_95 * math.sqrt(variance(values) / len(values)))


def variance(values: Sequence[float]) -> float:
    """Return the unbiased estimate from two or more values."""
    middle = fmean(values)
    return sum((value - middle) ** 2 for value in values) / (len(values) - 1)


def by_place(groups: Sequence[Group]) -> list[Estimate]:
    """By place, from the seat asked first on: how much more than an even score a seat there makes.

    Each match is taken for independent, as it is where matches have seeds of their own.
    """
    matches = [match for group in groups for match in group]
    seats = range(len(matches[0].bots))
    return [mean_of([match.score(_bot_at(match, place)) - EVEN for match in matches]) for place in seats]


def by_place_in_the_first_match(groups: Sequence[Group]) -> list[Estimate]:
    """By its place in the group's first match: how much more than an even score a bot makes in the whole group."""
    return _after_the_group(groups, _bot_at)


def by_seat_in_the_first_match(groups: Sequence[Group]) -> list[Estimate]:
    """By its seat in the group's first match, likewise."""
    return _after_the_group(groups, lambda match, number: match.bots[number])


def _after_the_group(groups: Sequence[Group], who: Callable[[SeatedMatch, int], str]) -> list[Estimate]:
    return [
        mean_of([group_score(group, who(group[0], number)) - EVEN for group in groups])
        for number in range(len(groups[0][0].bots))
    ]


def group_scores(groups: Sequence[Group], bot: str) -> list[float]:
    """Return the mean score of a bot against all others in each group."""
    return [group_score(group, bot) for group in groups]


def group_score(group: Group, bot: str) -> float:
    """Return the mean score of a bot against all others in one group."""
    return fmean(match.score(bot) for match in group)


def _bot_at(match: SeatedMatch, place: int) -> str:
    return match.bots[(match.first + place) % len(match.bots)]


def match_results(groups: Sequence[Group], one: str, other: str) -> list[float]:
    """Return the score of one bot against another in each match."""
    return [match.against(one, other) for group in groups for match in group]


def group_results(groups: Sequence[Group], one: str, other: str) -> list[float]:
    """Return the mean score of one bot against another in each group."""
    return [fmean(match.against(one, other) for match in group) for group in groups]


def taken_away(own: Sequence[float], shared: Sequence[float]) -> Estimate | None:
    """Return the part of the variance with own seeds that results with a shared seed lack; below 0: they have more.

    None if those with own seeds are all the same, so that there is nothing to take away.

    The logarithm of a variance is taken for normal, with the variance (k - 1) / n, k being the kurtosis: the delta
    method on Var(s^2) = (m4 - s^4) / n.
    """
    if not variance(own):
        return None
    left = variance(shared) / variance(own)
    if not left:
        return Estimate(1.0, 0.0)
    error = math.sqrt(sum((_kurtosis(each) - 1) / len(each) for each in (own, shared)))
    return Estimate(1 - left, left * math.expm1(HALF_OF_95 * error))


def _kurtosis(values: Sequence[float]) -> float:
    middle = fmean(values)
    return (
        fmean((value - middle) ** 4 for value in values)
        / fmean((value - middle) ** 2 for value in values) ** 2
    )


def expected_score(points: float) -> float:
    """Return what a bot that much stronger scores against the other (Elo's logistic form, docs/ratings.md)."""
    return 1 / (1 + math.exp(-points / _ELO))


def points_of(score: float) -> float:
    """Return the difference in Elo at which that score is expected."""
    score = min(max(score, 1 - _MOST_CERTAIN), _MOST_CERTAIN)
    return _ELO * math.log(score / (1 - score))


def groups_needed(spread: float, points: float, *, likelihood: float, in_runs: float) -> int:
    """Return so many match groups until the better bot is found better with this likelihood, in that part of all runs.

    `spread` is the variance of the result of a group, `points` the difference in Elo. With z of the normal distribution
    and d, the expected score less 1/2, it is ((z(likelihood) + z(in_runs)) ** 2 * spread / d ** 2): the sample size of
    a one-sided test of a mean (NIST/SEMATECH e-Handbook of Statistical Methods, 7.2.2.2).
    """
    deviations = _NORMAL.inv_cdf(likelihood) + _NORMAL.inv_cdf(in_runs)
    return max(1, math.ceil(deviations**2 * spread / (expected_score(points) - EVEN) ** 2))


def half_of_tosses(groups: int, seats: int) -> float:
    """Return half the 95 % interval of an even score after so many match groups, were each match a toss of its own.

    The variance of a toss, 1/4, is known before the first match, and a little more than ties leave. Groups whose
    matches make up for each other, as with a shared seed, may tell more.
    """
    return HALF_OF_95 * math.sqrt(1 / (4 * seats * groups))


def groups_for_an_interval(points: float, seats: int) -> int:
    """So many match groups until half that interval is no more than what a difference of so much Elo scores above even.

    A bot that is so much better is then told from an equal one in half of all runs.
    """
    deviations = HALF_OF_95 / (expected_score(points) - EVEN)
    return math.ceil(deviations**2 / (4 * seats))
