"""Users and their quotas as messages."""

from dataclasses import asdict, fields
from typing import Final

from arena.core.errors import invalid_field
from arena.store.accounts.users import Quotas, QuotaUsage, UserRow
from arena.v1 import token_pb2, user_pb2
from arena.wire.fields import same, timestamp
from arena.wire.resource_names import user_name

_MIB: Final = 1 << 20

_MOST: Final = 1_000_000
"""A larger quota must be a mistake."""

_NAMES: Final = tuple(field.name for field in fields(Quotas))


def user_message(user: UserRow, in_force: Quotas | None, usage: QuotaUsage | None = None) -> user_pb2.User:
    """Return the user as a message. `in_force`: the quotas that hold for them; None for organisers."""
    return user_pb2.User(
        name=user_name(user.id),
        role=token_pb2.Role.ValueType(user.role.value),
        disabled=user.disabled,
        create_time=timestamp(user.created_us),
        quotas=user_pb2.UserQuotas(**asdict(user.quotas)),
        quotas_in_force=None if in_force is None else user_pb2.UserQuotas(**asdict(in_force)),
        usage=None if usage is None else _usage_message(usage),
    )


def quotas_of(message: user_pb2.UserQuotas, largest_archive_mib: int | None) -> Quotas:
    """Return the quotas that are set. Raises InvalidArgumentError (FIELD_INVALID)."""
    values = {name: getattr(message, name) for name in _NAMES if message.HasField(name)}  # type: ignore[arg-type]
    for name, value in values.items():
        most = largest_archive_mib if name == "archive_mib" and largest_archive_mib is not None else _MOST
        if value > most:
            raise invalid_field(f"quotas.{name}", f"quotas.{name} is {value}, but must be at most {most}.")
    return Quotas(**values)


def describe_quotas(quotas: Quotas) -> str:
    """Return the quotas in words, for example "bots 3, tokens 10"."""
    known = (f"{name} {value}" for name, value in asdict(quotas).items() if value is not None)
    return ", ".join(known) or "of everybody"


def _usage_message(usage: QuotaUsage) -> user_pb2.UserUsage:
    return user_pb2.UserUsage(
        versions_mib=-(-usage.version_bytes // _MIB),
        **same(usage, "bots", "submissions_per_day", "connections", "tokens"),
    )
