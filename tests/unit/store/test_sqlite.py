"""The store on SQLite: its settings, a locked file, a full disk, a damaged page."""

import sqlite3
import threading
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection

from arena.core.errors import ErrorReason, UnavailableError
from arena.store.backends import sqlite as backend_module
from arena.store.backends.sqlite import SqliteBackend
from arena.store.bots.bots import BotRow
from arena.store.store import Store, Transaction
from tests.unit.store.store_fixture import LADDER, StoreFixture


def pragma(connection: Connection, name: str) -> Any:
    """Return the value of a setting of SQLite."""
    return connection.exec_driver_sql(f"PRAGMA {name}").scalar()


def test_every_connection_is_durable_and_checks_references(store: Store, url: str) -> None:
    for engine in (SqliteBackend(url).open_writer(), SqliteBackend(url).open_readers(1)):
        with engine.begin() as connection:
            assert pragma(connection, "journal_mode") == "wal"
            assert pragma(connection, "synchronous") == 2
            assert pragma(connection, "foreign_keys") == 1
            assert pragma(connection, "busy_timeout") == 5000
        engine.dispose()


def test_two_stores_writing_at_once_lose_nothing(db: StoreFixture, url: str) -> None:
    db.populate("ant", "bee")
    other = Store(url)
    numbers: list[int] = []

    def count(store: Store) -> None:
        numbers.extend(store.write(lambda tx: tx.ladders.next_ledger_seq(LADDER)) for _ in range(50))

    threads = [threading.Thread(target=count, args=(store,)) for store in (db.store, other)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    other.close()
    assert sorted(numbers) == list(range(1, 101))


def test_a_locked_database_is_a_storage_error(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Row 48: DB locked."""
    monkeypatch.setattr(backend_module, "_PRAGMAS", ("PRAGMA busy_timeout = 1", "PRAGMA foreign_keys = ON"))
    hasty = Store(f"sqlite:///{tmp_path / 'arena.db'}")
    holder = sqlite3.connect(tmp_path / "arena.db", isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    with pytest.raises(UnavailableError, match="locked") as caught:
        hasty.write(lambda tx: tx.users.ensure("ada"))
    assert caught.value.reason is ErrorReason.STORAGE
    holder.execute("ROLLBACK")
    hasty.write(lambda tx: tx.users.ensure("ada"))
    hasty.close()
    holder.close()


def fill(tx: Transaction) -> None:
    """Store more than the disk has room for."""
    tx._connection.exec_driver_sql(f"PRAGMA max_page_count = {pragma(tx._connection, 'page_count')}")
    tx.users.ensure("ada")
    for number in range(1000):
        tx.bots.add(BotRow(f"bot-{number}", "ada", "x" * 1000, False, 1))


def test_a_full_disk_is_a_storage_error_and_nothing_is_stored(store: Store) -> None:
    """Row 48: disk full."""
    with pytest.raises(UnavailableError, match="full") as caught:
        store.write(fill)
    assert caught.value.reason is ErrorReason.STORAGE
    assert store.read(lambda tx: tx.bots.page(show_hidden=True, after=None, limit=1)) == ()


def test_a_disk_that_fails_one_of_several_changes_fails_them_all(store: Store) -> None:
    store.write(lambda tx: tx.users.ensure("ada"))
    before, failed, after = store.write_together(
        [lambda tx: tx.users.ensure("bob"), fill, lambda tx: tx.users.ensure("cid")]
    )
    for outcome in (before, failed, after):
        assert isinstance(outcome.error, UnavailableError)
        assert outcome.error.reason is ErrorReason.STORAGE
    stored = "SELECT id FROM owners"
    assert store.read(lambda tx: tx._connection.exec_driver_sql(stored).scalars().all()) == ["ada"]


def test_the_check_finds_a_damaged_page(store: Store, db: StoreFixture, tmp_path: Path) -> None:
    db.populate()
    store.check()
    store.close()
    file = tmp_path / "arena.db"
    data = bytearray(file.read_bytes())
    page = int.from_bytes(data[16:18], "big")
    data[-page:] = b"\xa5" * page
    file.write_bytes(data)
    with pytest.raises(UnavailableError, match="damaged") as error:
        store.check()
    assert error.value.reason is ErrorReason.STORAGE
