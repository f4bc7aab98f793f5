"""Ladders, and the daily secrets that their seeds come from."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from functools import partial
from typing import Any, Final

from sqlalchemy import bindparam, case, delete, exists, func, select, update

from arena.core.clock.time_control import TimeControl
from arena.core.errors import ErrorReason
from arena.core.match import MatchState, SeedPolicy
from arena.store.json_columns import (
    pack,
    pack_options,
    pack_time_control,
    unpack_numbers,
    unpack_options,
    unpack_time_control,
)
from arena.store.repository import Prepared, Repository, check_new, found, from_row, row_values
from arena.store.schema import (
    EXPORT_ORDER,
    FROZEN_STANDINGS,
    LADDER_ENTRIES,
    LADDER_SECRETS,
    LADDERS,
    MATCH_GROUPS,
    MATCHES,
    RATING_LEDGER,
)


class LadderState(Enum):
    """Whether a ladder pairs bots; the numbers of proto/arena/v1/ladder.proto."""

    RUNNING = 1
    """Matchmaking is on."""
    PAUSED = 2


@dataclass(frozen=True, slots=True)
class LadderRow:
    """Open-ended play of one game."""

    id: str
    game: str
    rules_version: int
    seat_counts: tuple[int, ...]
    """Ascending."""
    options: Mapping[int, Mapping[str, str]]
    """All options by name as text, for each seat count."""
    time_control: TimeControl
    same_owner: bool
    """Whether bots of one owner may meet."""
    created_us: int
    state: LadderState = LadderState.PAUSED
    remaining_matches: int | None = None
    """Matches still to be finished before it pauses by itself; None: without end."""
    finished_matches: int = 0
    groups_created: int = 0
    """The number of its newest match group; they are counted from 1."""
    seed_policy: SeedPolicy | None = None
    """Of its groups: DERIVED or SHARED; None: as the game's chance requires."""
    season: int = 1
    """The season that it is in, from 1."""
    title: str = ""
    """How it is shown beside its id; empty: by its id alone."""
    hidden: bool = False
    """Whether listings leave it out."""
    deadline_us: int | None = None
    """From when on owners enter no bot, and the versions of its bots stay as they are; None: there is no deadline."""
    deadline_recorded: bool = False
    """Whether the audit trail has the versions that the deadline left."""
    archived: bool = False
    """Whether no match begins on it any more; listings leave it out unless asked."""
    freeze_us: int | None = None
    """When its standings froze, or will freeze; None: there is no freeze."""
    frozen_seq: int | None = None
    """The newest entry of its ledger when its standings froze; None: they are not frozen."""
    revealing: bool = False
    """Whether ranks of its frozen standings have been revealed, but not all."""

    @property
    def frozen(self) -> bool:
        """Whether only organisers see what was counted since its standings froze."""
        return self.frozen_seq is not None

    @property
    def solo(self) -> bool:
        """Whether its matches have one seat: bots are not rated but ranked by score on the same boards."""
        return self.seat_counts == (1,)


@dataclass(frozen=True, slots=True)
class SecretRow:
    """The secret of one day of one ladder."""

    day: str
    """ISO date, UTC."""
    secret: bytes
    """T, 32 bytes. Not to be shown before it is revealed."""
    commitment: bytes
    """32 bytes."""
    revealed_us: int | None


