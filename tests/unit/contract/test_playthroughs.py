"""Golden playthroughs, and the same bytes in every process.

`make golden` writes the files again; a new one needs only its head (seats, options, seed).
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.unit.contract.cases import CASES, Case, walk
from tests.unit.contract.playthrough import fingerprint, playthrough

ROOT = Path(__file__).parents[3]


def test_the_match_is_the_one_that_was_written_down(case: Case) -> None:
    text = playthrough(case)
    if os.environ.get("UPDATE_GOLDENS"):
        case.path.write_text(text, encoding="utf-8")
    assert case.path.read_text(encoding="utf-8").splitlines() == text.splitlines()


def test_a_match_played_again_from_its_seed_and_actions_is_the_same_position_by_position(case: Case) -> None:
    again = case.new_match()
    for step in walk(case):
        assert again.digest() == step.state.digest()
        again.apply(step.action)


@pytest.mark.parametrize("hash_seed", ["0", "4242"])
def test_other_processes_make_the_same_bytes(hash_seed: str) -> None:
    played = subprocess.run(
        [sys.executable, "-m", "tests.unit.contract.playthrough"],
        cwd=ROOT,
        env=os.environ | {"PYTHONHASHSEED": hash_seed},
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    assert played.stdout.splitlines() == [f"{case} {fingerprint(case)}" for case in CASES]
