"""Ratings fitted to a whole history at once, whatever the order of its matches (docs/ratings.md).

Strengths of players, advantages of seats and the frequency of ties are found together, as the most likely ones given
the history and a weak prior. How certain they are follows from the curvature at that point, widened where the
matches of a group go together more than chance does. The strengths of anchors are given, and the others are measured
by them.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from arena.core.fair_play.significance import NORMAL_95
from arena.core.finished_match import FinishedMatch
from arena.core.rating.choices import Choices, Floats, Ints, ModelLayout, choices_of
from arena.core.rating.likelihood import Slopes, slopes

_DOUBT: Final = 10
"""A ratio of 1 counts as if so many observations had shown it: a few groups prove nothing."""


def dispersion(choices: Choices, there: Slopes, anchors: int = 0) -> float:
    """Return the factor for all variances, at least 1: intervals never shrink below the model's.

    `anchors`: how many players have a strength that was given.
    """
    layout = choices.layout
    players = choices.in_order[choices.distinct]
    groups = _groups(choices)
    seated = players >= 0
    cells = (groups[:, None] * len(layout.players) + players)[seated]
    pairs, where = np.unique(cells, return_inverse=True)
    sums = np.bincount(where, there.residuals[choices.distinct][seated])
    observed = len(pairs) - (int(groups.max()) + 1)
    fitted = len(layout.players) - max(anchors, 1)
    free = observed - (fitted + sum(layout.seat_counts) - len(layout.seat_counts))
    variances = float(np.trace(there.information[: len(layout.players), : len(layout.players)]))
    if free <= 0 or variances <= 0:
        return 1.0
    ratio = float(np.sum(sums**2)) / variances
    return max(1.0, (_DOUBT + observed * ratio) / (_DOUBT + free))


def _groups(choices: Choices) -> Ints:
    """Return by match the number of its group, from 0 on; a match without a group has one of its own."""
    numbers: dict[tuple[bool, int], int] = {}
    groups = [
        numbers.setdefault((False, match.group) if match.group else (True, place), len(numbers))
        for place, match in enumerate(choices.matches)
    ]
    return np.array(groups, dtype=np.int64)


_POINTS: Final = 400 / math.log(10)
"""Elo's scale: a difference of so many points multiplies the odds by e."""

_MEAN: Final = 1500
_CLOSE: Final = 1e-7
"""A step of Newton's method this short, in log odds, ends the search."""

_LONGEST: Final = 2.0
"""A longer step leaves the region that the curvature describes."""

_ROUNDING: Final = 1e-9
"""A likelihood lower by this part may be equal, because of rounding."""


@dataclass(frozen=True, slots=True)
class Prior:
    """The prior: each unknown is near 0, with these standard deviations in points."""

    strength: float = 700
    """Twice that of the live Elo for a new bot, so that it matters less."""
    seat: float = 700
    tie: float = 700


@dataclass(frozen=True, slots=True)
class FittedRating:
    """A player's strength; thousandths of a point, the mean of all players being 1500 points without anchors."""

    player: str
    rating_milli: int
    low_milli: int
    """Lower end of the 95 % interval."""
    high_milli: int
    """Upper end of the 95 % interval."""
    matches: int
    """How many it played."""
    anchor: bool = False
    """Whether the rating was given."""


@dataclass(frozen=True, slots=True)
class SeatAdvantage:
    """What each seat adds to a player's rating in matches of one seat count; thousandths of a point."""

    seats: int
    advantage_milli: tuple[int, ...]
    """By seat; the sum is 0, but for rounding."""
    uncertainty_milli: tuple[int, ...]
    """By seat: half the width of the 95 % interval."""
    matches: int