class Ladders(Repository):
    """The ladders and their secrets."""

    def add(self, ladder: LadderRow) -> None:
        """Store the ladder. Raises AlreadyExistsError (LADDER_EXISTS)."""
        check_new(self.find(ladder.id), ErrorReason.LADDER_EXISTS, "ladder", ladder.id)
        values = row_values(
            ladder,
            seat_counts=pack(ladder.seat_counts),
            options=pack_options(ladder.options),
            time_control=pack_time_control(ladder.time_control),
            state=ladder.state.value,
            seed_policy=None if ladder.seed_policy is None else ladder.seed_policy.value,
        )
        self._insert(LADDERS, **values, ledger_seq=0)

    def find(self, ladder: str) -> LadderRow | None:
        """Return the ladder; None if there is none."""
        return self._first(_FIND, _ladder, ladder=ladder)

    def get(self, ladder: str) -> LadderRow:
        """Return the ladder. Raises NotFoundError (LADDER_NOT_FOUND)."""
        return found(self.find(ladder), ErrorReason.LADDER_NOT_FOUND, "ladder", ladder)

    def page(
        self, *, show_hidden: bool, show_archived: bool, after: str | None, limit: int
    ) -> tuple[LadderRow, ...]:
        """Return ladders by id, those after the id `after`."""
        query = select(LADDERS) if show_hidden else select(LADDERS).where(LADDERS.c.hidden.is_(False))
        if not show_archived:
            query = query.where(LADDERS.c.archived.is_(False))
        return self._page(query, LADDERS.c.id, after=after, limit=limit, make=_ladder)

    def running(self) -> tuple[LadderRow, ...]:
        """Return all ladders whose matchmaking is on, by id."""
        return self._all(_RUNNING, _ladder)

    def run(self, ladder: str, remaining_matches: int | None) -> None:
        """Turn matchmaking on, for at least so many more matches or without end (None)."""
        state = LadderState.RUNNING.value
        self._update(LADDERS, LADDERS.c.id == ladder, state=state, remaining_matches=remaining_matches)

    def pause(self, ladder: str) -> None:
        """Turn matchmaking off."""
        state = LadderState.PAUSED.value
        self._update(LADDERS, LADDERS.c.id == ladder, state=state, remaining_matches=None)

    def count_matches(self, ladder: str, state: MatchState) -> int:
        """Return how many of its matches are in this state: PENDING or RUNNING, of which there are few."""
        return self._number(_COUNT, ladder=ladder, state=state.value)

    def count_finished(self, ladder: str, matches: int) -> None:
        """Add so many matches to those that count as finished."""
        self._update(LADDERS, LADDERS.c.id == ladder, finished_matches=LADDERS.c.finished_matches + matches)

    def use_up_match(self, ladder: str, *, finished: bool) -> None:
        """Subtract one match from those that remain before the ladder pauses. `finished`: it counts as finished."""
        _USE_UP_MATCH.run(self._connection, {"ladder": ladder, "finished": int(finished)})

    def pause_if_done(self, ladder: str) -> None:
        """Pause the ladder if none of its matches remain to be played and no match group is open."""
        _PAUSE_IF_DONE.run(self._connection, {"of_ladder": ladder})

    def next_group_number(self, ladder: str) -> int:
        """Count one more match group; return its number, from 1."""
        return int(_NEXT_GROUP.rows(self._connection, {"ladder": ladder})[0].groups_created)

    def next_ledger_seq(self, ladder: str) -> int:
        """Return the next place in the ladder's ledger, from 1; it is taken until the transaction ends."""
        return int(_NEXT_LEDGER_SEQ.rows(self._connection, {"ladder": ladder})[0].ledger_seq)

    def begin_season(self, ladder: str, season: int) -> None:
        """Store the number of the season that the ladder is in."""
        self._update(LADDERS, LADDERS.c.id == ladder, season=season)

    def set_title(self, ladder: str, title: str) -> None:
        """Set the title; empty: none."""
        self._update(LADDERS, LADDERS.c.id == ladder, title=title)

    def set_hidden(self, ladder: str, hidden: bool) -> None:
        """Hide the ladder, or show it again."""
        self._update(LADDERS, LADDERS.c.id == ladder, hidden=hidden)

    def set_deadline(self, ladder: str, deadline_us: int | None) -> None:
        """Set the deadline, or remove it; it is to be recorded when it passes."""
        self._update(LADDERS, LADDERS.c.id == ladder, deadline_us=deadline_us, deadline_recorded=False)

    def deadlines_to_record(self, now_us: int) -> tuple[LadderRow, ...]:
        """Return the ladders whose deadline has passed and is not recorded."""
        passed = LADDERS.c.deadline_recorded.is_(False), LADDERS.c.deadline_us <= now_us
        return self._all(select(LADDERS).where(*passed), _ladder)

    def note_deadline_recorded(self, ladder: str) -> None:
        """Store that the audit trail has the versions that the deadline left."""
        self._update(LADDERS, LADDERS.c.id == ladder, deadline_recorded=True)

    def closed_for(self, bot: str, now_us: int) -> str | None:
        """Return a ladder that the bot is on and whose deadline has passed, archived ones left out; None: none."""
        query = (
            select(func.min(LADDERS.c.id))
            .join(LADDER_ENTRIES, LADDER_ENTRIES.c.ladder == LADDERS.c.id)
            .where(LADDER_ENTRIES.c.bot == bot, LADDER_ENTRIES.c.active.is_(True))
            .where(LADDERS.c.deadline_us <= now_us, LADDERS.c.archived.is_(False))
        )
        closed: str | None = self._connection.execute(query).scalar_one()
        return closed

    def set_freeze(self, ladder: str, freeze_us: int | None) -> None:
        """Set when the standings freeze, or that they do not."""
        self._update(LADDERS, LADDERS.c.id == ladder, freeze_us=freeze_us)

    def to_freeze(self) -> tuple[LadderRow, ...]:
        """Return the ladders whose standings will freeze, the next one first."""
        return self._all(_TO_FREEZE, _ladder)

    def frozen(self) -> frozenset[str]:
        """Return the ladders whose standings are frozen."""
        return frozenset(self._all(_FROZEN, lambda row: row.id))

    def set_archived(self, ladder: str, archived: bool) -> None:
        """Archive the ladder, or take it out of the archive."""
        self._update(LADDERS, LADDERS.c.id == ladder, archived=archived)

    def remove(self, ladder: str) -> None:
        """Remove a ladder without match groups, with its entries and its anchors."""
        for table in (EXPORT_ORDER, RATING_LEDGER, LADDER_ENTRIES, LADDER_SECRETS, FROZEN_STANDINGS):
            self._connection.execute(delete(table).where(table.c.ladder == ladder))
        self._connection.execute(delete(LADDERS).where(LADDERS.c.id == ladder))

    def add_secret(self, ladder: str, secret: SecretRow) -> None:
        """Store the secret of a day, before anything is paired with it."""
        self._insert(LADDER_SECRETS, ladder=ladder, **row_values(secret))

    def find_secret(self, ladder: str, day: str) -> SecretRow | None:
        """Return the secret of a day; None if there is none yet."""
        return self._first(_FIND_SECRET, _secret, ladder=ladder, day=day)

    def secrets(self, ladder: str, limit: int) -> tuple[SecretRow, ...]:
        """Return the secrets of the newest days, newest first."""
        return self._all(_SECRETS, _secret, ladder=ladder, limit=limit)

    def reveal_secrets(self, ladder: str, *, today: str, now_us: int) -> None:
        """Reveal every secret of a day before `today` whose match groups are all complete."""
        self._connection.execute(
            update(LADDER_SECRETS)
            .where(
                LADDER_SECRETS.c.ladder == ladder,
                LADDER_SECRETS.c.day < today,
                LADDER_SECRETS.c.revealed_us.is_(None),
                ~exists(_OPEN_GROUPS.where(MATCH_GROUPS.c.day == LADDER_SECRETS.c.day)),
            )
            .values(revealed_us=now_us),
            {"of_ladder": ladder},
        )


