"""The store on PostgreSQL: it passes the tests of the store, and keeps its own promises."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from arena.core.errors import ErrorReason, FailedPreconditionError, UnavailableError
from arena.store.backends.postgresql import PostgresqlBackend
from arena.store.bots.bots import BotRow
from arena.store.schema import METADATA
from arena.store.store import Store, Transaction
from tests.checkout import ROOT
from tests.system.store.postgresql_server import PostgresqlServer
from tests.unit.store.databases import SERVER

OF_SQLITE = ("test_sqlite.py", "test_migrations.py", "test_every_query_plan.py", "test_growth.py")
"""Tests of what only SQLite has: its file, databases of older arenas, its plans and steps."""


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    """Yield a store on a database with its tables."""
    store = Store(url)
    store.migrate()
    yield store
    store.close()


def test_the_store_passes_its_tests(postgresql: PostgresqlServer) -> None:
    left_out = [f"--ignore=tests/unit/store/{name}" for name in OF_SQLITE]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/unit/store", *left_out]
    environment = os.environ | {SERVER: postgresql.url}
    tested = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False, timeout=900
    )
    assert tested.returncode == 0, tested.stdout[-8000:] + tested.stderr[-2000:]
    assert "skipped" not in tested.stdout


def test_a_database_has_the_tables_and_indexes_of_the_schema(store: Store, url: str) -> None:
    engine = PostgresqlBackend(url).open_readers(1)
    with engine.begin() as connection:
        assert compare_metadata(MigrationContext.configure(connection), METADATA) == []
    engine.dispose()


def test_texts_are_ordered_by_their_code_points(store: Store) -> None:
    for name in ("a-b", "B", "ab", "a_b", "a"):
        store.write(lambda tx, name=name: tx.users.ensure(name))  # type: ignore[misc]
    assert users(store) == sorted(["a-b", "B", "ab", "a_b", "a"])


def test_a_second_arena_is_refused_until_the_first_has_closed(store: Store, url: str) -> None:
    store.reserve()
    other = Store(url)
    with pytest.raises(FailedPreconditionError) as refused:
        other.reserve()
    assert refused.value.reason is ErrorReason.STORAGE
    store.close()
    other.reserve()
    other.close()


def test_a_reader_sees_one_moment(store: Store, url: str) -> None:
    def look_twice(reading: Transaction) -> tuple[object, object]:
        before = reading.users.page(after=None, limit=9)
        store.write(lambda tx: tx.users.ensure("ada"))
        return before, reading.users.page(after=None, limit=9)

    assert store.read(look_twice) == ((), ())
    assert users(store) == ["ada"]


def test_a_connection_that_is_cut_between_transactions_is_made_again(store: Store, url: str) -> None:
    store.write(lambda tx: tx.users.ensure("ada"))
    with psycopg.connect(url, autocommit=True) as other:
        other.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
    store.write(lambda tx: tx.users.ensure("bob"))
    assert users(store) == ["ada", "bob"]


def test_a_connection_that_is_cut_within_a_change_is_a_storage_error_and_nothing_is_stored(
    store: Store,
) -> None:
    def cut(tx: Transaction) -> None:
        tx.users.ensure("ada")
        tx._connection.exec_driver_sql("SELECT pg_terminate_backend(pg_backend_pid())")

    for outcome in store.write_together([lambda tx: tx.users.ensure("bob"), cut]):
        assert isinstance(outcome.error, UnavailableError)
        assert outcome.error.reason is ErrorReason.STORAGE
    store.write(lambda tx: tx.users.ensure("cid"))
    assert users(store) == ["cid"]


def test_a_nul_that_a_program_has_written_is_stored_as_its_symbol(store: Store) -> None:
    store.write(lambda tx: tx.users.ensure("ada"))
    store.write(lambda tx: tx.bots.add(BotRow("ant", "ada", "a\0b", hidden=False, created_us=1)))
    assert store.read(lambda tx: tx.bots.get("ant")).description == "a\u2400b"


def test_a_server_that_is_gone_is_a_storage_error(tmp_path: Path) -> None:
    store = Store(f"postgresql://arena@/arena?host={tmp_path}")
    with pytest.raises(UnavailableError) as gone:
        store.reserve()
    assert gone.value.reason is ErrorReason.STORAGE
    store.close()


def users(store: Store) -> list[str]:
    """Return the ids of all users."""
    return [user.id for user in store.read(lambda tx: tx.users.page(after=None, limit=9))]
