"""Lists of legal actions as fields of a Decision, joined from what was encoded before."""

import hashlib

import pytest

from arena.codecs.codec import codec_for
from arena.v1 import play_pb2
from arena.wire.play.frames import packed_actions, typed_actions
from engine.game import TERMINAL
from engine.registry import GAMES

PLIES = 150


def legal_lists(game_id: str) -> list[list[int]]:
    """Those of a match in which the choice wanders through the list."""
    game = GAMES[game_id]
    state = game.new_match(2, game.options(2, {}), hashlib.sha256(b"frames").digest())
    lists: list[list[int]] = []
    while state.seat_to_act != TERMINAL and len(lists) < PLIES:
        actions = list(state.legal_actions())
        lists.append(actions)
        state.apply(actions[len(lists) * 7919 % len(actions)])
    return lists


@pytest.mark.parametrize("game", GAMES)
def test_a_typed_list_holds_each_action_once_and_in_order_whatever_was_sent_before(game: str) -> None:
    codec = codec_for(game)
    for actions in legal_lists(game):
        decision = play_pb2.Decision.FromString(typed_actions(game, actions))
        assert [action.SerializeToString() for action in decision.legal_actions] == [
            codec.encode_action(action) for action in actions
        ]


@pytest.mark.parametrize("game", GAMES)
def test_a_packed_list_holds_the_numbers_themselves(game: str) -> None:
    for actions in legal_lists(game):
        decision = play_pb2.Decision.FromString(packed_actions(actions))
        assert list(decision.packed_legal_actions) == actions


def test_an_empty_list_is_no_field_at_all() -> None:
    assert typed_actions("caravan", []) == b""
