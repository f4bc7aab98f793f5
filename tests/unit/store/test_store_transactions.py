"""What a transaction promises: on disk, one writer at a time, the event loop free (docs/storage.md)."""

import asyncio
import sqlite3
import threading
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, event, text
from sqlalchemy.exc import IntegrityError, OperationalError

from arena.core.errors import ErrorReason, UnavailableError
from arena.store import store as store_module
from arena.store.bots.bots import BotRow
from arena.store.database import Database
from arena.store.store import Store, Transaction, open_readers, open_writer
from tests.unit.store.store_fixture import LADDER, StoreFixture


def pragma(connection: Connection, name: str) -> Any:
    """Return the value of a setting of SQLite."""
    return connection.exec_driver_sql(f"PRAGMA {name}").scalar()


def test_every_connection_is_durable_and_checks_references(store: Store, url: str) -> None:
    for engine in (open_writer(url), open_readers(url, 1)):
        with engine.begin() as connection:
            assert pragma(connection, "journal_mode") == "wal"
            assert pragma(connection, "synchronous") == 2
            assert pragma(connection, "foreign_keys") == 1
            assert pragma(connection, "busy_timeout") == 5000
        engine.dispose()


def test_a_reference_to_nothing_is_refused(store: Store) -> None:
    with pytest.raises(IntegrityError):
        store.write(lambda tx: tx.bots.add(BotRow("ant", "nobody", "", False, 1)))


def test_a_reading_transaction_cannot_write(store: Store) -> None:
    with pytest.raises(UnavailableError, match="readonly"):
        store.read(lambda tx: tx.users.ensure("ada"))


def test_a_change_that_raises_is_undone(store: Store) -> None:
    def change(tx: Transaction) -> None:
        tx.users.ensure("ada")
        tx.bots.add(BotRow("ant", "ada", "", False, 1))
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        store.write(change)
    assert store.read(lambda tx: tx.bots.find("ant")) is None


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
    monkeypatch.setattr(store_module, "_PRAGMAS", ("PRAGMA busy_timeout = 1", "PRAGMA foreign_keys = ON"))
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


def test_a_wrong_query_is_not_taken_for_a_fault_of_the_disk(store: Store) -> None:
    with pytest.raises(OperationalError, match="no such table"):
        store.read(lambda tx: tx._connection.execute(text("SELECT * FROM missing")))


async def test_the_database_awaits_changes_in_the_order_in_which_they_were_asked_for(store: Store) -> None:
    database = Database(store)
    order: list[int] = []
    await asyncio.gather(*(database.write(lambda tx, n=n: order.append(n)) for n in range(20)))  # type: ignore[misc]
    await database.write(lambda tx: tx.users.ensure("ada"))
    pages = await asyncio.gather(
        *(database.read(lambda tx: tx.tokens.page(owner=None, after=None, limit=5)) for _ in range(20))
    )
    database.close()
    assert (order, len(pages)) == (list(range(20)), 20)


async def test_changes_that_come_while_the_disk_is_busy_are_stored_together(store: Store) -> None:
    commits: list[object] = []
    event.listen(store._writer, "commit", commits.append)

    def own(tx: Transaction, number: int) -> int:
        tx.users.ensure(f"owner-{number}")
        if number == 2:
            raise ValueError("no")
        return number

    database = Database(store)
    begun, release = threading.Event(), threading.Event()

    def hold_up(tx: Transaction) -> None:
        begun.set()
        release.wait(30)

    first = asyncio.create_task(database.write(hold_up))
    await asyncio.to_thread(begun.wait, 30)
    rest = [asyncio.create_task(database.write(lambda tx, n=n: own(tx, n))) for n in range(5)]  # type: ignore[misc]
    await asyncio.sleep(0)
    rest[4].cancel()  # too late: what is sent is sent
    release.set()
    await first
    done = await asyncio.gather(*rest, return_exceptions=True)
    await database.write(lambda tx: None)
    database.close()

    *told, cancelled = done
    assert (told[:2], told[3], str(told[2])) == ([0, 1], 3, "no")
    assert isinstance(cancelled, asyncio.CancelledError)
    assert len(commits) == 3
    stored = "SELECT id FROM owners WHERE id LIKE 'owner-%' ORDER BY id"
    owners = store.read(lambda tx: tx._connection.exec_driver_sql(stored).scalars().all())
    assert owners == ["owner-0", "owner-1", "owner-3", "owner-4"]


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
