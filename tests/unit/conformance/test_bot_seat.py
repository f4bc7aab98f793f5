"""What the answers of a bot in a scripted match stand for."""

import pytest

from arena.codecs.codec import codec_for
from arena.conformance.bot_seat import actions_of
from arena.conformance.verdict import UnmetError
from arena.v1 import play_pb2
from engine.registry import GAMES


def test_an_illegal_action_is_reported_with_the_rule_and_the_position_stays():
    game = GAMES["caravan"]
    state = game.new_match(2, game.options(2, {}), bytes(32))
    before = state.legal_actions()
    answer = play_pb2.Answer()
    answer.action.caravan.move.to_square = 1

    with pytest.raises(UnmetError) as caught:
        actions_of(answer, play_pb2.Decision(decision=1), state, codec_for("caravan"))

    assert "MOVE(0,1)" in caught.value.what
    assert "(C" in caught.value.what
    assert state.legal_actions() == before
