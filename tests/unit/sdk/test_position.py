"""Positions and actions that `arena.sdk.Position` refuses, and plans; tests/unit/contract/test_sdk.py has all games."""

from typing import Any

import pytest

from arena.codecs.codec import codec_for
from arena.games.caravan.v1 import caravan_pb2
from arena.games.caravanserai.v1 import caravanserai_pb2
from arena.pictures.picture import picture_for
from arena.sdk import Position, caravan
from arena.sdk.game_messages import inner
from arena.v1 import games_pb2
from engine.game import Game, State
from engine.registry import GAMES
from sample_bots.python.caravanserai.greedy import best_placement, plan_of


def observation(game: Game, state: State) -> Any:
    """Return the game's own message for the seat to act."""
    seen = state.observe(state.seat_to_act)
    return inner(games_pb2.Observation.FromString(codec_for(game.spec.id).encode_observation(seen)))


def test_the_notation_of_a_plan_has_all_its_steps() -> None:
    game = GAMES["caravanserai"]
    state = game.new_match(2, game.options(2, {}), bytes(32))
    while (seen := observation(game, state)).decision != caravanserai_pb2.DECISION_STEP:
        state.apply(state.legal_actions()[0])
    plan = plan_of(best_placement(seen))
    steps = Position(seen).notation(plan).split(", ")
    assert len(steps) == len(plan.plan.pieces)
    for step in steps:
        state.apply(state.parse_action(step))


def test_what_is_no_action_of_the_position_has_no_notation() -> None:
    game = GAMES["caravan"]
    state = game.new_match(2, game.options(2, {}), bytes(32))
    position = caravan.Position(observation(game, state))
    with pytest.raises(ValueError, match=r"place.to_square"):
        position.notation(caravan.Action(place=caravan.Place(to_square=1000)))
    with pytest.raises(ValueError, match="not a legal packed action"):
        position.notation(-1)
    with pytest.raises(TypeError, match="The Action of caravan is needed"):
        position.notation(caravanserai_pb2.Action())  # type: ignore[arg-type] # the wrong game
    with pytest.raises(ValueError, match="no action of Caravan"):
        position.parse("pass")


@pytest.mark.parametrize("value", [None, "PASS", caravan_pb2.Action(), games_pb2.Observation()])
def test_only_the_observation_of_a_game_is_a_position(value: object) -> None:
    with pytest.raises(TypeError, match="The Observation of a game is needed"):
        Position(value)


def test_an_observation_that_no_arena_sends_is_refused() -> None:
    with pytest.raises(ValueError, match=r"\."):
        Position(caravan_pb2.Observation())


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_a_notebook_shows_a_position_as_its_picture(game: Game) -> None:
    seats = game.spec.max_seats
    state = game.new_match(seats, game.options(seats, {}), bytes(32))
    shown = Position(observation(game, state))._repr_svg_()
    assert shown == picture_for(game.spec.id).draw(state.observe(state.seat_to_act)).svg()
