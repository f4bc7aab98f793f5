"""The fixture `hosting`, on the event loop on which its test runs."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.unit.hosting.host_fixture import HostFixture


@pytest.fixture
def runner() -> Iterator[asyncio.Runner]:
    with asyncio.Runner() as runner:
        yield runner


@pytest.fixture
def hosting(request: pytest.FixtureRequest, runner: asyncio.Runner, tmp_path: Path) -> Iterator[HostFixture]:
    """Return a loaded host of the bot ant, or as `with_host` says."""
    bots, options = getattr(request, "param", (("ant",), {}))

    async def opened() -> HostFixture:
        made = HostFixture(tmp_path, *bots, **options)
        await made.host.load()
        return made

    made = runner.run(opened())
    yield made
    runner.run(made.close())
