"""Rows are chosen by their goals, and one that cannot be measured says so and stops nobody."""

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import grpc
import pytest

from arena.cli.framework.errors import CliError
from benchmarks.bench import effort_of
from benchmarks.environments import Environments, MissingError
from benchmarks.measuring.goals import Verdict
from benchmarks.measuring.lines import Line, Measured
from benchmarks.measuring.spread import spread
from benchmarks.processes.worker import WorkerFailedError
from benchmarks.rows.kaggle import left_out
from benchmarks.rows.registry import ROWS, chosen, planned_s
from benchmarks.rows.row import Bench, Effort, Plan, Row, Scale
from benchmarks.rows.samples import middles, ratio, sample
from benchmarks.rows.times import Times

EFFORT = Effort(5, 0.1, 0.1, Scale.QUICK, everything=False)
PLAN = Plan((1, 2, 3), 2)


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(EFFORT, Environments(tmp_path / "venvs", print), tmp_path)


def failing(error: Exception) -> Callable[[Bench], Measured]:
    def run(_bench: Bench) -> Measured:
        raise error

    return run


def test_all_rows_are_measured_if_none_is_named() -> None:
    assert chosen([], everything=True) == ROWS


def test_a_usual_run_leaves_out_what_only_a_full_one_has_unless_it_is_named() -> None:
    assert {row.goal_ids for row in ROWS} - {row.goal_ids for row in chosen([], everything=False)} == {
        ("P8",),
        ("P16",),
    }
    assert [row.goal_ids for row in chosen(["p8"], everything=False)] == [("P8",)]


def test_a_usual_run_is_planned_to_take_ten_minutes_at_most_and_a_quick_one_five() -> None:
    usual, quick = (effort_of(full=False, quick=each, pairs=None) for each in (False, True))
    assert planned_s(chosen([], everything=usual.everything), usual) <= 600
    assert planned_s(chosen([], everything=quick.everything), quick) <= 300


def test_more_pairs_and_more_comparisons_are_planned_longer() -> None:
    effort = Effort(5, 1.8, 1.0, Scale.USUAL, everything=False)
    assert Plan((1, 2, 3), 2).seconds(effort) == pytest.approx(2 + 2 * 12 * 2.0)
    assert Plan((1, 2, 3), 2).seconds(replace(effort, pairs=7)) == pytest.approx(2 + 2 * 16 * 2.0)
    assert Plan((1, 2, 3), 2, extra=1).seconds(replace(effort, everything=True)) == pytest.approx(
        2 + 3 * 12 * 2.0
    )
    assert Plan((1, 2, 3), 0).seconds(replace(effort, scale=Scale.FULL)) == 3
    quick = replace(effort, scale=Scale.QUICK)
    for each, compared in ((effort, 5), (quick, 2), (replace(quick, everything=True), 5)):
        assert Plan((0, 0, 0), 2, unless_quick=3).seconds(each) == pytest.approx(compared * 12 * 2.0)
    by_processor = Plan((0, 0, 0), 1, by_processor=True)
    assert by_processor.seconds(replace(effort, cpu_seconds=2.0)) == 2 * by_processor.seconds(effort)


def test_full_and_quick_together_are_all_rows_on_a_small_scale() -> None:
    both = effort_of(full=True, quick=True, pairs=15)
    assert (both.scale, both.everything, both.pairs) == (Scale.QUICK, True, 15)
    assert effort_of(full=True, quick=False, pairs=None).scale is Scale.FULL


def test_the_time_of_a_row_is_told_beside_its_plan_and_without_making_environments(tmp_path: Path) -> None:
    environments, times = Environments(tmp_path, print), Times()
    row = Row(("P6",), "compiled", failing(OSError()), PLAN)
    with times.of(row, EFFORT, environments):
        environments.made_s += 1_000
    [found] = times.rows
    assert (found.name, found.planned_s, found.made_s) == ("P6: compiled", PLAN.seconds(EFFORT), 1_000)
    assert found.took_s < 0  # nothing was made that long
    assert "16 min 40 s to make environments" in times.sentence()
    assert Times().sentence()


def test_a_row_is_chosen_by_any_of_its_goals_however_it_is_written() -> None:
    rows = chosen(["p3", "P13"], everything=False)
    assert [row.goal_ids for row in rows] == [("P1", "P2", "P3"), ("P13",)]


def test_a_goal_that_there_is_no_row_for_is_refused_with_those_there_are() -> None:
    with pytest.raises(ValueError, match=r"P99\. Rows: P1, P2, .*, P10, "):
        chosen(["P1", "P99"], everything=False)


@pytest.mark.parametrize("kind", [MissingError, WorkerFailedError, CliError, OSError, grpc.RpcError])
def test_a_row_that_cannot_be_measured_has_a_line_for_each_goal_that_says_why(
    bench: Bench, kind: type[Exception]
) -> None:
    measured = Row(("P6", "P7"), "compiled", failing(kind("no such package")), PLAN).measure(bench)
    assert [line.goal_id for line in measured.lines] == ["P6", "P7"]
    assert all("no such package" in line.trouble for line in measured.lines)
    assert {line.verdict for line in measured.lines} == {Verdict.NOT_MEASURED}


def test_a_mistake_of_the_benchmark_itself_is_not_taken_for_something_missing(bench: Bench) -> None:
    with pytest.raises(ZeroDivisionError):
        Row(("P6",), "compiled", failing(ZeroDivisionError()), PLAN).measure(bench)


def test_a_row_that_was_measured_brings_its_own_lines(bench: Bench) -> None:
    line = Line("P6", "compiled", measured=spread([1]))
    assert Row(("P6",), "compiled", lambda _: Measured((line,)), PLAN).measure(bench).lines == (line,)


def test_a_peer_that_cannot_be_installed_is_missing_with_the_reason(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("where the environments should be")
    said: list[str] = []
    with pytest.raises(MissingError, match=r"^engines .* \(.*Not a directory"):
        Environments(tmp_path / "file", said.append).engines()
    assert len(said) == 1


def test_an_arena_that_cannot_be_installed_is_the_checkout_itself_and_says_why(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("where the environments should be")
    environments = Environments(tmp_path / "file", lambda _: None)
    assert not environments.arena_build
    assert environments.arena().python == Path(sys.executable)
    assert "plain Python" in environments.arena_build


def test_a_sample_says_what_one_decision_takes() -> None:
    answer = {
        "decisions": 200,
        "seconds": 2.0,
        "turns": 100,
        "turns_ns": 50_000_000,
        "waits_ns": [3_000, 1_000, 2_000],
        "legal_actions": 2_000,
        "frames": 100,
        "frame_bytes": 50_000,
    }
    seen = sample(answer, cpu_s=0.1)
    assert (seen.per_second, seen.in_play, seen.cpu_us) == (100, 2_000, 500)
    assert (seen.p50_us, seen.p99_us) == (2, 3)
    assert (seen.legal_actions, seen.frame_bytes, seen.per_frame) == (10, 500, 2)
    other = sample(answer | {"seconds": 1.0}, cpu_s=0.1)
    assert middles([(seen, other)], lambda each: each.per_second) == (100, 200)
    assert ratio([(seen, other)], lambda each: each.per_second).middle == 0.5


def test_p8_says_how_many_episodes_were_left_out() -> None:
    assert "3 over kaggle rps, HTTP, 0 in process" in left_out({"over kaggle rps, HTTP": 3, "in process": 0})
