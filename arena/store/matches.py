"""Matches and their seats as stored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
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

from arena.core.errors import ErrorReason, NotFoundError
from arena.core.match import MatchState, SeedPolicy
from arena.core.terminations import Fault, SeatEnding, Termination
from arena.core.time_control import TimeControl
from arena.core.tournaments import TournamentState
from arena.store.packing import pack, pack_time_control, unpack_evidence, unpack_texts, unpack_time_control
from arena.store.schema import MATCH_GROUPS, MATCH_SEATS, MATCHES, TOURNAMENTS

OPEN_STATES: Final = (MatchState.PENDING, MatchState.RUNNING)
"""The states of a match that has not ended."""


@dataclass(frozen=True, slots=True)
class NewMatch:
    """A match that is paired and has not begun."""

    group: int
    slot: int
    """Its place in the group, from 0; a replay has the slot of the match that was void."""
    voids: int
    """How many matches of this slot were void before it."""
    group_index: int
    attempt: int
    """As in the derivation of its seed; not every replay has a new one."""
    ladder: str | None
    tournament: str | None
    game: str
    rules_version: int
    options: Mapping[str, str]
    time_control: TimeControl
    rated: bool
    seed_commitment: bytes
    created_us: int
    bots: tuple[str, ...]
    """By seat."""


@dataclass(frozen=True, slots=True)
class SeatRow:
    """One seat of a match. Before the end all but bot and version are 0 or None."""

    bot: str
    version: str | None
    """The label of the version that plays; None before the match has begun."""
    placing: int
    score: int
    ending: SeatEnding | None
    decisions: int
    used_us: int
    longest_us: int
    strikes: int


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A match with its seats."""

    id: int
    group: int
    slot: int
    voids: int
    group_index: int
    attempt: int
    ladder: str | None
    tournament: str | None
    game: str
    rules_version: int
    options: Mapping[str, str]
    time_control: TimeControl
    rated: bool
    state: MatchState
    ending: str
    plies: int
    seed_commitment: bytes
    seed: bytes | None
    """None before the end, and when a replay uses the same seed."""
    log: str
    """The name of the log, 64 hex digits; empty if there is none."""
    void_reason: str
    created_us: int
    started_us: int | None
    ended_us: int | None
    seed_policy: SeedPolicy
    group_complete: bool
    replayed_as: int | None
    """The match that is played instead of this void one."""
    ruled_us: int | None
    """When the organiser ruled that it is void; None if he has not."""
    seats: tuple[SeatRow, ...]

    @property
    def bots(self) -> tuple[str, ...]:
        """Who plays, by seat."""
        return tuple(seat.bot for seat in self.seats)

    @property
    def ended(self) -> bool:
        """Whether it has come to an end of any kind."""
        return self.state not in OPEN_STATES

    @property
    def left_to_organiser(self) -> bool:
        """Whether it is void and nobody has said yet what becomes of its place in the group."""
        decided = self.group_complete or self.replayed_as is not None or self.ruled_us is not None
        return self.state is MatchState.ABORTED and not decided

    @property
    def sealed(self) -> bool:
        """Whether seed and log must not be shown yet: another match may still be played on the seed."""
        if not self.ended:
            return True
        return not self.group_complete and (self.seed_policy is SeedPolicy.SHARED or self.seed is None)


@dataclass(frozen=True, slots=True)
class MatchFilter:
    """Which matches a listing shows; None for all."""

    ladder: str | None = None
    tournament: str | None = None
    bot: str | None = None
    state: MatchState | None = None


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
            "group_index": new.group_index,
            "attempt": new.attempt,
            "ladder": new.ladder,
            "tournament": new.tournament,
            "game": new.game,
            "rules_version": new.rules_version,
            "options": pack(dict(new.options)),
            "time_control": pack_time_control(new.time_control),
            "rated": new.rated,
            "state": MatchState.PENDING.value,
            "ending": "",
            "plies": 0,
            "seed_commitment": new.seed_commitment,
            "log": "",
            "void_reason": "",
            "created_us": new.created_us,
        }
        match = int(self._connection.execute(_ADD, values).scalar_one())
        self._connection.execute(
            insert(MATCH_SEATS), [_empty_seat(match, *pair) for pair in enumerate(new.bots)]
        )
        return match

    def find(self, match: int) -> MatchRow | None:
        """The match; None if there is none."""
        rows = self._with_seats(_FIND, {"match": match})
        return rows[0] if rows else None

    def get(self, match: int) -> MatchRow:
        """The match. Raises NotFoundError (MATCH_NOT_FOUND)."""
        row = self.find(match)
        if row is None:
            raise NotFoundError(
                ErrorReason.MATCH_NOT_FOUND,
                f"There is no match {match}; `arena match list` shows all.",
                match=str(match),
            )
        return row

    def unfinished(self) -> tuple[MatchRow, ...]:
        """All matches that are RUNNING, or PENDING and may begin, oldest first: what an arena has to look after.

        The pending matches of a paused tournament are left out.
        """
        return self._with_seats(_UNFINISHED)

    def of_group(self, group: int) -> tuple[MatchRow, ...]:
        """All matches of a group, void ones included, by id."""
        return self._with_seats(_OF_GROUP, {"group": group})

    def page(self, which: MatchFilter, *, before: int | None, limit: int) -> tuple[MatchRow, ...]:
        """Matches newest first, those with an id below `before`."""
        query = _matches().limit(limit)
        if which.ladder is not None:
            query = query.where(MATCHES.c.ladder == which.ladder)
        if which.tournament is not None:
            query = query.where(MATCHES.c.tournament == which.tournament)
        if which.state is not None:
            query = query.where(MATCHES.c.state == which.state.value)
        place = MATCHES.c.id
        if which.bot is not None:
            query = query.join(MATCH_SEATS, MATCH_SEATS.c.match_id == MATCHES.c.id).where(
                _first_of(which.bot)
            )
            place = MATCH_SEATS.c.match_id
        if before is not None:
            query = query.where(place < before)
        return self._with_seats(query.order_by(place.desc()))

    def start(self, match: int, versions: Sequence[str], now_us: int) -> bool:
        """The match is RUNNING, played by these versions (labels by seat); False if it was not PENDING."""
        if self._connection.execute(_START, {"match": match, "now": now_us}).rowcount == 0:
            return False
        seats = [{"match": match, "number": seat, "label": label} for seat, label in enumerate(versions)]
        self._connection.execute(_SEAT_VERSION, seats)
        return True

    def void(self, match: int, why: str, now_us: int) -> None:
        """The match is ABORTED because the organiser says so. `why`: sentences."""
        self._connection.execute(
            update(MATCHES)
            .where(MATCHES.c.id == match)
            .values(state=MatchState.ABORTED.value, void_reason=why, ruled_us=now_us)
        )

    def _with_seats(
        self, query: Select[Any], values: Mapping[str, object] | None = None
    ) -> tuple[MatchRow, ...]:
        rows = self._connection.execute(query, values).all()
        seats: dict[int, list[SeatRow]] = {row._mapping["id"]: [] for row in rows}
        for seat in self._connection.execute(_SEATS, {"matches": list(seats)}) if seats else ():
            seats[seat._mapping["match_id"]].append(_seat(seat))
        return tuple(_match(row, tuple(seats[row._mapping["id"]])) for row in rows)


