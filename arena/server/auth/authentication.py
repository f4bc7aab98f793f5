"""Authentication of callers by the token in their metadata."""

import contextlib
from collections.abc import Callable, Iterable
from typing import Final

from arena.core.errors import ErrorReason, FailedPreconditionError, UnauthenticatedError, UnavailableError
from arena.core.tokens import parse_token, secret_matches
from arena.server.auth.permissions import Caller
from arena.store.accounts.tokens import TokenRow
from arena.store.accounts.users import UserRow
from arena.store.database import Database
from arena.store.store import Transaction

AUTHORIZATION: Final = "authorization"
"""The metadata key; its value is "Bearer <token>"."""

_SCHEME: Final = "bearer"
_NOTE_USE_EVERY_US: Final = 60_000_000


class Authenticator:
    """Finds callers by their tokens."""

    def __init__(self, database: Database, now_us: Callable[[], int]) -> None:
        """`now_us`: microseconds since 1970 UTC."""
        self._database = database
        self._now_us = now_us

    async def authenticate(self, metadata: Iterable[tuple[str, str | bytes]]) -> Caller:
        """Return the caller that sent this metadata (docs/bad_inputs.md rows 1 and 2).

        Raises UnauthenticatedError (TOKEN_MISSING; TOKEN_INVALID with one text for every cause).
        """
        given = bearer(metadata)
        if given is None:
            raise UnauthenticatedError(
                ErrorReason.TOKEN_MISSING,
                "The call carries no token; send it as metadata `authorization: Bearer <token>`.",
            )
        token = parse_token(given)
        token_id = "" if token is None else token.id
        row, user = await self._database.read(lambda tx: _holder(tx, token_id))
        same = secret_matches(token, None if row is None else row.secret_sha256)
        now_us = self._now_us()
        if row is None or user is None or not same or not is_valid(row, user, now_us):
            raise token_invalid()
        await self._note_use(row, now_us)
        return Caller(row.id, row.role, row.owner, row.bot, row.scopes, row.expires_us, user.team)

    async def _note_use(self, row: TokenRow, now_us: int) -> None:
        """Store the last use to the minute; a write for every call would be too expensive."""
        if row.last_used_us is None or now_us - row.last_used_us >= _NOTE_USE_EVERY_US:
            # A full disk must not prevent reading, or playing matches that have begun.
            with contextlib.suppress(UnavailableError):
                await self._database.write(lambda tx: tx.tokens.note_use(row.id, now_us))


def is_valid(token: TokenRow, user: UserRow, now_us: int) -> bool:
    """Return whether a token is valid, given the present state of its user."""
    return token.live_at(now_us) and not user.disabled and token.role.within(user.role)


def check_still_valid(tx: Transaction, caller: Caller, now_us: int) -> None:
    """Check that the caller's token is still valid, and that the team is the same.

    Raises UnauthenticatedError (TOKEN_INVALID), FailedPreconditionError (TEAM_STATE).
    """
    token, user = tx.tokens.find(caller.token_id), tx.users.find(caller.user)
    if token is None or user is None or not is_valid(token, user, now_us):
        raise token_invalid()
    if user.team != caller.team:
        raise team_changed()


def token_invalid() -> UnauthenticatedError:
    """Return the one error of all invalid tokens (TOKEN_INVALID)."""
    return UnauthenticatedError(
        ErrorReason.TOKEN_INVALID,
        "The token is not valid (malformed, unknown, expired or revoked); ask for a new one.",
    )


def team_changed() -> FailedPreconditionError:
    """Return the error of a call that began as a member of another team, or of none (TEAM_STATE)."""
    return FailedPreconditionError(
        ErrorReason.TEAM_STATE, "You joined or left a team while the call was made; make it again."
    )


def _holder(tx: Transaction, token_id: str) -> tuple[TokenRow | None, UserRow | None]:
    token = tx.tokens.find(token_id)
    return token, None if token is None else tx.users.find(token.owner)


def bearer(metadata: Iterable[tuple[str, str | bytes]]) -> str | None:
    """Return the token in the metadata; None if there is none."""
    for key, value in metadata:
        if key.lower() == AUTHORIZATION and isinstance(value, str):
            scheme, _, token = value.strip().partition(" ")
            return token.strip() if scheme.lower() == _SCHEME else ""
    return None
