"""Charts of a match: a line or points for each seat, by ply."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from markupsafe import Markup

from arena.core.evaluation import MOST_PER_MILLE
from arena.match_report.evaluations import percent
from arena.pictures.svg import MINUS, badge, clean, element, number

Curve = Sequence[tuple[int, float]]
"""(ply, value) in the order of the plies."""

_TICKS: Final = 4
"""About so many lines with a label."""
_APART: Final = 14.0
"""Least distance of two marks at the right edge, in percent of the height."""
_MS_PER_S: Final = 1000


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart as the page lays it out: letters are HTML, so that they keep their size on a phone."""

    name: str
    title: str
    plot: Markup
    plies: int
    ticks: tuple[tuple[str, float], ...]
    """(label, distance from the top in percent)."""
    ends: tuple[tuple[Markup, float], ...]
    """(mark of a seat, distance from the top in percent) at the ends of the lines."""


def seat_badge(seat: int) -> Markup:
    """Return the piece of a seat as a picture of its own."""
    return Markup(
        element("svg", badge(seat, 14), viewBox="-15 -15 30 30", class_="picture badge", aria_hidden="true")
    )


def score_chart(curves: Sequence[Curve], plies: int) -> Chart:
    """Return the scores."""
    values = _values(curves)
    scale = _Linear(min(0.0, *values), max(1.0, *values))
    ticks = [(f"{value:g}".replace("-", MINUS), scale.top(value)) for value in scale.ticks()]
    return _lines("score", "Score", curves, plies, scale, ticks)


def expected_chart(curves: Sequence[Curve], plies: int) -> Chart:
    """Return the expected scores that bots have sent for their own seats, in thousandths."""
    scale = _Linear(0.0, float(MOST_PER_MILLE))
    ticks = [
        (percent(value), scale.top(value)) for value in range(0, MOST_PER_MILLE + 1, MOST_PER_MILLE // 4)
    ]
    return _lines("expected", "Own expected score", curves, plies, scale, ticks)


def final_score_chart(curves: Sequence[Curve], plies: int) -> Chart:
    """Return the final scores that bots have expected for their own seats."""
    values = _values(curves)
    scale = _Linear(min(0.0, *values), max(1.0, *values))
    ticks = [(f"{value:g}".replace("-", MINUS), scale.top(value)) for value in scale.ticks()]
    title = "Own expected final score"
    return _lines("expected-final", title, curves, plies, scale, ticks)


def bank_chart(curves: Sequence[Curve], plies: int) -> Chart:
    """Return the time left in the banks, in milliseconds."""
    scale = _Linear(0.0, max(1.0, *_values(curves)))
    ticks = [(_time(value), scale.top(value)) for value in scale.ticks()]
    return _lines("bank", "Time left in the bank", curves, plies, scale, ticks)


def thinking_chart(curves: Sequence[Curve], plies: int) -> Chart:
    """Return the thinking times, in milliseconds, as points on a scale of powers of ten."""
    powers = max(1, math.ceil(math.log10(max(10.0, *_values(curves)))))
    drawn = []
    for seat, curve in enumerate(curves):
        points = "".join(
            f"M{ply} {number(100 - 100 * math.log10(max(1.0, value)) / powers)}h0" for ply, value in curve
        )
        drawn.append(element("path", d=points or "M0 0", class_=f"curve points seat-{seat}"))
    ticks = [(_time(10**power), 100 - 100 * power / powers) for power in range(1, powers + 1)]
    ticks.append(("≤ 1 ms", 100.0))
    title = "Thinking time of each decision"
    return Chart("thinking", title, _plot(title, plies, drawn, ticks), plies, tuple(ticks), ())


@dataclass(frozen=True, slots=True)
class _Linear:
    low: float
    high: float

    def top(self, value: float) -> float:
        """Return the distance from the top in percent."""
        return 100 * (self.high - value) / (self.high - self.low)

    def ticks(self) -> Iterator[float]:
        """Yield round numbers between the ends."""
        rough = (self.high - self.low) / _TICKS
        power = 10.0 ** math.floor(math.log10(rough))
        step = next(each * power for each in (1, 2, 5, 10) if each * power >= rough)
        for index in range(math.ceil(self.low / step), math.floor(self.high / step) + 1):
            yield index * step


def _lines(
    name: str,
    title: str,
    curves: Sequence[Curve],
    plies: int,
    scale: _Linear,
    ticks: Sequence[tuple[str, float]],
) -> Chart:
    """Return a line for each seat, which keeps its value until it changes."""
    drawn, ends = [], []
    for seat, curve in enumerate(curves):
        if not curve:
            continue
        points = [(ply, number(scale.top(value))) for ply, value in curve]
        path = f"M{points[0][0]} {points[0][1]}" + "".join(
            f"H{ply}V{top}"
            for (_, before), (ply, top) in pairwise(points)
            if top != before or ply == points[-1][0]
        )
        drawn.append(element("path", d=path, class_=f"curve seat-{seat}"))
        ends.append((seat_badge(seat), scale.top(curve[-1][1])))
    return Chart(name, title, _plot(title, plies, drawn, ticks), plies, tuple(ticks), tuple(_spread(ends)))


def _plot(title: str, plies: int, drawn: Iterable[str], ticks: Sequence[tuple[str, float]]) -> Markup:
    grid = (element("line", x1=0, x2=plies, y1=top, y2=top, class_="line") for _, top in ticks)
    now = element("line", x1=0, x2=0, y1=0, y2=100, class_="now-line")
    return Markup(
        element(
            "svg",
            element("title", clean(title)),
            *grid,
            *drawn,
            now,
            viewBox=f"0 0 {plies} 100",
            preserveAspectRatio="none",
            class_="picture plot",
            role="img",
        )
    )


def _spread(ends: Sequence[tuple[Markup, float]]) -> Iterator[tuple[Markup, float]]:
    """Yield the marks, moved so far that none covers another."""
    last = -_APART
    room = 100.0 - _APART * (len(ends) - 1)
    for place, (mark, top) in enumerate(sorted(ends, key=lambda end: end[1])):
        last = max(last + _APART, min(top, room + _APART * place))
        yield mark, last


def _values(curves: Sequence[Curve]) -> list[float]:
    return [0.0, *(value for curve in curves for _, value in curve)]


def _time(ms: float) -> str:
    if not ms:
        return "0"
    return f"{ms:g} ms" if ms < _MS_PER_S else f"{ms / _MS_PER_S:g} s"
