"""How likely a history is under the model of docs/ratings.md, and which way that changes with each unknown.

The model is that of Plackett and Luce with the ties of Davidson, as in H. L. Turner, J. van Etten, D. Firth and
I. Kosmidis, "Modelling rankings in R: the PlackettLuce package" (Computational Statistics 35, 2020). Of the seats that
are left, those of a set S of t seats are placed next together with a likelihood in proportion to::

    exp(tie(t) + mean over S of (strength of the player + advantage of the seat)),    tie(1) = 0

That is a multinomial logit whose utilities are linear in the unknowns, so the log likelihood is concave, and its
negative second derivative is the covariance of the chosen set's coefficients, summed over all choices.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Final

import numpy as np

from arena.core.rating.choices import ChoiceBatch, Choices, Floats, Ints, ModelLayout

_ROWS: Final = 2_000
"""The number of choices processed at a time, so that they fit the processor's cache."""


@dataclass(frozen=True, slots=True, eq=False)
class Slopes:
    """The log likelihood of a history at one point, and its derivatives by the unknowns of its layout."""

    log_likelihood: float
    gradient: Floats
    information: Floats
    """The negative second derivative: unknowns x unknowns."""
    residuals: Floats
    """By distinct match and place in its order: the outcome of its choices less what was expected."""


def slopes(choices: Choices, at: Floats) -> Slopes:
    """Return the log likelihood and its derivatives at these unknowns."""
    size = choices.layout.size
    height, gradient, information = 0.0, np.zeros(size), np.zeros(size * size)
    residuals = np.zeros(choices.in_order.shape)
    for part in (part for batch in choices.batches for part in _parts(batch)):
        left = part.players.shape[1]
        sets = _sets_of(left, choices.layout.tie_sizes)
        chosen = sets.first[part.chosen]
        where = _where(part, choices.layout)
        times = choices.times[part.matches]
        logarithms = _log_likelihoods(at[where] @ sets.coefficients.T)
        height += float(times @ logarithms[:, chosen])
        likelihoods = np.exp(logarithms)
        expected = likelihoods @ sets.coefficients
        beyond = sets.coefficients[chosen] - expected
        residuals[part.matches, part.placed : part.placed + left] += beyond[:, :left]
        np.add.at(gradient, where.ravel(), (times[:, None] * beyond).ravel())
        spread = times[:, None] * (likelihoods @ sets.squares - _outer(expected))
        cells = (where[:, :, None] * size + where[:, None, :]).ravel()
        np.add.at(information, cells, spread.ravel())
    return Slopes(height, gradient, information.reshape(size, size), residuals)


@dataclass(frozen=True, slots=True, eq=False)
class _Sets:
    """The sets that may be placed next, singles first, then ties; of each size the one of the first columns first."""

    coefficients: Floats
    """sets x (players left, seats left, tie sizes): the utility of a set is its row times those unknowns."""
    squares: Floats
    """sets x cells: each row's outer product with itself."""
    first: dict[int, int]
    """Where those of each size begin: the set of the first so many columns."""


@lru_cache(maxsize=64)
def _sets_of(left: int, tie_sizes: tuple[int, ...]) -> _Sets:
    rows: list[list[float]] = []
    first: dict[int, int] = {}
    for size in (1, *(size for size in tie_sizes if size <= left)):
        first[size] = len(rows)
        tie = [float(size == each) for each in tie_sizes]
        for members in combinations(range(left), size):
            shares = [1 / size if column in members else 0.0 for column in range(left)]
            rows.append([*shares, *shares, *tie])
    coefficients = np.array(rows)
    return _Sets(coefficients, _outer(coefficients), first)


def _outer(rows: Floats) -> Floats:
    """Return each row's outer product with itself, as a row."""
    products: Floats = (rows[:, :, None] * rows[:, None, :]).reshape(len(rows), -1)
    return products


def _where(batch: ChoiceBatch, layout: ModelLayout) -> Ints:
    """Return, rows x coefficients, the unknown that each coefficient belongs to."""
    ties = np.arange(layout.ties.start, layout.ties.stop)
    return np.hstack([batch.players, batch.seats, np.broadcast_to(ties, (len(batch.players), len(ties)))])


def _log_likelihoods(utilities: Floats) -> Floats:
    """Return, rows x sets, the logarithm of each set's likelihood."""
    below = utilities - utilities.max(axis=1, keepdims=True)
    logarithms: Floats = below - np.log(np.exp(below).sum(axis=1, keepdims=True))
    return logarithms


def _parts(batch: ChoiceBatch) -> Iterator[ChoiceBatch]:
    """Yield the same choices, at most `_ROWS` at a time."""
    for start in range(0, len(batch.matches), _ROWS):
        rows = slice(start, start + _ROWS)
        yield ChoiceBatch(
            batch.players[rows], batch.seats[rows], batch.chosen, batch.matches[rows], batch.placed
        )
