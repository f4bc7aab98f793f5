"""An arena that lets bots down under load has missed its goal; it is not excused from being measured."""

from benchmarks.crowded import Size
from benchmarks.measuring.goals import Verdict
from benchmarks.processes.crowd import TroubleError
from benchmarks.rows.crowds import broken_off


def test_bots_that_are_let_down_before_all_matches_have_begun_are_a_goal_missed() -> None:
    error = TroubleError(["It slept."] * 2)
    measured = broken_off(Size(bots=5_000, matches=500), error)
    (line,) = measured.lines
    assert (line.goal_id, line.ours, line.theirs, line.verdict) == ("P13", "2", "of 5,000", Verdict.MISSED)
    assert [remark.rpartition(": ")[2] for remark in measured.remarks] == ["It slept."]
