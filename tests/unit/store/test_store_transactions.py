"""What a transaction promises: on disk, one writer at a time, the event loop free (docs/storage.md)."""

import asyncio
import threading

import pytest
from sqlalchemy import event, text
from sqlalchemy.exc import DatabaseError, IntegrityError

from arena.core.errors import UnavailableError
from arena.store.bots.bots import BotRow
from arena.store.database import Database
from arena.store.store import Store, Transaction


def test_a_reference_to_nothing_is_refused(store: Store) -> None:
    with pytest.raises(IntegrityError):
        store.write(lambda tx: tx.bots.add(BotRow("ant", "nobody", "", False, 1)))


def test_a_reading_transaction_cannot_write(store: Store) -> None:
    with pytest.raises(UnavailableError, match=r"read-?only"):
        store.read(lambda tx: tx.users.ensure("ada"))


def test_a_change_that_raises_is_undone(store: Store) -> None:
    def change(tx: Transaction) -> None:
        tx.users.ensure("ada")
        tx.bots.add(BotRow("ant", "ada", "", False, 1))
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        store.write(change)
    assert store.read(lambda tx: tx.bots.find("ant")) is None


def test_a_wrong_query_is_not_taken_for_a_fault_of_the_disk(store: Store) -> None:
    with pytest.raises(DatabaseError, match="missing"):
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
    stored = text("SELECT id FROM owners WHERE id LIKE 'owner-%' ORDER BY id")
    owners = store.read(lambda tx: tx._connection.execute(stored).scalars().all())
    assert owners == ["owner-0", "owner-1", "owner-3", "owner-4"]
