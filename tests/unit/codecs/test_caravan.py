"""Caravan's codec: answers out of range (row 17 of docs/bad_inputs.md), options, and words for people."""

from __future__ import annotations

import pytest
from google.protobuf.text_format import Parse

from arena.codecs.caravan.codec import CODEC
from arena.games.caravan.v1 import caravan_pb2
from arena.v1 import games_pb2
from engine.caravan import CARAVAN, actions
from engine.caravan.events import Delivered, EndArmed, Ended, Ending, Refill, TurnBegan
from engine.caravan.goods import Good, GoodsSet
from engine.caravan.options import Options
from engine.game import Event, InvalidOptionsError, UnreadableActionError

A_MATCH = CARAVAN.new_match(2, CARAVAN.options(2, {}), bytes(32))


def an_action(text: str) -> games_pb2.Action:
    return Parse(f"caravan {{ {text} }}", games_pb2.Action())


@pytest.mark.parametrize(
    ("text", "packed"),
    [
        ("pass_turn {}", actions.PASS_ACTION),
        ("place {}", actions.place(0)),
        ("place { to_square: 48 }", actions.place(48)),
        ("move { from_square: 3 to_square: 9 }", actions.move(3, 9)),
        ("pick_up { at_square: 6 }", actions.pick_up(6)),
        ("steal { at_square: 6 victim: 1 good: GOOD_MEAT }", actions.steal(6, 1, Good.MEAT)),
        (
            "move_good { from_square: 6 good: GOOD_PAPER is_protected: true to_square: 5 }",
            actions.move_good(6, Good.PAPER, 5, protected=True),
        ),
    ],
)
def test_an_answer_is_read_by_its_fields(text: str, packed: int) -> None:
    assert CODEC.decode_action(an_action(text), A_MATCH) == (packed,)
    assert games_pb2.Action.FromString(CODEC.encode_action(packed)) == an_action(text)


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("place { to_square: 49 }", "place.to_square is 49"),
        ("place { to_square: 4294967295 }", "place.to_square is 4294967295"),
        ("move { from_square: 49 }", "move.from_square"),
        ("move { to_square: 256 }", "move.to_square"),
        ("pick_up { at_square: 49 }", "pick_up.at_square"),
        ("steal { at_square: 77 good: GOOD_MEAT }", "steal.at_square"),
        ("steal { victim: 2 good: GOOD_MEAT }", "steal.victim is 2: the match has seats 0 to 1"),
        ("steal { victim: 1 }", "steal.good is 0: a good is 1 to 8"),
        ("steal { victim: 1 good: 9 }", "steal.good is 9"),
        ("move_good { good: -1 }", "move_good.good is -1"),
        ("move_good { from_square: 50 good: GOOD_MEAT }", "move_good.from_square"),
        ("move_good { good: GOOD_MEAT to_square: 50 }", "move_good.to_square"),
        ("", "has no kind: set one of pass_turn"),
    ],
)
def test_row_17_an_answer_out_of_range_is_refused_with_the_field_named(text: str, field: str) -> None:
    with pytest.raises(UnreadableActionError, match=field):
        CODEC.decode_action(an_action(text), A_MATCH)


def test_options_that_are_not_set_have_their_defaults() -> None:
    message = Parse("caravan { camels: 6 }", games_pb2.GameOptions())
    assert CODEC.decode_options(message, 4) == Options(6, GoodsSet.FULL, "classic", 80, 1000)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("camels: 7", "camels"),
        ("goods: 3", "goods"),
        ('board: "atlantis"', "board"),
        ('board: "../x"', "board"),
    ],
)
def test_options_that_are_not_possible_are_refused(text: str, name: str) -> None:
    with pytest.raises(InvalidOptionsError, match=name):
        CODEC.decode_options(Parse(f"caravan {{ {text} }}", games_pb2.GameOptions()), 2)


def test_an_observation_is_read_without_the_file_of_its_board() -> None:
    seen = A_MATCH.observe(0)
    message = caravan_pb2.Observation.FromString(CODEC.observation_bytes(seen))
    message.board.name = message.options.board = "somebody-elses"
    decoded = CODEC.observation_of(message)
    assert decoded.board.name == decoded.options.board == "somebody-elses"
    assert decoded.board.cities == seen.board.cities


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (TurnBegan(2, 4), "Seat 2 begins its turn with 4 action points."),
        (TurnBegan(0, 1), "Seat 0 begins its turn with 1 action point."),
        (
            Refill((0, 6, 36, 48), ((8, Good.SALT), (12, Good.GEMS), (40, Good.SALT), (42, Good.MEAT))),
            "Refill: salt on 8, gems on 12, salt on 40, meat on 42; a demand marker on 0, 6, 36, 48.",
        ),
        (Delivered(1, Good.IVORY), "Seat 1 delivers ivory."),
        (EndArmed(), "The bag is empty: the next delivery ends the match."),
        (Ended(Ending.TURN_LIMIT), "The match ends: TURN_LIMIT."),
    ],
)
def test_an_event_is_told_in_one_sentence(event: Event, sentence: str) -> None:
    assert CODEC.describe_event(event) == sentence
    message = games_pb2.GameEvent.FromString(CODEC.encode_event(event))
    assert CODEC.decode_event(message) == event


def test_values_of_other_games_are_refused() -> None:
    with pytest.raises(TypeError, match=r"engine\.caravan\.observation\.Observation is needed"):
        CODEC.encode_observation("a view")
    with pytest.raises(TypeError, match="no event of Caravan"):
        CODEC.encode_event(Event())
    with pytest.raises(TypeError, match="no event of Caravan"):
        CODEC.describe_event(Event())
    with pytest.raises(ValueError, match="no action of Caravan"):
        CODEC.encode_action(7 << 22)
    with pytest.raises(UnreadableActionError, match="no kind"):
        CODEC.decode_event(games_pb2.GameEvent())
