"""What a ply costs: only that there is a figure for every game, since figures wander."""

import pytest

from benchmarks import engine_costs
from engine.game import Game


def test_every_game_has_its_costs(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_costs, "MATCHES", 2)
    monkeypatch.setattr(engine_costs, "REPEATS", 1)
    measured = engine_costs.costs(game)
    assert measured["legal actions"] > 1
    assert measured["list + apply"] > 0
    assert set(measured) >= {"apply", "clone", "digest", "observe", "playout ply"}
