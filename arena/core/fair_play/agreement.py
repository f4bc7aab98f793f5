"""How alike two bots decide: agreement in the same situations, compared with chance and with the other bots.

For a pair, *agreement* A is the weighted share of equal answers (agreement_counts.py). Two values are expected by
chance: E_u, if one of them drew from its legal actions at random, and E_o, how often either agrees with third bots
(their median); E is the larger one. *Overlap* sets this beside how often each agrees with itself in other matches, S_1
and S_2:

    overlap = (A - E) / (sqrt(S_1 * S_2) - E)

So 0 is what chance makes of it, and 1 is two bots that agree with each other as they agree with themselves. With E = 0
it is Morisita's index of overlap with its unbiased sums of pairs (M. Morisita, "Measuring of interspecific association
and similarity between communities", *Memoirs of the Faculty of Science, Kyushu University*, Series E 3 (1959), 65-80),
with the mean of H. S. Horn (*American Naturalist* 100 (1966), 419-424) made geometric; taking chance away is J. Cohen's
step (*Educational and Psychological Measurement* 20 (1960), 37-46). A bot that slips now and then agrees less with
everybody, itself included, so slips do not hide a copy.

Uncertainty comes from leaving out match groups in lots: the grouped jackknife (J. N. Arvesen, "Jackknifing
U-statistics", *Annals of Mathematical Statistics* 40 (1969), 2076-2100), which knows that choices of a match go
together. The chance of as much excess over *both* expectations is the larger of the two tails (R. L. Berger,
*Technometrics* 24 (1982), 295-300).
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.core.fair_play.choice import Choice, Likeness
from arena.core.fair_play.significance import holm, normal_tail, student_quantile, student_tail, wilson
from arena.core.fair_play.thresholds import NAMED

ENOUGH_SITUATIONS: Final = 10
"""Fewer common situations say nothing of how two bots decide."""

ENOUGH_CHOICES: Final = 100
"""The same for habits: of either bot, since habits are many choices in few situations."""

ENOUGH_GROUPS: Final = {Likeness.POSITION: 2, Likeness.ACTIONS: 6, Likeness.HABIT: 6}
"""Common situations out of fewer match groups of either bot say nothing."""

LEAST_SPREAD: Final = 0.03
"""A bot that agrees with itself hardly more often than chance does cannot be told by its choices."""

LEAST_CHANCE: Final = 1e-12
"""No chance is given as smaller: so far out nobody knows what these distributions are worth."""

_ALIKE_IN_A_GROUP: Final = 0.1
"""The correlation that answers of one match group are taken to have at least."""

_FEW_LOTS: Final = 5
_ROUNDING: Final = 1e-9
_HALF_OF_5: Final = 0.025
_POWER: Final = {Likeness.POSITION: 1.0, Likeness.ACTIONS: 1.0, Likeness.HABIT: 0.5}


Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

MOST_BLOCKS: Final = 40
"""Match groups are left out in so many lots, to see how much hangs on each."""


@dataclass(frozen=True, slots=True, eq=False)
class AgreementCounts:
    """The choices of one likeness as arrays, one place a choice; only situations that came in two matches or more."""

    bots: tuple[str, ...]
    """By name."""
    bot: Ints
    situation: Ints
    cell: Ints
    """Situation and answer together."""
    match: Ints
    """Its id."""
    group: Ints
    """Its id."""
    block: Ints
    """The lot that its match group is in."""
    share: Floats
    weight: Floats

    @staticmethod
    def of(choices: Sequence[Choice], power: float) -> AgreementCounts:
        """Make the counts. `power`: a choice weighs 1 over this power of the bot's choices in the situation."""
        kept = _recurring(choices)
        bots = tuple(sorted({choice.bot for choice in kept}))
        bot_of = {bot: number for number, bot in enumerate(bots)}
        groups = {group: place for place, group in enumerate(sorted({choice.group for choice in kept}))}
        bot = np.array([bot_of[choice.bot] for choice in kept], dtype=np.int64)
        situation = _numbered([choice.situation for choice in kept])
        own = bot * (int(situation.max(initial=0)) + 1) + situation
        _, which, times = np.unique(own, return_inverse=True, return_counts=True)
        return AgreementCounts(
            bots=bots,
            bot=bot,
            situation=situation,
            cell=_numbered([(choice.situation, choice.answer) for choice in kept]),
            match=np.array([choice.match for choice in kept], dtype=np.int64),
            group=np.array([choice.group for choice in kept], dtype=np.int64),
            block=np.array([groups[choice.group] % MOST_BLOCKS for choice in kept], dtype=np.int64),
            share=np.array([choice.share for choice in kept], dtype=np.float64),
            weight=times[which] ** -power if kept else np.zeros(0),
        )

    def sums(self) -> tuple[Floats, dict[int, Floats]]:
        """Return the sums over everything, and by block, over everything without that block.

        Three matrices, bots x bots: weighted comparisons with the same answer, all weighted comparisons, and what the
        first would be if all answers were drawn from the legal actions, each with the same chance. The diagonal is a
        bot compared with itself in other matches. No sum is below 0, which rounding might cause.
        """
        whole, within = self._tables(np.ones(len(self.bot), dtype=bool)), self._within_matches()
        nothing = np.zeros((3, len(self.bots), len(self.bots)))
        every = sum(within.values(), nothing)
        left = {}
        for block in map(int, np.unique(self.block)):
            rest = [
                all_of - part for all_of, part in zip(whole, self._tables(self.block == block), strict=True)
            ]
            elsewhere = np.maximum(every - within.get(block, nothing), 0)
            left[block] = np.maximum(_product(*rest) - elsewhere, 0)
        return np.maximum(_product(*whole) - every, 0), left

    def _tables(self, kept: NDArray[np.bool_]) -> list[Floats]:
        """Return bots x cells, bots x situations, and the latter with the weights times the shares."""
        bot, weight, bots = self.bot[kept], self.weight[kept], len(self.bots)
        cells, situations = int(self.cell.max(initial=-1)) + 1, int(self.situation.max(initial=-1)) + 1
        return [
            _binned(bot, self.cell[kept], weight, bots, cells),
            _binned(bot, self.situation[kept], weight, bots, situations),
            _binned(bot, self.situation[kept], weight * self.share[kept], bots, situations),
        ]

    def _within_matches(self) -> dict[int, Floats]:
        """Return by block the comparisons within one match, which are to be left out: each choice with itself, too."""
        found: dict[int, Floats] = {}
        order = np.argsort(self.match, kind="stable")
        bounds = np.flatnonzero(np.diff(self.match[order], prepend=-1))
        for places in np.split(order, bounds[1:]) if len(order) else []:
            block = int(self.block[places[0]])
            sums = found.setdefault(block, np.zeros((3, len(self.bots), len(self.bots))))
            bots, bot = np.unique(self.bot[places], return_inverse=True)
            cells, cell = np.unique(self.cell[places], return_inverse=True)
            situations, situation = np.unique(self.situation[places], return_inverse=True)
            weight = self.weight[places]
            sums[:, bots[:, None], bots] += _product(
                _binned(bot, cell, weight, len(bots), len(cells)),
                _binned(bot, situation, weight, len(bots), len(situations)),
                _binned(bot, situation, weight * self.share[places], len(bots), len(situations)),
            )
        return found


