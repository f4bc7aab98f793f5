"""Matches and their seats as stored."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import (
    ColumnElement,
    Connection,
    ScalarSelect,
    Select,
    and_,
    bindparam,
    exists,
    insert,
    or_,
    select,
    update,
)

from arena.core.endings.terminations import Fault, SeatEnding, Termination
from arena.core.errors import ErrorReason, NotFoundError
from arena.core.match import MatchState, SeedPolicy
from arena.core.match_record import OPEN_STATES, MatchRecord, MatchTerms, SeatRecord
from arena.core.tournaments import TournamentState
from arena.store.json_columns import (
    pack,
    pack_evidence,
    pack_time_control,
    unpack_evidence,
    unpack_texts,
    unpack_time_control,
)
from arena.store.prepared import Prepared
from arena.store.schema import MATCH_GROUPS, MATCH_SEATS, MATCHES, TOURNAMENTS


@dataclass(frozen=True, slots=True)
class NewMatch:
    """A match that is paired and has not begun."""

    terms: MatchTerms
    group: int
    slot: int
    """Its place in the group, from 0; a replay has the slot of the match that was void."""
    voids: int
    """How many matches of this slot were void before it."""
    seed_group_index: int
    seed_attempt: int
    """As in `MatchRecord`."""
    seed_commitment: bytes
    created_us: int
    bots: tuple[str, ...]
    """By seat."""


@dataclass(frozen=True, slots=True)
class MatchFilter:
    """Which matches a listing shows; None for all."""

    ladder: str | None = None
    tournament: str | None = None
    bot: str | None = None
    state: MatchState | None = None
    begun: bool = False
    """Whether to leave out those that are PENDING."""


class Matches:
    """The matches of all groups."""

    def __init__(self, connection: Connection) -> None:
        """`connection`: of the transaction that all calls belong to."""
        self._connection = connection

    def add(self, new: NewMatch) -> int:
        """The id of the new match, which is PENDING."""
        values = {
            "group_id": new.group,
            "slot": new.slot,
            "voids": new.voids,
            "group_index": new.seed_group_index,
            "attempt": new.seed_attempt,
            **_terms_values(new.terms),
            "state": MatchState.PENDING.value,
            "ending": "",
            "plies": 0,
            "seed_commitment": new.seed_commitment,
            "log": "",
            "void_reason": "",
            "created_us": new.created_us,
        }
        match = int(_ADD.rows(self._connection, values)[0][0])
        _ADD_SEAT.run_all(self._connection, [_empty_seat(match, *pair) for pair in enumerate(new.bots)])
        return match

    def find(self, match: int) -> MatchRecord | None:
        """The match; None if there is none."""
        rows = _FIND.rows(self._connection, {"match": match})
        seats = _SEATS_OF_MATCH.rows(self._connection, {"match": match}) if rows else ()
        return _match(rows[0], tuple(_seat(seat) for seat in seats)) if rows else None

    def get(self, match: int) -> MatchRecord:
        """The match. Raises NotFoundError (MATCH_NOT_FOUND)."""
        row = self.find(match)
        if row is None:
            raise NotFoundError(
                ErrorReason.MATCH_NOT_FOUND,
                f"There is no match {match}; `arena match list` shows all.",
                match=str(match),
            )
        return row

    def several(self, matches: Iterable[int]) -> tuple[MatchRecord, ...]:
        """Those of these matches that there are, in the same order."""
        found = (self.find(match) for match in matches)
        return tuple(match for match in found if match is not None)

    def unfinished(self) -> tuple[MatchRecord, ...]:
        """All matches that are RUNNING, or PENDING and may begin, oldest first: what an arena has to look after.

        The pending matches of a paused tournament are left out.
        """
        return _together(
            _UNFINISHED.rows(self._connection, {}), _SEATS_OF_UNFINISHED.rows(self._connection, {})
        )

    def of_group(self, group: int) -> tuple[MatchRecord, ...]:
        """All matches of a group, void ones included, by id."""
        values = {"group": group}
        return _together(
            _OF_GROUP.rows(self._connection, values), _SEATS_OF_GROUP.rows(self._connection, values)
        )

    def page(self, which: MatchFilter, *, before: int | None, limit: int) -> tuple[MatchRecord, ...]:
        """Matches newest first, those with an id below `before`."""
        query = _matches().limit(limit)
        if which.ladder is not None:
            query = query.where(MATCHES.c.ladder == which.ladder)
        if which.tournament is not None:
            query = query.where(MATCHES.c.tournament == which.tournament)
        if which.state is not None:
            query = query.where(MATCHES.c.state == which.state.value)
        if which.begun:
            query = query.where(MATCHES.c.state != MatchState.PENDING.value)
        place = MATCHES.c.id
        if which.bot is not None:
            query = query.join(MATCH_SEATS, MATCH_SEATS.c.match_id == MATCHES.c.id).where(
                _first_of(which.bot)
            )
            place = MATCH_SEATS.c.match_id
        if before is not None:
            query = query.where(place < before)
        rows = self._connection.execute(query.order_by(place.desc())).all()
        return _together(rows, self._connection.execute(_SEATS_OF, {"matches": [row[0] for row in rows]}))

    def start(self, match: int, versions: Sequence[str], now_us: int) -> bool:
        """The match is RUNNING, played by these versions (labels by seat); False if it was not PENDING."""
        if _START.run(self._connection, {"match": match, "now": now_us}) == 0:
            return False
        seats = [{"match": match, "number": seat, "label": label} for seat, label in enumerate(versions)]
        _SEAT_VERSION.run_all(self._connection, seats)
        return True

    def note_no_shows(self, match: int, seats: Collection[int]) -> None:
        """The bots on these seats of a match that is PENDING were not ready in time, once more."""
        _NO_SHOW.run_all(self._connection, [{"match": match, "number": seat} for seat in seats])

    def forfeit_seats(self, match: int, endings: Mapping[int, SeatEnding]) -> None:
        """These seats of a match that is PENDING are forfeited, and end so as soon as it has begun."""
        _FORFEIT_SEAT.run_all(
            self._connection,
            [
                {
                    "match": match,
                    "number": seat,
                    "termination": ending.termination.value,
                    "fault": ending.fault.value,
                    "evidence": pack_evidence(ending.evidence),
                    "sentence": ending.sentence,
                }
                for seat, ending in endings.items()
            ],
        )

    def void(self, match: int, why: str, now_us: int) -> None:
        """The match is ABORTED because the organiser says so. `why`: sentences."""
        self._connection.execute(
            update(MATCHES)
            .where(MATCHES.c.id == match)
            .values(state=MatchState.ABORTED.value, void_reason=why, ruled_us=now_us)
        )


def _together(rows: Iterable[Sequence[Any]], seats: Iterable[Sequence[Any]]) -> tuple[MatchRecord, ...]:
    """Rows of matches and rows of their seats, those by seat, as matches."""
    of_match: dict[int, list[SeatRecord]] = defaultdict(list)
    for seat in seats:
        of_match[seat[0]].append(_seat(seat))
    return tuple(_match(row, tuple(of_match[row[0]])) for row in rows)


def _matches() -> Select[Any]:
    """All columns of a match, with what its group and its slot tell, as `_match` reads them."""
    replays = _in_slot(after=1).label("replayed_as"), _in_slot(after=-1).label("replay_of")
    return select(MATCHES, MATCH_GROUPS.c.seed_policy, MATCH_GROUPS.c.completed_us, *replays).join_from(
        MATCHES, MATCH_GROUPS, MATCHES.c.group_id == MATCH_GROUPS.c.id
    )


def _in_slot(*, after: int) -> ScalarSelect[Any]:
    """The match that was played in the same slot so many replays later; earlier, if that is negative."""
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


def _seats() -> Select[Any]:
    """All columns of a seat, as `_seat` reads them."""
    return select(MATCH_SEATS)


def _unfinished() -> ColumnElement[bool]:
    paused = select(TOURNAMENTS.c.id).where(TOURNAMENTS.c.state == TournamentState.PAUSED.value)
    return and_(
        MATCHES.c.state.in_([state.value for state in OPEN_STATES]),
        or_(
            MATCHES.c.state == MatchState.RUNNING.value,
            MATCHES.c.tournament.is_(None),
            MATCHES.c.tournament.not_in(paused),
        ),
    )


_MATCH_COLUMNS: Final = tuple(_matches().selected_columns.keys())
_SEAT_COLUMNS: Final = tuple(MATCH_SEATS.c.keys())

_IS_IT: Final = MATCHES.c.id == bindparam("match")
_IN_GROUP: Final = MATCHES.c.group_id == bindparam("group")
_SEATS_BY_MATCH: Final = _seats().join_from(MATCHES, MATCH_SEATS).order_by(MATCHES.c.id, MATCH_SEATS.c.seat)

_FIND: Final = Prepared(_matches().where(_IS_IT))
_SEATS_OF_MATCH: Final = Prepared(
    _seats().where(MATCH_SEATS.c.match_id == bindparam("match")).order_by(MATCH_SEATS.c.seat)
)

_OF_GROUP: Final = Prepared(_matches().where(_IN_GROUP).order_by(MATCHES.c.id))
_SEATS_OF_GROUP: Final = Prepared(_SEATS_BY_MATCH.where(_IN_GROUP))

_UNFINISHED: Final = Prepared(_matches().where(_unfinished()).order_by(MATCHES.c.id))
_SEATS_OF_UNFINISHED: Final = Prepared(_SEATS_BY_MATCH.where(_unfinished()))

_SEATS_OF: Final = (
    _seats()
    .where(MATCH_SEATS.c.match_id.in_(bindparam("matches", expanding=True)))
    .order_by(MATCH_SEATS.c.match_id, MATCH_SEATS.c.seat)
)

_NOT_SET: Final = frozenset({"id", "seed", "started_us", "ended_us", "ruled_us"})
"""Columns that a new match has no value for."""

_ADD: Final = Prepared(
    insert(MATCHES).returning(MATCHES.c.id), (each.name for each in MATCHES.c if each.name not in _NOT_SET)
)

_ADD_SEAT: Final = Prepared(
    insert(MATCH_SEATS),
    (each.name for each in MATCH_SEATS.c if each.name not in {"version", "termination", "fault", "no_shows"}),
)

_START: Final = Prepared(
    update(MATCHES)
    .where(_IS_IT, MATCHES.c.state == MatchState.PENDING.value)
    .values(state=MatchState.RUNNING.value, started_us=bindparam("now"))
)

_SEAT_VERSION: Final = Prepared(
    update(MATCH_SEATS)
    .where(MATCH_SEATS.c.match_id == bindparam("match"), MATCH_SEATS.c.seat == bindparam("number"))
    .values(version=bindparam("label"))
)


_OF_PENDING: Final = and_(
    MATCH_SEATS.c.match_id == bindparam("match"),
    MATCH_SEATS.c.seat == bindparam("number"),
    exists().where(_IS_IT, MATCHES.c.state == MatchState.PENDING.value),
)

_NO_SHOW: Final = Prepared(update(MATCH_SEATS).where(_OF_PENDING).values(no_shows=MATCH_SEATS.c.no_shows + 1))

_FORFEIT_SEAT: Final = Prepared(
    update(MATCH_SEATS).where(_OF_PENDING), ("termination", "fault", "evidence", "sentence")
)


def _first_of(bot: str) -> ColumnElement[bool]:
    """The first seat of a bot in a match: it may hold several, and the match is listed once."""
    earlier = MATCH_SEATS.alias()
    is_earlier = and_(
        earlier.c.match_id == MATCH_SEATS.c.match_id,
        earlier.c.bot == MATCH_SEATS.c.bot,
        earlier.c.seat < MATCH_SEATS.c.seat,
    )
    return and_(MATCH_SEATS.c.bot == bot, ~exists().where(is_earlier))


def _empty_seat(match: int, seat: int, bot: str) -> dict[str, object]:
    return {
        "match_id": match,
        "seat": seat,
        "bot": bot,
        "placing": 0,
        "score": 0,
        "evidence": pack([]),
        "sentence": "",
        "decisions": 0,
        "used_us": 0,
        "longest_us": 0,
        "strikes": 0,
    }


def _terms_values(terms: MatchTerms) -> dict[str, object]:
    return {
        "ladder": terms.ladder,
        "tournament": terms.tournament,
        "game": terms.game,
        "rules_version": terms.rules_version,
        "options": pack(dict(terms.options)),
        "time_control": pack_time_control(terms.time_control),
        "rated": terms.rated,
    }


def _match(row: Sequence[Any], seats: tuple[SeatRecord, ...]) -> MatchRecord:
    """`row`: the columns of `_matches`."""
    value = dict(zip(_MATCH_COLUMNS, row, strict=True))
    return MatchRecord(
        id=value["id"],
        terms=MatchTerms(
            game=value["game"],
            rules_version=value["rules_version"],
            options=unpack_texts(value["options"]),
            time_control=unpack_time_control(value["time_control"]),
            rated=bool(value["rated"]),
            ladder=value["ladder"],
            tournament=value["tournament"],
        ),
        group=value["group_id"],
        slot=value["slot"],
        voids=value["voids"],
        seed_group_index=value["group_index"],
        seed_attempt=value["attempt"],
        state=MatchState(value["state"]),
        ending=value["ending"],
        plies=value["plies"],
        seed_commitment=bytes(value["seed_commitment"]),
        seed=None if value["seed"] is None else bytes(value["seed"]),
        log=value["log"],
        void_reason=value["void_reason"],
        created_us=value["created_us"],
        started_us=value["started_us"],
        ended_us=value["ended_us"],
        seed_policy=SeedPolicy(value["seed_policy"]),
        group_complete=value["completed_us"] is not None,
        replayed_as=value["replayed_as"],
        replay_of=value["replay_of"],
        ruled_us=value["ruled_us"],
        seats=seats,
    )


def _seat(row: Sequence[Any]) -> SeatRecord:
    """`row`: the columns of `_seats`."""
    value = dict(zip(_SEAT_COLUMNS, row, strict=True))
    ending = None
    if value["termination"] is not None:
        ending = SeatEnding(
            Termination(value["termination"]),
            Fault(value["fault"]),
            unpack_evidence(value["evidence"]),
            value["sentence"],
        )
    return SeatRecord(
        bot=value["bot"],
        version=value["version"],
        placing=value["placing"],
        score=value["score"],
        ending=ending,
        decisions=value["decisions"],
        used_us=value["used_us"],
        longest_us=value["longest_us"],
        strikes=value["strikes"],
        no_shows=value["no_shows"],
    )