_FIND: Final = Prepared(select(LADDERS).where(LADDERS.c.id == bindparam("ladder")))

_CHANGE: Final = update(LADDERS).where(LADDERS.c.id == bindparam("ladder"))

_RUNNING: Final = Prepared(
    select(LADDERS).where(LADDERS.c.state == LadderState.RUNNING.value).order_by(LADDERS.c.id)
)

# By comparing with a number, SQLite reads only the ladders that have such a time, from the index.
_WITH_FREEZE: Final = LADDERS.c.freeze_us > 0

_TO_FREEZE: Final = Prepared(
    select(LADDERS).where(_WITH_FREEZE, LADDERS.c.frozen_seq.is_(None)).order_by(LADDERS.c.freeze_us)
)

_FROZEN: Final = Prepared(select(LADDERS.c.id).where(_WITH_FREEZE, LADDERS.c.frozen_seq.is_not(None)))

_OPEN_GROUPS: Final = select(MATCH_GROUPS.c.id).where(
    MATCH_GROUPS.c.ladder == bindparam("of_ladder"), MATCH_GROUPS.c.completed_us.is_(None)
)
"""The match groups of a ladder that are not complete."""

_PAUSE_IF_DONE: Final = Prepared(
    update(LADDERS)
    .where(LADDERS.c.id == bindparam("of_ladder"), LADDERS.c.remaining_matches == 0, ~exists(_OPEN_GROUPS))
    .values(state=LadderState.PAUSED.value, remaining_matches=None)
)

_NEXT_GROUP: Final = Prepared(
    _CHANGE.values(groups_created=LADDERS.c.groups_created + 1).returning(LADDERS.c.groups_created)
)

_NEXT_LEDGER_SEQ: Final = Prepared(
    _CHANGE.values(ledger_seq=LADDERS.c.ledger_seq + 1).returning(LADDERS.c.ledger_seq)
)

_LEFT: Final = LADDERS.c.remaining_matches

_USE_UP_MATCH: Final = Prepared(
    _CHANGE.values(
        finished_matches=LADDERS.c.finished_matches + bindparam("finished"),
        remaining_matches=case((_LEFT > 0, _LEFT - 1), else_=_LEFT),
    )
)

_FIND_SECRET: Final = Prepared(
    select(LADDER_SECRETS).where(
        LADDER_SECRETS.c.ladder == bindparam("ladder"), LADDER_SECRETS.c.day == bindparam("day")
    )
)

_SECRETS: Final = Prepared(
    select(LADDER_SECRETS)
    .where(LADDER_SECRETS.c.ladder == bindparam("ladder"))
    .order_by(LADDER_SECRETS.c.day.desc())
    .limit(bindparam("limit"))
)

_COUNT: Final = Prepared(
    select(func.count()).where(MATCHES.c.ladder == bindparam("ladder"), MATCHES.c.state == bindparam("state"))
)


_secret: Final = partial(from_row, SecretRow)


def _ladder(row: Any) -> LadderRow:
    return from_row(
        LadderRow,
        row,
        seat_counts=unpack_numbers(row.seat_counts),
        options=unpack_options(row.options),
        time_control=unpack_time_control(row.time_control),
        same_owner=bool(row.same_owner),
        hidden=bool(row.hidden),
        deadline_recorded=bool(row.deadline_recorded),
        archived=bool(row.archived),
        revealing=bool(row.revealing),
        state=LadderState(row.state),
        seed_policy=None if row.seed_policy is None else SeedPolicy(row.seed_policy),
    )