def _binned(bot: Ints, column: Ints, weight: Floats, bots: int, columns: int) -> Floats:
    """Return the sums of the weights, bots x columns."""
    flat: Any = np.bincount(bot * columns + column, weight, minlength=bots * columns)
    binned: Floats = flat.reshape(bots, columns)
    return binned


def _product(cells: Floats, situations: Floats, shared: Floats) -> Floats:
    half = shared @ situations.T / 2
    return np.stack([cells @ cells.T, situations @ situations.T, half + half.T])


def _recurring(choices: Sequence[Choice]) -> list[Choice]:
    """Return the choices in situations that occur in two matches or more, sorted: the given order changes no bit."""
    matches: dict[object, set[int]] = defaultdict(set)
    for choice in choices:
        matches[choice.situation].add(choice.match)
    kept = [choice for choice in choices if len(matches[choice.situation]) > 1]
    return sorted(kept, key=lambda each: (each.match, each.bot, repr(each.situation), repr(each.answer)))


def _numbered(values: Sequence[Any]) -> Ints:
    """Return numbers for the values, from 0 as they first occur; equal values have equal numbers."""
    numbers: dict[Any, int] = {}
    return np.array([numbers.setdefault(value, len(numbers)) for value in values], dtype=np.int64)


@dataclass(frozen=True, slots=True)
class Agreement:
    """How alike two bots decide, by one likeness. Shares are from 0 to 1."""

    one: str
    other: str
    """The later name of the two."""
    likeness: Likeness
    situations: int
    """Distinct situations in which both have chosen."""
    choices: int
    """How often they chose there: of the bot that did so less often."""
    groups: int
    """Match groups that these choices are from: of the bot with fewer."""
    agreement: float
    low: float
    """Lower end of its 95 % interval."""
    high: float
    expected: float
    """By chance: the larger of what random choices and third bots would give."""
    chance: float | None = None
    """How often chance alone gives as much excess; None: too little to say."""
    adjusted: float | None = None
    """The same, corrected for the number of pairs and likenesses looked at."""
    overlap: float | None = None
    """None: too little to say, or the bots' choices are too mixed to tell them by."""
    overlap_low: float | None = None
    overlap_high: float | None = None
    matches: tuple[int, ...] = ()
    """Matches to look at: the `NAMED` with the most equal answers."""


