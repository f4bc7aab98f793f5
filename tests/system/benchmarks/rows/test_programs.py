"""Rows that measure whole programs: `arena compare`, and commands."""

import sys
from pathlib import Path

import pytest

from benchmarks.processes.worker import WorkerFailedError
from benchmarks.rows.commands import cpu_of
from benchmarks.rows.comparing import compare

PYTHON = Path(sys.executable)


def test_the_processor_time_of_a_program_is_its_figure() -> None:
    assert cpu_of(PYTHON, ["-c", "import time\nwhile time.process_time() < 0.1: pass"]) >= 0.1


def test_a_program_that_fails_has_no_figure() -> None:
    with pytest.raises(WorkerFailedError, match=r"ended with 3 \(no more\)"):
        cpu_of(PYTHON, ["-c", "import sys; sys.stderr.write('no more'); sys.exit(3)"])


def test_a_comparison_is_measured_from_its_start_to_its_last_match(tmp_path: Path) -> None:
    assert compare(PYTHON, tmp_path, matches=2) > 0


def test_a_comparison_that_does_not_play_all_matches_is_not_measured(tmp_path: Path) -> None:
    with pytest.raises(WorkerFailedError, match="arena compare ended with 2"):
        compare(PYTHON, tmp_path, matches=0)
