"""Match groups as stored: the matches of one pairing, made together or not at all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection, Row, and_, bindparam, func, insert, select, update

from arena.core.match import SeedPolicy
from arena.core.match_record import MatchTerms
from arena.store.json_columns import pack, unpack_names
from arena.store.ladders.entries import Entries
from arena.store.ladders.ladders import Ladders
from arena.store.matches.matches import Matches, NewMatch
from arena.store.prepared import Prepared
from arena.store.schema import LADDER_SECRETS, MATCH_GROUPS, TOURNAMENTS


@dataclass(frozen=True, slots=True)
class NewGroup:
    """What is fixed of a match group before its id is known."""

    ladder: str
    day: str
    """The day whose secret the seeds come from."""
    bots: tuple[str, ...]
    """The bots chosen, in any order."""
    seed_policy: SeedPolicy
    terms: MatchTerms


@dataclass(frozen=True, slots=True)
class GroupSecret:
    """Where the seeds of a group and its drawn order come from, whoever has it: a ladder's day, or a tournament."""

    secret: bytes
    """T, 32 bytes. Not to be shown before it is revealed."""
    commitment: bytes
    """32 bytes."""


@dataclass(frozen=True, slots=True)
class PlannedMatch:
    """One match of a group, in the order of the slots."""

    bots: tuple[str, ...]
    """By seat."""
    seed_group_index: int
    """k of the seed's derivation; 0 for all matches that share a seed."""
    seed_commitment: bytes
    """32 bytes."""


@dataclass(frozen=True, slots=True)
class GroupRow:
    """A match group."""

    id: int
    """The group is "g{id}" on the wire and in the derivation of seeds."""
    ladder: str | None
    day: str | None
    number: int | None
    """Counts the ladder's groups from 1."""
    bots: tuple[str, ...]
    """By seat of the first match; of a board in the order of its matches."""
    seed_policy: SeedPolicy
    created_us: int
    completed_us: int | None


class Groups:
    """The match groups."""

    def __init__(self, connection: Connection) -> None:
        """`connection`: of the transaction that all calls belong to."""
        self._connection = connection

    def create(
        self, new: NewGroup, plan: Callable[[int], tuple[PlannedMatch, ...]], now_us: int
    ) -> tuple[int, tuple[int, ...]]:
        """The ids of the new group and of its PENDING matches, by slot.

        `plan` is given the group's id, since the drawn order and the seeds come from it. The secret of
        `new.day` and the entries of the bots exist already.
        """
        number = Ladders(self._connection).next_group_number(new.ladder)
        group = self._insert(new, number, now_us)
        planned = plan(group)
        order = list(dict.fromkeys(bot for match in planned for bot in match.bots))
        _SEATED.run(self._connection, {"group": group, "bots": pack(order)})
        ids = self.add_matches(group, new.terms, planned, now_us)
        Entries(self._connection).note_group(new.ladder, new.bots, number)
        return group, ids

    def add_matches(
        self, group: int, terms: MatchTerms, planned: Sequence[PlannedMatch], now_us: int
    ) -> tuple[int, ...]:
        """The ids of the matches of a group that had none, which are PENDING, by slot."""
        matches = Matches(self._connection)
        return tuple(
            matches.add(_match(terms, group, slot, match, now_us)) for slot, match in enumerate(planned)
        )

    def secret_of(self, group: int) -> GroupSecret | None:
        """The secret that the group's seeds come from; None if it has none: its seeds were given by hand."""
        for secret, commitment in _SECRET_OF.rows(self._connection, {"group": group}):
            return None if secret is None else GroupSecret(bytes(secret), bytes(commitment))
        return None

    def secrets_of(self, groups: Iterable[int]) -> dict[int, GroupSecret]:
        """The secrets of those groups that have one."""
        found = {group: self.secret_of(group) for group in groups}
        return {group: secret for group, secret in found.items() if secret is not None}

    def _insert(self, new: NewGroup, number: int, now_us: int) -> int:
        values = {
            "ladder": new.ladder,
            "day": new.day,
            "number": number,
            "bots": pack(new.bots),
            "seed_policy": new.seed_policy.value,
            "created_us": now_us,
        }
        return int(_ADD.rows(self._connection, values)[0][0])

    def recent(self, ladder: str, limit: int) -> tuple[GroupRow, ...]:
        """The ladder's newest groups, newest first."""
        rows = self._connection.execute(_RECENT, {"ladder": ladder, "limit": limit})
        return tuple(_group(row) for row in rows)

    def complete(self, group: int, now_us: int) -> None:
        """The group is complete: all its matches have ended and none is replayed any more."""
        _COMPLETE.run(self._connection, {"group": group, "completed_us": now_us})


_IS_IT: Final = MATCH_GROUPS.c.id == bindparam("group")

_ADD: Final = Prepared(
    insert(MATCH_GROUPS).returning(MATCH_GROUPS.c.id),
    ("ladder", "day", "number", "bots", "seed_policy", "created_us"),
)

_SEATED: Final = Prepared(update(MATCH_GROUPS).where(_IS_IT), ("bots",))

_COMPLETE: Final = Prepared(update(MATCH_GROUPS).where(_IS_IT), ("completed_us",))

_SECRET_OF: Final = Prepared(
    select(
        func.coalesce(LADDER_SECRETS.c.secret, TOURNAMENTS.c.secret).label("secret"),
        func.coalesce(LADDER_SECRETS.c.commitment, TOURNAMENTS.c.commitment).label("commitment"),
    )
    .select_from(
        MATCH_GROUPS.outerjoin(
            LADDER_SECRETS,
            and_(
                LADDER_SECRETS.c.ladder == MATCH_GROUPS.c.ladder, LADDER_SECRETS.c.day == MATCH_GROUPS.c.day
            ),
        ).outerjoin(TOURNAMENTS, TOURNAMENTS.c.id == MATCH_GROUPS.c.tournament)
    )
    .where(_IS_IT)
)

_RECENT: Final = (
    select(MATCH_GROUPS)
    .where(MATCH_GROUPS.c.ladder == bindparam("ladder"))
    .order_by(MATCH_GROUPS.c.number.desc())
    .limit(bindparam("limit"))
)


def _match(terms: MatchTerms, group: int, slot: int, planned: PlannedMatch, now_us: int) -> NewMatch:
    return NewMatch(
        terms=terms,
        group=group,
        slot=slot,
        voids=0,
        seed_group_index=planned.seed_group_index,
        seed_attempt=0,
        seed_commitment=planned.seed_commitment,
        created_us=now_us,
        bots=planned.bots,
    )


def _group(row: Row[Any]) -> GroupRow:
    values = row._mapping
    return GroupRow(
        id=values["id"],
        ladder=values["ladder"],
        day=values["day"],
        number=values["number"],
        bots=unpack_names(values["bots"]),
        seed_policy=SeedPolicy(values["seed_policy"]),
        created_us=values["created_us"],
        completed_us=values["completed_us"],
    )
