"""The rating ledger as stored: per ladder an append-only row of entries, numbered from 1 without gaps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

from sqlalchemy import Connection, Row, insert, select

from arena.store.schema import RATING_LEDGER


class LedgerKind(Enum):
    """What an entry of the ledger does."""

    MATCH_GROUP = 1
    """Rates a complete match group."""
    VOID = 2
    """Takes the deltas of an earlier entry back."""


@dataclass(frozen=True, slots=True)
class LedgerRow:
    """One entry."""

    ladder: str
    seq: int
    kind: LedgerKind
    group: int
    body: str
    """The entry itself as JSON text; `arena.core.rating` gives it its meaning."""
    created_us: int


_CHUNK: Final = 1000


class Ledger:
    """The rating ledgers of all ladders."""

    def __init__(self, connection: Connection) -> None:
        """`connection`: of the transaction that all calls belong to."""
        self._connection = connection

    def append(self, entry: LedgerRow) -> None:
        """The entry is the ladder's newest; its seq comes from `Ladders.next_ledger_seq`."""
        self._connection.execute(
            insert(RATING_LEDGER).values(
                ladder=entry.ladder,
                seq=entry.seq,
                kind=entry.kind.value,
                group_id=entry.group,
                body=entry.body,
                created_us=entry.created_us,
            )
        )

    def page(self, ladder: str, *, after: int, limit: int) -> tuple[LedgerRow, ...]:
        """Entries in order, those after seq `after`; 0 for the first."""
        query = (
            select(RATING_LEDGER)
            .where(RATING_LEDGER.c.ladder == ladder, RATING_LEDGER.c.seq > after)
            .order_by(RATING_LEDGER.c.seq)
            .limit(limit)
        )
        return tuple(_entry(row) for row in self._connection.execute(query))

    def all(self, ladder: str) -> Iterator[LedgerRow]:
        """Every entry in order, read piece by piece."""
        after = 0
        while page := self.page(ladder, after=after, limit=_CHUNK):
            yield from page
            after = page[-1].seq


def _entry(row: Row[Any]) -> LedgerRow:
    values = row._mapping
    return LedgerRow(
        ladder=values["ladder"],
        seq=values["seq"],
        kind=LedgerKind(values["kind"]),
        group=values["group_id"],
        body=values["body"],
        created_us=values["created_us"],
    )
