"""The score of each player on all boards of a solo ladder, including those it has not played.

A score is modelled as the sum of the player's strength and the board's value, found by least squares. So a player who
joined late, or was absent, is compared on shared boards. It uses floating point; where all players have played all
boards, the result is their mean score (docs/ratings.md, "Solo").
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from arena.core.fair_play.significance import student_quantile
from arena.core.solo.boards import SoloTotals
from arena.core.tournaments import NO_RANK

Floats = NDArray[np.float64]

_MILLI: Final = 1_000
_HALF_OF_5: Final = 0.025
_CLOSE: Final = 1e-6
"""Degrees of freedom are computed in floating point, and may be so little below a whole number."""

_NOISE: Final = 6
"""So many decimals of a thousandth are kept before it is rounded: equal sums give equal thousandths."""


@dataclass(frozen=True, slots=True)
class SoloScore:
    """The score of a player. Scores in thousandths."""

    boards: int
    """Boards that it has played."""
    mean_milli: int
    """Its mean score on these."""
    adjusted_milli: int
    """Its score on the mean of all boards that are connected with these by players."""
    uncertainty_milli: int | None
    """Half the width of the 95 % interval of its distance from the others; None with too few boards."""


def solo_scores(history: Iterable[SoloTotals]) -> dict[str, SoloScore]:
    """Return the scores of the players after these boards; players without a board are missing."""
    played = [boards for boards in history if boards.count]
    index = {player: n for n, player in enumerate(sorted({p for boards in played for p in boards.players}))}
    if not index:
        return {}
    seats = [np.array([index[player] for player in boards.players]) for boards in played]
    component = _components(len(index), seats)
    inverse, leads = _equations(played, seats, component)
    strength = inverse @ leads
    board_value = _board_values(played, seats, component, strength)
    spread = _Spread(strength, inverse)
    for boards, at in zip(played, seats, strict=True):
        spread.add(boards, at)
    own_variance = np.diag(inverse) - 1 / np.bincount(component)[component] ** 2
    return {
        player: SoloScore(
            boards=int(spread.boards[n]),
            mean_milli=_milli(spread.scores[n] / spread.boards[n]),
            adjusted_milli=_milli(strength[n] + board_value[component[n]]),
            uncertainty_milli=spread.uncertainty_milli(n, float(own_variance[n])),
        )
        for player, n in index.items()
    }


def ranks(scores: Mapping[str, SoloScore | None]) -> list[tuple[int, str]]:
    """Return (rank, name) of all, best first; equals share a rank and are listed by name.

    Players without a score come last, with NO_RANK.
    """
    values = {name: score.adjusted_milli for name, score in scores.items() if score is not None}
    order = sorted(values, key=lambda name: (-values[name], name))
    first: dict[int, int] = {}
    for place, name in enumerate(order, start=1):
        first.setdefault(values[name], place)
    return [(first[values[name]], name) for name in order] + [
        (NO_RANK, name) for name in sorted(scores.keys() - values.keys())
    ]


def _components(players: int, seats: Sequence[NDArray[np.int64]]) -> NDArray[np.int64]:
    """Return by player a number that is the same for all who are connected by shared boards."""
    component = np.arange(players)
    for at in seats:
        joined = np.isin(component, component[at])
        component[joined] = component[at].min()
    return component


def _equations(
    played: Sequence[SoloTotals], seats: Sequence[NDArray[np.int64]], component: NDArray[np.int64]
) -> tuple[Floats, Floats]:
    """Return the inverse of the matrix of the normal equations, boards eliminated, and their right side.

    The mean strength of each connected group of players stays open; adding 1 for each pair within a group sets it to 0.
    """
    matrix = (component[:, None] == component[None, :]).astype(np.float64)
    leads = np.zeros(len(component))
    for boards, at in zip(played, seats, strict=True):
        sums = np.array(boards.scores, dtype=np.float64)
        leads[at] += sums - sums.mean()
        matrix[at, at] += boards.count
        matrix[np.ix_(at, at)] -= boards.count / len(at)
    return np.linalg.inv(matrix), leads


def _board_values(
    played: Sequence[SoloTotals],
    seats: Sequence[NDArray[np.int64]],
    component: NDArray[np.int64],
    strength: Floats,
) -> Floats:
    """Return by group of players what its boards give on the average to a player of strength 0."""
    given, counts = np.zeros(len(component)), np.zeros(len(component))
    for boards, at in zip(played, seats, strict=True):
        given[component[at[0]]] += np.mean(boards.scores) - boards.count * strength[at].mean()
        counts[component[at[0]]] += boards.count
    return given / np.maximum(counts, 1)


class _Spread:
    """By player: boards, sum of scores, and how far these are from what its strength makes of the boards."""

    def __init__(self, strength: Floats, inverse: Floats) -> None:
        """`inverse`: of the matrix of the normal equations."""
        self.boards = np.zeros(len(strength))
        self.scores = np.zeros(len(strength))
        self._strength = strength
        self._inverse = inverse
        self._squares = np.zeros(len(strength))
        self._expected = np.zeros(len(strength))
        """What the squares are expected to be if each single error has the variance 1."""
        self._freedom = np.zeros(len(strength))

    def add(self, boards: SoloTotals, at: NDArray[np.int64]) -> None:
        """Count the boards; a board of one player compares nobody."""
        sums = np.array(boards.scores, dtype=np.float64)
        self.boards[at] += boards.count
        self.scores[at] += sums
        if len(at) == 1:
            return
        due = self._strength[at] - self._strength[at].mean()
        squares = np.array([square / len(at) ** 2 for square in boards.squares])
        self._squares[at] += squares - 2 * due * (sums - sums.mean()) + boards.count * due**2
        own = self._inverse[np.ix_(at, at)]
        pull = np.diag(own) - 2 * own.mean(axis=1) + own.mean()
        whole = 1 - 1 / len(at)
        self._expected[at] += boards.count * (whole - pull)
        self._freedom[at] += boards.count * (1 - pull / whole)

    def uncertainty_milli(self, n: int, own_variance: float) -> int | None:
        """Return the uncertainty of the strength by the observed variance of errors; None if there is none.

        `own_variance`: of the strength if each single error has the variance 1.
        """
        freedom = math.floor(float(self._freedom[n]) + _CLOSE)
        if freedom < 1:
            return None
        variance = max(0.0, float(self._squares[n])) / float(self._expected[n])
        return _milli(student_quantile(_HALF_OF_5, freedom) * math.sqrt(variance * own_variance))


def _milli(value: float) -> int:
    return round(round(float(value) * _MILLI, _NOISE))