def agreements(choices: Mapping[Likeness, Sequence[Choice]]) -> tuple[Agreement, ...]:
    """Return every pair of bots with a common situation, by each likeness, pairs by name, corrected for all."""
    found = [each for likeness in Likeness for each in _by_likeness(choices.get(likeness, ()), likeness)]
    tested = [place for place, each in enumerate(found) if each.chance is not None]
    for place, adjusted in zip(tested, holm([found[place].chance or 0.0 for place in tested]), strict=True):
        found[place] = replace(found[place], adjusted=adjusted)
    return tuple(found)


def _by_likeness(choices: Sequence[Choice], likeness: Likeness) -> Iterator[Agreement]:
    counts = AgreementCounts.of(choices, _POWER[likeness])
    if counts.bots:
        pairs = _Pairs(counts, likeness)
        for pair in combinations(range(len(counts.bots)), 2):
            if pairs.compared[pair] > 0:
                yield pairs.judged(pair)


class _Estimates(NamedTuple):
    """Bots x bots."""

    agreement: Floats
    uniform: Floats
    others: Floats
    """With third bots; nan if there are none."""
    over_uniform: Floats
    over_others: Floats
    overlap: Floats
    """nan where the bots cannot be told by their choices."""


def _estimates(sums: Floats) -> _Estimates:
    """Return the estimates by the sums of `AgreementCounts.sums`."""
    alike, compared, by_chance = sums
    with np.errstate(divide="ignore", invalid="ignore"):
        agreement, uniform = alike / compared, by_chance / compared
        others = _with_third(agreement)
        expected = np.fmax(uniform, others)
        itself = np.where(np.diag(compared) > 0, np.diag(agreement), 1.0)
        spread = np.sqrt(np.outer(itself, itself)) - expected
        overlap = np.where(spread >= LEAST_SPREAD, (agreement - expected) / spread, np.nan)
    return _Estimates(agreement, uniform, others, agreement - uniform, agreement - others, overlap)


def _with_third(agreement: Floats) -> Floats:
    """Return by pair the mean of two medians, of what each agrees with third bots: few copies do not matter."""
    bots = len(agreement)
    rows = np.where(np.eye(bots, dtype=bool), np.nan, agreement)
    medians = _medians_without(rows)
    only = np.where(np.isfinite(medians), medians, medians.T)
    return (only + only.T) / 2


