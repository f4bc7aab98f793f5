"""The programs that row P17 measures."""

from functools import partial

import numpy as np
import pytest

from arena.research.pettingzoo import raw_env
from arena.research.vector import VectorStepper
from benchmarks.engines.stepper import run
from benchmarks.peers.pettingzoo_games import drawn, replay
from engine.registry import GAMES

GAME = next(iter(GAMES))


@pytest.mark.parametrize("observed", [False, True])
def test_all_matches_of_all_steps_count(observed: bool) -> None:
    stepper = VectorStepper(GAME, 8, seats=2, seed=1)
    found = run(stepper, np.random.default_rng(1), 1e-9, observed=observed)
    assert found["plies"] == 20 * 8
    assert found["cpu_s"] > 0


def test_a_match_of_pettingzoo_is_played_again_with_its_own_actions() -> None:
    environment = raw_env(GAME, seats=2, options={"turn_limit": "4"})
    begin = partial(environment.reset, options={"match_seed": "5e" * 32})
    environment.reset = begin  # type: ignore[method-assign] # always the same match
    actions = drawn(environment, np.random.default_rng(1))
    assert len(actions) >= 4
    assert replay(environment, actions) == (len(actions), 0)
