"""The game options of ladders, tournaments and matches in words: docs/cli.md."""

import pytest

from arena.cli.rules import format_options
from arena.codecs.codec import codec_for
from arena.games.caravan.v1 import caravan_pb2
from arena.v1 import games_pb2
from engine.registry import GAMES


def by_seats(game, seat_counts, values):
    """Return the options of a ladder that was created with these values, each with its seat count."""
    return [(n, codec_for(game).encode_options(GAMES[game].options(n, values))) for n in seat_counts]


@pytest.mark.parametrize(
    ("game", "seat_counts", "values", "words"),
    [
        # The default of `goods` and `no_progress_turns` depends on the seat count: still nobody chose anything.
        ("caravan", (2, 3, 4), {}, ""),
        # SHORT is the default of 2 and 3 seats, but not of 4.
        ("caravan", (2, 3, 4), {"goods": "SHORT", "camels": "6"}, "camels 6, goods SHORT"),
        ("caravanserai", (1,), {"expert": "false"}, ""),
        ("caravanserai", (2, 6), {"expert": "true"}, "expert true"),
    ],
)
def test_options_that_are_not_the_defaults_are_named_once(game, seat_counts, values, words):
    assert format_options(game, by_seats(game, seat_counts, values)) == words


def test_options_that_an_older_arena_does_not_tell_are_left_out():
    assert format_options("caravan", [(2, games_pb2.GameOptions())]) == ""
    assert format_options("chess", [(2, games_pb2.GameOptions())]) == ""


def test_options_that_only_the_arena_knows_are_pointed_at():
    elsewhere = games_pb2.GameOptions(
        caravan=caravan_pb2.Options(
            camels=5,
            goods=caravan_pb2.GOODS_SET_SHORT,
            board="atlantis",
            no_progress_turns=40,
            turn_limit=1000,
        )
    )

    assert "--format json" in format_options("caravan", [(2, elsewhere)])
