"""An arena process with a new data folder, and databases on a PostgreSQL server."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.system.play.arena_process import ArenaProcess
from tests.system.store.postgresql_server import PostgresqlServer, running
from tests.unit.store.databases import database_on


@pytest.fixture
def arena(tmp_path: Path) -> Iterator[ArenaProcess]:
    """Yield an arena that needs no other options."""
    with ArenaProcess(tmp_path / "data") as process:
        yield process


@pytest.fixture(scope="session")
def postgresql() -> Iterator[PostgresqlServer]:
    """Yield a running server, one for all tests of a process."""
    with tempfile.TemporaryDirectory(prefix="arena-pg-") as folder, running(Path(folder)) as server:
        yield server


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str | None:
    """Run the test with the database in the data folder (None), and with one on a server (its URL)."""
    if request.param == "sqlite":
        return None
    return database_on(request.getfixturevalue("postgresql").url, tmp_path)
