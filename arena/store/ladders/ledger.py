"""The rating ledger: for each ladder an append-only row of entries, numbered from 1 without gaps."""

import json
from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any, Final, NamedTuple

from sqlalchemy import Exists, Select, Text, bindparam, exists, func, insert, or_, select, true

from arena.core.errors import DataLossError, ErrorReason
from arena.core.finished_match import FinishedMatch
from arena.core.match import MatchState
from arena.core.rating.elo import Change
from arena.core.rating.history import RatingPoint
from arena.core.rating.ledger import EntryKind, LedgerEntry
from arena.core.rating.rating import Rating
from arena.core.rating.seasons import Anchor, SeasonClose
from arena.store.json_columns import pack
from arena.store.json_queries import LAST, elements_of, length_in, value_in
from arena.store.repository import Prepared, Repository, row_values
from arena.store.schema import EXPORT_ORDER, MATCH_SEATS, MATCHES, RATING_LEDGER

_DECISIONS: Final = ("season", "anchor")
"""Fields of entries without a group; the text of other entries does not have them."""


class EntryBody(NamedTuple):
    """The fields of a `LedgerEntry` that are stored as one text."""

    matches: tuple[FinishedMatch, ...]
    changes: tuple[Change, ...]
    season: SeasonClose | None = None
    anchor: Anchor | None = None


def pack_body(entry: LedgerEntry) -> str:
    """Return the one text of what an entry has rated and what it changed."""
    matches = [{"match": match.match, "seats": _seats(match)} for match in entry.matches]
    changes = [
        row_values(change, before=row_values(change.before), after=row_values(change.after))
        for change in entry.changes
    ]
    decided = {name: row_values(value) for name in _DECISIONS if (value := getattr(entry, name)) is not None}
    return pack({"matches": matches, "changes": changes, **decided})


