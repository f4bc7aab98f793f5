"""GameService over a real connection."""

import pytest

from arena.v1 import game_pb2
from engine.registry import GAMES
from tests.unit.server.services.harness import Arena


def test_every_game_is_listed_without_a_token(shared_arena: Arena) -> None:
    games = shared_arena.call("ListGames", None).games
    assert [game.name for game in games] == sorted(f"games/{game}" for game in GAMES)
    assert all(game.chance and game.title and game.engine == "interpreted" for game in games)


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_game_shows_what_its_rules_say(shared_arena: Arena, game: str) -> None:
    spec = GAMES[game].spec
    shown = shared_arena.call("GetGame", None, name=f"games/{game}").game
    assert (shown.min_seats, shown.max_seats) == (spec.min_seats, spec.max_seats)
    assert shown.rules_version == spec.rules_version
    assert [option.name for option in shown.options] == [option.name for option in spec.options]
    assert game_pb2.Chance.Name(shown.chance) == f"CHANCE_{spec.chance.name}"
