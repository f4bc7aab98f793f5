import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from arena.sdk import Bot
from arena.sdk.client import ExitCode
from arena.sdk.program import play_as
from tests.unit.sdk.scripted_arena import Script, an_arena

Play = Callable[..., ExitCode]


@pytest.fixture(scope="session")
def loop() -> Iterator[asyncio.Runner]:
    """One event loop for all tests: grpc.aio does not like several."""
    with asyncio.Runner() as runner:
        yield runner


@pytest.fixture
def socket_folder() -> Iterator[Path]:
    """Make a folder with a short path: a Unix socket's is at most about 100 bytes long."""
    with TemporaryDirectory(prefix="arena-") as folder:
        yield Path(folder)


@pytest.fixture
def play(loop: asyncio.Runner, socket_folder: Path) -> Play:
    """Run a bot against one script per connection until it would exit; return the exit code."""

    async def run(bot_class: type[Bot], scripts: tuple[Script, ...], leave: asyncio.Event) -> ExitCode:
        async with an_arena(socket_folder, *scripts) as endpoint:
            return await play_as(bot_class, endpoint, leave)

    def start(bot_class: type[Bot], *scripts: Script, leave: asyncio.Event | None = None) -> ExitCode:
        return loop.run(run(bot_class, scripts, leave or asyncio.Event()))

    return start
