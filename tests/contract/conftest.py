"""Each test that asks for a `case` runs for every match of every game; one that asks for a `game`, for every game."""

from __future__ import annotations

import pytest

from engine.game import Game
from engine.registry import GAMES
from tests.contract.cases import CASES, Case


@pytest.fixture(params=CASES, ids=str)
def case(request: pytest.FixtureRequest) -> Case:
    value: Case = request.param
    return value


@pytest.fixture(params=GAMES.values(), ids=lambda game: game.spec.id)
def game(request: pytest.FixtureRequest) -> Game:
    value: Game = request.param
    return value
