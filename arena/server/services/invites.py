"""InviteService: invites, and what a person gets for the code of one."""
# ruff: noqa: N802 - the methods are named as in the .proto

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Final

from arena.core.errors import (
    AlreadyExistsError,
    ErrorReason,
    FailedPreconditionError,
    NotFoundError,
    invalid_field,
)
from arena.core.invite_codes import TEAM_PREFIX, InviteCode, new_code, parse_code
from arena.core.tokens import TokenText, new_token
from arena.core.units import US_PER_DAY
from arena.server.auth.authentication import check_still_valid
from arena.server.auth.permissions import SCOPES, Caller, current_caller
from arena.server.auth.quotas import quotas_in_force
from arena.server.auth.revocation import REVOKED
from arena.server.context import Context
from arena.server.services.service_context import Service, complete, record_decision
from arena.server.services.tokens import (
    MAX_EXPIRE_DAYS,
    MAX_NOTE,
    check_token_quota,
    earliest,
    format_end,
    token_message,
)
from arena.server.services.user_fields import quotas_of, user_message, user_role
from arena.store.accounts.invites import InviteRow
from arena.store.accounts.tokens import Role, Scope, TokenRow
from arena.store.accounts.users import NO_QUOTAS, Quotas, UserRow
from arena.store.audit.entries import Actor, AuditEntry, AuditKind
from arena.store.store import Transaction
from arena.v1 import invite_pb2 as pb
from arena.v1 import invite_pb2_grpc, token_pb2, user_pb2
from arena.wire.fields import one_line, timestamp
from arena.wire.resource_names import (
    check_id,
    invite_name,
    parse_invite,
    parse_team,
    parse_user,
    team_name,
    token_name,
    user_name,
)

MAX_USES: Final = 100_000

_ID_BYTES: Final = 6


@dataclass(frozen=True, slots=True)
class InviteTerms:
    """How long an invite and its tokens are valid, as a request has it."""

    expire_days: int
    token_expire_days: int
    renewable: bool

    def __post_init__(self) -> None:
        """Raise InvalidArgumentError (FIELD_INVALID) if a number of days is too large."""
        for name in ("expire_days", "token_expire_days"):
            days = getattr(self, name)
            if days > MAX_EXPIRE_DAYS:
                raise invalid_field(name, f"{name} is {days}, but must be at most {MAX_EXPIRE_DAYS}.")


class Inviter:
    """Makes invites for one caller."""

    def __init__(
        self, caller: Caller, terms: InviteTerms, random_bytes: Callable[[int], bytes], now_us: int
    ) -> None:
        """`random_bytes`: makes codes; `now_us`: microseconds since 1970 UTC."""
        self._caller = caller
        self._terms = terms
        self._random_bytes = random_bytes
        self._now_us = now_us

    def check_may_give(self, role: Role) -> None:
        """Check that tokens of this role have no scope that the caller's has not.

        Raises PermissionDeniedError (SCOPE_REQUIRED).
        """
        self._caller.check_scope("An invite", Scope.TOKENS)
        for scope in sorted(SCOPES[role], key=lambda each: each.value):
            self._caller.check_scope(f"An invite to a token with the scope {scope.word}", scope)

    def make(
        self,
        role: Role,
        *,
        user: str | None = None,
        uses: int = 1,
        quotas: Quotas = NO_QUOTAS,
        note: str = "",
        team: str = "",
    ) -> tuple[InviteRow, InviteCode]:
        """Return a new invite and its code. Neither it nor its tokens outlive the caller's token."""
        code, terms, ends = new_code(self._random_bytes), self._terms, self._caller.expires_us
        expires_us = self._now_us + terms.expire_days * US_PER_DAY if terms.expire_days else None
        invite = InviteRow(
            self._random_bytes(_ID_BYTES).hex(),
            code.sha256,
            role,
            self._now_us,
            user=user,
            uses=0 if terms.renewable else uses,
            quotas=quotas,
            token_expire_days=terms.token_expire_days,
            renewable=terms.renewable,
            note=note,
            expires_us=earliest(expires_us, ends),
            tokens_end_us=ends,
            team=team,
        )
        return invite, code


