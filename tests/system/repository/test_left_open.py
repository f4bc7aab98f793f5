"""A file or pipe that a test leaves open is the failure of its own module."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.checkout import ROOT

LEAVES_A_PIPE_OPEN = """
import subprocess, sys

def test_that_leaves_a_pipe_open():
    process = subprocess.Popen([sys.executable, "-c", ""], stdout=subprocess.PIPE, text=True)
    process.wait()
    process.itself = process  # so that only the garbage collector finds it
"""


def test_a_pipe_that_is_left_open_fails_the_module_that_left_it_open(tmp_path: Path) -> None:
    (tmp_path / "test_first.py").write_text(LEAVES_A_PIPE_OPEN)
    (tmp_path / "test_second.py").write_text("def test_innocent():\n    pass\n")
    (tmp_path / "pytest.ini").write_text("[pytest]\nfilterwarnings = error\n")
    run = [
        sys.executable,
        "-m",
        "pytest",
        "-v",
        "-p",
        "no:xdist",
        "-p",
        "no:cacheprovider",
        "-p",
        "tests.conftest",
    ]

    done = subprocess.run(
        [*run, "--rootdir", tmp_path, tmp_path], cwd=ROOT, capture_output=True, text=True, check=False
    )

    assert "test_that_leaves_a_pipe_open ERROR" in done.stdout, done.stdout
    assert "test_innocent PASSED" in done.stdout
    assert "ResourceWarning: unclosed file" in done.stdout
