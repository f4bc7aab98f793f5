"""What the tests of the conformance kit share."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from engine.game import Game
from engine.registry import GAMES


@pytest.fixture(params=GAMES.values(), ids=lambda game: game.spec.id)
def game(request: pytest.FixtureRequest) -> Game:
    """Each game."""
    value: Game = request.param
    return value


@pytest.fixture(scope="session")
def loop() -> Iterator[asyncio.Runner]:
    """One event loop for all tests: grpc.aio does not like several."""
    with asyncio.Runner() as runner:
        yield runner
