"""Rows are chosen by their goals, and one that cannot be measured says so and stops nobody."""

import sys
from collections.abc import Callable
from pathlib import Path

import grpc
import pytest

from arena.cli.framework.errors import CliError
from benchmarks.environments import Environments, MissingError
from benchmarks.measuring.goals import Verdict
from benchmarks.measuring.lines import Line, Measured
from benchmarks.measuring.spread import spread
from benchmarks.processes.worker import WorkerFailedError
from benchmarks.rows.registry import ROWS, chosen
from benchmarks.rows.row import Bench, Effort, Row
from benchmarks.rows.samples import middles, ratio, sample


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(Effort(5, 0.1, 0.1, quick=True), Environments(tmp_path / "venvs", print), tmp_path)


def failing(error: Exception) -> Callable[[Bench], Measured]:
    def run(_bench: Bench) -> Measured:
        raise error

    return run


def test_all_rows_are_measured_if_none_is_named() -> None:
    assert chosen([]) == ROWS


def test_a_row_is_chosen_by_any_of_its_goals_however_it_is_written() -> None:
    rows = chosen(["p3", "P13"])
    assert [row.goal_ids for row in rows] == [("P1", "P2", "P3"), ("P13",)]


def test_a_goal_that_there_is_no_row_for_is_refused_with_those_there_are() -> None:
    with pytest.raises(ValueError, match=r"P99\. Rows: P1, P2, .*, P10, "):
        chosen(["P1", "P99"])


@pytest.mark.parametrize("kind", [MissingError, WorkerFailedError, CliError, OSError, grpc.RpcError])
def test_a_row_that_cannot_be_measured_has_a_line_for_each_goal_that_says_why(
    bench: Bench, kind: type[Exception]
) -> None:
    measured = Row(("P6", "P7"), "compiled", failing(kind("no such package"))).measure(bench)
    assert [line.goal_id for line in measured.lines] == ["P6", "P7"]
    assert all("no such package" in line.trouble for line in measured.lines)
    assert {line.verdict for line in measured.lines} == {Verdict.NOT_MEASURED}


def test_a_mistake_of_the_benchmark_itself_is_not_taken_for_something_missing(bench: Bench) -> None:
    with pytest.raises(ZeroDivisionError):
        Row(("P6",), "compiled", failing(ZeroDivisionError())).measure(bench)


def test_a_row_that_was_measured_brings_its_own_lines(bench: Bench) -> None:
    line = Line("P6", "compiled", measured=spread([1]))
    assert Row(("P6",), "compiled", lambda _: Measured((line,))).measure(bench).lines == (line,)


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
