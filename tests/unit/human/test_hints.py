"""Hints of sample bots."""

import pytest

from arena.cli import sample_bots
from arena.human.hints import Adviser, HintsMissingError
from arena.sdk.match import Match
from arena.v1 import time_control_pb2
from engine.registry import GAMES
from tests.unit.human.positions import positions


def match(game: str) -> Match:
    """Return a match of two seats."""
    return Match(
        "matches/1", "", "", game, 1, None, 2, 0, time_control_pb2.TimeControl(), False,
        ("bots/me", "bots/ant"), None, False, (),
    )  # fmt: skip


@pytest.mark.parametrize("game", GAMES)
def test_greedy_advises_a_legal_action_of_every_position(game):
    adviser = Adviser(match(game), "greedy")
    for state in positions(game, 2, seed=1, plies=30):
        assert state.is_legal(adviser.advise(state.clone()))


@pytest.mark.parametrize("game", GAMES)
def test_by_default_the_best_bot_of_the_game_is_asked(game):
    assert Adviser(match(game)).name in sample_bots.names(game)
    assert Adviser(match(game)).name != "random"


def test_an_unknown_bot_is_an_error_with_its_name():
    with pytest.raises(HintsMissingError, match="nobody"):
        Adviser(match("caravan"), "nobody")
