"""Fixtures of the services' tests: one event loop for all, since gRPC wants no second one."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.store.store import Store
from tests.unit.server.services.harness import Arena, running_arena


@pytest.fixture(scope="session")
def runner() -> Iterator[asyncio.Runner]:
    """Return the event loop."""
    with asyncio.Runner() as runner:
        yield runner


@pytest.fixture(scope="session")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an empty database."""
    path = tmp_path_factory.mktemp("tables") / "arena.db"
    store = Store(f"sqlite:///{path}")
    store.migrate()
    store.close()
    return path


@pytest.fixture
def arena(runner: asyncio.Runner, tmp_path: Path, tables: Path) -> Iterator[Arena]:
    """Return a running server."""
    yield from running_arena(runner, tmp_path, tables)


@pytest.fixture(scope="module")
def shared_arena(
    runner: asyncio.Runner, tmp_path_factory: pytest.TempPathFactory, tables: Path
) -> Iterator[Arena]:
    """Return a running server for all tests of a file; they must not change anything."""
    yield from running_arena(runner, tmp_path_factory.mktemp("arena"), tables)
