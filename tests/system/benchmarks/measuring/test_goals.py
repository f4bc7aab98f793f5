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


@pytest.mark.parametrize(
    ("line", "verdict"),
    [
        # A goal is held against the median and not the best pair.
        (Line("P1", "rate", measured=Spread(0.5, 0.8, 2.0), goal=at_least(0.85, 0.92)), Verdict.MISSED),
        (Line("P6", "compiled", goal=at_most(9, 9), trouble="not built"), Verdict.NOT_MEASURED),
        (Line("P6", "compiled", goal=at_most(9, 9)), Verdict.NOT_MEASURED),
        # A line with trouble reaches nothing, whatever figure it has.
        (Line("P6", "x", measured=spread([1]), goal=at_least(1, 1), trouble="broke"), Verdict.NOT_MEASURED),
        (Line("P1", "for comparison", measured=spread([1])), Verdict.NO_GOAL),
    ],
)
def test_the_verdict_of_a_line(line: Line, verdict: Verdict) -> None:
    assert line.verdict is verdict


def test_a_goal_reads_as_it_is_written_in_the_list_of_goals() -> None:
    assert str(at_least(0.85, 0.92)) == ">= 0.85x; 0.92x"
    assert str(at_most(40, 25, " KB")) == "<= 40 KB; 25 KB"
    assert str(at_most(0, 0, "")) == "<= 0"
