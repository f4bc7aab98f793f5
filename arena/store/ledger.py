"""The rating ledger as stored: per ladder an append-only row of entries, numbered from 1 without gaps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from sqlalchemy import Connection, Row, insert, select

from arena.core.rating.ledger import EntryKind, LedgerEntry
from arena.store.ledger_text import LedgerBody, pack_body, unpack_body
from arena.store.schema import RATING_LEDGER

_CHUNK: Final = 1000


class Ledger:
    """The rating ledgers of all ladders."""

    def __init__(self, connection: Connection) -> None:
        """`connection`: of the transaction that all calls belong to."""
        self._connection = connection

    def append(self, ladder: str, entry: LedgerEntry, now_us: int) -> None:
        """The entry is the ladder's newest; its seq comes from `Ladders.next_ledger_seq`."""
        self._connection.execute(
            insert(RATING_LEDGER).values(
                ladder=ladder,
                seq=entry.seq,
                kind=entry.kind.value,
                group_id=entry.group,
                body=pack_body(LedgerBody(entry.matches, entry.changes)),
                created_us=now_us,
            )
        )

    def page(self, ladder: str, *, after: int, limit: int) -> tuple[LedgerEntry, ...]:
        """Entries in order, those after seq `after`; 0 for the first."""
        query = (
            select(RATING_LEDGER)
            .where(RATING_LEDGER.c.ladder == ladder, RATING_LEDGER.c.seq > after)
            .order_by(RATING_LEDGER.c.seq)
            .limit(limit)
        )
        return tuple(_entry(row) for row in self._connection.execute(query))

    def standing(self, ladder: str, group: int) -> LedgerEntry | None:
        """The entry that rates a match group; None if it is not rated, or was taken back."""
        query = (
            select(RATING_LEDGER)
            .where(RATING_LEDGER.c.ladder == ladder, RATING_LEDGER.c.group_id == group)
            .order_by(RATING_LEDGER.c.seq)
        )
        entries = [_entry(row) for row in self._connection.execute(query)]
        return entries[0] if len(entries) == 1 else None

    def all(self, ladder: str) -> Iterator[LedgerEntry]:
        """Every entry in order, read piece by piece."""
        after = 0
        while page := self.page(ladder, after=after, limit=_CHUNK):
            yield from page
            after = page[-1].seq


def _entry(row: Row[Any]) -> LedgerEntry:
    values = row._mapping
    body = unpack_body(values["body"])
    return LedgerEntry(
        seq=values["seq"],
        kind=EntryKind(values["kind"]),
        group=values["group_id"],
        matches=body.matches,
        changes=body.changes,
    )
