"""Matches and their seats."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from sqlalchemy import (
    ColumnElement,
    Integer,
    ScalarSelect,
    Select,
    Text,
    and_,
    bindparam,
    cast,
    exists,
    insert,
    select,
    update,
)

from arena.core.endings.terminations import Fault, SeatEnding, Termination
from arena.core.errors import ErrorReason
from arena.core.match import MatchState, SeedPolicy
from arena.core.match_record import MatchRecord, MatchTerms, SeatRecord
from arena.store.json_columns import (
    pack,
    pack_time_control,
    unpack_evidence,
    unpack_texts,
    unpack_time_control,
)
from arena.store.json_queries import elements_of
from arena.store.matches.open_matches import OpenMatches
from arena.store.repository import Prepared, Repository, found, from_row, row_values
from arena.store.schema import MATCH_GROUPS, MATCH_SEATS, MATCHES


@dataclass(frozen=True, slots=True)
class PlannedMatch:
    """One match of a group, in the order of the slots."""

    bots: tuple[str, ...]
    """By seat."""
    seed_group_index: int
    """k of the seed's derivation; 0 for all matches that share a seed."""
    seed_commitment: bytes
    """32 bytes."""
    seed_attempt: int = 0
    """As in `MatchRecord`."""


@dataclass(frozen=True, slots=True)
class MatchFilter:
    """Which matches a listing shows; None for all."""

    ladder: str | None = None
    tournament: str | None = None
    bot: str | None = None
    state: MatchState | None = None
    begun: bool = False
    """Whether to leave out those that are PENDING."""
    public: bool = False
    """Whether to leave out those that are for organisers while standings are frozen."""
    ended_since_us: int | None = None
    """Only those that ended then or later, microseconds since 1970 UTC."""


class Matches(Repository):
    """The matches of all groups."""

    def add(
        self, terms: MatchTerms, new: PlannedMatch, *, group: int, slot: int, now_us: int, voids: int = 0
    ) -> int:
        """Store a match as PENDING; return its id.

        `slot`: its place in the group, from 0; `voids`: how many matches of this slot were void before it.
        """
        values = {
            "group_id": group,
            "slot": slot,
            "voids": voids,
            "group_index": new.seed_group_index,
            "attempt": new.seed_attempt,
            **row_values(
                terms, options=pack(dict(terms.options)), time_control=pack_time_control(terms.time_control)
            ),
            "state": MatchState.PENDING.value,
            "plies": 0,
            "seed_commitment": new.seed_commitment,
            **dict.fromkeys(("ending", "log", "void_reason"), ""),
            "created_us": now_us,
        }
        match = int(_ADD.rows(self._connection, values)[0].id)
        seats = [
            {"match_id": match, "seat": seat, "bot": bot, **_NOT_PLAYED} for seat, bot in enumerate(new.bots)
        ]
        _ADD_SEAT.run_all(self._connection, seats)
        return match

    def find(self, match: int) -> MatchRecord | None:
        """Return the match; None if there is none."""
        rows = _FIND.rows(self._connection, {"match": match})
        seats = _SEATS_OF_MATCH.rows(self._connection, {"match": match}) if rows else ()
        return _match(rows[0], tuple(_seat(seat) for seat in seats)) if rows else None

    def get(self, match: int) -> MatchRecord:
        """Return the match. Raises NotFoundError (MATCH_NOT_FOUND)."""
        return found(self.find(match), ErrorReason.MATCH_NOT_FOUND, "match", match)

    def several(self, matches: Iterable[int]) -> tuple[MatchRecord, ...]:
        """Return those of these matches that there are, in the same order."""
        found = (self.find(match) for match in matches)
        return tuple(match for match in found if match is not None)

    def unfinished(self) -> tuple[MatchRecord, ...]:
        """Return all matches that are RUNNING, or PENDING and may begin, oldest first.

        The pending matches of a paused tournament are left out.
        """
        return self.several(match.id for match in OpenMatches(self._connection).all())

    def of_group(self, group: int) -> tuple[MatchRecord, ...]:
        """Return all matches of a group, void ones included, by id."""
        connection, values = self._connection, {"group": group}
        return _together(_OF_GROUP.rows(connection, values), _SEATS_OF_GROUP.rows(connection, values))

    def page(self, which: MatchFilter, *, before: int | None, limit: int) -> tuple[MatchRecord, ...]:
        """Return matches newest first, those with an id below `before`."""
        wanted = {
            "ladder": which.ladder,
            "tournament": which.tournament,
            "state": None if which.state is None else which.state.value,
            "since": which.ended_since_us,
            "bot": which.bot,
            "before": before,
        }
        given = {name: value for name, value in wanted.items() if value is not None}
        listing = _listing(frozenset(given), begun=which.begun, public=which.public)
        rows = listing.rows(self._connection, {**given, "limit": limit})
        seats = _SEATS_OF.rows(self._connection, {"matches": pack([row.id for row in rows])}) if rows else ()
        return _together(rows, seats)

    def start(self, match: int, versions: Sequence[str], now_us: int) -> bool:
        """Set a PENDING match RUNNING, played by these versions (labels by seat).

        Return True also if these versions play it already: a caller repeats a change whose outcome is not known.
        Return False if it has ended, or others play it.
        """
        if _START.run(self._connection, {"match": match, "now": now_us}) == 0:
            stored = self.get(match)
            return stored.state is MatchState.RUNNING and [seat.version for seat in stored.seats] == [
                *versions
            ]
        seats = [{"match": match, "number": seat, "version": label} for seat, label in enumerate(versions)]
        CHANGE_SEAT.run_all(self._connection, seats)
        return True

    def set_no_shows(self, match: int, counts: Mapping[int, int]) -> None:
        """Set how often the bots on seats of a PENDING match were not ready in time."""
        seats = [{"match": match, "number": seat, "no_shows": count} for seat, count in counts.items()]
        _OF_PENDING.run_all(self._connection, seats)

    def forfeit_seats(self, match: int, endings: Mapping[int, SeatEnding]) -> None:
        """Forfeit these seats of a PENDING match: they end so as soon as it has begun."""
        seats = [{"match": match, "number": seat, **ending_values(end)} for seat, end in endings.items()]
        _OF_PENDING.run_all(self._connection, seats)

    def void(self, match: int, why: str, now_us: int) -> None:
        """Set the match ABORTED by the organiser. `why`: sentences."""
        state = MatchState.ABORTED.value
        self._update(MATCHES, MATCHES.c.id == match, state=state, void_reason=why, ruled_us=now_us)


