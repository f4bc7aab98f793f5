"""What every game has in the sdk: typed classes of its bots, its positions as text, the notation of its actions."""

from importlib import import_module
from typing import Any

import pytest

from arena.codecs.codec import codec_for
from arena.drawings.drawing import drawing_for
from arena.sdk import Bot, LegalActions, PackedBot, Position
from arena.sdk.game_messages import inner
from arena.v1 import games_pb2
from engine.game import State
from engine.registry import GAMES
from tests.unit.contract.cases import Case, final, sample


def observation(case: Case, state: State, viewer: int) -> Any:
    """Return the game's own message."""
    seen = codec_for(case.game).encode_observation(state.observe(viewer))
    return inner(games_pb2.Observation.FromString(seen))


@pytest.mark.parametrize("game", GAMES)
def test_the_module_of_a_game_has_all_its_messages_and_the_classes_of_its_bots(game: str) -> None:
    module = import_module(f"arena.sdk.{game}")
    messages = import_module(f"arena.games.{game}.v1.{game}_pb2")
    names = [name for name in vars(messages) if not name.startswith("_")]
    assert {"Observation", "Action", "Options"} <= set(names)
    assert not [name for name in names if getattr(module, name) is not getattr(messages, name)]
    assert issubclass(module.Bot, Bot)
    assert issubclass(module.PackedBot, PackedBot)
    assert module.Bot.games == module.PackedBot.games == (game,)
    assert module.PackedBot.legal_actions is LegalActions.PACKED


def message(case: Case, action: int) -> Any:
    return inner(games_pb2.Action.FromString(codec_for(case.game).encode_action(action)))


def test_the_text_is_the_drawing_for_the_seat_with_names_if_there_are_any(case: Case) -> None:
    names = [f"bots/{seat}" for seat in range(case.seats)]
    for state in [*(step.state for step in sample(case, every=60)), final(case)]:
        for viewer in case.viewers:
            seen = state.observe(viewer)
            position = Position(observation(case, state, viewer))
            assert position.text() == drawing_for(case.game).draw(seen).plain
            assert position.text(names) == drawing_for(case.game).draw(seen, names).plain


def test_each_legal_action_has_the_notation_of_the_rules_and_is_parsed_back(case: Case) -> None:
    for step in sample(case, every=60):
        position = Position[Any, Any](observation(case, step.state, step.state.seat_to_act))
        for action in list(step.state.legal_actions())[:40]:
            written = step.state.format_action(action)
            assert position.notation(message(case, action)) == position.notation(action) == written
            assert position.parse(written) == message(case, action)
