"""Caravan's codec: answers out of range (row 17 of docs/bad_inputs.md), options, and words for people."""

import pytest
from google.protobuf.text_format import Parse

from arena.codecs.caravan.codec import CODEC
from arena.games.caravan.v1 import caravan_pb2
from arena.v1 import games_pb2
from engine.caravan import CARAVAN
from engine.caravan.events import Delivered, EndArmed, Ended, Ending, Refill, TurnBegan
from engine.caravan.goods import Good, GoodsSet
from engine.caravan.observation import Observation
from engine.caravan.options import Options
from engine.game import Event, InvalidOptionsError, own
from tests.unit.cli.screens import check_screen
from tests.unit.codecs.screens import answers, bad_answers, in_words

A_MATCH = CARAVAN.new_match(2, CARAVAN.options(2, {}), bytes(32))


ANSWERS = """
pass_turn {}
place {}
place { to_square: 48 }
move { from_square: 3 to_square: 9 }
pick_up { at_square: 6 }
steal { at_square: 6 victim: 1 good: GOOD_MEAT }
move_good { from_square: 6 good: GOOD_PAPER is_protected: true to_square: 5 }
"""

BAD_ANSWERS = """
place { to_square: 49 }
place { to_square: 4294967295 }
move { from_square: 49 }
move { to_square: 256 }
pick_up { at_square: 49 }
steal { at_square: 77 good: GOOD_MEAT }
steal { victim: 2 good: GOOD_MEAT }
steal { victim: 1 }
steal { victim: 1 good: 9 }
move_good { good: -1 }
move_good { from_square: 50 good: GOOD_MEAT }
move_good { good: GOOD_MEAT to_square: 50 }
"""

EVENTS: list[Event] = [
    TurnBegan(2, 4),
    TurnBegan(0, 1),
    Refill((0, 6, 36, 48), ((8, Good.SALT), (12, Good.GEMS), (40, Good.SALT), (42, Good.MEAT))),
    Delivered(1, Good.IVORY),
    EndArmed(),
    Ended(Ending.TURN_LIMIT),
]


def test_row_17_what_is_read_and_what_is_refused_with_the_field_named() -> None:
    check_screen(
        "codecs/caravan",
        {
            "answers": answers(CODEC, A_MATCH, ANSWERS),
            "bad answers": bad_answers(CODEC, A_MATCH, BAD_ANSWERS),
            "events": in_words(CODEC, EVENTS),
        },
    )


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
    decoded = own(CODEC.observation_of(message), Observation)
    assert decoded.board.name == decoded.options.board == "somebody-elses"
    assert decoded.board.cities == seen.board.cities
