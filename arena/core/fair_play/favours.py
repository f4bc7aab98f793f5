"""Whether a bot gives to another: by forfeits, by results below what it is expected to score, or at third bots' cost.

All counts are of match groups: matches of a group share bots and often their luck, so they are one observation. What a
bot is expected to score against another follows from ratings that are fitted to all other matches (docs/ratings.md,
"The refit"); that they are uncertain, too, is in the beta-binomial distribution of the score (J. G. Skellam, *Journal
of the Royal Statistical Society* B 10 (1948), 257-261). Third bots at a table are compared by Welch's t (B. L. Welch,
*Biometrika* 34 (1947), 28-35).
"""

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import combinations, permutations
from statistics import fmean, variance
from typing import Final

from arena.core.fair_play.significance import fisher_tail, holm, student_quantile, student_tail, wilson
from arena.core.fair_play.thresholds import NAMED
from arena.core.finished_match import FinishedMatch
from arena.core.rating.refit import Refit, refit

ENOUGH_GROUPS: Final = 4
"""Fewer match groups of two bots say nothing of what one gives the other."""

MOST_REFITS: Final = 60
"""Ratings are fitted anew without a pair's matches for so many pairs at most, those furthest below first."""

_MOST_ROUNDS: Final = 6
_RARE: Final = 0.01
_UNREMARKABLE: Final = 1.0
"""Scores less than so many standard deviations below the expected need no refit: they say nothing anyhow."""

_HALF_OF_5: Final = 0.025


class FavourKind(Enum):
    """How one bot may give to another."""

    FORFEITS = "forfeits"
    """It forfeits against this bot more often than against others. Shares of match groups."""
    RESULTS = "results"
    """It scores less against this bot than their ratings promise. Shares of the points."""
    THIRD_BOTS = "third bots"
    """Third bots are placed worse where the two sit at their table than where one of them does. Shares of the others at
    the table that are placed above a third bot, beyond what the ratings promise."""


@dataclass(frozen=True, slots=True)
class Favour:
    """What was seen of one pair, in one way."""

    kind: FavourKind
    giver: str
    receiver: str
    """Of THIRD_BOTS giver and receiver are the two at the table, by name."""
    groups: int
    """Match groups with both."""
    other_groups: int
    """Match groups that they are compared with."""
    observed: float
    low: float
    """Lower end of its 95 % interval."""
    high: float
    expected: float
    matches: tuple[int, ...]
    """Matches to look at: the `NAMED` newest."""
    chance: float | None = None
    """How often chance alone gives as much; None: too few match groups."""
    adjusted: float | None = None
    """The same, corrected for all pairs looked at in this way."""


def givings(results: Sequence[FinishedMatch]) -> tuple[Favour, ...]:
    """Return every pair by each test; the order of `results` does not matter."""
    history = _History(results)
    kinds = (history.forfeits(), history.shortfalls(), history.at_third_bots_cost())
    return tuple(each for found in kinds for each in _corrected(list(found)))


def _corrected(found: list[Favour]) -> list[Favour]:
    """Return the findings with adjusted chances; those with too little data do not count as tests."""
    tested = [place for place, each in enumerate(found) if each.chance is not None]
    for place, adjusted in zip(tested, holm([found[place].chance or 0.0 for place in tested]), strict=True):
        found[place] = replace(found[place], adjusted=adjusted)
    return found


