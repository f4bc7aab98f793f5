"""Charts of pages: ratings, intervals, and colours of a heat map."""

import re
from dataclasses import replace
from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest

from arena.pages.charts import (
    CURVES,
    RatingPoint,
    comparison_chart,
    heat,
    interval_bar,
    rating_chart,
    ratio_chart,
)


def point(matches: int, rating: float, version: str = "1", uncertainty: float = 100.0) -> RatingPoint:
    return RatingPoint(matches, rating, uncertainty, version, "2026-11-20 10:00:00Z")


def labels(chart: str) -> list[str]:
    return [element.text or "" for element in ET.fromstring(chart).iter("text")]


def heights(chart: str) -> list[float]:
    """Return where the curves of a chart lie, from the top."""
    curves = re.findall(r'<polyline points="([^"]+)"', chart)
    return [float(place.split(",")[1]) for curve in curves for place in curve.split()]


def test_a_rating_chart_has_its_band_a_point_for_each_rating_and_a_mark_for_each_new_version() -> None:
    points = [point(2, 1500), point(4, 1540, "2"), point(6, 1520, "2"), point(8, 1560, "1")]
    chart = rating_chart("Rating of <ant>", points)
    ET.fromstring(chart)
    assert chart.count('class="dot"') == len(points)
    assert re.findall(r"<title>version (\w+)</title>", chart) == ["2", "1"]
    assert "Rating of &lt;ant&gt;" in chart
    [band] = re.findall(r'<polygon points="([^"]+)" class="band"', chart)
    edges = [float(place.split(",")[1]) for place in band.split()]
    for above, rating, below in zip(edges, heights(chart), reversed(edges), strict=False):
        assert above < rating < below


def test_a_rating_chart_has_a_mark_where_a_season_was_closed() -> None:
    points = [point(2, 1600), replace(point(2, 1575), closed_season=1), point(4, 1590)]
    assert re.findall(r"<title>(season .*?)</title>", rating_chart("Rating", points)) == ["season 1 closed"]


def test_equal_ratings_are_one_level_line_within_a_scale_of_some_points() -> None:
    chart = comparison_chart(
        "Ratings", [("ant", [point(2, 1500), point(4, 1500)]), ("bee", [point(4, 1500)])]
    )
    assert len(set(heights(chart))) == 1
    lines = [int(label) for label in labels(chart) if re.fullmatch(r"1\d\d\d", label)]
    assert min(lines) <= 1475
    assert max(lines) >= 1525


def test_names_beside_curves_never_cover_each_other() -> None:
    curves = [(f"bot-{number}", [point(9, 1500 + number)]) for number in range(CURVES)]
    chart = ET.fromstring(comparison_chart("Ratings", curves))
    at = {each.text: float(each.get("y") or 0) for each in chart.iter("text")}
    names = sorted(at[name] for name, _ in curves)
    assert all(below - above >= 16 for above, below in pairwise(names))


@pytest.mark.parametrize("ratios", [[], [0.5], [0.5, -1.25, 2.0, 4.5], [-5.0]])
def test_a_chart_of_a_test_has_its_bounds_and_a_point_for_each_set_up_within_the_picture(
    ratios: list[float],
) -> None:
    chart = ratio_chart("LLR of <gate>", ratios, -2.94, 2.94)
    drawn = ET.fromstring(chart)
    assert {"-2.94", "0.00", "2.94", f"{len(ratios)} set-ups"} <= set(labels(chart))
    levels = {each.get("class"): float(each.get("y1") or 0) for each in drawn.iter("line")}
    bounds = [float(each.get("y1") or 0) for each in drawn.iter("line") if each.get("class") == "version"]
    assert len(bounds) == 2
    assert max(bounds) > levels["line"] > min(bounds)
    points = heights(chart)
    assert len(points) == len(ratios) + 1
    assert points[0] == pytest.approx(levels["line"], abs=0.1)
    for ratio, y in zip(ratios, points[1:], strict=True):  # heights are from the top
        assert (y < min(bounds)) == (ratio > 2.94)
        assert (y > max(bounds)) == (ratio < -2.94)
        assert 0 <= y <= 260
    assert chart.count('class="dot"') == len(ratios)
    assert "LLR of &lt;gate&gt;" in chart


@pytest.mark.parametrize(("share", "shown"), [(None, ""), (0.0, "heat-0"), (0.5, "heat-5"), (1.0, "heat-10")])
def test_a_share_has_a_colour(share: float | None, shown: str) -> None:
    assert heat(share) == shown


def test_an_interval_lies_on_the_scale_of_its_table() -> None:
    bar = interval_bar(1500, 100, 1400, 1600)
    assert 'x="0" y="5" width="120"' in bar
    assert 'cx="60"' in bar
