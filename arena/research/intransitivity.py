"""Who beats whom: payoffs between bots, alpha-rank, cycles, and what no rating explains (docs/analysis.ipynb)."""

import math
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np

from arena.research.results import Floats, Numbers, Results, estimate, pairs
from arena.research.setting import RefusedError

_RAREST: Final = 1e-250
"""Fixation probabilities below this are taken for it: smaller ones would leave the range of floats."""

_NOTHING: Final = 1e-12
"""A sum of squares below this is one of zeros."""

_POINTS: Final = 400 / math.log(10)
"""Points of a rating for a unit of the logit: 400 are odds of ten to one."""


@dataclass(frozen=True, slots=True, eq=False)
class Payoffs:
    """The mean scores of players against each other; arrays by player and opponent."""

    players: tuple[str, ...]
    mean: Floats
    """The mean score, from 0 to 1; nan for players that have not met. `mean[j, i]` is `1 - mean[i, j]`."""
    low: Floats
    """The lower end of the 95 % interval; 0 for players that have not met."""
    high: Floats
    results: Numbers
    """How many pairs of seats."""
    effective: Floats
    """How many independent results they are worth (`arena.research.results.estimate`)."""


def payoffs(results: Results, *, by_version: bool = False) -> Payoffs:
    """Return the payoffs between the bots, or between their versions, as `bot version`.

    Raises RefusedError: fewer than two players.
    """
    names = [
        f"{bot} {version}" if by_version else bot
        for bot, version in zip(results.bot, results.version, strict=True)
    ]
    players = tuple(sorted(set(names)))
    if len(players) < 2:
        raise RefusedError(f"Payoffs need at least two players, and all results are of {players[0]}.")
    place = {player: number for number, player in enumerate(players)}
    player = np.array([place[name] for name in names], np.int64)
    size = len(players)
    mean, low, high = np.full((size, size), np.nan), np.zeros((size, size)), np.ones((size, size))
    count, effective = np.zeros((size, size), np.int64), np.zeros((size, size))
    rows, others, values = pairs(results, has_version=by_version)
    cells = player[rows] * size + player[others]
    order = np.argsort(cells, kind="stable")
    for part in np.split(order, np.flatnonzero(np.diff(cells[order])) + 1):
        if not len(part):
            continue
        cell = divmod(int(cells[part[0]]), size)
        found = estimate(values[part], results.group[rows[part]])
        mean[cell], low[cell], high[cell] = found.mean, found.low, found.high
        count[cell], effective[cell] = found.results, found.effective
    return Payoffs(players, mean, low, high, count, effective)


@dataclass(frozen=True, slots=True, eq=False)
class AlphaRank:
    """The masses of alpha-rank: the share of time that a population consists of a player. Arrays by player."""

    players: tuple[str, ...]
    mass: Floats
    """From the mean scores; the sum is 1."""
    low: Floats
    """The 2.5 % quantile of the mass over the draws."""
    high: Floats
    first: Floats
    """The share of draws in which no mass is larger."""


def alpha_rank(
    payoffs: Payoffs, *, alpha: float = 10.0, population: int = 50, draws: int = 1000, seed: int = 0
) -> AlphaRank:
    """Return the alpha-rank of players of one population.

    S. Omidshafiei et al., "alpha-Rank: Multi-agent evaluation by evolution", *Scientific Reports* 9, 2019. A population
    of m copies of one player is invaded by a single other one, each player with the same chance, which takes over with
    the fixation probability (1 - exp(-u)) / (1 - exp(-m u)), or 1/m for u = 0, where u is alpha times its mean score
    against the others less theirs (as in M. Rowland et al., "Multiagent evaluation under incomplete information",
    NeurIPS 2019, and OpenSpiel's local selection). The masses are the stationary distribution of the population's
    chain. The larger alpha is, the more a small lead counts.

    Mean scores are uncertain, and the masses are steep functions of them. So the masses are computed `draws` times
    more, with each mean score drawn from the Beta distribution of s n + 1/2 and (1 - s) n + 1/2 (H. Jeffreys' prior), n
    being its effective number of results. Players that have not met count as equal, and are drawn with n = 0. Draws
    take pairs for independent. `seed`: of the draws.

    Raises RefusedError: alpha, population or draws out of range.
    """
    if not (0 < alpha <= 1000 and 2 <= population <= 10_000 and draws >= 1):
        raise RefusedError(
            "alpha is above 0 and at most 1000, the population 2 to 10000, and at least one draw is needed."
        )
    mean = np.where(payoffs.results > 0, payoffs.mean, 0.5)  # also of a player against itself
    mass = _stationary(_rates(mean[None], alpha, population))[0]
    drawn = _stationary(_rates(_draw(payoffs, draws, seed), alpha, population))
    low, high = np.quantile(drawn, (0.025, 0.975), axis=0)
    first = np.isclose(drawn, drawn.max(axis=1, keepdims=True), rtol=1e-9, atol=0)
    return AlphaRank(payoffs.players, mass, low, high, first.mean(axis=0))


