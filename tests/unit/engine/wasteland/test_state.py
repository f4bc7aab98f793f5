"""The engine's position as data: digests, copies, observations and what is made of them, sensible play."""

from random import Random

import pytest

from engine.game import SPECTATOR
from engine.randomness import Stream
from engine.wasteland.game import WASTELAND
from tests.unit.engine.wasteland.choosing import choose
from tests.unit.engine.wasteland.mapping import EngineMatch
from tests.unit.engine.wasteland.naive import NaiveMatch
from tests.unit.engine.wasteland.positions import SEED
from tests.unit.engine.wasteland.tables import GOAL


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_w70_what_is_guessed_from_a_view_looks_the_same(seats: int) -> None:
    """By every viewer, in secret questions, too; whoever is asked in the guess has a choice by the slow rules (W22)."""
    match = EngineMatch.new(seats, {"max_rounds": 3}, bytes([seats]) * 32)
    dice, stream = Random(seats), Stream(SEED)
    secrets = 0
    while match.legal():
        if dice.random() < 0.3:
            for viewer in (*range(seats), None):
                seen = match.state.observe(SPECTATOR if viewer is None else viewer)
                guess = EngineMatch(WASTELAND.from_observation(seen, stream))
                assert guess.view(viewer) == match.view(viewer)
                listed = NaiveMatch.from_json(guess.full()).legal()
                assert len(listed) > 1
                assert viewer != match.full()["to_move"] or listed == match.legal()
                secrets += match.view(viewer)["decision"] is None
        match.play(choose(match, dice))
    assert secrets


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_sensible_matches_end_by_the_goal(seats: int) -> None:
    """Every action is legal; nearly all matches are over long before the round limit."""
    endings, rounds = [], []
    for number in range(4):
        stream = Stream(bytes([number]) * 32)
        state = WASTELAND.new_match(seats, WASTELAND.options(seats, {}), bytes([number, seats]) * 16)
        while (outcome := state.outcome()) is None:
            action = WASTELAND.sensible_action(state, stream)
            assert action in state.legal_actions()
            state.apply(action)
        endings.append(outcome.ending)
        rounds.append(state.round)
        assert max(outcome.scores) >= GOAL[seats] - 10
    assert endings.count("GOAL") >= 3
    assert sorted(rounds)[1] < 40
