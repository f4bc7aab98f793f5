"""The audit trail as stored: newest first, by what it is about, who did it, of what kind and since when."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.core.errors import ErrorReason, NotFoundError
from arena.store.audit.entries import Actor, AuditEntry, AuditFilter, AuditKind
from arena.store.store import Store

ENTRIES = (
    AuditEntry(AuditKind.START, 100, "It began."),
    AuditEntry(
        AuditKind.MATCH_VOID, 200, "Match 1 is void.", ("matches/1", "bots/ann"), (("fault", "killed"),)
    ),
    AuditEntry(AuditKind.RULING, 300, "Match 1 does not count.", ("matches/1",), actor=Actor("root", "t1")),
    AuditEntry(AuditKind.MATCH_VOID, 150, "Match 2 is void.", ("matches/2", "bots/ann")),
    AuditEntry(AuditKind.BAN, 400, "Somebody is not heard."),
)
"""In the order in which they are stored; the clock was set back before the fourth."""


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    folder: Path = tmp_path_factory.mktemp("audit")
    opened = Store(f"sqlite:///{folder / 'arena.db'}")
    opened.migrate()
    opened.write(lambda tx: tx.users.ensure("root"))
    for entry in ENTRIES:
        opened.write(lambda tx, entry=entry: tx.audit.add(entry))  # type: ignore[misc]
    yield opened
    opened.close()


def numbers(store: Store, wanted: AuditFilter, before: int | None = None, limit: int = 50) -> list[int]:
    return [
        entry.number for entry in store.read(lambda tx: tx.audit.page(wanted, before=before, limit=limit))
    ]


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        (AuditFilter(), [5, 4, 3, 2, 1]),
        (AuditFilter(kind=AuditKind.MATCH_VOID), [4, 2]),
        (AuditFilter(about="matches/1"), [3, 2]),
        (AuditFilter(about="bots/ann", kind=AuditKind.MATCH_VOID), [4, 2]),
        (AuditFilter(about="bots/an"), []),
        (AuditFilter(user="root"), [3]),
        (AuditFilter(since_us=300), [5, 3]),
        (AuditFilter(since_us=301), [5]),
        (AuditFilter(since_us=401), []),
        (AuditFilter(about="bots/ann", since_us=200), [2]),
    ],
)
def test_a_filter_finds_its_entries_newest_first(store: Store, wanted: AuditFilter, found: list[int]) -> None:
    assert numbers(store, wanted) == found


def test_pages_go_on_where_the_one_before_ended(store: Store) -> None:
    assert numbers(store, AuditFilter(), limit=2) == [5, 4]
    assert numbers(store, AuditFilter(), before=4, limit=2) == [3, 2]
    assert numbers(store, AuditFilter(about="matches/1"), before=3) == [2]


def test_an_entry_comes_back_as_it_was_stored(store: Store) -> None:
    entry = store.read(lambda tx: tx.audit.get(3))
    assert entry == AuditEntry(
        AuditKind.RULING, 300, "Match 1 does not count.", ("matches/1",), (), Actor("root", "t1"), 3
    )


def test_a_missing_entry_is_not_found(store: Store) -> None:
    with pytest.raises(NotFoundError) as missing:
        store.read(lambda tx: tx.audit.get(99))
    assert missing.value.reason is ErrorReason.AUDIT_ENTRY_NOT_FOUND
    assert "arena audit list" in missing.value.sentence
