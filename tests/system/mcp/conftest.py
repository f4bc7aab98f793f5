"""One arena process for the tests of a module, with the bot "ada", and an opponent that plays every game."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.system.mcp.agents import random_plays
from tests.system.play.arena_process import ArenaProcess


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ArenaProcess]:
    """Yield the arena."""
    with ArenaProcess(Path(tmp_path_factory.mktemp("arena")) / "data") as process:
        process.bots.CreateBot(bot_id="ada")
        yield process


@pytest.fixture(scope="module")
def _opponent(arena: ArenaProcess) -> Iterator[None]:
    with random_plays(arena):
        yield
