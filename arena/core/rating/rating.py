"""The rating of a bot in a ladder, as stored."""

from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from typing import Final

INFORMATION_UNIT: Final = 10**12
"""information = INFORMATION_UNIT / variance, the variance in square points."""

INITIAL_VARIANCE: Final = 350**2
"""Of the rating of a bot that has not played, in square points: a standard deviation of 350 points."""

PRIOR_INFORMATION: Final = round(Fraction(INFORMATION_UNIT, INITIAL_VARIANCE))
"""What is known of a bot that has not played."""

_HALF_WIDTH_MILLI: Final = 1_960
"""Half a 95 % interval of the normal distribution, in thousandths of its standard deviation."""


@dataclass(frozen=True, slots=True)
class Rating:
    """What a ladder knows of a bot's strength."""

    rating_milli: int
    """Thousandths of a point."""
    information: int
    """10**12 / variance of the rating's error, the variance in square points; at least PRIOR_INFORMATION."""
    version: str
    """The version of its last rated match; empty before the first."""
    version_matches: int
    """Rated matches of that version."""

    @property
    def uncertainty_milli(self) -> int:
        """Half the width of the rating's 95 % interval in thousandths of a point."""
        return uncertainty_milli(self.information)


INITIAL: Final = Rating(rating_milli=1_500_000, information=PRIOR_INFORMATION, version="", version_matches=0)
"""The rating of a bot that has not played."""


def uncertainty_milli(information: int) -> int:
    """Return half the width of the 95 % interval in thousandths of a point, rounded to the nearest."""
    square = _HALF_WIDTH_MILLI**2 * INFORMATION_UNIT // information
    return (isqrt(4 * square) + 1) // 2
