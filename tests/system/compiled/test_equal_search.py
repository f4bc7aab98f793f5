"""A search of so many simulations finds the same on both builds of the engine."""

import subprocess
import sys
from pathlib import Path

from tests.checkout import ROOT

SEARCH = Path(__file__).with_name("search.py")


def found(python: Path | str) -> list[str]:
    """Which build it is, and a line for each position. The plain one is that of the checkout."""
    inside = {"PYTHONPATH": str(ROOT)} if python == sys.executable else {}
    command = [python, "-P", SEARCH]
    finished = subprocess.run(
        command, cwd=SEARCH.parent, env=inside, capture_output=True, text=True, check=False, timeout=3_600
    )
    assert finished.returncode == 0, finished.stderr
    return finished.stdout.splitlines()


def test_both_builds_choose_the_same_moves_after_the_same_number_of_simulations(
    compiled_python: Path,
) -> None:
    compiled, plain = found(compiled_python), found(sys.executable)
    assert (compiled[0], plain[0]) == ("compiled", "interpreted")
    assert compiled[1:] == plain[1:]
    assert len(set(plain[1:])) == len(plain) - 1 == 16
