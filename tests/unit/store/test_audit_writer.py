"""The audit trail is stored as soon as the storage lets it, and stands in nobody's way until then."""

import asyncio
import threading
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, TypeVar

import pytest

from arena.core.errors import ErrorReason, UnavailableError
from arena.store.audit import writer as trail_module
from arena.store.audit.entries import AuditEntry, AuditFilter, AuditKind
from arena.store.audit.writer import MOST_WAITING, AuditWriter
from arena.store.database import Database
from arena.store.store import Store, Transaction
from tests.unit.store.store_fixture import open_store

T = TypeVar("T")


class Refusing(Database):
    """A database that refuses so often before it stores."""

    refusals = 0

    def __init__(self, store: Store) -> None:
        super().__init__(store)
        self.stored = asyncio.Event()

    async def write(self, change: Callable[[Transaction], T]) -> T:
        if self.refusals:
            self.refusals -= 1
            raise UnavailableError(ErrorReason.STORAGE, "The disk is full.")
        done = await super().write(change)
        self.stored.set()
        return done


def in_an_arena(
    folder: Path, scenario: Callable[[Refusing, AuditWriter], Coroutine[Any, Any, None]]
) -> list[AuditEntry]:
    """Run the scenario; return the entries after it, oldest first."""
    store = open_store(folder)

    async def run() -> None:
        database = Refusing(store)
        audit_writer = AuditWriter(database, lambda: 1_700_000_000_000_000)
        running = asyncio.create_task(audit_writer.run())
        await scenario(database, audit_writer)
        running.cancel()
        await audit_writer.close()

    asyncio.run(run())
    entries = store.read(lambda tx: tx.audit.page(AuditFilter(), before=None, limit=1_000))
    store.close()
    return list(reversed(entries))


def test_a_recorded_incident_is_stored(tmp_path: Path) -> None:
    async def scenario(database: Refusing, audit_writer: AuditWriter) -> None:
        audit_writer.record(AuditKind.BAN, "token 12 asked", about=("tokens/12",), facts=(("who", "12"),))
        await database.stored.wait()

    [entry] = in_an_arena(tmp_path, scenario)
    assert (entry.kind, entry.sentence) == (AuditKind.BAN, "Token 12 asked.")
    assert (entry.about, entry.evidence, entry.actor) == (("tokens/12",), (("who", "12"),), None)


def test_refused_entries_are_stored_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Row 48."""
    monkeypatch.setattr(trail_module, "TRY_AGAIN_S", 0)

    async def scenario(database: Refusing, audit_writer: AuditWriter) -> None:
        database.refusals = 3
        audit_writer.record(AuditKind.STORAGE, "the disk is full")
        await database.stored.wait()
        assert database.refusals == 0

    [entry] = in_an_arena(tmp_path, scenario)
    assert entry.sentence == "The disk is full."


def test_closing_stores_what_is_not_due_yet(tmp_path: Path) -> None:
    async def scenario(database: Refusing, audit_writer: AuditWriter) -> None:
        audit_writer.record(AuditKind.STALL, "it stood still for 1 s", length_ns=10**9)
        await database.stored.wait()
        audit_writer.record(AuditKind.STALL, "it stood still for 2 s", length_ns=2 * 10**9)

    assert [entry.sentence for entry in in_an_arena(tmp_path, scenario)] == [
        "It stood still for 1 s.",
        "It stood still for 2 s.",
    ]


def test_entries_beyond_the_limit_are_counted_in_an_entry(tmp_path: Path) -> None:
    async def scenario(database: Refusing, audit_writer: AuditWriter) -> None:
        entries = [AuditEntry(AuditKind.BAN, 1, f"Ban {number}.") for number in range(MOST_WAITING + 7)]
        audit_writer._take(entries)
        assert audit_writer.dropped == 7

    entries = in_an_arena(tmp_path, scenario)
    assert len(entries) == MOST_WAITING + 1
    assert entries[-1].sentence.startswith("7 more")
    assert entries[-1].evidence == (("left_out", "7"),)


def test_what_comes_while_others_are_being_stored_is_stored_after_them(tmp_path: Path) -> None:
    async def scenario(database: Refusing, audit_writer: AuditWriter) -> None:
        arrived, release = threading.Event(), threading.Event()

        def hold(_: Transaction) -> None:
            arrived.set()
            release.wait()

        held = asyncio.create_task(database.write(hold))
        await asyncio.to_thread(arrived.wait)
        audit_writer.put(AuditEntry(AuditKind.START, 1, "First."))
        for _ in range(20):
            await asyncio.sleep(0)
        audit_writer.put(AuditEntry(AuditKind.START, 2, "Second."))
        audit_writer.dropped += 3
        release.set()
        await held

    assert [entry.sentence.split()[0] for entry in in_an_arena(tmp_path, scenario)] == [
        "First.",
        "Second.",
        "3",
    ]
