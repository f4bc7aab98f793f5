"""Whether a bot gives to another: by forfeits, by results below what it is expected to score, or at third bots' cost.

All counts are of match groups: matches of a group share bots and often their luck, so they are one observation. What a
bot is expected to score against another follows from ratings that are fitted to all other matches (docs/ratings.md,
"The refit"); that they are uncertain, too, is in the beta-binomial distribution of the score (J. G. Skellam, *Journal
of the Royal Statistical Society* B 10 (1948), 257-261). Third bots at a table are compared by Welch's t (B. L. Welch,
*Biometrika* 34 (1947), 28-35).
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import combinations, permutations
from statistics import fmean, variance
from typing import Final

from arena.core.fair_play.significance import fisher_tail, holm, student_quantile, student_tail, wilson
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

    way: FavourKind
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
    chance: float | None
    """How often chance alone gives as much; None: too few match groups."""
    adjusted: float | None
    """The same, corrected for all pairs looked at in this way."""
    matches: tuple[int, ...]
    """Matches to look at, at most so many as asked for."""


def givings(results: Sequence[FinishedMatch], matches: int = 5) -> tuple[Favour, ...]:
    """Return every pair by each test; the order of `results` does not matter."""
    history = sorted(results, key=lambda each: each.match)
    together = _together(history)
    fitted = refit(_ranked(history))
    return (
        *_corrected(_forfeits(history, together, matches)),
        *_corrected(_shortfalls(history, together, matches)),
        *_corrected(_at_third_bots_cost(history, together, fitted, matches)),
    )


def _together(history: Iterable[FinishedMatch]) -> dict[frozenset[str], list[FinishedMatch]]:
    """Return by pair the matches in which both played."""
    found: dict[frozenset[str], list[FinishedMatch]] = defaultdict(list)
    for result in history:
        for pair in combinations(sorted(result.bots), 2):
            found[frozenset(pair)].append(result)
    return found


def _ranked(history: Iterable[FinishedMatch]) -> Iterable[FinishedMatch]:
    return (FinishedMatch(each.bots, each.placings, group=each.group) for each in history)


def _corrected(found: Iterable[Favour]) -> list[Favour]:
    """Return the findings with adjusted chances; those with too little data do not count as tests."""
    every = list(found)
    tested = [place for place, each in enumerate(every) if each.chance is not None]
    for place, adjusted in zip(tested, holm([every[place].chance or 0.0 for place in tested]), strict=True):
        every[place] = replace(every[place], adjusted=adjusted)
    return every


def _forfeits(
    history: Sequence[FinishedMatch], together: Mapping[frozenset[str], Sequence[FinishedMatch]], matches: int
) -> Iterable[Favour]:
    """Yield the forfeits of every ordered pair that met, by Fisher's exact test."""
    groups: dict[str, set[int]] = defaultdict(set)
    lost: dict[str, set[int]] = defaultdict(set)
    for result in history:
        for bot, forfeited in zip(result.bots, result.forfeited, strict=True):
            groups[bot].add(result.group)
            if forfeited:
                lost[bot].add(result.group)
    for pair in sorted(together, key=sorted):
        with_both = {result.group for result in together[pair]}
        for giver, receiver in permutations(sorted(pair)):
            elsewhere = groups[giver] - with_both
            hits, other_hits = len(lost[giver] & with_both), len(lost[giver] & elsewhere)
            low, high = wilson(hits, len(with_both))
            several = len(with_both) >= ENOUGH_GROUPS and len(elsewhere) >= ENOUGH_GROUPS
            yield Favour(
                FavourKind.FORFEITS,
                giver,
                receiver,
                len(with_both),
                len(elsewhere),
                hits / len(with_both),
                low,
                high,
                other_hits / len(elsewhere) if elsewhere else 0.0,
                fisher_tail(hits, len(with_both), other_hits, len(elsewhere)) if several else None,
                None,
                tuple(each.match for each in together[pair] if each.lost_by_fault(giver))[-matches:],
            )


def _shortfalls(
    history: Sequence[FinishedMatch], together: Mapping[frozenset[str], Sequence[FinishedMatch]], matches: int
) -> Iterable[Favour]:
    """Yield for every ordered pair that met the score of the first and what its rating predicted.

    A bot that gives matches away spoils the ratings of all others. So of the pairs that stand out, the one is set
    aside without which all others fit their ratings best: its matches leave the ratings, and all is computed again.
    """
    aside: set[frozenset[str]] = set()
    while True:
        known = {result.match for pair in aside for result in together[pair]}
        clean = [each for each in history if each.match not in known]
        found = list(_round(clean, together, (history, matches)))
        out = {
            frozenset((each.giver, each.receiver))
            for each in found
            if each.chance is not None and each.chance * len(found) <= _RARE
        } - aside
        if not out or len(aside) == _MOST_ROUNDS:
            return found
        aside.add(min(sorted(out, key=sorted), key=lambda pair: _misfit(clean, together, aside | {pair})))


def _misfit(
    clean: Sequence[FinishedMatch],
    together: Mapping[frozenset[str], Sequence[FinishedMatch]],
    aside: set[frozenset[str]],
) -> float:
    """Return the sum of squared differences between the scores of the other pairs and what their ratings predict."""
    known = {result.match for pair in aside for result in together[pair]}
    fitted = refit(_ranked(each for each in clean if each.match not in known))
    pairs = [sorted(pair) for pair in sorted(together, key=sorted) if pair not in aside]
    return math.fsum(
        _below(_scores(together[frozenset(pair)], *pair), fitted, pair[0], pair[1]) ** 2 for pair in pairs
    )


