"""Charts of a match."""

import re
from itertools import pairwise

import pytest

from arena.viewer.charts import bank_chart, expected_chart, final_score_chart, score_chart, thinking_chart


@pytest.mark.parametrize("values", [(0, 0, 0, 0, 0, 0), (-3, 60, 57, 59, 58, -3), (1, 2, 3, 4, 5, 6)])
def test_the_marks_at_the_ends_of_lines_never_cover_each_other(values):
    chart = score_chart([[(0, 0), (9, value)] for value in values], 9)
    tops = [top for _, top in chart.ends]
    assert len(tops) == len(values)
    assert all(below - above >= 13.9 for above, below in pairwise(tops))
    assert min(tops) >= 0
    assert max(tops) <= 100.1


def test_the_labels_of_scores_are_round_numbers_from_the_lowest_to_the_highest():
    chart = score_chart([[(0, 0), (5, -12)], [(0, 0), (5, 61)]], 5)
    assert [label for label, _ in chart.ticks] == ["0", "20", "40", "60"]
    assert [round(top, 1) for _, top in chart.ticks] == [83.6, 56.2, 28.8, 1.4]
    assert score_chart([[(0, 0), (5, -40)]], 5).ticks[0][0] == "\N{MINUS SIGN}40"


def test_a_line_keeps_its_value_until_it_changes():
    chart = score_chart([[(0, 0), (1, 0), (2, 10), (3, 10), (4, 10)]], 4)
    assert re.findall(r' d="(.*?)"', chart.plot) == ["M0 100H2V0H4V0"]


def test_thinking_times_are_points_on_a_scale_of_powers_of_ten():
    chart = thinking_chart([[(1, 0.2), (2, 10.0)], [(3, 62_000.0)], []], 3)
    assert [label for label, _ in chart.ticks] == ["10 ms", "100 ms", "1 s", "10 s", "100 s", "\u2264 1 ms"]
    first, second, none = re.findall(r' d="(.*?)"', chart.plot)
    assert first == "M1 100h0M2 80h0"
    assert second.startswith("M3 4.")
    assert none == "M0 0"


def test_a_seat_that_never_acted_has_no_line():
    chart = bank_chart([[(1, 3000.0), (3, 3040.0)], []], 3)
    assert len(chart.ends) == 1
    assert chart.ticks[0] == ("0", 100.0)


def test_expected_scores_are_on_a_scale_from_none_to_all_whatever_was_sent():
    chart = expected_chart([[(1, 500), (9, 750)], []], 9)
    assert [label for label, _ in chart.ticks] == ["0 %", "25 %", "50 %", "75 %", "100 %"]
    assert [top for _, top in chart.ticks] == [100, 75, 50, 25, 0]
    assert re.findall(r' d="(.*?)"', chart.plot) == ["M1 50H9V25"]
    assert len(chart.ends) == 1


def test_expected_final_scores_are_on_a_scale_of_points():
    chart = final_score_chart([[(1, 20), (5, 40)]], 5)
    assert [label for label, _ in chart.ticks] == ["0", "10", "20", "30", "40"]