class InviteService(Service, invite_pb2_grpc.InviteServiceServicer):
    """Manages invites."""

    async def CreateInvite(self, request: pb.CreateInviteRequest, _: Context) -> pb.CreateInviteResponse:
        """Store an invite; only the response has its code."""
        caller, now_us = current_caller(), self._platform.now_us()
        role = user_role(request.role or token_pb2.ROLE_OWNER)
        terms = InviteTerms(request.expire_days, request.token_expire_days, request.renewable)
        inviter = Inviter(caller, terms, self._platform.random_bytes, now_us)
        user = parse_user("user", request.user) if request.user else None
        _check_combination(request)
        inviter.check_may_give(role)
        invite, code = inviter.make(
            role,
            user=user,
            uses=request.uses or 1,
            quotas=quotas_of(request.quotas),
            note=one_line("note", request.note, MAX_NOTE),
            team=parse_team("team", request.team) if request.team else "",
        )

        def create(tx: Transaction) -> None:
            check_still_valid(tx, caller, now_us)
            about = [invite_name(invite.id)]
            if user is not None:
                _check_role(tx.users.get_person(user), role)
                about.append(user_name(user))
            if invite.team:
                about.append(team_name(tx.teams.get(invite.team).id))
            tx.invites.add(invite)
            record_decision(tx, AuditKind.TOKEN, caller, now_us, _sentence(invite), *about)

        await self._platform.database.write(create)
        return pb.CreateInviteResponse(invite=_message(invite), code=str(code))

    async def ListInvites(self, request: pb.ListInvitesRequest, _: Context) -> pb.ListInvitesResponse:
        """Return invites, oldest first."""
        page = await self._platform.page(
            request,
            lambda tx, wanted: tx.invites.page(after=wanted.after, limit=wanted.fetch),
            lambda invite: (invite.created_us, invite.id),
        )
        return pb.ListInvitesResponse(invites=map(_message, page.rows), next_page_token=page.next_token)

    async def RevokeInvite(self, request: pb.RevokeInviteRequest, _: Context) -> pb.RevokeInviteResponse:
        """Revoke the invite; tokens that it gave stay valid."""
        caller, invite_id = current_caller(), parse_invite("name", request.name)
        now_us = self._platform.now_us()

        def revoke(tx: Transaction) -> InviteRow:
            check_still_valid(tx, caller, now_us)
            if tx.invites.get(invite_id).revoked_us is None:
                tx.invites.revoke(invite_id, now_us)
                what = f"The invite {invite_id} was revoked."
                record_decision(tx, AuditKind.TOKEN, caller, now_us, what, request.name)
            return tx.invites.get(invite_id)

        return pb.RevokeInviteResponse(invite=_message(await self._platform.database.write(revoke)))

    async def LookUpInvite(self, request: pb.LookUpInviteRequest, _: Context) -> pb.LookUpInviteResponse:
        """Return what a code is for."""
        code, now_us = _read_code(request.code), self._platform.now_us()
        invite = await self._platform.database.read(lambda tx: _open_invite(tx, code, now_us))
        return pb.LookUpInviteResponse(
            role=token_pb2.Role.ValueType(invite.role.value),
            user="" if invite.user is None else user_name(invite.user),
            token_expire_days=invite.token_expire_days,
            team=team_name(invite.team) if invite.team else "",
        )

    async def AcceptInvite(self, request: pb.AcceptInviteRequest, _: Context) -> pb.AcceptInviteResponse:
        """Store a token, with its user if the invite is for new ones; only the response has its secret."""
        code, now_us = _read_code(request.code), self._platform.now_us()
        note = one_line("note", request.note, MAX_NOTE)
        text = new_token(self._platform.random_bytes)

        def accept(tx: Transaction) -> tuple[TokenRow, UserRow, tuple[str, ...]]:
            invite = _open_invite(tx, code, now_us)
            user = _user_of(tx, invite, request.user_id, now_us)
            replaced = _replaced(tx, invite, user, now_us)
            token = _token(invite, user, text, note, now_us)
            tx.tokens.add(token)
            tx.invites.count_use(invite)
            about = token_name(token.id), user_name(user.id), invite_name(invite.id)
            what = f"{user.id} joined by the invite {invite.id} and got a token of the role {token.role.name.lower()}."
            if replaced:
                what += " Their token from the time before was revoked."
            actor = Actor(user.id, token.id)
            tx.audit.add(AuditEntry(AuditKind.TOKEN, now_us, what, about, actor=actor))
            return token, user, replaced

        async def carry_out() -> tuple[TokenRow, UserRow]:
            token, user, replaced = await self._platform.database.write(accept)
            self._platform.runtime.end_calls(replaced, REVOKED)
            return token, user

        token, user = await complete(carry_out())
        return pb.AcceptInviteResponse(token=token_message(token), secret=str(text), user=user_message(user))


def _check_combination(request: pb.CreateInviteRequest) -> None:
    """Raise InvalidArgumentError (FIELD_INVALID) if fields of the request do not go together."""
    if request.user:
        if request.uses > 1:
            raise invalid_field("uses", "uses must be 1 for an invite of one user; set renewable instead.")
        if request.team:
            raise invalid_field("team", "team is for new users: set that of this one with SetUserTeam.")
        if request.quotas != user_pb2.UserQuotas():
            raise invalid_field(
                "quotas", "quotas are for new users: set those of this one with SetUserQuotas."
            )
        return
    if not 1 <= request.uses <= MAX_USES:
        raise invalid_field(
            "uses", f"uses is {request.uses}, but must be 1 to {MAX_USES}: how many people may join."
        )
    if request.renewable:
        raise invalid_field("renewable", "renewable is for an invite of one user: name the user.")


