"""What the close of a season and an anchor do to a rating (docs/seasons.md): integers, rounded half to even.

Between two seasons strengths are taken to drift: with k the kept part, s' = 1500 + k (s - 1500) + drift, where the
variance of the drift is (1 - k**2) 350**2, so that the strengths of a field that is spread like new bots stay so spread
(the stationary autoregression of order 1). The best guess after the close and the variance of its error are then::

    rating' = 1500 + k (rating - 1500)
    P'      = k**2 P + (1 - k**2) 350**2
"""

from dataclasses import dataclass, replace
from typing import Final

from arena.core.rating.expected_score import half_to_even
from arena.core.rating.rating import INFORMATION_UNIT, INITIAL, INITIAL_VARIANCE, PRIOR_INFORMATION, Rating

PERCENT: Final = 100

DEFAULT_KEEP_PERCENT: Final = 75
"""What a close keeps of the distance from the mean if nobody says otherwise."""

ANCHOR_INFORMATION: Final = INFORMATION_UNIT
"""Of an anchor: a standard deviation of 1 point, since its rating is what the others are measured by."""

ANCHOR_RATINGS_MILLI: Final = range(4_000_001)
"""Ratings that an anchor may have, in thousandths of a point."""


@dataclass(frozen=True, slots=True)
class SeasonClose:
    """The close of a season of a ladder."""

    number: int
    """The season closed, from 1."""
    keep_percent: int
    """How much of its distance from 1500 points a rating keeps: 0 to 100."""


@dataclass(frozen=True, slots=True)
class Anchor:
    """A decision on a bot: its rating is fixed, or is not any more."""

    bot: str
    rating_milli: int | None
    """The fixed rating in thousandths of a point; None: the bot is rated again."""


def pulled(rating: Rating, keep_percent: int) -> Rating:
    """Return the rating with which a bot begins the season after a close; K is that of a new version again."""
    kept, whole = keep_percent**2, PERCENT**2
    # P' = (kept U / information + (whole - kept) 350**2) / whole, and information' = U / P'
    spread = kept * INFORMATION_UNIT + (whole - kept) * INITIAL_VARIANCE * rating.information
    information = half_to_even(whole * INFORMATION_UNIT * rating.information, spread)
    return replace(
        rating,
        rating_milli=INITIAL.rating_milli
        + pulled_delta(rating.rating_milli - INITIAL.rating_milli, keep_percent),
        information=max(PRIOR_INFORMATION, information),
        version_matches=0,
    )


def pulled_delta(delta_milli: int, keep_percent: int) -> int:
    """Return what a close leaves of a difference of ratings, in thousandths of a point."""
    return half_to_even(delta_milli * keep_percent, PERCENT)


def anchored(rating: Rating, anchor: Anchor) -> Rating:
    """Return the rating after the decision; a bot that is rated again begins there, as uncertain as a new one."""
    if anchor.rating_milli is None:
        return replace(rating, information=PRIOR_INFORMATION, version_matches=0)
    return replace(rating, rating_milli=anchor.rating_milli, information=ANCHOR_INFORMATION)