def _together(rows: Iterable[Any], seats: Iterable[Any]) -> tuple[MatchRecord, ...]:
    """Make matches of rows of matches and rows of their seats, those by seat."""
    of_match: dict[int, list[SeatRecord]] = defaultdict(list)
    for seat in seats:
        of_match[seat.match_id].append(_seat(seat))
    return tuple(_match(row, tuple(of_match[row.id])) for row in rows)


def _matches() -> Select[Any]:
    """Select all columns of a match, and what its group and its slot say of it."""
    replays = _in_slot(after=1).label("replayed_as"), _in_slot(after=-1).label("replay_of")
    of_group = MATCH_GROUPS.c["seed_policy", "completed_us", "frozen"]
    return select(MATCHES, *of_group, *replays).join_from(
        MATCHES, MATCH_GROUPS, MATCHES.c.group_id == MATCH_GROUPS.c.id
    )


def _in_slot(*, after: int) -> ScalarSelect[Any]:
    """Select the match that was played in the same slot so many replays later; earlier, if that is negative."""
    other = MATCHES.alias()
    return (
        select(other.c.id)
        .where(
            other.c.group_id == MATCHES.c.group_id,
            other.c.slot == MATCHES.c.slot,
            other.c.voids == MATCHES.c.voids + after,
        )
        .scalar_subquery()
    )


_IS_IT: Final = MATCHES.c.id == bindparam("match")
_IN_GROUP: Final = MATCHES.c.group_id == bindparam("group")

_FIND: Final = Prepared(_matches().where(_IS_IT))
_SEATS_OF_MATCH: Final = Prepared(
    select(MATCH_SEATS).where(MATCH_SEATS.c.match_id == bindparam("match")).order_by(MATCH_SEATS.c.seat)
)

_OF_GROUP: Final = Prepared(_matches().where(_IN_GROUP).order_by(MATCHES.c.id))
_SEATS_OF_GROUP: Final = Prepared(
    select(MATCH_SEATS)
    .join_from(MATCHES, MATCH_SEATS)
    .where(_IN_GROUP)
    .order_by(MATCHES.c.id, MATCH_SEATS.c.seat)
)

