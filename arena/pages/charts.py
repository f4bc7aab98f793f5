"""Charts as SVG: ratings over time, the test of a gate, intervals of standings, and colours of a heat map."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from arena.pictures.style import SEATS
from arena.pictures.svg import element, number, rectangle, text, tooltip

_WIDTH: Final = 640
_HEIGHT: Final = 260
_LEFT: Final = 62
_RIGHT: Final = 16
_TOP: Final = 26
_BOTTOM: Final = 34
_STEPS: Final = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 5000)
_LEAST_SPAN: Final = 50
"""Elo points from the lowest to the highest line, so that equal ratings look equal."""
_LINES: Final = 5
"""At most so many horizontal lines."""

_MOST_DOTS: Final = 200
"""Points of a chart of a test that show their numbers to the mouse; with more they would cover each other."""

_LABELS: Final = 170
"""Width of the names beside curves."""
_LABEL_HEIGHT: Final = 22

CURVES: Final = SEATS
"""Curves in one chart: each has a colour of its own."""

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
    closed_season: int = 0
    """The season whose close pulled the rating here; 0: none."""


def rating_chart(title: str, points: Sequence[RatingPoint]) -> str:
    """Return ratings by rated matches: a line within the band of its interval.

    It has a mark at each new version and at the close of each season.
    """
    low = min(point.rating - point.uncertainty for point in points)
    high = max(point.rating + point.uncertainty for point in points)
    counts = [point.matches for point in points]  # which may fall: a void match is taken back
    scale = _Scale(min(counts), max(counts), low, high)
    upper = [scale.at(point.matches, point.rating + point.uncertainty) for point in points]
    lower = [scale.at(point.matches, point.rating - point.uncertainty) for point in points]
    line = [scale.at(point.matches, point.rating) for point in points]
    return element(
        "svg",
        tooltip(title),
        *scale.lines(),
        element("polygon", points=_written([*upper, *reversed(lower)]), class_="band"),
        *_marks(points, scale),
        element("polyline", points=_written(line), class_="curve"),
        *(_dot(point, scale) for point in points),
        viewBox=f"0 0 {_WIDTH} {_HEIGHT}",
        class_="picture chart",
        role="img",
    )


def comparison_chart(title: str, curves: Sequence[tuple[str, Sequence[RatingPoint]]]) -> str:
    """Return the ratings of at most CURVES bots by rated matches, each with the name of its bot at its end.

    `curves`: names with their points, of which there is at least one.
    """
    ratings = [point.rating for _, points in curves for point in points]
    last = max(point.matches for _, points in curves for point in points)
    scale = _Scale(0, last, min(ratings), max(ratings), right=_RIGHT + _LABELS)
    ends = [scale.at(points[-1].matches, points[-1].rating) for _, points in curves]
    drawn = [*scale.lines()]
    for index, ((name, points), end, y) in enumerate(
        zip(curves, ends, _apart([y for _, y in ends]), strict=True)
    ):
        label_x = _WIDTH - _LABELS
        drawn.append(element("line", x1=end[0], y1=end[1], x2=label_x - 4, y2=y, class_="line"))
        line = _written([scale.at(point.matches, point.rating) for point in points])
        drawn.append(element("polyline", points=line, class_=f"curve seat-{index}"))
        drawn += [_dot(point, scale, name) for point in points]
        drawn.append(rectangle(label_x, y - 6, 12, 12, f"seat-{index}", 3))
        drawn.append(text(label_x + 18, y + 5, name, 16, width=_LABELS - 18))
    return element(
        "svg",
        tooltip(title),
        *drawn,
        viewBox=f"0 0 {_WIDTH} {_HEIGHT}",
        class_="picture chart",
        role="img",
    )


def ratio_chart(title: str, ratios: Sequence[float], lower: float, upper: float) -> str:
    """Return the log-likelihood ratio of a test after each set-up, between the bounds at which it stops.

    `lower` is below 0, `upper` above.
    """
    values = (0.0, *ratios)
    low, high = min(lower, *values), max(upper, *values)
    last = max(len(ratios), 1)

    def at(set_ups: int, ratio: float) -> tuple[float, float]:
        x = _LEFT + (_WIDTH - _LEFT - _RIGHT) * set_ups / last
        return x, _TOP + (_HEIGHT - _TOP - _BOTTOM) * (high - ratio) / (high - low)

    drawn = []
    for level, style in ((lower, "version"), (0.0, "line"), (upper, "version")):
        _, y = at(0, level)
        drawn.append(element("line", x1=_LEFT, x2=_WIDTH - _RIGHT, y1=y, y2=y, class_=style))
        drawn.append(text(_LEFT - 6, y + 5, f"{level:.2f}", 16, style="quiet", anchor="end"))
    drawn.append(text(_LEFT, _HEIGHT - 8, "0", 16, style="quiet"))
    counted = f"{len(ratios)} set-ups"
    drawn.append(text(_WIDTH - _RIGHT, _HEIGHT - 8, counted, 16, style="quiet", anchor="end"))
    places = [at(set_ups, ratio) for set_ups, ratio in enumerate(values)]
    drawn.append(element("polyline", points=_written(places), class_="curve"))
    if len(ratios) <= _MOST_DOTS:
        drawn += [
            element("circle", tooltip(f"{ratio:.2f} after set-up {set_ups}"), cx=x, cy=y, r=7, class_="dot")
            for set_ups, (ratio, (x, y)) in enumerate(zip(values, places, strict=True))
            if set_ups
        ]
    return element(
        "svg",
        tooltip(title),
        *drawn,
        viewBox=f"0 0 {_WIDTH} {_HEIGHT}",
        class_="picture chart",
        role="img",
    )


def _apart(heights: Sequence[float]) -> list[float]:
    """Return the heights, moved so that a label fits at each and all stay within the chart."""
    order = sorted(range(len(heights)), key=lambda index: heights[index])
    moved = list(heights)
    lowest: float = _TOP
    for index in order:
        moved[index] = max(heights[index], lowest)
        lowest = moved[index] + _LABEL_HEIGHT
    highest: float = _HEIGHT - _BOTTOM
    for index in reversed(order):
        moved[index] = min(moved[index], highest)
        highest = moved[index] - _LABEL_HEIGHT
    return moved


class _Scale:
    """Where values lie in a chart."""

    def __init__(self, first: int, last: int, low: float, high: float, *, right: int = _RIGHT) -> None:
        """`right`: what stays free at the right."""
        self._first, self._last = first, max(last, first + 1)
        self._end = _WIDTH - right
        if high - low < _LEAST_SPAN:
            low, high = (low + high - _LEAST_SPAN) / 2, (low + high + _LEAST_SPAN) / 2
        self._step = next((each for each in _STEPS if (high - low) / each <= _LINES), _STEPS[-1])
        self._low = math.floor(low / self._step) * self._step
        self._high = max(math.ceil(high / self._step) * self._step, self._low + self._step)

    def x(self, matches: int) -> float:
        """Return where a number of matches lies."""
        return _LEFT + (self._end - _LEFT) * (matches - self._first) / (self._last - self._first)

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
            drawn.append(element("line", x1=_LEFT, x2=self._end, y1=y, y2=y, class_="line"))
            drawn.append(text(_LEFT - 6, y + 5, str(value), 16, style="quiet", anchor="end"))
        drawn.append(text(_LEFT, _HEIGHT - 8, str(self._first), 16, style="quiet"))
        last = f"{self._last} rated matches"
        drawn.append(text(self._end, _HEIGHT - 8, last, 16, style="quiet", anchor="end"))
        return drawn


def _marks(points: Sequence[RatingPoint], scale: _Scale) -> list[str]:
    """Return a vertical line where another version plays for the first time, and where a season was closed."""
    marks = [
        (point, f"version {point.version}")
        for before, point in pairwise(points)
        if point.version != before.version
    ]
    marks += [(point, f"season {point.closed_season} closed") for point in points if point.closed_season]
    return [
        element(
            "line",
            tooltip(words),
            x1=scale.x(point.matches),
            x2=scale.x(point.matches),
            y1=_TOP,
            y2=_HEIGHT - _BOTTOM,
            class_="version",
        )
        for point, words in marks
    ]


def _dot(point: RatingPoint, scale: _Scale, name: str = "") -> str:
    """Return an invisible circle that shows the numbers of a point to the mouse."""
    x, y = scale.at(point.matches, point.rating)
    words = (f"{name}: " if name else "") + (
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