def _round(
    clean: Sequence[FinishedMatch],
    together: Mapping[frozenset[str], Sequence[FinishedMatch]],
    seen: tuple[Sequence[FinishedMatch], int],
) -> Iterable[Favour]:
    """Yield one round. `clean`: what ratings are fitted to; `seen`: the whole history, and how many matches to name."""
    history, matches = seen
    fitted = refit(_ranked(clean))
    below: dict[tuple[str, str], float] = {}
    for pair in sorted(together, key=sorted):
        for giver, receiver in permutations(sorted(pair)):
            below[giver, receiver] = _below(_scores(together[pair], giver, receiver), fitted, giver, receiver)
    furthest = sorted((size, pair) for pair, size in below.items() if size < -_UNREMARKABLE)[:MOST_REFITS]
    anew = {frozenset(pair) for _, pair in furthest}
    for giver, receiver in below:
        pair = frozenset((giver, receiver))
        scores, found = _scores(together[pair], giver, receiver), fitted
        if pair in anew:
            ids = {result.match for result in together[pair]}
            found = refit(_ranked(each for each in clean if each.match not in ids))
        yield _shortfall((giver, receiver), scores, found, (history, together[pair], matches))


def _shortfall(
    pair: tuple[str, str],
    scores: Mapping[int, float],
    fitted: Refit,
    seen: tuple[Sequence[FinishedMatch], Sequence[FinishedMatch], int],
) -> Favour:
    """Return the shortfall of a pair. `seen`: the whole history, its matches, and how many of them to name."""
    (history, own, matches), (giver, receiver) = seen, pair
    expected, error = _expected(fitted, giver, receiver)
    total, groups = sum(scores.values()), len(scores)
    low, high = wilson(total, groups)
    others = {each.group for each in history if giver in each.bots and receiver not in each.bots}
    several = groups >= ENOUGH_GROUPS and len(others) >= ENOUGH_GROUPS
    lost = tuple(each.match for each in own if each.score(giver, receiver) == 0)
    return Favour(
        FavourKind.RESULTS,
        giver,
        receiver,
        groups,
        len(others),
        total / groups,
        low,
        high,
        expected,
        _at_most(math.ceil(total), groups, expected, error) if several else None,
        None,
        lost[-matches:],
    )


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


def _below(scores: Mapping[int, float], fitted: Refit, giver: str, receiver: str) -> float:
    """Return the score less the expected one, in standard deviations."""
    expected, _ = _expected(fitted, giver, receiver)
    spread = math.sqrt(len(scores) * expected * (1 - expected))
    return (sum(scores.values()) - len(scores) * expected) / max(spread, 1e-9)


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


def _at_third_bots_cost(
    history: Sequence[FinishedMatch],
    together: Mapping[frozenset[str], Sequence[FinishedMatch]],
    fitted: Refit,
    matches: int,
) -> Iterable[Favour]:
    """Yield every pair that met at tables of three or more."""
    tables = [result for result in history if len(result.bots) > 2]
    excess = {(each.match, third): _excess(each, third, fitted) for each in tables for third in each.bots}
    for pair in sorted(together, key=sorted):
        both = _per_group([each for each in together[pair] if len(each.bots) > 2], pair, excess)
        if not both:
            continue
        one = _per_group([each for each in tables if len(pair & set(each.bots)) == 1], pair, excess)
        first, second = sorted(pair)
        observed, expected = fmean(both.values()), fmean(one.values()) if one else 0.0
        told = Favour(
            way=FavourKind.THIRD_BOTS,
            giver=first,
            receiver=second,
            groups=len(both),
            other_groups=len(one),
            observed=observed,
            low=observed - 1,
            high=observed + 1,
            expected=expected,
            chance=None,
            adjusted=None,
            matches=tuple(each.match for each in together[pair] if len(each.bots) > 2)[-matches:],
        )
        if min(len(both), len(one)) >= ENOUGH_GROUPS:
            told = _welch(told, list(both.values()), list(one.values()))
        yield told


def _excess(result: FinishedMatch, third: str, fitted: Refit) -> float:
    """Return the share of the others that are placed above the bot, less what their ratings predict."""
    others = [bot for bot in result.bots if bot != third]
    return fmean(result.score(bot, third) - _expected(fitted, bot, third)[0] for bot in others)


def _per_group(
    tables: Iterable[FinishedMatch], pair: frozenset[str], excess: Mapping[tuple[int, str], float]
) -> dict[int, float]:
    """Return by match group the mean excess of the bots that are not of the pair."""
    found: dict[int, list[float]] = defaultdict(list)
    for result in tables:
        found[result.group] += [excess[result.match, bot] for bot in result.bots if bot not in pair]
    return {group: fmean(each) for group, each in found.items()}


def _welch(told: Favour, both: Sequence[float], one: Sequence[float]) -> Favour:
    """Return the favour with interval and chance; `both`, `one`: a value for each match group."""
    parts = (variance(both) / len(both), variance(one) / len(one))
    error = math.sqrt(sum(parts))
    if error == 0:
        return told
    squares = parts[0] ** 2 / (len(both) - 1) + parts[1] ** 2 / (len(one) - 1)
    freedom = max(1, math.floor(sum(parts) ** 2 / squares))
    half = student_quantile(_HALF_OF_5, freedom) * error
    chance = student_tail((told.observed - told.expected) / error, freedom)
    return replace(told, low=told.observed - half, high=told.observed + half, chance=chance)