def _medians_without(rows: Floats) -> Floats:
    """Return by row and place the median of the row without the number at this place; nan where there is no other."""
    order = np.argsort(rows, axis=1, kind="stable")
    ranks = np.argsort(order, axis=1, kind="stable")
    ascending = np.take_along_axis(rows, order, axis=1)
    known = np.isfinite(rows)
    left = known.sum(axis=1, keepdims=True) - known
    last = rows.shape[1] - 1

    def ranked(place: Ints) -> Floats:
        """Return the number of that rank among those left, after one was taken out."""
        moved = np.where(known & (place >= ranks), place + 1, place)
        found: Floats = np.take_along_axis(ascending, np.clip(moved, 0, last), axis=1)
        return found

    middle = (ranked((left - 1) // 2) + ranked(left // 2)) / 2
    return np.where(left > 0, middle, np.nan)


def _jackknife(left: Sequence[_Estimates]) -> _Estimates:
    """Return the standard errors. `left`: the estimates without each block."""
    stacked = np.stack(left)
    known = np.isfinite(stacked)
    lots = known.sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = np.where(known, stacked, 0).sum(axis=0) / lots
        squares = (np.where(known, stacked - mean, 0) ** 2).sum(axis=0)
        return _Estimates(*np.where(lots > 1, np.sqrt(squares * (lots - 1) / lots), np.nan))


class _Pairs:
    """What the pairs are judged by."""

    def __init__(self, counts: AgreementCounts, likeness: Likeness) -> None:
        whole, left = counts.sums()
        self.compared = whole[1]
        self._counts, self._likeness = counts, likeness
        self._estimates = _estimates(whole)
        self._errors = _jackknife([_estimates(each) for each in left.values()])
        self._places = [np.flatnonzero(counts.bot == bot) for bot in range(len(counts.bots))]
        self._situations = [np.unique(counts.situation[places]) for places in self._places]

    def judged(self, pair: tuple[int, int]) -> Agreement:
        """Return how alike the two decide."""
        counts, estimates = self._counts, self._estimates
        one, other = (self._situations[bot] for bot in pair)
        both = np.intersect1d(one, other, assume_unique=True)
        own = [self._places[bot] for bot in pair]
        places = [each[np.isin(counts.situation[each], both)] for each in own]
        habit = self._likeness is Likeness.HABIT
        groups = min(len(np.unique(counts.group[each])) for each in places)
        choices = min(len(each) for each in places)
        expected = float(np.fmax(estimates.uniform[pair], estimates.others[pair]))
        agreement = min(1.0, float(estimates.agreement[pair]))
        # L. Kish's design effect (Survey Sampling, 1965, 5.4): what comes from few groups cannot be surer than that.
        counted = choices if habit else len(both)
        answers = counted / (1 + max(0.0, counted / groups - 1) * (0.0 if habit else _ALIKE_IN_A_GROUP))
        least = math.sqrt(max(expected * (1 - expected), 0.0) / answers)
        freedom = max(1, min(len(np.unique(counts.block[each])) for each in places) - 1)
        reach = student_quantile(_HALF_OF_5, freedom)
        error = float(self._errors.agreement[pair])
        half = reach * error if math.isfinite(error) else 0.0
        low, high = _interval(agreement, answers, half, freedom)
        found = Agreement(
            counts.bots[pair[0]],
            counts.bots[pair[1]],
            self._likeness,
            len(both),
            choices,
            groups,
            agreement,
            low,
            high,
            expected,
            matches=_to_look_at(counts, places),
        )
        several = choices >= ENOUGH_CHOICES if habit else len(both) >= ENOUGH_SITUATIONS
        # Without a third bot, obvious choices that any two bots share cannot be told apart.
        alone = not np.isfinite(estimates.others[pair])
        if groups < ENOUGH_GROUPS[self._likeness] or not several or alone:
            return found
        return self._tested(found, pair, (least, freedom, reach))

    def _tested(self, found: Agreement, pair: tuple[int, int], scale: tuple[float, int, float]) -> Agreement:
        """Return the agreement with chance and overlap.

        `scale`: the least standard error, degrees of freedom, and half a 95 % interval.
        """
        least, freedom, reach = scale
        estimates, errors = self._estimates, self._errors
        tails = [
            _tail(float(excess[pair]), float(error[pair]), least, freedom)
            for excess, error in (
                (estimates.over_uniform, errors.over_uniform),
                (estimates.over_others, errors.over_others),
            )
        ]
        tested = replace(found, chance=max(*tails, LEAST_CHANCE))
        overlap, error = float(estimates.overlap[pair]), float(errors.overlap[pair])
        if not math.isfinite(overlap):
            return tested
        # How far the agreement may be off shifts the overlap in proportion.
        by_agreement = overlap / max(found.agreement - found.expected, _ROUNDING)
        low = overlap - by_agreement * (found.agreement - found.low)
        high = overlap + by_agreement * (found.high - found.agreement)
        if freedom >= _FEW_LOTS and math.isfinite(error):
            low, high = min(low, overlap - reach * error), max(high, overlap + reach * error)
        return replace(tested, overlap=overlap, overlap_low=low, overlap_high=high)


def _interval(agreement: float, answers: float, half: float, freedom: int) -> tuple[float, float]:
    """Return Wilson's interval of so many answers; with enough blocks, no narrower than the jackknife's."""
    low, high = wilson(agreement * answers, answers)
    if freedom < _FEW_LOTS:
        return low, high
    return max(0.0, min(low, agreement - half)), min(1.0, max(high, agreement + half))


def _tail(excess: float, error: float, least: float, freedom: int) -> float:
    """Return the chance of such an excess; with few blocks the design effect replaces the jackknife."""
    by_design = normal_tail(excess / max(least, _ROUNDING))
    if freedom < _FEW_LOTS or not math.isfinite(error):
        return by_design
    return max(by_design, student_tail(excess / max(error, _ROUNDING), freedom))


def _to_look_at(counts: AgreementCounts, places: Sequence[Ints]) -> tuple[int, ...]:
    """Return the matches with the most choices in which both bots agree, the most first."""
    alike = np.intersect1d(counts.cell[places[0]], counts.cell[places[1]])
    both = np.concatenate(places)
    found, times = np.unique(counts.match[both[np.isin(counts.cell[both], alike)]], return_counts=True)
    order = np.lexsort((found, -times))[:NAMED]
    return tuple(int(match) for match in found[order])
