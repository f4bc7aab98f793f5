"""The people of an arena: what they may do at most, and how much they may have."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from typing import Any, Final

from sqlalchemy import ColumnElement, bindparam, func, select

from arena.core.errors import ErrorReason
from arena.store.accounts.tokens import Role, Scope
from arena.store.json_columns import pack
from arena.store.repository import Prepared, Repository, check_new, found, from_row, row_values
from arena.store.schema import BOTS, OWNERS, TOKENS


@dataclass(frozen=True, slots=True)
class Quotas:
    """How much a user may have; None: as everybody."""

    bots: int | None = None
    submissions_per_day: int | None = None
    archive_mib: int | None = None
    versions_mib: int | None = None
    connections: int | None = None
    tokens: int | None = None

    def over(self, general: Quotas) -> Quotas:
        """Return these quotas, with those of `general` where they are None."""
        set_here = {name: value for name, value in asdict(self).items() if value is not None}
        return Quotas(**{**asdict(general), **set_here})


NO_QUOTAS: Final = Quotas()
"""Everything as everybody has it."""


@dataclass(frozen=True, slots=True)
class QuotaUsage:
    """How much a user has."""

    bots: int = 0
    submissions_per_day: int = 0
    """In the last 24 hours."""
    version_bytes: int = 0
    """Of all their submitted versions, each counted once."""
    tokens: int = 0
    """Neither revoked nor expired."""
    connections: int = 0
    """Of their bots, at this moment."""


@dataclass(frozen=True, slots=True)
class UserRow:
    """A person who has tokens, or a team, whose tokens are those of its bots."""

    id: str
    role: Role
    """What their tokens may do at most; never Role.BOT."""
    created_us: int
    disabled: bool = False
    """Whether all their tokens are rejected."""
    quotas: Quotas = NO_QUOTAS
    """What was set for this user."""
    full_name: str = ""
    """The person's name, for organisers."""
    team: str = ""
    """The team that the person is a member of; empty: none."""
    is_team: bool = False


class Users(Repository):
    """The users and teams. Each is the owner of its bots and tokens."""

    def add(self, user: UserRow) -> None:
        """Store the user. Raises AlreadyExistsError (USER_EXISTS)."""
        check_new(self.find(user.id), ErrorReason.USER_EXISTS, "user", user.id)
        self._insert(OWNERS, **row_values(user, role=user.role.value, quotas=pack_quotas(user.quotas)))

    def ensure(self, user: str, role: Role = Role.OWNER, now_us: int = 0) -> UserRow:
        """Return the user; make one with this role if there is none."""
        known = self.find(user)
        if known is None:
            known = UserRow(user, role, now_us)
            self.add(known)
        return known

    def find(self, user: str) -> UserRow | None:
        """Return the user or team; None if there is none."""
        return self._first(_FIND, user_of, user=user)

    def get(self, user: str) -> UserRow:
        """Return the user or team. Raises NotFoundError (USER_NOT_FOUND)."""
        return found(self.find(user), ErrorReason.USER_NOT_FOUND, "user", user)

    def get_person(self, user: str) -> UserRow:
        """Return the user, who is no team. Raises NotFoundError (USER_NOT_FOUND)."""
        known = self.find(user)
        person = None if known is None or known.is_team else known
        return found(person, ErrorReason.USER_NOT_FOUND, "user", user)

    def page(self, *, after: str | None, limit: int) -> tuple[UserRow, ...]:
        """Return users, without teams, by id, those after the id `after`."""
        people = select(OWNERS).where(OWNERS.c.is_team.is_(False))
        return self._page(people, OWNERS.c.id, after=after, limit=limit, make=user_of)

    def set_role(self, user: str, role: Role) -> None:
        """Set what the user's tokens may do at most."""
        self._update(OWNERS, OWNERS.c.id == user, role=role.value)

    def set_disabled(self, user: str, disabled: bool) -> None:
        """Shut the user out, or let them in again."""
        self._update(OWNERS, OWNERS.c.id == user, disabled=disabled)

    def set_quotas(self, user: str, quotas: Quotas) -> None:
        """Set the user's quotas; what is None is as for everybody."""
        self._update(OWNERS, OWNERS.c.id == user, quotas=pack_quotas(quotas))

    def set_full_name(self, user: str, full_name: str) -> None:
        """Set the person's name."""
        self._update(OWNERS, OWNERS.c.id == user, full_name=full_name)

    def others_who_manage(self, user: str, now_us: int) -> int:
        """Return how many other users may manage the arena and have a live token to make users and tokens."""
        needed = 1 << Scope.TOKENS.value | 1 << Scope.OVERSEE.value
        query = (
            select(func.count(OWNERS.c.id.distinct()))
            .join(TOKENS, TOKENS.c.owner == OWNERS.c.id)
            .where(OWNERS.c.role == Role.ORGANISER.value, OWNERS.c.disabled.is_(False), OWNERS.c.id != user)
            .where(TOKENS.c.role == Role.ORGANISER.value, _live(now_us))
            .where((TOKENS.c.scopes == 0) | (TOKENS.c.scopes.op("&")(needed) == needed))
        )
        return self._number(query)

    def without_bots(self) -> frozenset[str]:
        """Return the users who are disabled or spectators: their bots get no matches."""
        return frozenset(self._connection.execute(select(OWNERS.c.id).where(_IDLE)).scalars())

    def idle_bots(self) -> dict[str, str]:
        """Return the bots of those users, each with why it gets no matches: a sentence part."""
        bots = select(BOTS.c.id, OWNERS.c.disabled).join(OWNERS, OWNERS.c.id == BOTS.c.owner).where(_IDLE)
        return {
            row.id: "its owner is disabled" if row.disabled else "its owner is a spectator"
            for row in self._connection.execute(bots)
        }

    def count_bots(self, user: str) -> int:
        """Return how many bots the user has, hidden ones too, without those of gates."""
        return self._number(select(func.count()).where(BOTS.c.owner == user, BOTS.c.gate == ""))

    def count_tokens(self, user: str, now_us: int) -> int:
        """Return how many of the user's tokens are neither revoked nor expired."""
        return self._number(select(func.count()).where(TOKENS.c.owner == user, _live(now_us)))


_FIND: Final = Prepared(select(OWNERS).where(OWNERS.c.id == bindparam("user")))

_IDLE: Final = OWNERS.c.disabled.is_(True) | (OWNERS.c.role == Role.SPECTATOR.value)


def _live(now_us: int) -> ColumnElement[bool]:
    """Return the condition for a token that is neither revoked nor expired."""
    return TOKENS.c.revoked_us.is_(None) & (TOKENS.c.expires_us.is_(None) | (TOKENS.c.expires_us > now_us))


def pack_quotas(quotas: Quotas) -> str:
    """Return the quotas that are set, as the text of a column."""
    return pack({name: value for name, value in asdict(quotas).items() if value is not None})


def unpack_quotas(text: str) -> Quotas:
    """Return the quotas of a column; those of a newer version are left out."""
    known = {field.name for field in fields(Quotas)}
    return Quotas(**{name: value for name, value in json.loads(text).items() if name in known})


def user_of(row: Any) -> UserRow:
    """Return the user or team of a row of `OWNERS`."""
    return from_row(
        UserRow,
        row,
        role=Role(row.role),
        disabled=bool(row.disabled),
        quotas=unpack_quotas(row.quotas),
        is_team=bool(row.is_team),
    )
