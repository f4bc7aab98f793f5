"""A user who comes to be with the first thing that is made for him."""

from __future__ import annotations

from arena.server.access import Caller
from arena.server.resources import user_name
from arena.server.services.decisions import decided
from arena.store.audit import AuditKind
from arena.store.store import Transaction
from arena.store.tokens import Role, Scope
from arena.store.users import UserRow


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
