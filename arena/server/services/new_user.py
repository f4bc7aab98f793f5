"""A user who comes to be with the first thing that is made for him."""

from __future__ import annotations

from arena.server.auth.permissions import Caller
from arena.server.services.decisions import decided
from arena.store.accounts.tokens import Role, Scope
from arena.store.accounts.users import UserRow
from arena.store.audit.entries import AuditKind
from arena.store.store import Transaction
from arena.wire.resource_names import user_name


def user_for(tx: Transaction, caller: Caller, user: str, role: Role, now_us: int, first: str) -> UserRow:
    """The user as he is; one who did not exist is made by an organiser, may be `role` at most, and is put on record.

    `first`: what is made for him, for example "bot".

    Raises:
        PermissionDeniedError: ROLE_REQUIRED or SCOPE_REQUIRED, he is not there, and the caller may make no users.
    """
    known = tx.users.find(user)
    if known is not None:
        return known
    caller.check_organiser("A new user", Scope.OVERSEE)
    made = UserRow(user, role, now_us)
    tx.users.add(made)
    what = f"The user {user} was made, with the role {role.name.lower()}, by a first {first}."
    decided(tx, AuditKind.USER, caller, now_us, what, user_name(user))
    return made
