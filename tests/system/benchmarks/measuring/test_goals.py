"""What is aimed at, and whether it was reached."""

import pytest

from benchmarks.measuring.goals import Goal, Verdict, at_least, at_most
from benchmarks.measuring.lines import Line
from benchmarks.measuring.spread import Spread, spread


@pytest.mark.parametrize(
    ("goal", "value", "verdict"),
    [
        (at_least(0.85, 0.92), 0.849, Verdict.MISSED),
        (at_least(0.85, 0.92), 0.85, Verdict.REACHED),
        (at_least(0.85, 0.92), 0.92, Verdict.BEYOND),
        (at_most(1.35, 1.2), 1.351, Verdict.MISSED),
        (at_most(1.35, 1.2), 1.35, Verdict.REACHED),
        (at_most(1.35, 1.2), 1.2, Verdict.BEYOND),
        (at_most(0, 0), 1, Verdict.MISSED),
        (at_most(0, 0), 0, Verdict.BEYOND),
    ],
)
def test_a_value_misses_a_goal_reaches_it_or_goes_beyond(goal: Goal, value: float, verdict: Verdict) -> None:
    assert goal.verdict(value) is verdict


def test_a_goal_is_held_against_the_median_and_not_the_best_pair() -> None:
    line = Line("P1", "rate", measured=Spread(0.5, 0.8, 2.0), goal=at_least(0.85, 0.92))
    assert line.verdict is Verdict.MISSED


def test_a_line_that_was_not_measured_reaches_nothing() -> None:
    assert Line("P6", "compiled", goal=at_most(9, 9), trouble="not built").verdict is Verdict.NOT_MEASURED
    assert Line("P6", "compiled", goal=at_most(9, 9)).verdict is Verdict.NOT_MEASURED


def test_a_line_with_trouble_reaches_nothing_whatever_figure_it_has() -> None:
    line = Line("P6", "compiled", measured=spread([1]), goal=at_least(1, 1), trouble="it broke half-way")
    assert line.verdict is Verdict.NOT_MEASURED


def test_a_line_for_comparison_has_no_goal() -> None:
    assert Line("P1", "bare socket", measured=spread([1])).verdict is Verdict.NO_GOAL


def test_a_goal_reads_as_it_is_written_in_the_list_of_goals() -> None:
    assert str(at_least(0.85, 0.92)) == ">= 0.85x; 0.92x"
    assert str(at_most(40, 25, " KB")) == "<= 40 KB; 25 KB"
    assert str(at_most(0, 0, "")) == "<= 0"
