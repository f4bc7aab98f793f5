"""Users as messages, and the fields of requests that are about users."""

from dataclasses import asdict, fields
from typing import Final

from arena.core.errors import invalid_field
from arena.server.auth.permissions import Caller
from arena.server.auth.quotas import MIB, quotas_in_force
from arena.server.limits import ARCHIVE_BYTES
from arena.server.services.service_context import record_decision
from arena.store.accounts.tokens import Role, Scope
from arena.store.accounts.users import Quotas, QuotaUsage, UserRow
from arena.store.audit.entries import AuditKind
from arena.store.store import Transaction
from arena.v1 import token_pb2
from arena.v1 import user_pb2 as pb
from arena.wire.fields import enum_of, one_line, same, timestamp
from arena.wire.resource_names import team_name, user_name

MAX_FULL_NAME: Final = 100

_ROLES: Final = "ROLE_SPECTATOR, ROLE_OWNER or ROLE_ORGANISER"


def user_role(number: int, field: str = "role") -> Role:
    """Return the role of a user. Raises InvalidArgumentError (FIELD_INVALID)."""
    if number == Role.BOT.value:
        raise invalid_field(field, f"{field} is ROLE_BOT, but must be {_ROLES}.")
    return enum_of(Role, field, number, _ROLES)


def full_name_of(field: str, text: str) -> str:
    """Return the name of a person. Raises InvalidArgumentError (FIELD_INVALID)."""
    return one_line(field, text.strip(), MAX_FULL_NAME)


def user_for(tx: Transaction, caller: Caller, user: str, role: Role, now_us: int, first: str) -> UserRow:
    """Return the user; an organiser's call makes and records a missing one, with `role` at most.

    `first`: what is made for the user, for example "bot".
    Raises PermissionDeniedError (ROLE_REQUIRED or SCOPE_REQUIRED): the user is missing, and the caller may make none.
    """
    known = tx.users.find(user)
    if known is not None:
        return known
    caller.check_organiser("A new user", Scope.OVERSEE)
    made = UserRow(user, role, now_us)
    tx.users.add(made)
    what = f"The user {user} was created with the role {role.name.lower()}, by a first {first}."
    record_decision(tx, AuditKind.USER, caller, now_us, what, user_name(user))
    return made


_MOST: Final = 1_000_000
"""A larger quota must be a mistake."""

_NAMES: Final = tuple(field.name for field in fields(Quotas))


def user_message(user: UserRow, usage: QuotaUsage | None = None) -> pb.User:
    """Return the user as a message."""
    in_force = quotas_in_force(user)
    return pb.User(
        name=user_name(user.id),
        role=token_pb2.Role.ValueType(user.role.value),
        disabled=user.disabled,
        create_time=timestamp(user.created_us),
        quotas=pb.UserQuotas(**asdict(user.quotas)),
        quotas_in_force=None if in_force is None else pb.UserQuotas(**asdict(in_force)),
        usage=None if usage is None else _usage_message(usage),
        full_name=user.full_name,
        team=team_name(user.team) if user.team else "",
    )


def quotas_of(message: pb.UserQuotas, field: str = "quotas") -> Quotas:
    """Return the quotas that are set. Raises InvalidArgumentError (FIELD_INVALID)."""
    values = {name: getattr(message, name) for name in _NAMES if message.HasField(name)}  # type: ignore[arg-type]
    for name, value in values.items():
        most = ARCHIVE_BYTES // MIB if name == "archive_mib" else _MOST
        if value > most:
            raise invalid_field(f"{field}.{name}", f"{field}.{name} is {value}, but must be at most {most}.")
    return Quotas(**values)


def _usage_message(usage: QuotaUsage) -> pb.UserUsage:
    return pb.UserUsage(
        versions_mib=-(-usage.version_bytes // MIB),
        **same(usage, "bots", "submissions_per_day", "connections", "tokens"),
    )
