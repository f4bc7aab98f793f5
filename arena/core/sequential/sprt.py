"""A generalised sequential probability ratio test of the Elo difference of two bots.

A. Wald, "Sequential Tests of Statistical Hypotheses", Annals of Mathematical Statistics 16 (1945): results are taken
until the log-likelihood ratio of two hypotheses leaves an interval. The unit is the match group, because its matches
have the same set-up and rotate the same seats, and so are not independent: its value is the difference of the two
bots' mean scores in it. Nothing is assumed of its distribution, with any number of seats (`likelihood.py`).
"""

import math
from bisect import insort
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from arena.core.sequential.elo_difference import field_difference, field_elo, met_difference, met_elo
from arena.core.sequential.likelihood import log_likelihood_ratio

Floats = NDArray[np.floating[Any]]

_Z95: Final = 1.959963984540054
"""The normal distribution's quantile of an interval that holds 95 %."""


_STRAIGHT: Final = 1e-6
"""Below this bend the drift has no influence, and the formula with it would divide 0 by 0."""


class Verdict(Enum):
    """What a test has decided."""

    BETTER = "better"
    """The hypothesis that the new bot is `elo1` points better was accepted."""
    NOT_BETTER = "not_better"
    """The hypothesis that the new bot is `elo0` points better was accepted."""
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Hypotheses:
    """What is tested."""

    elo0: float
    """The Elo difference in points that is not enough."""
    elo1: float
    """The one that is; larger than `elo0`."""
    alpha: float = 0.05
    """The risk to accept `elo1` where `elo0` is true."""
    beta: float = 0.05
    """The risk to accept `elo0` where `elo1` is true. `alpha` + `beta` is below 1."""

    @property
    def lower(self) -> float:
        """The log-likelihood ratio at which `elo0` is accepted, log(beta / (1 - alpha)) (Wald 1945)."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """The log-likelihood ratio at which `elo1` is accepted, log((1 - beta) / alpha)."""
        return math.log((1 - self.beta) / self.alpha)


@dataclass(frozen=True, slots=True)
class GroupScore:
    """What the two bots scored in one match group, against each other or against the same field."""

    new: int
    """Half points: 2 for each opponent that was worse, 1 for each tie."""
    old: int
    most: int
    """Half points that each of them could have scored."""

    @property
    def difference(self) -> float:
        """The difference of the mean scores, -1..1."""
        return (self.new - self.old) / self.most


@dataclass(frozen=True, slots=True)
class Estimate:
    """What is known of the difference after some groups."""

    groups: int
    new: float | None
    """The mean score of the new bot, 0..1; None before the first group."""
    old: float | None
    elo: float | None
    """The Elo difference in points; infinite where one bot has won everything; None before the first group."""
    low: float | None
    """The ends of its interval of 95 %; None before two groups or while all of them are alike."""
    high: float | None
    superiority: float | None
    """The likelihood that the new bot is better, 0..1; None as for the interval."""
    ratio: float
    """The log-likelihood ratio."""
    groups_left: float
    """How many more groups the test is expected to take, if the difference is what it seems to be."""


class SequentialTest:
    """The groups so far and what follows from them. After a verdict further groups are left out."""

    def __init__(self, hypotheses: Hypotheses, *, field: bool) -> None:
        """`field`: whether the two bots play against others, instead of each other."""
        self.hypotheses = hypotheses
        self.verdict = Verdict.UNDECIDED
        self.ratios: list[float] = []
        """The log-likelihood ratio after each group."""
        self._field = field
        self._values: list[float] = [-1.0, 1.0]
        self._scores: list[GroupScore] = []

    def extend(self, scores: Sequence[GroupScore]) -> None:
        """Take the scores of the next groups in order, up to a verdict."""
        if self.verdict is not Verdict.UNDECIDED or not scores:
            return
        for score in scores:
            if score.difference not in self._values:
                insort(self._values, score.difference)
        done = len(self._scores)
        self._scores += scores
        values = np.array(self._values)
        columns = np.searchsorted(values, [score.difference for score in self._scores])
        counts = np.zeros((len(scores), len(values)))
        np.add.at(counts[0], columns[:done], 1)
        counts[np.arange(len(scores)), columns[done:]] += 1
        counts = counts.cumsum(0)
        new, old = self._levels()
        ratios = likelihood_ratios(
            self.hypotheses, values, counts, (new[done:] + old[done:]) / 2 if self._field else None
        )
        outside = np.flatnonzero((ratios <= self.hypotheses.lower) | (ratios >= self.hypotheses.upper))
        kept = int(outside[0]) + 1 if outside.size else len(ratios)
        del self._scores[done + kept :]
        self.ratios += ratios[:kept].tolist()
        if outside.size:
            accepted = self.ratios[-1] >= self.hypotheses.upper
            self.verdict = Verdict.BETTER if accepted else Verdict.NOT_BETTER

    def estimate(self) -> Estimate:
        """Return what is known of the difference.

        The interval is that of a normal mean, as in fastchess and Ordo; the likelihood of superiority is Phi(mean /
        standard error). Where a test has stopped by itself the difference looks larger than it is.
        """
        groups = len(self._scores)
        if not groups:
            return Estimate(0, None, None, None, None, None, None, 0.0, math.inf)
        new, old = (float(levels[-1]) for levels in self._levels())
        differences = np.array([score.difference for score in self._scores])
        mean, deviation = float(differences.mean()), float(differences.std())
        elo, level = self._elo, (new + old) / 2
        low = high = superiority = None
        if groups > 1 and deviation:
            error = deviation / math.sqrt(groups)
            low, high = elo(mean - _Z95 * error, level), elo(mean + _Z95 * error, level)
            superiority = (1 + math.erf(mean / error / math.sqrt(2))) / 2
        ratio = self.ratios[-1]
        left = 0.0 if self.verdict is not Verdict.UNDECIDED else self._left(ratio, mean, deviation, level)
        return Estimate(groups, new, old, elo(mean, level), low, high, superiority, ratio, left)

    def _levels(self) -> tuple[Floats, Floats]:
        """Return the mean scores of both bots after each group."""
        scores = np.array([(score.new / score.most, score.old / score.most) for score in self._scores])
        means = scores.cumsum(0) / np.arange(1, len(scores) + 1)[:, None]
        return means[:, 0], means[:, 1]

    def _elo(self, difference: float, level: float) -> float:
        return field_elo(difference, level) if self._field else met_elo(difference)

    def _left(self, ratio: float, mean: float, deviation: float, level: float) -> float:
        """Return the expected number of further groups.

        With a mean m and a variance v of the differences the ratio is about n/2 log((v + (m - d0)^2) / (v + (m -
        d1)^2)), n groups, d0 and d1 the means under the hypotheses (Van den Bergh, as in `likelihood.py`): that over n
        is its drift, and its slope in m times the deviation is its own. As a Brownian motion between two bounds a and b
        it takes (P b + (1 - P) a) / drift, P being the chance to leave at b (D. Siegmund, "Sequential Analysis", 1985,
        chapter 3).
        """
        below, above = self.hypotheses.lower - ratio, self.hypotheses.upper - ratio
        lowest, highest = _means(self.hypotheses, level if self._field else None)
        if not deviation:
            drift = ratio / len(self._scores)
            return (above if drift > 0 else below) / drift if drift else math.inf
        apart0, apart1 = mean - float(lowest), mean - float(highest)
        square0, square1 = deviation**2 + apart0**2, deviation**2 + apart1**2
        slope = apart0 / square0 - apart1 / square1
        return exit_time(math.log(square0 / square1) / 2, (slope * deviation) ** 2, below, above)


def likelihood_ratios(hypotheses: Hypotheses, values: Floats, counts: Floats, level: Floats | None) -> Floats:
    """Return the log-likelihood ratio of each row of counts.

    `values`: all differences, ascending from -1 to 1; shape (k). `counts`: of groups, shape (..., k). `level`: the mean
    score of both bots against their field, shape (...); None: they meet each other.
    """
    return log_likelihood_ratio(values, counts, *_means(hypotheses, level))


def exit_time(drift: float, variance: float, below: float, above: float) -> float:
    """Return the expected time until a Brownian motion from 0 leaves the interval; the bounds have different signs."""
    if drift < 0:
        return exit_time(-drift, variance, -above, -below)
    if not variance:
        return above / drift if drift else math.inf
    bend = 2 * drift / variance
    if bend * max(-below, above) < _STRAIGHT:
        return -below * above / variance
    up = math.expm1(bend * below) / math.expm1(bend * (below - above))
    return (up * above + (1 - up) * below) / drift


def _means(hypotheses: Hypotheses, level: Floats | float | None) -> tuple[Floats | float, Floats | float]:
    """Return the score differences under both hypotheses."""
    if level is None:
        return met_difference(hypotheses.elo0), met_difference(hypotheses.elo1)
    return field_difference(hypotheses.elo0, level), field_difference(hypotheses.elo1, level)
