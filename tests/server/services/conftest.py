"""Fixtures of the services' tests: one event loop for all, since gRPC wants no second one."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.services.harness import Arena, running_arena


@pytest.fixture(scope="session")
def runner() -> Iterator[asyncio.Runner]:
    """The event loop."""
    with asyncio.Runner() as runner:
        yield runner


@pytest.fixture
def arena(runner: asyncio.Runner, tmp_path: Path) -> Iterator[Arena]:
    """A running server."""
    yield from running_arena(runner, tmp_path)