def _matches() -> Select[Any]:
    of_group = (MATCH_GROUPS.c.seed_policy, MATCH_GROUPS.c.completed_us)
    return select(MATCHES, *of_group, _next_in_slot().label("replayed_as")).join_from(
        MATCHES, MATCH_GROUPS, MATCHES.c.group_id == MATCH_GROUPS.c.id
    )


def _next_in_slot() -> ScalarSelect[Any]:
    """The match that is played in the same slot after a void one."""
    later = MATCHES.alias()
    return (
        select(later.c.id)
        .where(
            later.c.group_id == MATCHES.c.group_id,
            later.c.slot == MATCHES.c.slot,
            later.c.voids == MATCHES.c.voids + 1,
        )
        .scalar_subquery()
    )


# Every match begins and ends with these: put together once, they cost a third.

_FIND: Final = _matches().where(MATCHES.c.id == bindparam("match"))

_OF_GROUP: Final = _matches().where(MATCHES.c.group_id == bindparam("group")).order_by(MATCHES.c.id)

_UNFINISHED: Final = (
    _matches()
    .where(
        MATCHES.c.state.in_([state.value for state in OPEN_STATES]),
        or_(
            MATCHES.c.state == MatchState.RUNNING.value,
            MATCHES.c.tournament.is_(None),
            MATCHES.c.tournament.not_in(
                select(TOURNAMENTS.c.id).where(TOURNAMENTS.c.state == TournamentState.PAUSED.value)
            ),
        ),
    )
    .order_by(MATCHES.c.id)
)

_SEATS: Final = (
    select(MATCH_SEATS)
    .where(MATCH_SEATS.c.match_id.in_(bindparam("matches", expanding=True)))
    .order_by(MATCH_SEATS.c.match_id, MATCH_SEATS.c.seat)
)

_ADD: Final = insert(MATCHES).returning(MATCHES.c.id)

_START: Final = (
    update(MATCHES)
    .where(MATCHES.c.id == bindparam("match"), MATCHES.c.state == MatchState.PENDING.value)
    .values(state=MatchState.RUNNING.value, started_us=bindparam("now"))
)

_SEAT_VERSION: Final = (
    update(MATCH_SEATS)
    .where(MATCH_SEATS.c.match_id == bindparam("match"), MATCH_SEATS.c.seat == bindparam("number"))
    .values(version=bindparam("label"))
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


def _match(row: Row[Any], seats: tuple[SeatRow, ...]) -> MatchRow:
    values = row._mapping
    seed = values["seed"]
    return MatchRow(
        id=values["id"],
        group=values["group_id"],
        slot=values["slot"],
        voids=values["voids"],
        group_index=values["group_index"],
        attempt=values["attempt"],
        ladder=values["ladder"],
        tournament=values["tournament"],
        game=values["game"],
        rules_version=values["rules_version"],
        options=unpack_texts(values["options"]),
        time_control=unpack_time_control(values["time_control"]),
        rated=values["rated"],
        state=MatchState(values["state"]),
        ending=values["ending"],
        plies=values["plies"],
        seed_commitment=bytes(values["seed_commitment"]),
        seed=None if seed is None else bytes(seed),
        log=values["log"],
        void_reason=values["void_reason"],
        created_us=values["created_us"],
        started_us=values["started_us"],
        ended_us=values["ended_us"],
        seed_policy=SeedPolicy(values["seed_policy"]),
        group_complete=values["completed_us"] is not None,
        replayed_as=values["replayed_as"],
        ruled_us=values["ruled_us"],
        seats=seats,
    )


def _seat(row: Row[Any]) -> SeatRow:
    values = row._mapping
    termination = values["termination"]
    ending = None
    if termination is not None:
        ending = SeatEnding(
            termination=Termination(termination),
            fault=Fault(values["fault"]),
            evidence=unpack_evidence(values["evidence"]),
            sentence=values["sentence"],
        )
    return SeatRow(
        bot=values["bot"],
        version=values["version"],
        placing=values["placing"],
        score=values["score"],
        ending=ending,
        decisions=values["decisions"],
        used_us=values["used_us"],
        longest_us=values["longest_us"],
        strikes=values["strikes"],
    )
