"""UserService: users, their roles and quotas."""
# ruff: noqa: N802 - the methods are named as in the .proto

from collections.abc import Callable
from dataclasses import asdict, fields
from typing import Final

from arena.core.errors import ArenaError, ErrorReason, FailedPreconditionError, invalid_field
from arena.core.units import US_PER_DAY
from arena.server.auth.authentication import check_still_valid
from arena.server.auth.permissions import Caller, current_caller
from arena.server.auth.quotas import MIB, quotas_in_force
from arena.server.auth.revocation import DISABLED, LOWERED
from arena.server.context import Context
from arena.server.limits import ARCHIVE_BYTES
from arena.server.services.service_context import Service, complete, record_decision
from arena.store.accounts.tokens import Role, Scope, TokenRow
from arena.store.accounts.users import Quotas, QuotaUsage, UserRow
from arena.store.audit.entries import AuditKind
from arena.store.store import Transaction
from arena.v1 import token_pb2, user_pb2_grpc
from arena.v1 import user_pb2 as pb
from arena.wire.fields import enum_of, same, timestamp
from arena.wire.resource_names import check_id, parse_user, user_name


class UserService(Service, user_pb2_grpc.UserServiceServicer):
    """Manages users."""

    async def CreateUser(self, request: pb.CreateUserRequest, _: Context) -> pb.CreateUserResponse:
        """Create a user without a token."""
        caller = current_caller()
        user = UserRow(
            id=check_id("user_id", request.user_id),
            role=_role(request.role or token_pb2.ROLE_OWNER),
            created_us=self._platform.now_us(),
            quotas=_quotas(request.quotas),
        )

        def create(tx: Transaction) -> pb.CreateUserResponse:
            check_still_valid(tx, caller, user.created_us)
            tx.users.add(user)
            what = f"The user {user.id} was created with the role {user.role.name.lower()}."
            record_decision(tx, AuditKind.USER, caller, user.created_us, what, user_name(user.id))
            return pb.CreateUserResponse(user=_message(user))

        return await self._platform.create_once(request, create, pb.CreateUserResponse)

    async def GetUser(self, request: pb.GetUserRequest, _: Context) -> pb.GetUserResponse:
        """Return one user, with their usage."""
        caller = current_caller()
        name = parse_user("name", request.name) if request.name else caller.owner
        if name != caller.owner:
            caller.check_owns(name, request.name)
            caller.check_scope("Another user", Scope.OVERSEE)
        now_us, connections = self._platform.now_us(), self._platform.runtime.connections_of(name)

        def question(tx: Transaction) -> pb.GetUserResponse:
            user = tx.users.get(name)
            usage = QuotaUsage(
                bots=tx.users.count_bots(name),
                submissions_per_day=tx.submissions.count_since(name, now_us - US_PER_DAY),
                version_bytes=sum(tx.bots.submitted_sizes(name).values()),
                tokens=tx.users.count_tokens(name, now_us),
                connections=connections,
            )
            return pb.GetUserResponse(user=_message(user, usage))

        return await self._platform.database.read(question)

    async def ListUsers(self, request: pb.ListUsersRequest, _: Context) -> pb.ListUsersResponse:
        """Return users by name."""
        page = await self._platform.page(
            request,
            lambda tx, wanted: tx.users.page(after=wanted.first, limit=wanted.fetch),
            lambda user: (user.id,),
        )
        return pb.ListUsersResponse(users=map(_message, page.rows), next_page_token=page.next_token)

    async def SetUserRole(self, request: pb.SetUserRoleRequest, _: Context) -> pb.SetUserRoleResponse:
        """Set the user's role, and revoke their tokens with a higher one."""
        role, now_us = _role(request.role), self._platform.now_us()

        def change(tx: Transaction, user: UserRow) -> tuple[TokenRow, ...]:
            if role is not Role.ORGANISER:
                _check_not_last(tx, user, now_us)
            tx.users.set_role(user.id, role)
            live = tx.tokens.live_of(user.id, now_us)
            beyond = tuple(token for token in live if not token.role.within(role))
            for token in beyond:
                tx.tokens.revoke(token.id, now_us)
            return beyond

        words = f"was given the role {role.name.lower()}"
        user, ended = await self._change(
            request.name, lambda before: before.role is role, words, change, LOWERED
        )
        return pb.SetUserRoleResponse(user=_message(user), revoked_tokens=len(ended))

    async def SetUserDisabled(
        self, request: pb.SetUserDisabledRequest, _: Context
    ) -> pb.SetUserDisabledResponse:
        """Disable or enable the user."""
        disabled, now_us = request.disabled, self._platform.now_us()

        def change(tx: Transaction, user: UserRow) -> tuple[TokenRow, ...]:
            if disabled:
                _check_not_last(tx, user, now_us)
            tx.users.set_disabled(user.id, disabled)
            return tx.tokens.live_of(user.id, now_us) if disabled else ()

        words = "was disabled" if disabled else "was enabled"
        user, _ended = await self._change(
            request.name, lambda before: before.disabled == disabled, words, change, DISABLED
        )
        return pb.SetUserDisabledResponse(user=_message(user))

    async def SetUserQuotas(self, request: pb.SetUserQuotasRequest, _: Context) -> pb.SetUserQuotasResponse:
        """Set the user's quotas."""
        quotas = _quotas(request.quotas)

        def change(tx: Transaction, user: UserRow) -> tuple[TokenRow, ...]:
            tx.users.set_quotas(user.id, quotas)
            return ()

        words = f"was given the quotas {_describe(quotas)}"
        user, _ended = await self._change(
            request.name, lambda before: before.quotas == quotas, words, change, LOWERED
        )
        return pb.SetUserQuotasResponse(user=_message(user))

    async def _change(
        self,
        name: str,
        is_so: Callable[[UserRow], bool],
        words: str,
        change: Callable[[Transaction, UserRow], tuple[TokenRow, ...]],
        why: ArenaError,
    ) -> tuple[UserRow, tuple[TokenRow, ...]]:
        """Change the user and record it, unless it `is_so` already; return the user, and what `change` returns.

        Those are the tokens that become invalid: their calls end with the error `why`.
        """
        caller, user_id = current_caller(), parse_user("name", name)

        def work(tx: Transaction) -> tuple[UserRow, tuple[TokenRow, ...]]:
            check_still_valid(tx, caller, self._platform.now_us())
            before = tx.users.get(user_id)
            if is_so(before):
                return before, ()
            ended = change(tx, before)
            tokens = f" {len(ended)} of their tokens became invalid." if ended else ""
            what = f"The user {user_id} {words}.{tokens}"
            record_decision(tx, AuditKind.USER, caller, self._platform.now_us(), what, user_name(user_id))
            return tx.users.get(user_id), ended

        async def carry_out() -> tuple[UserRow, tuple[TokenRow, ...]]:
            user, ended = await self._platform.database.write(work)
            self._platform.runtime.end_calls([token.id for token in ended], why)
            self._platform.runtime.hosting_changed()  # whose bots play nothing may have changed
            return user, ended

        return await complete(carry_out())


