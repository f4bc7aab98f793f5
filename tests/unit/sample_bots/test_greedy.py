"""What the sample bots greedy of all games do."""

import random

import pytest

from benchmarks.strength_contest import bot_class
from engine.registry import GAMES
from sample_bots.python.random_bot import RandomBot
from tests.unit.sample_bots.driver import duel, play_match


@pytest.mark.parametrize(
    ("game", "seats"), [("caravan", 3), ("caravanserai", 3), ("ahldarahd", 3), ("wasteland", 2)]
)
def test_greedy_plays_the_same_match_again(game: str, seats: int) -> None:
    one, again = (play_match(GAMES[game], [bot_class(game, "greedy")] * seats, 7).actions for _ in range(2))
    assert one == again


@pytest.mark.parametrize(
    ("game", "matches", "seats"),
    [("caravan", 4, 2), ("caravanserai", 2, 2), ("caravanserai", 6, 6), ("wasteland", 3, 3)],
)
def test_greedy_beats_random_on_every_seat(game: str, matches: int, seats: int) -> None:
    random.seed(1)
    won = duel(GAMES[game], bot_class(game, "greedy"), RandomBot, matches=matches, seats=seats)
    assert won == (matches * (seats - 1), 0)
