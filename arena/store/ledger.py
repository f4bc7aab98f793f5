"""The rating ledger as stored: per ladder an append-only row of entries, numbered from 1 without gaps."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any, Final

from sqlalchemy import Connection, Exists, Row, Select, exists, func, insert, select

from arena.core.match import MatchState
from arena.core.rating.ledger import EntryKind, LedgerEntry
from arena.core.rating.ranked_match import RankedMatch
from arena.store.ledger_text import LedgerBody, pack_body, unpack_body
from arena.store.prepared import Prepared
from arena.store.schema import MATCH_SEATS, MATCHES, RATING_LEDGER

_CHUNK: Final = 1000


class Ledger:
    """The rating ledgers of all ladders."""

    def __init__(self, connection: Connection) -> None:
        """`connection`: of the transaction that all calls belong to."""
        self._connection = connection

    def append(self, ladder: str, entry: LedgerEntry, now_us: int) -> None:
        """The entry is the ladder's newest; its seq comes from `Ladders.next_ledger_seq`."""
        values = {
            "ladder": ladder,
            "seq": entry.seq,
            "kind": entry.kind.value,
            "group_id": entry.group,
            "body": pack_body(LedgerBody(entry.matches, entry.changes)),
            "created_us": now_us,
        }
        _APPEND.run(self._connection, values)

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

    def newest_seq(self, ladder: str) -> int:
        """The seq of the newest entry; 0 if there is none."""
        newest = self._connection.execute(
            select(func.max(RATING_LEDGER.c.seq)).where(RATING_LEDGER.c.ladder == ladder)
        )
        return newest.scalar() or 0

    def rated_matches(self, ladder: str) -> Iterator[RankedMatch]:
        """The matches of all groups that are rated and not void, the newest match first.

        A player is a bot version, "{bot}/{label}".
        """
        rows = self._connection.execution_options(yield_per=_CHUNK).execute(_rated_seats(ladder))
        for _, seats in groupby(rows, key=lambda row: row.match_id):
            match = list(seats)
            yield RankedMatch(
                players=tuple(f"{seat.bot}/{seat.version or ''}" for seat in match),
                placings=tuple(seat.placing for seat in match),
                group=match[0].group_id,
            )


_APPEND: Final = Prepared(insert(RATING_LEDGER))


def _rated_seats(ladder: str) -> Select[Any]:
    """A row for each seat; those of a match follow each other."""
    return (
        select(
            MATCH_SEATS.c.match_id,
            MATCHES.c.group_id,
            MATCH_SEATS.c.bot,
            MATCH_SEATS.c.version,
            MATCH_SEATS.c.placing,
        )
        .select_from(MATCHES.join(MATCH_SEATS))
        .where(
            MATCHES.c.ladder == ladder,
            MATCHES.c.state == MatchState.FINISHED.value,
            MATCHES.c.rated,
            _has_entry(ladder, EntryKind.MATCH_GROUP),
            ~_has_entry(ladder, EntryKind.VOID),
        )
        .order_by(MATCHES.c.id.desc(), MATCH_SEATS.c.seat)
    )


def _has_entry(ladder: str, kind: EntryKind) -> Exists:
    """Whether there is such an entry for the group of a row of MATCHES."""
    return exists().where(
        RATING_LEDGER.c.ladder == ladder,
        RATING_LEDGER.c.group_id == MATCHES.c.group_id,
        RATING_LEDGER.c.kind == kind.value,
    )


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
