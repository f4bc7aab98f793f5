"""A database on a PostgreSQL server."""

from pathlib import Path

import pytest

from tests.system.store.postgresql_server import PostgresqlServer
from tests.unit.store.databases import database_on


@pytest.fixture
def url(postgresql: PostgresqlServer, tmp_path: Path) -> str:
    """Return the URL of an empty database."""
    return database_on(postgresql.url, tmp_path)
