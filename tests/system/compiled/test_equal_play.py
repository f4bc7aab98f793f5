"""The compiled engine and the plain one say the same, byte by byte. Each case is 20 matches; in `make soak`, 150."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.checkout import ROOT
from tests.system.compiled.play import match as said_in
from tests.unit.contract.cases import CASES, Case

PLAY = Path(__file__).with_name("play.py")
BOARDS = Path(__file__).parent / "boards"
"""A board of 256 squares: sets of them do not fit into a machine word."""

MATCHES_OF_A_CASE = int(os.environ.get("EQUAL_MATCHES", "20"))
RANDOM_ONE_IN = (8, 8, 8, 2, 1)
"""How often a match has a random action: one in so many; in turn."""
MOST_PLIES = 250


def plan(case: Case, matches: int, **more_options: str) -> list[dict[str, Any]]:
    """Return matches with the seats and options of the case."""
    return [
        {
            "game": case.game,
            "seats": case.seats,
            "options": case.options | more_options,
            "seed": number.to_bytes(32, "big").hex(),
            "random_one_in": RANDOM_ONE_IN[number % len(RANDOM_ONE_IN)],
            "limit": MOST_PLIES,
        }
        for number in range(matches)
    ]


def play(python: Path | str, matches: list[dict[str, Any]], form: str) -> tuple[str, list[str]]:
    """Which build it is, and what it says to the matches. The plain one is that of the checkout."""
    inside = {"PYTHONPATH": str(ROOT)} if python == sys.executable else {}
    finished = subprocess.run(
        [python, "-P", PLAY, form],
        cwd=PLAY.parent,
        env={"CARAVAN_BOARDS": str(BOARDS), "PYTHONUTF8": "1", **inside},
        input=json.dumps(matches),
        capture_output=True,
        text=True,
        check=False,
        timeout=3_600,
    )
    assert finished.returncode == 0, finished.stderr
    build, *lines = finished.stdout.splitlines()
    return build, lines


def compare(compiled_python: Path, matches: list[dict[str, Any]]) -> None:
    """Fails with the first line that differs in the first match that does."""
    compiled, there = play(compiled_python, matches, "hashes")
    interpreted, here = play(sys.executable, matches, "hashes")
    assert (compiled, interpreted) == ("compiled", "interpreted")
    assert len(there) == len(here) == len(matches)
    for match, one, other in zip(matches, there, here, strict=True):
        if one != other:
            assert play(compiled_python, [match], "plies")[1] == play(sys.executable, [match], "plies")[1]
            pytest.fail(f"differs now and then: {match}")


@pytest.mark.parametrize("case", CASES, ids=str)
def test_both_builds_play_the_same_matches(compiled_python: Path, case: Case) -> None:
    compare(compiled_python, plan(case, MATCHES_OF_A_CASE))


def test_both_builds_play_the_same_matches_on_a_board_of_256_squares(compiled_python: Path) -> None:
    case = next(case for case in CASES if case.game == "caravan" and case.seats == 4)
    compare(compiled_python, plan(case, 20, board="sixteen"))


def test_legal_actions_that_are_never_listed_are_among_what_is_compared() -> None:
    """Offers of all sizes: accepted ones and declined ones, and refusals of those that differ in one bit."""
    case = next(case for case in CASES if case.options.get("trading") == "true")
    said = "".join(line for each in plan(case, 4) for line in said_in(each))
    assert said.count('"type":"offer"') > 20
    assert '"type":"accept"' in said
    assert "(A44)" in said