class _History:
    """The results that favours are looked for in."""

    def __init__(self, results: Iterable[FinishedMatch]) -> None:
        self._results = sorted(results, key=lambda each: each.match)
        together: dict[frozenset[str], list[FinishedMatch]] = defaultdict(list)
        for result in self._results:
            for pair in combinations(sorted(result.bots), 2):
                together[frozenset(pair)].append(result)
        self._together = {pair: together[pair] for pair in sorted(together, key=sorted)}
        """By pair the matches in which both played."""

    def _fitted(self, aside: Collection[frozenset[str]] = ()) -> Refit:
        """Return the ratings by all matches but those of the pairs set aside."""
        left_out = {result.match for pair in aside for result in self._together[pair]}
        return refit(
            FinishedMatch(each.bots, each.placings, group=each.group)
            for each in self._results
            if each.match not in left_out
        )

    def forfeits(self) -> Iterator[Favour]:
        """Yield the forfeits of every ordered pair that met, by Fisher's exact test."""
        groups: dict[str, set[int]] = defaultdict(set)
        lost: dict[str, set[int]] = defaultdict(set)
        for result in self._results:
            for bot, forfeited in zip(result.bots, result.forfeited, strict=True):
                groups[bot].add(result.group)
                if forfeited:
                    lost[bot].add(result.group)
        for pair, own in self._together.items():
            with_both = {result.group for result in own}
            for giver, receiver in permutations(sorted(pair)):
                elsewhere = groups[giver] - with_both
                hits, other_hits = len(lost[giver] & with_both), len(lost[giver] & elsewhere)
                several = len(with_both) >= ENOUGH_GROUPS and len(elsewhere) >= ENOUGH_GROUPS
                yield Favour(
                    FavourKind.FORFEITS,
                    giver,
                    receiver,
                    len(with_both),
                    len(elsewhere),
                    hits / len(with_both),
                    *wilson(hits, len(with_both)),
                    other_hits / len(elsewhere) if elsewhere else 0.0,
                    tuple(each.match for each in own if each.forfeited[each.bots.index(giver)])[-NAMED:],
                    fisher_tail(hits, len(with_both), other_hits, len(elsewhere)) if several else None,
                )

    def shortfalls(self) -> Iterable[Favour]:
        """Return for every ordered pair that met the score of the first and what its rating predicted.

        A bot that gives matches away spoils the ratings of all others. So of the pairs that stand out, the one is set
        aside without which all others fit their ratings best: its matches leave the ratings, and all is computed again.
        """
        aside: frozenset[frozenset[str]] = frozenset()
        while True:
            found = list(self._round(aside))
            out = {
                frozenset((each.giver, each.receiver))
                for each in found
                if each.chance is not None and each.chance * len(found) <= _RARE
            } - aside
            if not out or len(aside) == _MOST_ROUNDS:
                return found
            without = [aside | {pair} for pair in sorted(out, key=sorted)]
            aside = min(without, key=self._misfit)

    def _misfit(self, aside: frozenset[frozenset[str]]) -> float:
        """Return the sum of squared differences between scores and predictions of the pairs that are not set aside."""
        fitted = self._fitted(aside)
        pairs = [sorted(pair) for pair in self._together if pair not in aside]
        return math.fsum(self._below(fitted, giver, receiver) ** 2 for giver, receiver in pairs)

    def _round(self, aside: frozenset[frozenset[str]]) -> Iterator[Favour]:
        fitted = self._fitted(aside)
        below = {
            (giver, receiver): self._below(fitted, giver, receiver)
            for pair in self._together
            for giver, receiver in permutations(sorted(pair))
        }
        furthest = sorted((size, pair) for pair, size in below.items() if size < -_UNREMARKABLE)[:MOST_REFITS]
        anew = {frozenset(pair): self._fitted(aside | {frozenset(pair)}) for _, pair in furthest}
        for giver, receiver in below:
            yield self._shortfall(giver, receiver, anew.get(frozenset((giver, receiver)), fitted))

    def _shortfall(self, giver: str, receiver: str, fitted: Refit) -> Favour:
        own = self._together[frozenset((giver, receiver))]
        scores = _scores(own, giver, receiver)
        expected, error = _expected(fitted, giver, receiver)
        total, groups = sum(scores.values()), len(scores)
        others = {each.group for each in self._results if giver in each.bots and receiver not in each.bots}
        several = groups >= ENOUGH_GROUPS and len(others) >= ENOUGH_GROUPS
        return Favour(
            FavourKind.RESULTS,
            giver,
            receiver,
            groups,
            len(others),
            total / groups,
            *wilson(total, groups),
            expected,
            tuple(each.match for each in own if each.score(giver, receiver) == 0)[-NAMED:],
            _at_most(math.ceil(total), groups, expected, error) if several else None,
        )

    def _below(self, fitted: Refit, giver: str, receiver: str) -> float:
        """Return the score less the expected one, in standard deviations."""
        scores = _scores(self._together[frozenset((giver, receiver))], giver, receiver)
        expected, _ = _expected(fitted, giver, receiver)
        spread = math.sqrt(len(scores) * expected * (1 - expected))
        return (sum(scores.values()) - len(scores) * expected) / max(spread, 1e-9)

    def at_third_bots_cost(self) -> Iterator[Favour]:
        """Yield every pair that met at tables of three or more."""
        fitted = self._fitted()
        tables = [result for result in self._results if len(result.bots) > 2]
        excess = {(each.match, third): _excess(each, third, fitted) for each in tables for third in each.bots}
        for pair, own in self._together.items():
            shared = [each for each in own if len(each.bots) > 2]
            both = list(_per_group(shared, pair, excess))
            if not both:
                continue
            one = list(_per_group([each for each in tables if len(pair & set(each.bots)) == 1], pair, excess))
            observed, expected = fmean(both), fmean(one) if one else 0.0
            one_bot, other_bot = sorted(pair)
            found = Favour(
                FavourKind.THIRD_BOTS,
                one_bot,
                other_bot,
                len(both),
                len(one),
                observed,
                observed - 1,
                observed + 1,
                expected,
                tuple(each.match for each in shared)[-NAMED:],
            )
            yield _welch(found, both, one) if min(len(both), len(one)) >= ENOUGH_GROUPS else found