def unpack_body(text: str) -> EntryBody:
    """Return what the text of an entry holds.

    Raises DataLossError (STORAGE): the text is not what `pack_body` writes.
    """
    try:
        body = json.loads(text)
        return EntryBody(
            tuple(map(_match, body["matches"])),
            tuple(map(_change, body["changes"])),
            SeasonClose(**body["season"]) if "season" in body else None,
            Anchor(**body["anchor"]) if "anchor" in body else None,
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise DataLossError(
            ErrorReason.STORAGE,
            "The rating ledger is damaged: an entry cannot be read; restore the data folder from a backup.",
        ) from error


def _seats(match: FinishedMatch) -> list[dict[str, object]]:
    seats = zip(match.bots, match.versions, match.placings, match.forfeited, strict=True)
    return [dict(zip(("bot", "version", "placing", "forfeited"), seat, strict=True)) for seat in seats]


def _match(values: Mapping[str, Any]) -> FinishedMatch:
    seats = values["seats"]
    return FinishedMatch(
        match=values["match"],
        bots=tuple([seat["bot"] for seat in seats]),
        versions=tuple([seat["version"] for seat in seats]),
        placings=tuple([seat["placing"] for seat in seats]),
        forfeited=tuple([seat["forfeited"] for seat in seats]),
    )


def _change(values: Mapping[str, Any]) -> Change:
    before, after = Rating(**values["before"]), Rating(**values["after"])
    return Change(values["bot"], values["k"], before, after)


_CHUNK: Final = 1000


class Ledger(Repository):
    """The rating ledgers of all ladders."""

    def append(self, ladder: str, entry: LedgerEntry, now_us: int) -> None:
        """Append the entry; its seq comes from `Ladders.next_ledger_seq`."""
        values = {
            "ladder": ladder,
            "seq": entry.seq,
            "kind": entry.kind.value,
            "group_id": entry.group,
            "body": pack_body(entry),
            "created_us": now_us,
        }
        _APPEND.run(self._connection, values)
        _EXPORT.run(self._connection, {"ladder": ladder, "seq": entry.seq})

    def page(self, ladder: str, *, after: int, limit: int) -> tuple[LedgerEntry, ...]:
        """Return entries in order, those after seq `after`; 0 for the first."""
        return self._all(_PAGE, entry_of_row, ladder=ladder, after=after, limit=limit)

    def in_force(self, ladder: str, group: int) -> LedgerEntry | None:
        """Return the entry that rates a match group; None if it is not rated, or was taken back."""
        entries = self._all(_OF_GROUP, entry_of_row, ladder=ladder, group=group)
        return entries[0] if len(entries) == 1 else None

    def marks(self, ladder: str, *, after: int) -> tuple[LedgerEntry, ...]:
        """Return the SEASON_CLOSE and ANCHOR entries in order, those after seq `after`."""
        marks = self._all(_MARKS, entry_of_row, ladder=ladder, after=after)
        return tuple(sorted(marks, key=lambda entry: entry.seq))

    def all(self, ladder: str) -> Iterator[LedgerEntry]:
        """Yield every entry in order, read piece by piece."""
        after = 0
        while page := self.page(ladder, after=after, limit=_CHUNK):
            yield from page
            after = page[-1].seq

    def taken_back(self, ladder: str) -> frozenset[int]:
        """Return the match groups that have a VOID entry."""
        return frozenset(self._all(_TAKEN_BACK, lambda row: row.group_id, ladder=ladder))

    def history(self, ladder: str, bot: str, *, until: int | None = None) -> tuple[RatingPoint, ...]:
        """Return a point for each entry that changed the bot's rating, in order. `until`: the last seq; None: all."""
        rows = _HISTORY.rows(self._connection, {"ladder": ladder, "bot": bot})
        rows = sorted((row for row in rows if until is None or row.seq <= until), key=lambda row: row.seq)
        rated: dict[int, Any] = {}
        points: list[RatingPoint] = []
        matches = 0
        for row in rows:
            kind = EntryKind(row.kind)
            taken_back = kind is EntryKind.VOID
            group = rated[row.group_id] if taken_back else row
            if kind is EntryKind.MATCH_GROUP:
                rated[row.group_id] = row
            matches += -group.matches if taken_back else row.matches
            points.append(
                RatingPoint(
                    row.rating_milli,
                    row.information,
                    row.version,
                    matches,
                    row.group_id,
                    group.last_match,
                    row.created_us,
                    taken_back,
                    closed_season=row.season or 0,
                    anchored=kind is EntryKind.ANCHOR and row.fixed is not None,
                    released=kind is EntryKind.ANCHOR and row.fixed is None,
                )
            )
        return tuple(points)

    def newest_seq(self, ladder: str) -> int:
        """Return the seq of the newest entry; 0 if there is none."""
        newest = select(func.coalesce(func.max(RATING_LEDGER.c.seq), 0))
        return self._number(newest.where(RATING_LEDGER.c.ladder == ladder))

    def rated_matches(self, ladder: str) -> Iterator[FinishedMatch]:
        """Yield the matches of all groups that are rated and not void, the newest match first.

        A player is a bot version, "{bot}/{label}".
        """
        rows = self._connection.execution_options(yield_per=_CHUNK).execute(_rated_seats(ladder))
        for _, seats in groupby(rows, key=lambda row: row.match_id):
            match = list(seats)
            yield FinishedMatch(
                bots=tuple(f"{seat.bot}/{seat.version or ''}" for seat in match),
                placings=tuple(seat.placing for seat in match),
                group=match[0].group_id,
            )


_APPEND: Final = Prepared(insert(RATING_LEDGER))
_EXPORT: Final = Prepared(insert(EXPORT_ORDER))


def _rated_seats(ladder: str) -> Select[Any]:
    """Select a row for each seat, those of a match together."""
    return (
        select(*MATCH_SEATS.c["match_id", "bot", "version", "placing"], MATCHES.c.group_id)
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


_ENTRIES: Final = select(*RATING_LEDGER.c["seq", "kind", "group_id", "body"]).where(
    RATING_LEDGER.c.ladder == bindparam("ladder")
)

_PAGE: Final = Prepared(
    _ENTRIES.where(RATING_LEDGER.c.seq > bindparam("after"))
    .order_by(RATING_LEDGER.c.seq)
    .limit(bindparam("limit"))
)

_OF_GROUP: Final = Prepared(
    _ENTRIES.where(RATING_LEDGER.c.group_id == bindparam("group")).order_by(RATING_LEDGER.c.kind)
)
"""What rates a group before what takes it back: each has one entry at most."""

_NO_GROUP: Final = RATING_LEDGER.c.group_id.is_(None)

# By the seq as it is, or sorted by it, all later entries of the ladder might be gone through: there are few marks.
_MARKS: Final = Prepared(_ENTRIES.where(_NO_GROUP, RATING_LEDGER.c.seq + 0 > bindparam("after")))

_OWN_CHANGE: Final = elements_of(RATING_LEDGER.c.body, "changes").table_valued("value")
"""A bot's change in the body of an entry."""


_OWN_GROUPS: Final = (
    select(MATCHES.c.group_id)
    .select_from(MATCH_SEATS.join(MATCHES))
    .where(MATCH_SEATS.c.bot == bindparam("bot"), MATCHES.c.ladder == bindparam("ladder"))
)

# SQLite reads the bodies, while other threads run; Python would keep them from it. Sorted by it, all entries of the
# ladder might be gone through instead of those of the bot.
_HISTORY: Final = Prepared(
    select(
        *RATING_LEDGER.c["seq", "kind", "group_id", "created_us"],
        length_in(RATING_LEDGER.c.body, "matches").label("matches"),
        value_in(RATING_LEDGER.c.body, "matches", LAST, "match").label("last_match"),
        value_in(_OWN_CHANGE.c.value, "after", "rating_milli").label("rating_milli"),
        value_in(_OWN_CHANGE.c.value, "after", "information").label("information"),
        value_in(_OWN_CHANGE.c.value, "after", "version", kind=Text).label("version"),
        value_in(RATING_LEDGER.c.body, "season", "number").label("season"),
        value_in(RATING_LEDGER.c.body, "anchor", "rating_milli").label("fixed"),
    )
    .select_from(RATING_LEDGER.join(_OWN_CHANGE, true()))
    .where(
        RATING_LEDGER.c.ladder == bindparam("ladder"),
        or_(RATING_LEDGER.c.group_id.in_(_OWN_GROUPS), _NO_GROUP),
        value_in(_OWN_CHANGE.c.value, "bot", kind=Text) == bindparam("bot"),
    )
)

_TAKEN_BACK: Final = Prepared(
    select(RATING_LEDGER.c.group_id).where(
        RATING_LEDGER.c.ladder == bindparam("ladder"), RATING_LEDGER.c.kind == EntryKind.VOID.value
    )
)


def entry_of_row(row: Any) -> LedgerEntry:
    """Return the entry of a row with the columns seq, kind, group_id and body. Raises DataLossError (STORAGE)."""
    return LedgerEntry(row.seq, EntryKind(row.kind), row.group_id, *unpack_body(row.body))