def _draw(payoffs: Payoffs, draws: int, seed: int) -> Floats:
    """Return draws x players x players mean scores."""
    size = len(payoffs.players)
    rows, columns = np.triu_indices(size, 1)
    count = payoffs.effective[rows, columns]
    won = np.where(count > 0, payoffs.mean[rows, columns], 0.0) * count
    values = np.random.default_rng(seed).beta(won + 0.5, count - won + 0.5, (draws, len(rows)))
    drawn = np.full((draws, size, size), 0.5)
    drawn[:, rows, columns] = values
    drawn[:, columns, rows] = 1 - values
    return drawn


def _rates(means: Floats, alpha: float, population: int) -> Floats:
    """Return draws x players x players: the chance that a population of the row becomes one of the column."""
    size = means.shape[-1]
    lead = alpha * (np.swapaxes(means, 1, 2) - means)
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        fixed = np.expm1(-lead) / np.expm1(-population * lead)
    # Where both are infinite the second is far larger.
    fixed = np.where(np.isnan(fixed), 0.0, fixed)
    fixed = np.where(np.abs(lead) < 1e-12, 1 / population, fixed)
    rates: Floats = np.maximum(fixed, _RAREST) / (size - 1)
    rates[:, np.arange(size), np.arange(size)] = 0.0
    return rates


def _stationary(rates: Floats) -> Floats:
    """Return the stationary distribution of each chain: draws x players.

    W. K. Grassmann, M. I. Taksar and D. P. Heyman, "Regenerative analysis and steady state distributions for Markov
    chains", *Operations Research* 33, 1985: elimination without a subtraction, so tiny probabilities lose no digits.
    """
    rates = rates.copy()
    size = rates.shape[-1]
    for last in range(size - 1, 0, -1):
        rates[:, :last, last] /= rates[:, last, :last].sum(axis=1)[:, None]
        rates[:, :last, :last] += rates[:, :last, last, None] * rates[:, last, None, :last]
    mass = np.ones(rates.shape[:2])
    for place in range(1, size):
        mass[:, place] = (mass[:, :place] * rates[:, :place, place]).sum(axis=1)
    shares: Floats = mass / mass.sum(axis=1, keepdims=True)
    return shares


@dataclass(frozen=True, slots=True)
class Cycle:
    """Three players, each of which beats the next one, and the last one the first."""

    players: tuple[str, str, str]
    """The first one by name is first."""
    weakest: float
    """The smallest of the three mean scores, above 1/2."""
    is_clear: bool
    """Whether the 95 % interval of each of the three excludes 1/2."""


@dataclass(frozen=True, slots=True)
class Cycles:
    """The cycles among all triples of players."""

    triples: int
    """The triples of which every two have met and have no mean score of exactly 1/2."""
    found: tuple[Cycle, ...]
    """The weakest link that is strongest first."""

    @property
    def share(self) -> float:
        """The share of triples that are cycles; 1/4 if each result were a coin's, nan without triples."""
        return len(self.found) / self.triples if self.triples else math.nan


def cycles(payoffs: Payoffs) -> Cycles:
    """Return the cycles of three. Cycles appear by chance where players are almost equal: see `Cycle.is_clear`."""
    mean, low = payoffs.mean, payoffs.low
    triples = 0
    found = []
    for a, b, c in combinations(range(len(payoffs.players)), 3):
        links = np.array([mean[a, b], mean[b, c], mean[c, a]])
        if np.isnan(links).any() or (links == 0.5).any():
            continue
        triples += 1
        if len(set((links > 0.5).tolist())) == 1:
            first, second, third = (a, b, c) if links[0] > 0.5 else (a, c, b)
            steps = ((first, second), (second, third), (third, first))
            found.append(
                Cycle(
                    (payoffs.players[first], payoffs.players[second], payoffs.players[third]),
                    min(float(mean[step]) for step in steps),
                    all(bool(low[step] > 0.5) for step in steps),
                )
            )
    return Cycles(triples, tuple(sorted(found, key=lambda cycle: (-cycle.weakest, cycle.players))))


