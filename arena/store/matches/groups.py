"""Match groups: the matches of one pairing, made together or not at all."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import and_, bindparam, func, insert, select, update

from arena.core.match import SeedPolicy
from arena.core.match_record import MatchRecord, MatchTerms
from arena.core.seeds import match_seed
from arena.core.suites import Suite, SuiteEntry
from arena.store.json_columns import pack, unpack_names, unpack_suite
from arena.store.ladders.entries import Entries
from arena.store.ladders.ladders import Ladders
from arena.store.matches.matches import Matches, PlannedMatch
from arena.store.repository import Prepared, Repository, from_row
from arena.store.schema import LADDER_SECRETS, LADDERS, MATCH_GROUPS, TOURNAMENTS


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
    """The secret that the seeds of a group and its drawn order come from: a ladder's day has one, or a tournament."""

    secret: bytes
    """T, 32 bytes. Not to be shown before it is revealed."""
    commitment: bytes
    """32 bytes."""
    suite: Suite | None = None
    """Where the seeds come from instead; the order comes from the secret all the same."""
    pairing: int = 0
    """With a suite: the number of the group in the plan of its tournament, from 1."""

    def entry_of(self, match: MatchRecord) -> SuiteEntry | None:
        """Return the entry of the suite that a match of the group is played on; None: the secret gives its seed."""
        if self.suite is None:
            return None
        return self.suite.entry_of_match(
            self.pairing, match.slot, shared=match.seed_policy is SeedPolicy.SHARED
        )

    def seed_of(self, match: MatchRecord, attempt: int) -> bytes:
        """Return the seed of a match of the group, 32 bytes. `attempt`: that of the seed's derivation."""
        if (entry := self.entry_of(match)) is not None:
            return entry.seed
        return match_seed(self.secret, match.group, match.seed_group_index, attempt)


@dataclass(frozen=True, slots=True)
class GroupRow:
    """A match group of a ladder."""

    id: int
    """The group is "g{id}" on the wire and in the derivation of seeds."""
    number: int
    """Counts the ladder's groups from 1."""
    bots: tuple[str, ...]
    """By seat of the first match; of a board in the order of its matches."""


class Groups(Repository):
    """The match groups."""

    def create(
        self, new: NewGroup, plan: Callable[[int], tuple[PlannedMatch, ...]], now_us: int
    ) -> tuple[int, tuple[int, ...]]:
        """Store a group with its PENDING matches; return its id and theirs, by slot.

        `plan` is given the group's id, since the drawn order and the seeds come from it. The secret of
        `new.day` and the entries of the bots exist already.
        """
        number = Ladders(self._connection).next_group_number(new.ladder)
        values = {
            "ladder": new.ladder,
            "day": new.day,
            "number": number,
            "bots": pack(new.bots),
            "seed_policy": new.seed_policy.value,
            "created_us": now_us,
            "frozen": Ladders(self._connection).get(new.ladder).frozen,
        }
        group = int(_ADD.rows(self._connection, values)[0].id)
        planned = plan(group)
        order = list(dict.fromkeys(bot for match in planned for bot in match.bots))
        _CHANGE.run(self._connection, {"group": group, "bots": pack(order)})
        ids = self.add_matches(group, new.terms, planned, now_us)
        Entries(self._connection).note_group(new.ladder, new.bots, number)
        return group, ids

    def add_matches(
        self, group: int, terms: MatchTerms, planned: Sequence[PlannedMatch], now_us: int
    ) -> tuple[int, ...]:
        """Store the PENDING matches of a group that had none; return their ids, by slot."""
        matches = Matches(self._connection)
        return tuple(
            matches.add(terms, match, group=group, slot=slot, now_us=now_us)
            for slot, match in enumerate(planned)
        )

    def secret_of(self, group: int) -> GroupSecret | None:
        """Return the secret that the group's seeds come from; None if the seeds were given."""
        rows = _SECRET_OF.rows(self._connection, {"group": group})
        if not rows or rows[0].secret is None:
            return None
        suite = unpack_suite(rows[0].suite or "")
        return from_row(GroupSecret, rows[0], suite=suite, pairing=rows[0].pairing or 0)

    def secrets_of(self, groups: Iterable[int]) -> dict[int, GroupSecret]:
        """Return the secrets of those groups that have one."""
        found = {group: self.secret_of(group) for group in groups}
        return {group: secret for group, secret in found.items() if secret is not None}

    def recent(self, ladder: str, limit: int) -> tuple[GroupRow, ...]:
        """Return the ladder's newest groups, newest first."""
        return self._all(_RECENT, _group, ladder=ladder, limit=limit)

    def is_complete(self, group: int) -> bool:
        """Return whether nothing of the group is to be played any more; its tournament may have been deleted."""
        query = select(MATCH_GROUPS.c.completed_us.is_not(None)).where(MATCH_GROUPS.c.id == group)
        return self._connection.execute(query).scalar_one_or_none() is not False

    def complete(self, group: int, now_us: int) -> None:
        """Mark the group complete: all its matches have ended and none is replayed any more.

        A group of a ladder belongs to the season that the ladder is in now.
        """
        _COMPLETE.run(self._connection, {"group": group, "completed_us": now_us})

    def season_of(self, group: int) -> int | None:
        """Return the season of its ladder that a complete group belongs to; None for a group of a tournament."""
        return self._first(_SEASON_OF, lambda row: row.season, group=group)


_IS_IT: Final = MATCH_GROUPS.c.id == bindparam("group")

_ADD: Final = Prepared(insert(MATCH_GROUPS).returning(MATCH_GROUPS.c.id))

_CHANGE: Final = Prepared(update(MATCH_GROUPS).where(_IS_IT))

_SEASON_OF: Final = Prepared(select(MATCH_GROUPS.c.season).where(_IS_IT))

_COMPLETE: Final = Prepared(
    update(MATCH_GROUPS)
    .where(_IS_IT)
    .values(season=select(LADDERS.c.season).where(LADDERS.c.id == MATCH_GROUPS.c.ladder).scalar_subquery())
)

_SECRET_OF: Final = Prepared(
    select(
        func.coalesce(LADDER_SECRETS.c.secret, TOURNAMENTS.c.secret).label("secret"),
        func.coalesce(LADDER_SECRETS.c.commitment, TOURNAMENTS.c.commitment).label("commitment"),
        TOURNAMENTS.c.suite,
        MATCH_GROUPS.c.number.label("pairing"),
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

_RECENT: Final = Prepared(
    select(MATCH_GROUPS.c.id, MATCH_GROUPS.c.number, MATCH_GROUPS.c.bots)
    .where(MATCH_GROUPS.c.ladder == bindparam("ladder"))
    .order_by(MATCH_GROUPS.c.number.desc())
    .limit(bindparam("limit"))
)


def _group(row: Any) -> GroupRow:
    return GroupRow(row.id, row.number, unpack_names(row.bots))