def _scores(own: Iterable[FinishedMatch], giver: str, receiver: str) -> dict[int, float]:
    """Return by match group the mean score of the one against the other."""
    found: dict[int, list[float]] = defaultdict(list)
    for result in own:
        found[result.group].append(result.score(giver, receiver))
    return {group: fmean(scores) for group, scores in found.items()}


def _expected(fitted: Refit, one: str, other: str) -> tuple[float, float]:
    """Return the score that the ratings predict, and its standard error; 1/2 and 1/2 for a bot without matches."""
    lead = fitted.lead(one, other)
    if lead is None:
        return 0.5, 0.5
    expected = 1 / (1 + math.exp(-lead[0]))
    return expected, expected * (1 - expected) * lead[1]


def _at_most(points: int, groups: int, expected: float, error: float) -> float:
    """Return the beta-binomial chance of so many points or fewer.

    Ties and shared groups make points vary less than this distribution, so it errs towards no finding.
    """
    spread = expected * (1 - expected)
    size = max(spread / max(error * error, 1e-12) - 1, 1e-3)
    a, b = expected * size, (1 - expected) * size
    logs = (
        math.lgamma(groups + 1)
        - math.lgamma(n + 1)
        - math.lgamma(groups - n + 1)
        + math.lgamma(n + a)
        + math.lgamma(groups - n + b)
        - math.lgamma(groups + a + b)
        + math.lgamma(a + b)
        - math.lgamma(a)
        - math.lgamma(b)
        for n in range(points + 1)
    )
    return min(1.0, sum(math.exp(each) for each in logs))


def _excess(result: FinishedMatch, third: str, fitted: Refit) -> float:
    """Return the share of the others that are placed above the bot, less what their ratings predict."""
    others = [bot for bot in result.bots if bot != third]
    return fmean(result.score(bot, third) - _expected(fitted, bot, third)[0] for bot in others)


def _per_group(
    tables: Iterable[FinishedMatch], pair: frozenset[str], excess: Mapping[tuple[int, str], float]
) -> Iterable[float]:
    """Return the mean excess of the bots that are not of the pair in each match group."""
    found: dict[int, list[float]] = defaultdict(list)
    for result in tables:
        found[result.group] += [excess[result.match, bot] for bot in result.bots if bot not in pair]
    return map(fmean, found.values())


def _welch(found: Favour, both: Sequence[float], one: Sequence[float]) -> Favour:
    """Return the favour with interval and chance; `both`, `one`: a value for each match group."""
    parts = (variance(both) / len(both), variance(one) / len(one))
    error = math.sqrt(sum(parts))
    if error == 0:
        return found
    squares = parts[0] ** 2 / (len(both) - 1) + parts[1] ** 2 / (len(one) - 1)
    freedom = max(1, math.floor(sum(parts) ** 2 / squares))
    half = student_quantile(_HALF_OF_5, freedom) * error
    chance = student_tail((found.observed - found.expected) / error, freedom)
    return replace(found, low=found.observed - half, high=found.observed + half, chance=chance)