@dataclass(frozen=True, slots=True, eq=False)
class Decomposition:
    """Payoffs as ratings and a rest that no ratings explain."""

    players: tuple[str, ...]
    ratings: Floats
    """By player, in points (400 are odds of ten to one); the mean is 0 in each set of players connected by matches."""
    cyclic_share: float
    """The share of the squared logits that the ratings leave, from 0 (ratings explain all) to 1."""
    chance_share: float
    """The share that chance alone leaves in one ladder of twenty with these ratings and as many results; at most 1."""

    @property
    def is_beyond_chance(self) -> bool:
        """Whether the rest is larger than chance explains, at the level of 5 %."""
        return self.cyclic_share > self.chance_share


def decompose(payoffs: Payoffs, *, draws: int = 1000, seed: int = 0) -> Decomposition:
    """Return the ratings that explain the payoffs best, and how much they leave.

    The Hodge decomposition of logits of mean scores into the gradient of ratings and the rest, which D. Balduzzi et
    al., "Re-evaluating evaluation" (NeurIPS 2018) use for players that have all met; by weighted least squares, as X.
    Jiang et al., "Statistical ranking and combinatorial Hodge theory" (*Mathematical Programming* 127, 2011) do for
    those that have not. The logit of a mean score s of n effective results is log((s n + 1/2) / ((1 - s) n + 1/2)), and
    its weight the inverse of its variance. Chance leaves a rest, too: it is compared with that of results drawn from
    the ratings. In simulated ladders of four bots without cycles, with 4 or 20 matches of each pair, 1 % to 9 % were
    beyond chance (5 % is the level). `draws` is how many, `seed` that of the draws.

    Raises RefusedError: no draws.
    """
    if draws < 1:
        raise RefusedError("At least one draw is needed.")
    size = len(payoffs.players)
    rows, columns = np.triu_indices(size, 1)
    count = payoffs.effective[rows, columns]
    won = np.where(count > 0, payoffs.mean[rows, columns], 0.5) * count
    ratings, rest, total = _fit(won, count, size)
    expected = 1 / (1 + np.exp(ratings[columns] - ratings[rows]))
    whole = np.where(count > 0, np.maximum(np.floor(count), 1), 0).astype(np.int64)
    drawn = np.random.default_rng(seed).binomial(whole, expected, (draws, len(rows)))
    # The rests are compared, and not their shares: ratings fitted to noise make shares smaller, and rests hardly.
    rests = [_fit(each * (count / np.maximum(whole, 1)), count, size)[1] for each in drawn]
    if total < _NOTHING:
        return Decomposition(payoffs.players, ratings * _POINTS, 0.0, 1.0)
    chance = min(1.0, float(np.quantile(rests, 0.95)) / total)
    return Decomposition(payoffs.players, ratings * _POINTS, rest / total, chance)


def _fit(won: Floats, count: Floats, size: int) -> tuple[Floats, float, float]:
    """Return ratings as logits, the sum of squares that they leave, and that of the logits. Arrays by pair."""
    rows, columns = np.triu_indices(size, 1)
    chance = (won + 0.5) / (count + 1)
    logits = np.log(chance / (1 - chance))
    weights: Floats = np.where(count > 0, (count + 1) * chance * (1 - chance), 0.0)
    laplacian, lead = np.zeros((size, size)), np.zeros(size)
    laplacian[rows, columns] = laplacian[columns, rows] = -weights
    laplacian[np.arange(size), np.arange(size)] = -laplacian.sum(axis=1)
    np.add.at(lead, rows, weights * logits)
    np.add.at(lead, columns, -weights * logits)
    ratings: Floats = np.linalg.lstsq(laplacian, lead, rcond=None)[0].astype(np.float64)
    rest = float((weights * (logits - ratings[rows] + ratings[columns]) ** 2).sum())
    return ratings, rest, float((weights * logits**2).sum())
