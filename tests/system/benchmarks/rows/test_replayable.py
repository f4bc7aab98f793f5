import random
from dataclasses import replace

import pytest

from arena.codecs.codec import codec_for
from arena.core.match import MatchSetup
from benchmarks.rows.replayable import actions_again, replayable
from engine.registry import GAMES
from engine.state import TERMINAL
from tests.unit.match_log.matches import caravan_setup


def played(setup: MatchSetup, source: random.Random) -> list[int]:
    """Return the actions of a match in which every choice is drawn."""
    state = GAMES[setup.game].new_match(len(setup.seats), setup.options, setup.seed)
    actions = []
    while state.seat_to_act != TERMINAL:
        actions.append(source.choice(list(state.legal_actions())))
        state.apply(actions[-1])
    return actions


@pytest.mark.parametrize("number", range(3))
def test_a_match_is_played_again_from_seed_options_and_choices_alone(number: int) -> None:
    setup = replace(caravan_setup(2), seed=bytes([number]) * 32)
    actions = played(setup, random.Random(number))
    data = replayable(setup, actions)
    options = codec_for(setup.game).encode_options(setup.options).SerializeToString()
    assert data.startswith(setup.seed + options)
    choices = data[len(setup.seed + options) :]
    assert list(actions_again(setup, int.from_bytes(choices))) == actions
    assert len(choices) < 1.2 * len(actions), "eight bits tell apart 256 actions"
