"""What every codec promises: nothing is lost on the wire, and what is foreign is refused."""

from itertools import count
from random import Random
from typing import Any

import pytest

from arena.codecs.codec import codec_for
from arena.v1 import games_pb2
from engine.game import SPECTATOR, TERMINAL, InvalidOptionsError, UnreadableActionError
from engine.randomness import Stream
from tests.unit.contract.cases import CASES, Case, all_events, final, sample
from tests.unit.contract.hidden import HIDDEN


def test_options_come_back_from_the_wire(case: Case) -> None:
    codec = codec_for(case.game)
    options = case.rules.options(case.seats, case.options)
    message = games_pb2.GameOptions.FromString(codec.encode_options(options).SerializeToString())
    assert codec.decode_options(message, case.seats) == options


def test_observations_come_back_from_the_wire_for_every_viewer(case: Case) -> None:
    codec = codec_for(case.game)
    states = [step.state for step in sample(case, every=10)] + [final(case)]
    for state in states:
        for viewer in case.viewers:
            seen = state.observe(viewer)
            message = games_pb2.Observation.FromString(codec.encode_observation(seen))
            assert codec.decode_observation(message) == seen


@pytest.mark.parametrize("odd", [case for case in CASES if case.game in HIDDEN], ids=str)
def test_observations_of_odd_matches_come_back_with_the_hand_of_the_viewer_alone(odd: Case) -> None:
    """A51, W70: matches with actions that are never listed, such as offers."""
    codec, dice, state = codec_for(odd.game), Random(1), odd.new_match()
    for ply in count():
        if state.seat_to_act == TERMINAL:
            break
        for viewer in odd.viewers if ply % 7 == 0 else ():
            seen: Any = state.observe(viewer)
            message = games_pb2.Observation.FromString(codec.encode_observation(seen))
            assert codec.decode_observation(message) == seen
            wire: Any = getattr(message, odd.game)
            assert wire.HasField("viewer") == (viewer != SPECTATOR)
            assert {seat for seat, view in enumerate(wire.seats) if view.hand} <= {viewer}
        state.apply(HIDDEN[odd.game].choose(state, dice))


def test_observations_are_encoded_in_the_order_of_their_fields(case: Case) -> None:
    codec = codec_for(case.game)
    for step in sample(case, every=25):
        encoded = codec.encode_observation(step.state.observe(step.state.seat_to_act))
        assert games_pb2.Observation.FromString(encoded).SerializeToString(deterministic=True) == encoded


def test_every_listed_action_comes_back_from_the_wire(case: Case) -> None:
    codec = codec_for(case.game)
    for step in sample(case, every=25):
        for action in step.state.legal_actions():
            message = games_pb2.Action.FromString(codec.encode_action(action))
            assert codec.decode_action(message, step.state) == (action,)


def test_what_a_viewer_sees_of_an_action_comes_back_from_the_wire_to_a_position_as_it_sees_it(
    case: Case,
) -> None:
    codec = codec_for(case.game)
    for step in sample(case, every=10):
        for viewer in case.viewers:
            seen = step.state.action_seen_by(step.action, viewer)
            if seen is not None:
                message = games_pb2.Action.FromString(codec.encode_action(seen))
                position = case.rules.from_observation(step.state.observe(viewer), Stream(bytes(32)))
                assert codec.decode_action(message, position) == (seen,)


def test_every_event_comes_back_from_the_wire_and_is_one_sentence_as_each_viewer_sees_it(case: Case) -> None:
    codec = codec_for(case.game)
    forms = {form for event in all_events(case) for form in (event, *map(event.seen_by, case.viewers))}
    for event in forms - {None}:
        assert event is not None
        message = games_pb2.GameEvent.FromString(codec.encode_event(event))
        assert codec.decode_event(message) == event
        sentence = codec.describe_event(event)
        assert sentence.endswith(".")
        assert "\n" not in sentence


def test_messages_of_no_game_are_refused(case: Case) -> None:
    codec = codec_for(case.game)
    with pytest.raises(UnreadableActionError):
        codec.decode_action(games_pb2.Action(), case.new_match())
    with pytest.raises(InvalidOptionsError):
        codec.decode_options(games_pb2.GameOptions(), case.seats)
    with pytest.raises(UnreadableActionError):
        codec.decode_observation(games_pb2.Observation())


def test_a_game_without_a_codec_is_not_found() -> None:
    with pytest.raises(KeyError, match="sandstorm"):
        codec_for("sandstorm")
