"""The import of a roster: users of a list are created or changed, all of them or none."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

from arena.core.errors import AlreadyExistsError, ErrorReason, invalid_field
from arena.server.services.invites import Inviter
from arena.server.services.user_fields import full_name_of, quotas_of, user_message, user_role
from arena.store.accounts.tokens import Role
from arena.store.accounts.users import NO_QUOTAS, Quotas, UserRow
from arena.store.store import Transaction
from arena.v1 import user_pb2 as pb
from arena.wire.resource_names import check_id, team_name

MAX_ENTRIES: Final = 2_000
"""Users of one import: all are stored in one transaction, and matches that end meanwhile wait for it."""

_CREATED: Final = pb.ImportedUser.OUTCOME_CREATED
_CHANGED: Final = pb.ImportedUser.OUTCOME_CHANGED
_UNCHANGED: Final = pb.ImportedUser.OUTCOME_UNCHANGED


class RosterInvites(Enum):
    """Who of a roster gets an invite; the numbers of proto/arena/v1/user.proto."""

    NOBODY = 0
    NEW = 1
    """Users that the import creates."""
    NOT_JOINED = 2
    """Users without a valid token."""


@dataclass(frozen=True, slots=True)
class RosterEntry:
    """One user of a roster, checked as far as the entry alone allows."""

    place: str
    """The field of the request, for example "entries[3]"."""
    user: str
    full_name: str
    role: Role | None
    """None: an owner if the user is new, and any role if not."""
    quotas: Quotas
    team: str
    """Empty: that of an existing user stays."""


@dataclass(frozen=True, slots=True)
class PlannedUser:
    """What an import does with one user."""

    user: UserRow
    """As they are afterwards."""
    outcome: pb.ImportedUser.Outcome.ValueType
    is_invited: bool
    team_before: str | None = None
    """The team, or "", of an existing user who becomes a member of another team; None: that does not change."""

    @property
    def is_changed(self) -> bool:
        """Whether anything is stored for this user."""
        return self.is_invited or self.outcome != _UNCHANGED

    def message(self) -> pb.ImportedUser:
        """Return the user of the response, without a code."""
        previous = team_name(self.team_before) if self.team_before else ""
        return pb.ImportedUser(user=user_message(self.user), outcome=self.outcome, previous_team=previous)


def read_roster(entries: Sequence[pb.RosterEntry]) -> tuple[RosterEntry, ...]:
    """Return the entries. Raises InvalidArgumentError (FIELD_INVALID), which names the first wrong one."""
    if not 1 <= len(entries) <= MAX_ENTRIES:
        raise invalid_field("entries", f"entries has {len(entries)} users, but must have 1 to {MAX_ENTRIES}.")
    first: dict[str, str] = {}
    read = []
    for number, entry in enumerate(entries):
        place = f"entries[{number}]"
        user = check_id(f"{place}.user_id", entry.user_id)
        if user in first:
            raise invalid_field(f"{place}.user_id", f"{place}.user_id is {user}, as that of {first[user]}.")
        first[user] = place
        full_name = full_name_of(f"{place}.full_name", entry.full_name)
        role = user_role(entry.role, f"{place}.role") if entry.role else None
        quotas = quotas_of(entry.quotas, f"{place}.quotas")
        team = check_id(f"{place}.team_id", entry.team_id) if entry.team_id else ""
        read.append(RosterEntry(place, user, full_name, role, quotas, team))
    for each in read:
        if each.team in first:
            raise invalid_field(
                f"{each.place}.team_id",
                f"{each.place}.team_id is {each.team}, which is the user of {first[each.team]}.",
            )
    return tuple(read)


def plan_import(
    tx: Transaction, roster: Sequence[RosterEntry], invites: RosterInvites, now_us: int
) -> tuple[PlannedUser, ...]:
    """Return what to do with each user; nothing is stored. Raises AlreadyExistsError (USER_EXISTS)."""
    planned = []
    for entry in roster:
        before, owner = tx.users.find(entry.user), tx.users.find(entry.team) if entry.team else None
        if before is not None and before.is_team:
            raise _name_taken(f"{entry.place}.user_id", entry.user, "team")
        if owner is not None and not owner.is_team:
            raise _name_taken(f"{entry.place}.team_id", entry.team, "user")
        after = _after(entry, before, now_us)
        outcome = _CREATED if before is None else _UNCHANGED if after == before else _CHANGED
        invited = _gets_invite(tx, after, outcome, invites, now_us)
        left = before.team if before is not None and after.team != before.team else None
        planned.append(PlannedUser(after, outcome, invited, left))
    return tuple(planned)


def carry_out(
    tx: Transaction, planned: Sequence[PlannedUser], inviter: Inviter, now_us: int
) -> list[pb.ImportedUser]:
    """Store the users and their invites; return what was done, with the codes."""
    done = [each.message() for each in planned]
    for each in planned:
        team = each.user.team
        if team and tx.teams.find(team) is None:
            tx.users.add(UserRow(team, Role.OWNER, now_us, quotas=each.user.quotas, is_team=True))
    for each, message in zip(planned, done, strict=True):
        user = each.user
        if each.outcome == _CREATED:
            tx.users.add(user)
        elif each.outcome == _CHANGED:
            tx.users.set_full_name(user.id, user.full_name)
            tx.users.set_quotas(user.id, user.quotas)
            if each.team_before is not None:
                tx.teams.set_member(user.id, user.team)
        if each.is_invited:
            tx.invites.revoke_all_of(user.id, now_us)
            invite, code = inviter.make(user.role, user=user.id)
            tx.invites.add(invite)
            message.code = str(code)
    return done


def describe(planned: Sequence[PlannedUser]) -> str:
    """Return the sentence of the audit trail on an import."""
    counts = {
        words: sum(each.outcome == outcome for each in planned)
        for outcome, words in ((_CREATED, "created"), (_CHANGED, "changed"), (_UNCHANGED, "unchanged"))
    }
    invited = sum(each.is_invited for each in planned)
    parts = ", ".join(f"{count} {words}" for words, count in counts.items() if count)
    moved = [
        f"{each.user.id} from {each.team_before or 'none'} to {each.user.team}"
        for each in planned
        if each.team_before is not None
    ]
    teams = f" Teams changed: {', '.join(moved)}." if moved else ""
    return f"A roster of {len(planned)} users was imported: {parts}; {invited} invites.{teams}"


def _after(entry: RosterEntry, before: UserRow | None, now_us: int) -> UserRow:
    """Return the user as the roster has them. Raises AlreadyExistsError (USER_EXISTS)."""
    if before is None:
        role = entry.role or Role.OWNER
        return UserRow(
            entry.user, role, now_us, quotas=entry.quotas, full_name=entry.full_name, team=entry.team
        )
    if entry.role not in (None, before.role):
        why = (
            f"{entry.user} exists already and is {before.role.person}. Nothing was imported. Change the role with "
            f"`arena user role {entry.user}`, or leave it out."
        )
        raise _exists(why, f"{entry.place}.role", entry.user)
    return replace(
        before,
        quotas=before.quotas if entry.quotas == NO_QUOTAS else entry.quotas,
        full_name=entry.full_name or before.full_name,
        team=entry.team or before.team,
    )


def _name_taken(field: str, name: str, found: str) -> AlreadyExistsError:
    """Return the error of a name that is not free for this use. `found`: what has it."""
    return _exists(f"{name} is the name of a {found}; choose another one.", field, name)


def _exists(why: str, field: str, name: str) -> AlreadyExistsError:
    """Return the error of an entry that does not fit what is stored (USER_EXISTS)."""
    place = field.partition(".")[0]
    return AlreadyExistsError(ErrorReason.USER_EXISTS, f"{place}: {why}", user=name, field=field)


def _gets_invite(
    tx: Transaction,
    user: UserRow,
    outcome: pb.ImportedUser.Outcome.ValueType,
    invites: RosterInvites,
    now_us: int,
) -> bool:
    if user.disabled:
        return False
    if invites is RosterInvites.NOT_JOINED:
        return not tx.users.count_tokens(user.id, now_us)
    return invites is RosterInvites.NEW and outcome == _CREATED
