"""What a seat may see, and what a search bot makes of it."""

from dataclasses import fields

import pytest

from arena.codecs.codec import codec_for
from engine.game import TERMINAL, Chance
from engine.randomness import Stream
from tests.unit.contract.cases import Case, sample


def a_stream(number: int) -> Stream:
    return Stream(number.to_bytes(32, "big"))


def test_a_position_made_from_an_observation_looks_the_same(case: Case) -> None:
    for step in sample(case, every=12):
        for viewer in case.viewers:
            seen = step.state.observe(viewer)
            made = case.rules.from_observation(seen, a_stream(1))
            assert made.observe(viewer) == seen


def test_a_position_made_from_an_observation_has_the_same_choices(case: Case) -> None:
    for step in sample(case, every=12):
        made = case.rules.from_observation(step.state.observe(step.state.seat_to_act), a_stream(2))
        assert made.seat_to_act == step.state.seat_to_act
        assert list(made.legal_actions()) == list(step.state.legal_actions())
        assert made.default_action() == step.state.default_action()
        assert made.take_events() == []


def test_positions_that_differ_in_hidden_things_alone_look_the_same_even_in_bytes(case: Case) -> None:
    codec, differing = codec_for(case.game), 0
    for step in sample(case, every=12):
        viewer = step.state.seat_to_act
        seen = step.state.observe(viewer)
        made = [case.rules.from_observation(seen, a_stream(number)) for number in range(4)]
        differing += len({state.digest() for state in made}) > 1
        assert {codec.encode_observation(state.observe(viewer)) for state in made} == {
            codec.encode_observation(seen)
        }
    assert differing or case.rules.spec.chance is not Chance.HIDDEN


def test_the_same_stream_makes_the_same_position(case: Case) -> None:
    for step in sample(case, every=40):
        seen = step.state.observe(step.state.seat_to_act)
        one, other = (case.rules.from_observation(seen, a_stream(5)) for _ in range(2))
        assert one.digest() == other.digest()


def test_a_position_made_from_an_observation_can_be_played_to_the_end(case: Case) -> None:
    options = case.rules.options(case.seats, case.options)
    for step in sample(case, every=50):
        stream = a_stream(step.ply)
        state = case.rules.from_observation(step.state.observe(step.state.seat_to_act), stream)
        for _ in range(case.rules.max_plies(case.seats, options) - step.ply):
            if state.seat_to_act == TERMINAL:
                break
            state.apply(case.rules.sensible_action(state, stream))
        assert state.outcome() is not None


def test_an_observation_cannot_be_changed(case: Case) -> None:
    seen = case.new_match().observe(0)
    names = getattr(seen, "_fields", None) or [field.name for field in fields(seen)]  # type: ignore[arg-type]
    with pytest.raises(AttributeError):
        setattr(seen, names[0], None)
