"""`make strength` that somebody stops: what a terminal sends goes to all its processes at once."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.parametrize(
    ("stream", "number"), [("stdout", signal.SIGINT), ("stderr", signal.SIGINT), ("stderr", signal.SIGHUP)]
)
def test_an_interrupt_prints_the_sums_so_far_and_no_traceback(stream: str, number: int) -> None:
    """Stopped when stdout has its first line, while processes begin; or stderr, while they play."""
    command = (
        *(sys.executable, "-m", "benchmarks.strength"),
        *("--game", "caravan", "--only", "greedy,random", "--groups", "2000"),
    )
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        env=os.environ | {"PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        lines = process.stdout if stream == "stdout" else process.stderr
        assert lines is not None
        first = lines.readline()
        os.killpg(process.pid, number)
        printed, told = process.communicate(timeout=60)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    assert process.returncode == 128 + number
    assert "Traceback" not in told
    assert "greedy - random" in printed
    assert "of 4000 matches." in printed
    if stream == "stderr":
        assert first.startswith("Match group 1 of 2000: ")
