"""Invites: with the code of one a person gets a token. Of the code only a hash is stored."""

from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import select

from arena.core.errors import ErrorReason
from arena.store.accounts.tokens import Role
from arena.store.accounts.users import NO_QUOTAS, Quotas, pack_quotas, unpack_quotas
from arena.store.repository import Repository, found, from_row, row_values
from arena.store.schema import INVITES


@dataclass(frozen=True, slots=True)
class InviteRow:
    """An invite without its code."""

    id: str
    code_sha256: bytes
    """SHA-256 of the code, 32 bytes."""
    role: Role
    """Of the users and tokens that it makes; never Role.BOT."""
    created_us: int
    user: str | None = None
    """The user that it is for; None: for new ones."""
    uses: int = 1
    """How many times it can be accepted, if it is not renewable."""
    used: int = 0
    """How many times it was accepted."""
    quotas: Quotas = NO_QUOTAS
    """Of the users that it makes."""
    token_expire_days: int = 0
    """How long its tokens are valid; 0: for ever."""
    renewable: bool = False
    """Whether its user can accept it until it expires; the token from the time before is revoked."""
    note: str = ""
    """What the organiser calls it, at most 64 characters."""
    expires_us: int | None = None
    revoked_us: int | None = None
    tokens_end_us: int | None = None
    """When the tokens that it gives end at the latest; None: whenever."""
    team: str = ""
    """The team that the users it makes are members of; empty: none."""

    def why_ended(self, now_us: int) -> str:
        """Return why it cannot be accepted, for example "it has expired"; empty if it can."""
        if self.revoked_us is not None:
            return "it was revoked"
        if self.expires_us is not None and now_us >= self.expires_us:
            return "it has expired"
        if not self.renewable and self.used >= self.uses:
            return "it was used" if self.uses == 1 else f"all {self.uses} uses are taken"
        return ""


class Invites(Repository):
    """The invites."""

    def add(self, invite: InviteRow) -> None:
        """Store the invite; its user exists already."""
        quotas = pack_quotas(invite.quotas)
        self._insert(INVITES, **row_values(invite, role=invite.role.value, quotas=quotas))

    def get(self, invite_id: str) -> InviteRow:
        """Return the invite, ended or not. Raises NotFoundError (INVITE_NOT_FOUND)."""
        row = self._first(select(INVITES).where(INVITES.c.id == invite_id), _invite)
        return found(row, ErrorReason.INVITE_NOT_FOUND, "invite", invite_id)

    def find_by_code(self, code_sha256: bytes) -> InviteRow | None:
        """Return the invite, ended or not; None if there is none."""
        return self._first(select(INVITES).where(INVITES.c.code_sha256 == code_sha256), _invite)

    def page(self, *, after: tuple[int, str] | None, limit: int) -> tuple[InviteRow, ...]:
        """Return invites, oldest first, those after this time of creation and id."""
        return self._page(select(INVITES), *_PLACE, after=after, limit=limit, make=_invite)

    def count_use(self, invite: InviteRow) -> None:
        """Store that the invite was accepted once more."""
        self._update(INVITES, INVITES.c.id == invite.id, used=invite.used + 1)

    def revoke(self, invite_id: str, now_us: int) -> None:
        """Revoke the invite; one that is revoked already keeps its first time."""
        self._update(INVITES, INVITES.c.id == invite_id, INVITES.c.revoked_us.is_(None), revoked_us=now_us)

    def revoke_all_of(self, user: str, now_us: int) -> None:
        """Revoke all invites that are for this user."""
        self._update(INVITES, INVITES.c.user == user, INVITES.c.revoked_us.is_(None), revoked_us=now_us)


_PLACE: Final = (INVITES.c.created_us, INVITES.c.id)
"""The order of listings."""


def _invite(row: Any) -> InviteRow:
    return from_row(
        InviteRow,
        row,
        role=Role(row.role),
        code_sha256=bytes(row.code_sha256),
        renewable=bool(row.renewable),
        quotas=unpack_quotas(row.quotas),
    )