@dataclass(frozen=True, slots=True, eq=False)
class Refit:
    """The ratings that a history gives."""

    ratings: tuple[FittedRating, ...]
    """Best first; of equal ones the first name first."""
    seat_advantages: tuple[SeatAdvantage, ...]
    """One for each seat count that was played, ascending."""
    matches: int
    dispersion: float
    """The factor by which variances were widened because matches of a group are correlated; 1: not at all."""
    _places: dict[str, int]
    _strengths: Floats
    _covariance: Floats

    def superiority(self, one: str, other: str) -> float:
        """Return the likelihood, 0 to 1, that `one` is stronger than `other`. Raises KeyError for a bot without
        matches.
        """
        a, b = self._places[one], self._places[other]
        if a == b:
            return 0.5
        lead, error = self._lead(a, b)
        if not error:  # two anchors
            return (1 + math.copysign(1, lead)) / 2 if lead else 0.5
        return math.erfc(-lead / error / math.sqrt(2)) / 2

    def lead(self, one: str, other: str) -> tuple[float, float] | None:
        """Return the log odds of `one` and their standard error; None if one of them has no matches."""
        a, b = self._places.get(one), self._places.get(other)
        return None if a is None or b is None else self._lead(a, b)

    def _lead(self, a: int, b: int) -> tuple[float, float]:
        variance = self._covariance[a, a] + self._covariance[b, b] - 2 * self._covariance[a, b]
        return float(self._strengths[a] - self._strengths[b]), math.sqrt(max(float(variance), 0.0))