_ASKED: Final = elements_of(bindparam("matches", type_=Text)).table_valued("value")
_SEATS_OF: Final = Prepared(
    select(MATCH_SEATS)
    .where(MATCH_SEATS.c.match_id.in_(select(cast(_ASKED.c.value, Integer))))
    .order_by(MATCH_SEATS.c.match_id, MATCH_SEATS.c.seat)
)
"""`matches`: ids, as JSON."""

_EARLIER: Final = MATCH_SEATS.alias()
_FIRST_OF_BOT: Final = and_(
    MATCH_SEATS.c.bot == bindparam("bot"),
    ~exists().where(
        _EARLIER.c.match_id == MATCH_SEATS.c.match_id,
        _EARLIER.c.bot == MATCH_SEATS.c.bot,
        _EARLIER.c.seat < MATCH_SEATS.c.seat,
    ),
)
"""The first seat of a bot in a match: it may hold several, and the match is listed once."""

_FILTERS: Final[Mapping[str, ColumnElement[bool]]] = {
    "ladder": MATCHES.c.ladder == bindparam("ladder"),
    "tournament": MATCHES.c.tournament == bindparam("tournament"),
    "state": MATCHES.c.state == bindparam("state"),
    "since": MATCHES.c.ended_us >= bindparam("since"),
}


@cache
def _listing(given: frozenset[str], *, begun: bool, public: bool) -> Prepared:
    """Return the statement of a listing, newest first, with these values and a limit.

    `begun`, `public`: as in `MatchFilter`.
    """
    query, place = _matches(), MATCHES.c.id
    for name in sorted(given & _FILTERS.keys()):
        query = query.where(_FILTERS[name])
    if begun:
        query = query.where(MATCHES.c.state != MatchState.PENDING.value)
    if public:
        query = query.where(MATCH_GROUPS.c.frozen.is_not(True))
    if "bot" in given:
        query = query.join(MATCH_SEATS, MATCH_SEATS.c.match_id == MATCHES.c.id).where(_FIRST_OF_BOT)
        place = MATCH_SEATS.c.match_id
    if "before" in given:
        query = query.where(place < bindparam("before"))
    return Prepared(query.order_by(place.desc()).limit(bindparam("limit")))


_ADD: Final = Prepared(insert(MATCHES).returning(MATCHES.c.id))
_ADD_SEAT: Final = Prepared(insert(MATCH_SEATS))

_NOT_PLAYED: Final = {
    **dict.fromkeys(("placing", "score", "decisions", "used_us", "longest_us", "strikes"), 0),
    "evidence": pack([]),
    "sentence": "",
}

_START: Final = Prepared(
    update(MATCHES)
    .where(_IS_IT, MATCHES.c.state == MatchState.PENDING.value)
    .values(state=MatchState.RUNNING.value, started_us=bindparam("now"))
)

_CHANGE_SEAT: Final = update(MATCH_SEATS).where(
    MATCH_SEATS.c.match_id == bindparam("match"), MATCH_SEATS.c.seat == bindparam("number")
)
CHANGE_SEAT: Final = Prepared(_CHANGE_SEAT)

_OF_PENDING: Final = Prepared(
    _CHANGE_SEAT.where(exists().where(_IS_IT, MATCHES.c.state == MatchState.PENDING.value))
)


def ending_values(ending: SeatEnding) -> dict[str, object]:
    """Return the columns of the end of a seat."""
    return {
        "termination": ending.termination.value,
        "fault": ending.fault.value,
        "evidence": pack(ending.evidence),
        "sentence": ending.sentence,
    }


def _match(row: Any, seats: tuple[SeatRecord, ...]) -> MatchRecord:
    return from_row(
        MatchRecord,
        row,
        terms=from_row(
            MatchTerms,
            row,
            options=unpack_texts(row.options),
            time_control=unpack_time_control(row.time_control),
            rated=bool(row.rated),
        ),
        group=row.group_id,
        seed_group_index=row.group_index,
        seed_attempt=row.attempt,
        state=MatchState(row.state),
        seed_policy=SeedPolicy(row.seed_policy),
        group_complete=row.completed_us is not None,
        frozen=bool(row.frozen),
        seats=seats,
    )


def _seat(row: Any) -> SeatRecord:
    ending = None
    if row.termination is not None:
        ending = SeatEnding(
            Termination(row.termination), Fault(row.fault), unpack_evidence(row.evidence), row.sentence
        )
    return from_row(SeatRecord, row, ending=ending)
