"""The quotas of users (docs/limits.md)."""

from typing import Final

from arena.core.errors import ErrorReason, ResourceExhaustedError
from arena.core.units import US_PER_DAY
from arena.server.auth.permissions import Caller
from arena.server.errors import RETRY_AFTER
from arena.server.limits import BAN_S, CHANGES_A_DAY, LABELS_A_DAY, QUOTAS
from arena.store.accounts.tokens import Role
from arena.store.accounts.users import Quotas, UserRow
from arena.store.bots.bots import BotVersionRow
from arena.store.store import Transaction

MIB: Final = 1 << 20
"""Bytes."""


def quotas_in_force(user: UserRow) -> Quotas | None:
    """Return the quotas of a user, all of them set; None for organisers, who have none."""
    return None if user.role is Role.ORGANISER else user.quotas.over(QUOTAS)


def quotas_for(caller: Caller, user: UserRow) -> Quotas | None:
    """Return the quotas for what a caller does for a user; None if either is an organiser."""
    return None if caller.is_organiser else quotas_in_force(user)


def check_space(tx: Transaction, owner: str, size: int) -> None:
    """Raise ResourceExhaustedError (QUOTA_EXCEEDED) if the versions of an owner's bots may not take `size` bytes."""
    quotas = quotas_in_force(tx.users.get(owner))
    if quotas is not None and quotas.versions_mib is not None and size > quotas.versions_mib * MIB:
        raise _exceeded(
            f"With this version those of {owner}'s bots would take {-(-size // MIB)} MiB, submitted and built; "
            f"the quota is {quotas.versions_mib}. Make it smaller, or ask the organiser for more.",
            quotas.versions_mib,
        )


def check_pace(tx: Transaction, caller: Caller, now_us: int) -> None:
    """Raise ResourceExhaustedError (QUOTA_EXCEEDED) if the user made too many recorded changes today.

    The audit trail and tokens are never deleted, so making and revoking tokens all day would fill the disk. Changes
    that take rights away are not checked: they must always be possible.
    """
    if quotas_for(caller, tx.users.get(caller.user)) is None:
        return
    oldest = tx.audit.newest_but(caller.user, CHANGES_A_DAY - 1)
    if oldest is not None and oldest > now_us - US_PER_DAY:
        raise _exceeded(
            f"{caller.user} has changed {CHANGES_A_DAY} things within 24 hours that are kept on record for good, as "
            "many as one may. Wait, or ask the organiser.",
            CHANGES_A_DAY,
        )


def check_labels(tx: Transaction, version: BotVersionRow) -> None:
    """Raise ResourceExhaustedError (QUOTA_EXCEEDED) if this is a new version, and one too many today."""
    if tx.bots.find_version(version.bot, version.label) is not None:
        return
    oldest = tx.bots.newest_version_but(version.bot, LABELS_A_DAY - 1)
    if oldest is not None and oldest > version.created_us - US_PER_DAY:
        raise ResourceExhaustedError(
            ErrorReason.QUOTA_EXCEEDED,
            f"hello.bot_version is new for the {LABELS_A_DAY + 1}th time within 24 hours; {LABELS_A_DAY} are allowed. "
            "Change it only when the program has changed, or use an earlier one.",
            bound=str(LABELS_A_DAY),
            **{RETRY_AFTER: str(BAN_S)},
        )


def check_quota(quota: int | None, used: int, what: str, remedy: str) -> None:
    """Raise ResourceExhaustedError (QUOTA_EXCEEDED) if one more is one too many.

    `what`: to begin a sentence with, for example "Bots of ada"; `remedy`: likewise, an alternative to asking the
    organiser.
    """
    if quota is not None and used >= quota:
        raise _exceeded(
            f"{what}: {used}; the quota is {quota}. {remedy}, or ask the organiser for more.", quota
        )


def _exceeded(sentence: str, bound: int) -> ResourceExhaustedError:
    return ResourceExhaustedError(ErrorReason.QUOTA_EXCEEDED, sentence, bound=str(bound))