def refit(
    matches: Iterable[FinishedMatch], prior: Prior = Prior(), anchors: Mapping[str, int] | None = None
) -> Refit:
    """Return the most likely ratings given these matches, whatever their order; none for no matches.

    `anchors`: given ratings by player, in thousandths of a point. The prior is then around their mean instead of 1500
    points, and intervals are those of the distance from the anchors instead of the mean of all.
    """
    history = tuple(matches)
    if not history:
        return Refit((), (), 0, 1.0, {}, np.zeros(0), np.zeros((0, 0)))
    choices = choices_of(history)
    scale = _Scale.of(choices.layout, anchors or {})
    precision = _precision(choices.layout, prior)
    at, there = _most_likely(choices, precision, scale)
    wider = dispersion(choices, there, len(scale.anchors))
    covariance: Floats = np.zeros_like(there.information)
    covariance[scale.free_block] = np.linalg.inv(_curvature(there, precision, scale)) * wider
    players = slice(0, len(choices.layout.players))
    of_players = covariance[players, players]
    if not scale.anchors:
        of_players = _about_their_mean(of_players)
    return Refit(
        ratings=_ratings(choices, at[players], of_players, scale),
        seat_advantages=tuple(
            _seat_advantage(choices, count, at, covariance) for count in choices.layout.seat_counts
        ),
        matches=len(history),
        dispersion=wider,
        _places={player: place for place, player in enumerate(choices.layout.players)},
        _strengths=at[players],
        _covariance=of_players,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Scale:
    """What fixes the scale: the anchors, or else the mean of all players."""

    anchors: Mapping[str, int]
    """Those that have played, with their ratings in thousandths of a point."""
    centre: float
    """The rating, in points, that a strength of 0 stands for."""
    start: Floats
    """By unknown: the strength of an anchor, else 0."""
    free: Ints
    """The places of the unknowns that are fitted."""

    @classmethod
    def of(cls, layout: ModelLayout, anchors: Mapping[str, int]) -> "_Scale":
        """Return the scale that the anchors among the players give."""
        known = {player: anchors[player] for player in layout.players if player in anchors}
        centre = sum(known.values()) / len(known) / 1_000 if known else float(_MEAN)
        start, is_free = np.zeros(layout.size), np.ones(layout.size, dtype=bool)
        for place, player in enumerate(layout.players):
            if player in known:
                start[place], is_free[place] = (known[player] / 1_000 - centre) / _POINTS, False
        return cls(known, centre, start, np.flatnonzero(is_free))

    @property
    def free_block(self) -> tuple[Ints, ...]:
        """The index of the rows and columns of a matrix that are of fitted unknowns."""
        return np.ix_(self.free, self.free)


def _curvature(there: Slopes, precision: Floats, scale: _Scale) -> Floats:
    """Return the curvature of history and prior together in the fitted unknowns."""
    block: Floats = there.information[scale.free_block] + np.diag(precision[scale.free])
    return block


def _precision(layout: ModelLayout, prior: Prior) -> Floats:
    """Return by unknown one over the variance of its prior."""
    points = np.full(layout.size, prior.seat)
    points[: len(layout.players)] = prior.strength
    points[layout.ties] = prior.tie
    return (_POINTS / points) ** 2


def _most_likely(choices: Choices, precision: Floats, scale: _Scale) -> tuple[Floats, Slopes]:
    """Return the unknowns that maximise history and prior together, and the slopes of the history there.

    Uses Newton's method; a step that leads down is halved. The function is concave, so there is one maximum.
    """
    at = scale.start
    here = slopes(choices, at)
    step = _step(here, at, precision, scale)
    while np.abs(step).max() > _CLOSE:
        there = slopes(choices, at + step)
        reached = _height(here, at, precision)
        if _height(there, at + step, precision) < reached - _ROUNDING * abs(reached):
            step = step / 2
        else:
            at, here = at + step, there
            step = _step(here, at, precision, scale)
    return at, here


def _height(there: Slopes, at: Floats, precision: Floats) -> float:
    """Return the log likelihood of history and prior together, up to a constant."""
    return there.log_likelihood - float(precision @ at**2) / 2


def _step(here: Slopes, at: Floats, precision: Floats, scale: _Scale) -> Floats:
    """Return Newton's step, shortened to where the slopes can be trusted."""
    step: Floats = np.zeros_like(at)
    uphill = (here.gradient - precision * at)[scale.free]
    step[scale.free] = np.linalg.solve(_curvature(here, precision, scale), uphill)
    return step * (_LONGEST / max(_LONGEST, float(np.abs(step).max())))


def _about_their_mean(covariance: Floats) -> Floats:
    """Return the covariance of the deviations from the mean: matches say nothing about the mean itself."""
    rows = covariance - covariance.mean(axis=0)
    centred: Floats = rows - rows.mean(axis=1, keepdims=True)
    return centred


def _ratings(
    choices: Choices, strengths: Floats, covariance: Floats, scale: _Scale
) -> tuple[FittedRating, ...]:
    played = Counter(player for match in choices.matches for player in match.bots)
    halves = _half_widths(covariance)
    ratings = [
        FittedRating(
            player,
            _milli(scale.centre / _POINTS + strength),
            _milli(scale.centre / _POINTS + strength - half),
            _milli(scale.centre / _POINTS + strength + half),
            played[player],
            anchor=player in scale.anchors,
        )
        for player, strength, half in zip(choices.layout.players, strengths, halves, strict=True)
    ]
    return tuple(sorted(ratings, key=lambda rating: (-rating.rating_milli, rating.player)))


def _seat_advantage(choices: Choices, count: int, at: Floats, covariance: Floats) -> SeatAdvantage:
    seats = choices.layout.seats(count)
    halves = _half_widths(_about_their_mean(covariance[seats, seats]))
    return SeatAdvantage(
        seats=count,
        advantage_milli=tuple(map(_milli, at[seats])),
        uncertainty_milli=tuple(map(_milli, halves)),
        matches=sum(len(match.bots) == count for match in choices.matches),
    )


def _half_widths(covariance: Floats) -> Floats:
    """Return half the 95 % interval of each."""
    widths: Floats = NORMAL_95 * np.sqrt(np.maximum(np.diag(covariance), 0))
    return widths


def _milli(logarithm: float) -> int:
    """Return a difference in log odds as thousandths of a point."""
    return round(float(logarithm) * _POINTS * 1000)