def _check_not_last(tx: Transaction, user: UserRow, now_us: int) -> None:
    """Raise FailedPreconditionError (LAST_ORGANISER) if no other user has a token to manage the arena."""
    organises = user.role is Role.ORGANISER and not user.disabled
    if organises and not tx.users.others_who_manage(user.id, now_us):
        raise FailedPreconditionError(
            ErrorReason.LAST_ORGANISER,
            f"{user.id} is the only organiser with a token: nobody else could manage the arena. Make another one first "
            "(`arena token create --organiser NAME`).",
            user=user.id,
        )


_ROLES: Final = "ROLE_SPECTATOR, ROLE_OWNER or ROLE_ORGANISER"


def _role(number: int) -> Role:
    """Return the role of a user. Raises InvalidArgumentError (FIELD_INVALID)."""
    if number == Role.BOT.value:
        raise invalid_field("role", f"role is ROLE_BOT, but must be {_ROLES}.")
    return enum_of(Role, "role", number, _ROLES)


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


def _message(user: UserRow, usage: QuotaUsage | None = None) -> pb.User:
    in_force = quotas_in_force(user)
    return pb.User(
        name=user_name(user.id),
        role=token_pb2.Role.ValueType(user.role.value),
        disabled=user.disabled,
        create_time=timestamp(user.created_us),
        quotas=pb.UserQuotas(**asdict(user.quotas)),
        quotas_in_force=None if in_force is None else pb.UserQuotas(**asdict(in_force)),
        usage=None if usage is None else _usage_message(usage),
    )


def _quotas(message: pb.UserQuotas) -> Quotas:
    """Return the quotas that are set. Raises InvalidArgumentError (FIELD_INVALID)."""
    values = {name: getattr(message, name) for name in _NAMES if message.HasField(name)}  # type: ignore[arg-type]
    for name, value in values.items():
        most = ARCHIVE_BYTES // MIB if name == "archive_mib" else _MOST
        if value > most:
            raise invalid_field(f"quotas.{name}", f"quotas.{name} is {value}, but must be at most {most}.")
    return Quotas(**values)


def _describe(quotas: Quotas) -> str:
    """Return the quotas in words, for example "bots 3, tokens 10"."""
    known = (f"{name} {value}" for name, value in asdict(quotas).items() if value is not None)
    return ", ".join(known) or "of everybody"


def _usage_message(usage: QuotaUsage) -> pb.UserUsage:
    return pb.UserUsage(
        versions_mib=-(-usage.version_bytes // MIB),
        **same(usage, "bots", "submissions_per_day", "connections", "tokens"),
    )
