"""The tests may be started where signals are ignored: in the background, or under nohup."""

import subprocess
import sys

import pytest

from tests.checkout import ROOT


@pytest.mark.parametrize("name", ["INT", "HUP"])
def test_a_signal_that_is_ignored_where_tests_are_started_reaches_what_they_are_about(name: str) -> None:
    tests = "tests/unit/cli/test_signals.py"
    run = [sys.executable, "-m", "pytest", "-q", "-p", "no:xdist", "-p", "no:cacheprovider", tests]
    ignoring = ["sh", "-c", f"trap '' {name}; exec \"$@\"", "sh", *run]

    done = subprocess.run(ignoring, cwd=ROOT, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stdout
