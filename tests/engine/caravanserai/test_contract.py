"""The suite of tests/contract, as far as it needs no codec: the same tests, on matches of Caravanserai."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from types import ModuleType

import pytest

from engine.caravanserai import CARAVANSERAI
from engine.game import Game
from tests.checkout import ROOT
from tests.contract import test_games, test_observations, test_playthroughs, test_states
from tests.contract.cases import Case
from tests.engine.caravanserai.matches import CASES, playthrough

NEED_A_CODEC_OR_THE_REGISTRY = {
    "test_a_game_is_registered_under_its_id",
    "test_every_game_has_a_playthrough_for_each_number_of_seats",
    "test_every_game_has_a_playthrough_with_options",
    "test_every_playthrough_is_of_a_registered_game",
    "test_other_processes_make_the_same_bytes",
    "test_positions_that_differ_in_hidden_things_alone_look_the_same_even_in_bytes",
    "test_the_match_is_the_one_that_was_written_down",
}


@pytest.fixture(params=CASES, ids=str)
def case(request: pytest.FixtureRequest) -> Case:
    value: Case = request.param
    return value


@pytest.fixture
def game() -> Game:
    return CARAVANSERAI


def suite_of(*modules: ModuleType) -> Iterator[tuple[str, object]]:
    """The tests of the suite that hold for a game alone."""
    for module in modules:
        for name, value in vars(module).items():
            if name.startswith("test_") and name not in NEED_A_CODEC_OR_THE_REGISTRY:
                yield name, value


globals().update(suite_of(test_games, test_observations, test_playthroughs, test_states))


def test_there_is_a_playthrough_for_each_number_of_seats_and_of_the_expert_rules() -> None:
    assert {case.seats for case in CASES} == set(range(1, 7))
    assert {case.seats for case in CASES if case.options} >= {1, 2, 6}


def test_the_match_is_the_one_that_was_written_down(case: Case) -> None:
    text = playthrough(case)
    if os.environ.get("UPDATE_GOLDENS"):
        case.path.write_text(text, encoding="utf-8")
    assert case.path.read_text(encoding="utf-8").splitlines() == text.splitlines()


@pytest.mark.parametrize("hash_seed", ["0", "4242"])
def test_another_process_plays_the_same_match(hash_seed: str) -> None:
    case = CASES[0]
    code = (
        "from tests.engine.caravanserai.matches import CASES, playthrough; import sys; "
        "sys.stdout.write(playthrough(CASES[0]))"
    )
    played = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=os.environ | {"PYTHONHASHSEED": hash_seed},
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    assert played.stdout.splitlines() == playthrough(case).splitlines()
