"""Charts as SVG: ratings over time, intervals of standings, and colours of a heat map."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from arena.pictures.svg import element, number, text, tooltip

_WIDTH: Final = 640
_HEIGHT: Final = 260
_LEFT: Final = 62
_RIGHT: Final = 16
_TOP: Final = 26
_BOTTOM: Final = 34
_STEPS: Final = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 5000)
_LINES: Final = 5
"""At most so many horizontal lines."""

HEAT_LEVELS: Final = 10
"""Colours of a heat map, beside none."""

_BAR: Final = 120
_BAR_HEIGHT: Final = 14


@dataclass(frozen=True, slots=True)
class RatingPoint:
    """A rating after a number of matches."""

    matches: int
    rating: float
    """Elo points."""
    uncertainty: float
    """Half the 95 % interval, in Elo points."""
    version: str
    """Of the bot, as it is shown to people."""
    when: str
    """The time, as it is shown to people."""


def rating_chart(title: str, points: Sequence[RatingPoint]) -> str:
    """Return ratings by rated matches: a line within the band of its interval, and a mark at each new version."""
    low = min(point.rating - point.uncertainty for point in points)
    high = max(point.rating + point.uncertainty for point in points)
    scale = _Scale(points[0].matches, points[-1].matches, low, high)
    upper = [scale.at(point.matches, point.rating + point.uncertainty) for point in points]
    lower = [scale.at(point.matches, point.rating - point.uncertainty) for point in points]
    line = [scale.at(point.matches, point.rating) for point in points]
    return element(
        "svg",
        tooltip(title),
        *scale.lines(),
        element("polygon", points=_written([*upper, *reversed(lower)]), class_="band"),
        *_version_marks(points, scale),
        element("polyline", points=_written(line), class_="curve"),
        *(_dot(point, scale) for point in points),
        text(_WIDTH - _RIGHT, _HEIGHT - 8, "rated matches", 16, style="quiet", anchor="end"),
        viewBox=f"0 0 {_WIDTH} {_HEIGHT}",
        class_="picture chart",
        role="img",
    )


class _Scale:
    """Where values lie in a chart."""

    def __init__(self, first: int, last: int, low: float, high: float) -> None:
        self._first, self._last = first, max(last, first + 1)
        self._step = next((each for each in _STEPS if (high - low) / each <= _LINES), _STEPS[-1])
        self._low = math.floor(low / self._step) * self._step
        self._high = max(math.ceil(high / self._step) * self._step, self._low + self._step)

    def x(self, matches: int) -> float:
        """Return where a number of matches lies."""
        return _LEFT + (_WIDTH - _LEFT - _RIGHT) * (matches - self._first) / (self._last - self._first)

    def at(self, matches: int, rating: float) -> tuple[float, float]:
        """Return where a rating lies."""
        share = (self._high - rating) / (self._high - self._low)
        return self.x(matches), _TOP + (_HEIGHT - _TOP - _BOTTOM) * share

    def lines(self) -> list[str]:
        """Return horizontal lines with their ratings, and the first and last number of matches."""
        drawn = []
        for index in range(round((self._high - self._low) / self._step) + 1):
            value = self._low + index * self._step
            _, y = self.at(self._first, value)
            drawn.append(element("line", x1=_LEFT, x2=_WIDTH - _RIGHT, y1=y, y2=y, class_="line"))
            drawn.append(text(_LEFT - 6, y + 5, str(value), 16, style="quiet", anchor="end"))
        drawn.append(text(_LEFT, _HEIGHT - 8, str(self._first), 16, style="quiet"))
        drawn.append(text(_WIDTH - _RIGHT, _TOP - 9, f"after {self._last}", 16, style="quiet", anchor="end"))
        return drawn


def _version_marks(points: Sequence[RatingPoint], scale: _Scale) -> list[str]:
    """Return a vertical line where another version plays for the first time."""
    drawn = []
    for before, point in pairwise(points):
        if point.version != before.version:
            x = scale.x(point.matches)
            mark = element(
                "line",
                tooltip(f"version {point.version}"),
                x1=x,
                x2=x,
                y1=_TOP,
                y2=_HEIGHT - _BOTTOM,
                class_="version",
            )
            drawn.append(mark)
    return drawn


def _dot(point: RatingPoint, scale: _Scale) -> str:
    """Return an invisible circle that shows the numbers of a point to the mouse."""
    x, y = scale.at(point.matches, point.rating)
    words = (
        f"{point.rating:.0f} \u00b1 {point.uncertainty:.0f} after {point.matches} matches, "
        f"version {point.version}, {point.when}"
    )
    return element("circle", tooltip(words), cx=x, cy=y, r=7, class_="dot")


def _written(points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{number(x)},{number(y)}" for x, y in points)


def interval_bar(value: float, half: float, low: float, high: float) -> str:
    """Return an interval and its middle on the scale from `low` to `high`."""
    width = max(high - low, 1.0)

    def x(rating: float) -> float:
        return _BAR * (min(max(rating, low), high) - low) / width

    left, right, middle = x(value - half), x(value + half), x(value)
    return element(
        "svg",
        element("rect", x=left, y=5, width=max(right - left, 2), height=4, rx=2, class_="band"),
        element("circle", cx=min(max(middle, 4), _BAR - 4), cy=7, r=4, class_="mark"),
        viewBox=f"0 0 {_BAR} {_BAR_HEIGHT}",
        class_="picture interval",
        aria_hidden="true",
    )


def heat(share: float | None) -> str:
    """Return the class of a cell with a score from 0 to 1; none without a score."""
    return "" if share is None else f"heat-{round(min(max(share, 0.0), 1.0) * HEAT_LEVELS)}"


def progress_bar(done: int, of: int, title: str) -> str:
    """Return how much of something is done."""
    share = done / of if of else 0.0
    return element(
        "svg",
        tooltip(title),
        element("rect", x=0, y=0, width=300, height=12, rx=6, class_="field"),
        element("rect", x=0, y=0, width=300 * share, height=12, rx=6, class_="mark"),
        viewBox="0 0 300 12",
        class_="picture progress",
        role="img",
    )