def _check_role(user: UserRow, role: Role) -> None:
    """Raise InvalidArgumentError (FIELD_INVALID) if the user may not have a token of this role."""
    if not role.within(user.role):
        raise invalid_field("role", f"{user.id} may have the tokens of {user.role.person} at most.")


def _read_code(text: str) -> InviteCode:
    """Return the code. Raises InvalidArgumentError (FIELD_INVALID)."""
    code = parse_code(text)
    if code is None:
        hint = (
            "This is the code of a team: people with an account join it with `arena team join`."
            if parse_code(text, TEAM_PREFIX) is not None
            else "Check each for a mistake."
        )
        raise invalid_field(
            "code", f"This is not the code of an invite: JOIN- and 20 letters and digits. {hint}"
        )
    return code


def _open_invite(tx: Transaction, code: InviteCode, now_us: int) -> InviteRow:
    """Return the invite of a code. Raises NotFoundError (INVITE_NOT_FOUND), FailedPreconditionError (INVITE_ENDED)."""
    invite = tx.invites.find_by_code(code.sha256)
    if invite is None:
        raise NotFoundError(
            ErrorReason.INVITE_NOT_FOUND,
            "This arena has no invite with this code. Check the code, and the address of the arena.",
        )
    why = invite.why_ended(now_us)
    if not why and invite.user is not None and tx.users.get(invite.user).disabled:
        why = "its user is disabled"
    if why:
        raise FailedPreconditionError(
            ErrorReason.INVITE_ENDED,
            f"The invite cannot be accepted any more: {why}. Ask the organiser for another one.",
            invite=invite_name(invite.id),
        )
    return invite


def _user_of(tx: Transaction, invite: InviteRow, user_id: str, now_us: int) -> UserRow:
    """Return the user who joins; a new one unless the invite is for one that exists.

    Raises InvalidArgumentError (FIELD_INVALID), AlreadyExistsError (USER_EXISTS).
    """
    if invite.user is None:
        user = UserRow(
            check_id("user_id", user_id), invite.role, now_us, quotas=invite.quotas, team=invite.team
        )
        if invite.team:
            tx.teams.get(invite.team)  # it may have been removed
        if tx.users.find(user.id) is not None:
            raise AlreadyExistsError(
                ErrorReason.USER_EXISTS, f"The name {user.id} is taken; choose another one.", user=user.id
            )
        tx.users.add(user)
        return user
    if user_id not in ("", invite.user):
        raise invalid_field(
            "user_id", f"This invite is for {invite.user}: leave the name out, or give this one."
        )
    user = tx.users.get(invite.user)
    _check_role(user, invite.role)
    return user


def _replaced(tx: Transaction, invite: InviteRow, user: UserRow, now_us: int) -> tuple[str, ...]:
    """Revoke the tokens that a renewable invite gave before; return their ids.

    Raises ResourceExhaustedError (QUOTA_EXCEEDED): the user has too many tokens for another one.
    """
    given = [token.id for token in tx.tokens.live_of(user.id, now_us) if token.invite == invite.id]
    for token_id in given if invite.renewable else ():
        tx.tokens.revoke(token_id, now_us)
    check_token_quota(tx, user, quotas_in_force(user), now_us)
    return tuple(given) if invite.renewable else ()


def _token(invite: InviteRow, user: UserRow, text: TokenText, note: str, now_us: int) -> TokenRow:
    """Return the token of an invite."""
    days = invite.token_expire_days
    expires_us = earliest(now_us + days * US_PER_DAY if days else None, invite.tokens_end_us)
    return TokenRow(
        text.id,
        invite.role,
        user.id,
        None,
        text.secret_sha256,
        now_us,
        expires_us=expires_us,
        note=note,
        invite=invite.id,
    )


def _sentence(invite: InviteRow) -> str:
    """Return the sentence of the audit trail on a new invite."""
    users = "1 new user" if invite.uses == 1 else f"{invite.uses} new users"
    whom = f"for {users if invite.user is None else invite.user}"
    again = ", renewable" if invite.renewable else f", members of {invite.team}" if invite.team else ""
    until = format_end(invite.expires_us)
    return f"An invite to the role {invite.role.name.lower()} was created {whom}{again}, {until}."


def _message(invite: InviteRow) -> pb.Invite:
    return pb.Invite(
        name=invite_name(invite.id),
        role=token_pb2.Role.ValueType(invite.role.value),
        user="" if invite.user is None else user_name(invite.user),
        uses=invite.uses,
        used=invite.used,
        quotas=user_pb2.UserQuotas(**asdict(invite.quotas)),
        token_expire_days=invite.token_expire_days,
        renewable=invite.renewable,
        note=invite.note,
        create_time=timestamp(invite.created_us),
        expire_time=timestamp(invite.expires_us),
        revoked=invite.revoked_us is not None,
        team=team_name(invite.team) if invite.team else "",
    )
