"""What the codecs of all games have in common."""

from random import Random
from typing import Any

import pytest

from arena.codecs.codec import codec_for
from arena.games.ahldarahd.v1 import ahldarahd_pb2
from arena.games.caravan.v1 import caravan_pb2
from arena.games.caravanserai.v1 import caravanserai_pb2
from arena.games.wasteland.v1 import wasteland_pb2
from arena.v1 import games_pb2
from engine import ahldarahd, wasteland
from engine.game import Event, Game, InvalidOptionsError, UnreadableActionError
from engine.registry import GAMES
from tests.any_message import Fuzz

ACTIONS: dict[str, Any] = {
    "ahldarahd": ahldarahd_pb2.Action,
    "caravan": caravan_pb2.Action,
    "caravanserai": caravanserai_pb2.Action,
    "wasteland": wasteland_pb2.Action,
}
NO_ACTIONS = {
    "ahldarahd": (15 << 28, 1 << 40, 1 << 130, -1),
    "caravan": (7 << 22,),
    "caravanserai": (7 << 25,),
    "wasteland": (22 << 27, 1 << 40, -1),
}
KINDS = {"ahldarahd": ahldarahd.actions.KIND_NAMES, "wasteland": wasteland.actions.KIND_NAMES}
DRAWS = 300
PLANS = ("plan",)
"""Members that stand for several actions."""


@pytest.mark.parametrize("name", GAMES)
def test_values_of_other_games_are_refused(name: str) -> None:
    codec = codec_for(name)
    with pytest.raises(TypeError, match=rf"engine\.{name}\.observation\.Observation"):
        codec.encode_observation("a view")
    for use in (codec.encode_event, codec.describe_event):
        with pytest.raises(TypeError, match=codec.game.spec.title):
            use(Event())
    for number in NO_ACTIONS[name]:
        with pytest.raises(ValueError, match=codec.game.spec.title):
            codec.encode_action(number)
    with pytest.raises(UnreadableActionError):
        codec.decode_event(games_pb2.GameEvent())


@pytest.mark.parametrize("name", KINDS)
def test_the_members_of_the_message_are_the_kinds_of_the_engine_in_their_order(name: str) -> None:
    members = [field.name.removesuffix("_action") for field in ACTIONS[name].DESCRIPTOR.fields]
    assert [member for member in members if member != "offer"] == list(KINDS[name])


@pytest.mark.parametrize("name", GAMES)
def test_every_action_that_can_be_read_comes_back_from_the_wire(name: str) -> None:
    """Whether a match knows it or not: messages with any values of their fields, of which some are refused."""
    codec, fuzz, read = codec_for(name), Fuzz(Random(1)), set()
    rules = GAMES[name]
    state = rules.new_match(rules.spec.max_seats, rules.options(rules.spec.max_seats, {}), bytes(32))
    for member in ACTIONS[name].DESCRIPTOR.fields:
        for _ in range(0 if member.name in PLANS else DRAWS):
            own: dict[str, Any] = {member.name: fuzz.message(member.message_type)}
            wrapped: dict[str, Any] = {name: ACTIONS[name](**own)}
            message = games_pb2.Action(**wrapped)
            try:
                [action] = codec.decode_action(message, state)
            except UnreadableActionError:
                continue
            read.add(member.name)
            again = games_pb2.Action.FromString(codec.encode_action(action))
            assert codec.decode_action(again, state) == (action,)
            assert again.WhichOneof("game") == name
            assert getattr(again, name).WhichOneof("kind") == member.name
    assert read == {field.name for field in ACTIONS[name].DESCRIPTOR.fields} - set(PLANS)


def test_options_that_are_not_set_have_their_defaults_and_numbers_of_seats_are_checked(game: Game) -> None:
    codec, spec = codec_for(game.spec.id), game.spec
    nothing: dict[str, Any] = {spec.id: {}}
    message = games_pb2.GameOptions(**nothing)
    for seats in range(spec.min_seats, spec.max_seats + 1):
        assert codec.decode_options(message, seats) == game.options(seats, {})
    for seats in (spec.min_seats - 1, spec.max_seats + 1):
        with pytest.raises(InvalidOptionsError, match=str(seats)):
            codec.decode_options(message, seats)
