"""The order in which matches and entries of rating ledgers became final, which exports follow (docs/data.md).

Positions are given within the transactions that make a result final, and the database has one writer: a reader that has
seen a position sees nothing new before it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from sqlalchemy import ColumnElement, and_, bindparam, delete, func, insert, or_, select

from arena.core.match_record import MatchRecord
from arena.core.rating.ledger import LedgerEntry
from arena.store.ladders.ledger import entry_of_row
from arena.store.repository import Prepared, Repository
from arena.store.schema import EXPORT_ORDER, MATCH_GROUPS, MATCHES, RATING_LEDGER

LARGEST: Final = 2**31 - 1
"""The largest position."""


@dataclass(frozen=True, slots=True)
class FinalMatch:
    """A match whose group is complete; void ones are among them."""

    position: int
    match: int


@dataclass(frozen=True, slots=True)
class FinalEntry:
    """An entry of a rating ledger."""

    position: int
    ladder: str
    entry: LedgerEntry
    created_us: int
    """Microseconds since 1970 UTC."""


class ExportOrder(Repository):
    """The order of exports: each match and each ledger entry has one position, from 1 on, perhaps with gaps."""

    def add_matches(self, matches: Iterable[MatchRecord]) -> None:
        """Append the matches of a group that is now complete."""
        _ADD.run_all(self._connection, [_values(match) for match in matches])

    def move_to_end(self, match: MatchRecord) -> None:
        """Give a match that was made void the next position, so that readers who have seen it see it again."""
        _REMOVE.run(self._connection, {"match": match.id})
        _ADD.run(self._connection, _values(match))

    def move_frozen_to_end(self, ladder: str, seq: int) -> None:
        """Give what readers were not shown while the standings of a ladder were frozen the next positions.

        These are the matches of its groups that are marked as frozen, and the entries of its ledger after `seq`.
        """
        rows = _FROZEN.rows(self._connection, {"of_ladder": ladder, "after": seq})
        _REMOVE_AT.run_all(self._connection, [{"at": row.position} for row in rows])
        moved = [
            {"ladder": ladder, "tournament": None, "match_id": row.match_id, "seq": row.seq} for row in rows
        ]
        _ADD.run_all(self._connection, moved)

    def page(
        self,
        *,
        ladder: str | None = None,
        tournament: str | None = None,
        after: int,
        until: int = LARGEST,
        limit: int,
    ) -> tuple[FinalMatch | FinalEntry, ...]:
        """Return what comes after a position, in order, up to `until`, of one ladder or tournament or of all."""
        named = {"ladder": ladder, "tournament": tournament}
        given = {name: value for name, value in named.items() if value is not None}
        values = {**given, "after": after, "until": until, "limit": limit}
        return tuple(map(_final, _page(frozenset(given)).rows(self._connection, values)))

    def newest(self) -> int:
        """Return the newest position; 0 if there is none."""
        return self._number(_NEWEST)


_ADD: Final = Prepared(insert(EXPORT_ORDER))
_REMOVE: Final = Prepared(delete(EXPORT_ORDER).where(EXPORT_ORDER.c.match_id == bindparam("match")))
_REMOVE_AT: Final = Prepared(delete(EXPORT_ORDER).where(EXPORT_ORDER.c.position == bindparam("at")))
_FROZEN: Final = Prepared(
    select(*EXPORT_ORDER.c["position", "match_id", "seq"])
    .select_from(
        EXPORT_ORDER.outerjoin(MATCHES, MATCHES.c.id == EXPORT_ORDER.c.match_id).outerjoin(
            MATCH_GROUPS, MATCH_GROUPS.c.id == MATCHES.c.group_id
        )
    )
    .where(
        EXPORT_ORDER.c.ladder == bindparam("of_ladder"),
        or_(EXPORT_ORDER.c.seq > bindparam("after"), MATCH_GROUPS.c.frozen.is_(True)),
    )
    .order_by(EXPORT_ORDER.c.position)
)
_NEWEST: Final = Prepared(select(func.coalesce(func.max(EXPORT_ORDER.c.position), 0)))

_FILTERS: Final[Mapping[str, ColumnElement[bool]]] = {
    "ladder": EXPORT_ORDER.c.ladder == bindparam("ladder"),
    "tournament": EXPORT_ORDER.c.tournament == bindparam("tournament"),
}


@cache
def _page(given: frozenset[str]) -> Prepared:
    """Return the statement of a page with these filters."""
    entry = and_(RATING_LEDGER.c.ladder == EXPORT_ORDER.c.ladder, RATING_LEDGER.c.seq == EXPORT_ORDER.c.seq)
    query = (
        select(
            *EXPORT_ORDER.c["position", "ladder", "match_id", "seq"],
            *RATING_LEDGER.c["kind", "group_id", "body", "created_us"],
        )
        .select_from(EXPORT_ORDER.outerjoin(RATING_LEDGER, entry))
        .where(
            EXPORT_ORDER.c.position > bindparam("after"),
            EXPORT_ORDER.c.position <= bindparam("until"),
            *(_FILTERS[name] for name in sorted(given)),
        )
    )
    return Prepared(query.order_by(EXPORT_ORDER.c.position).limit(bindparam("limit")))


def _values(match: MatchRecord) -> dict[str, object]:
    return {
        "ladder": match.terms.ladder,
        "tournament": match.terms.tournament,
        "match_id": match.id,
        "seq": None,
    }


def _final(row: Any) -> FinalMatch | FinalEntry:
    if row.match_id is not None:
        return FinalMatch(row.position, row.match_id)
    return FinalEntry(row.position, row.ladder, entry_of_row(row), row.created_us)
