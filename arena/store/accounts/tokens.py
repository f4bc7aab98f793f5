"""Tokens: who may do what, and until when. Of the secret only a hash is stored."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

from sqlalchemy import bindparam, func, select

from arena.core.errors import ErrorReason
from arena.store.repository import Prepared, Repository, found, from_row, row_values
from arena.store.schema import TOKENS


class Role(Enum):
    """What a token may do; the numbers of proto/arena/v1/token.proto."""

    BOT = 1
    """Play as one bot, nothing else."""
    OWNER = 2
    """Manage the bots of one owner."""
    ORGANISER = 3
    """Manage everything."""
    SPECTATOR = 4
    """Read what is public."""

    @property
    def person(self) -> str:
        """A holder of the role, for people: "an owner"."""
        word = self.name.lower()
        return f"an {word}" if word[0] in "aeiou" else f"a {word}"

    def within(self, highest: Role) -> bool:
        """Whether a user who may be `highest` at most may have such a token; bots are an owner's."""
        return _HEIGHT[self] <= _HEIGHT[highest]


_HEIGHT: Final = {Role.SPECTATOR: 0, Role.BOT: 1, Role.OWNER: 1, Role.ORGANISER: 2}


class Scope(Enum):
    """A part of what a role may do; the numbers of proto/arena/v1/token.proto."""

    READ = 1
    BOTS = 2
    COMPETE = 3
    PRIVATE = 4
    TOKENS = 5
    ORGANISE = 6
    OVERSEE = 7

    @property
    def word(self) -> str:
        """The name for people, for example "read"."""
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class TokenRow:
    """A token without its secret."""

    id: str
    role: Role
    owner: str
    bot: str | None
    """For Role.BOT: the bot it plays as."""
    secret_sha256: bytes
    """SHA-256 of the secret, 32 bytes."""
    created_us: int
    expires_us: int | None = None
    revoked_us: int | None = None
    last_used_us: int | None = None
    scopes: frozenset[Scope] = frozenset()
    """What it may do of what its role may; empty: all of it."""
    note: str = ""
    """What its holder calls it, at most 64 characters."""
    invite: str = ""
    """The invite that gave it; empty: somebody with a token created it."""

    def live_at(self, now_us: int) -> bool:
        """Whether it is neither revoked nor expired."""
        return self.revoked_us is None and (self.expires_us is None or now_us < self.expires_us)


class Tokens(Repository):
    """The tokens."""

    def add(self, token: TokenRow) -> None:
        """Store the token; its owner and bot exist already."""
        scopes = sum(1 << scope.value for scope in token.scopes)
        self._insert(TOKENS, **row_values(token, role=token.role.value, scopes=scopes))

    def find(self, token_id: str) -> TokenRow | None:
        """Return the token, live or not; None if there is none."""
        return self._first(_FIND, _token, token=token_id)

    def get(self, token_id: str) -> TokenRow:
        """Return the token, live or not. Raises NotFoundError (TOKEN_NOT_FOUND)."""
        return found(self.find(token_id), ErrorReason.TOKEN_NOT_FOUND, "token", token_id)

    def page(self, *, owner: str | None, after: tuple[int, str] | None, limit: int) -> tuple[TokenRow, ...]:
        """Return tokens of an owner, or of all (None), oldest first, those after this time of creation and id."""
        query = select(TOKENS) if owner is None else select(TOKENS).where(TOKENS.c.owner == owner)
        return self._page(query, *_PLACE, after=after, limit=limit, make=_token)

    def live_of(self, owner: str, now_us: int) -> tuple[TokenRow, ...]:
        """Return the tokens of a user that are neither revoked nor expired, oldest first."""
        unrevoked = select(TOKENS).where(TOKENS.c.owner == owner, TOKENS.c.revoked_us.is_(None))
        tokens = self._all(unrevoked.order_by(*_PLACE), _token)
        return tuple(token for token in tokens if token.live_at(now_us))

    def last_use(self, owner: str) -> int | None:
        """Return when a token of the user was last used, microseconds since 1970 UTC; None: never."""
        query = select(func.max(TOKENS.c.last_used_us)).where(TOKENS.c.owner == owner)
        last: int | None = self._connection.execute(query).scalar_one()
        return last

    def has_accepted_invite(self, owner: str) -> bool:
        """Return whether a token of the user came from an invite."""
        query = select(func.count()).where(TOKENS.c.owner == owner, TOKENS.c.invite != "")
        return bool(self._number(query))

    def revoke(self, token_id: str, now_us: int) -> None:
        """Revoke the token; one that is revoked already keeps its first time."""
        self._update(TOKENS, TOKENS.c.id == token_id, TOKENS.c.revoked_us.is_(None), revoked_us=now_us)

    def note_use(self, token_id: str, now_us: int) -> None:
        """Store the time of the last use."""
        self._update(TOKENS, TOKENS.c.id == token_id, last_used_us=now_us)


_FIND: Final = Prepared(select(TOKENS).where(TOKENS.c.id == bindparam("token")))

_PLACE: Final = (TOKENS.c.created_us, TOKENS.c.id)
"""The order of listings."""


def _token(row: Any) -> TokenRow:
    scopes = frozenset(scope for scope in Scope if row.scopes >> scope.value & 1)
    return from_row(TokenRow, row, role=Role(row.role), scopes=scopes)
