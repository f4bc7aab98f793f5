"""W70: what the engine makes of an observation."""

from random import Random

import pytest

from engine.game import SPECTATOR
from engine.randomness import Stream
from engine.wasteland.game import WASTELAND
from tests.unit.engine.wasteland.choosing import choose
from tests.unit.engine.wasteland.mapping import EngineMatch
from tests.unit.engine.wasteland.naive import NaiveMatch
from tests.unit.engine.wasteland.positions import SEED


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
