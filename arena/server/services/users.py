"""UserService: users, their roles and quotas."""
# ruff: noqa: N802 - the methods are named as in the .proto

from collections.abc import Callable
from dataclasses import asdict

from arena.core.errors import ArenaError, ErrorReason, FailedPreconditionError, invalid_field
from arena.core.units import US_PER_DAY
from arena.server.auth.authentication import check_still_valid
from arena.server.auth.permissions import current_caller
from arena.server.auth.revocation import DISABLED, LOWERED
from arena.server.context import Context
from arena.server.services.invites import Inviter, InviteTerms
from arena.server.services.paging import PageRequest
from arena.server.services.rosters import (
    PlannedUser,
    RosterInvites,
    carry_out,
    describe,
    plan_import,
    read_roster,
)
from arena.server.services.service_context import Service, complete, record_decision
from arena.server.services.user_fields import full_name_of, quotas_of, user_message, user_role
from arena.server.services.user_progress import user_progress
from arena.store.accounts.tokens import Role, Scope, TokenRow
from arena.store.accounts.users import Quotas, QuotaUsage, UserRow
from arena.store.audit.entries import AuditKind
from arena.store.store import Transaction
from arena.v1 import token_pb2, user_pb2_grpc
from arena.v1 import user_pb2 as pb
from arena.wire.fields import enum_of
from arena.wire.resource_names import check_id, parse_user, user_name


class UserService(Service, user_pb2_grpc.UserServiceServicer):
    """Manages users."""

    async def CreateUser(self, request: pb.CreateUserRequest, _: Context) -> pb.CreateUserResponse:
        """Create a user without a token."""
        caller = current_caller()
        user = UserRow(
            id=check_id("user_id", request.user_id),
            role=user_role(request.role or token_pb2.ROLE_OWNER),
            created_us=self._platform.now_us(),
            quotas=quotas_of(request.quotas),
            full_name=full_name_of("full_name", request.full_name),
        )

        def create(tx: Transaction) -> pb.CreateUserResponse:
            check_still_valid(tx, caller, user.created_us)
            tx.users.add(user)
            what = f"The user {user.id} was created with the role {user.role.name.lower()}."
            record_decision(tx, AuditKind.USER, caller, user.created_us, what, user_name(user.id))
            return pb.CreateUserResponse(user=user_message(user))

        return await self._platform.create_once(request, create, pb.CreateUserResponse)

    async def GetUser(self, request: pb.GetUserRequest, _: Context) -> pb.GetUserResponse:
        """Return one user, with their usage."""
        caller = current_caller()
        name = parse_user("name", request.name) if request.name else caller.user
        if name not in (caller.user, caller.owner):
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
            return pb.GetUserResponse(user=user_message(user, usage))

        return await self._platform.database.read(question)

    async def ListUsers(self, request: pb.ListUsersRequest, _: Context) -> pb.ListUsersResponse:
        """Return users by name."""
        page = await self._platform.page(
            request,
            lambda tx, wanted: tx.users.page(after=wanted.first, limit=wanted.fetch),
            lambda user: (user.id,),
        )
        return pb.ListUsersResponse(users=map(user_message, page.rows), next_page_token=page.next_token)

    async def SetUserRole(self, request: pb.SetUserRoleRequest, _: Context) -> pb.SetUserRoleResponse:
        """Set the user's role, and revoke their tokens with a higher one."""
        role, now_us = user_role(request.role), self._platform.now_us()

        def change(tx: Transaction, user: UserRow) -> tuple[TokenRow, ...]:
            if user.is_team:
                raise invalid_field("name", f"{user.id} is a team: only users have roles.")
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
        return pb.SetUserRoleResponse(user=user_message(user), revoked_tokens=len(ended))

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
        return pb.SetUserDisabledResponse(user=user_message(user))

    async def SetUserQuotas(self, request: pb.SetUserQuotasRequest, _: Context) -> pb.SetUserQuotasResponse:
        """Set the user's quotas."""
        quotas = quotas_of(request.quotas)

        def change(tx: Transaction, user: UserRow) -> tuple[TokenRow, ...]:
            tx.users.set_quotas(user.id, quotas)
            return ()

        words = f"was given the quotas {_describe(quotas)}"
        user, _ended = await self._change(
            request.name, lambda before: before.quotas == quotas, words, change, LOWERED
        )
        return pb.SetUserQuotasResponse(user=user_message(user))

    async def ImportUsers(self, request: pb.ImportUsersRequest, _: Context) -> pb.ImportUsersResponse:
        """Create or change the users of a roster, all or none."""
        caller, now_us = current_caller(), self._platform.now_us()
        roster = read_roster(request.entries)
        invites = enum_of(RosterInvites, "invites", request.invites, "a RosterInvites of this arena")
        terms = InviteTerms(request.expire_days, request.token_expire_days, request.renewable)
        inviter = Inviter(caller, terms, self._platform.random_bytes, now_us)

        def plan(tx: Transaction) -> tuple[PlannedUser, ...]:
            check_still_valid(tx, caller, now_us)
            planned = plan_import(tx, roster, invites, now_us)
            for role in {each.user.role for each in planned if each.is_invited}:
                inviter.check_may_give(role)
            return planned

        def work(tx: Transaction) -> list[pb.ImportedUser]:
            planned = plan(tx)
            about = [user_name(each.user.id) for each in planned if each.is_changed]
            if about:
                record_decision(tx, AuditKind.USER, caller, now_us, describe(planned), *about)
            return carry_out(tx, planned, inviter, now_us)

        if request.validate_only:
            planned = await self._platform.database.read(plan)
            return pb.ImportUsersResponse(users=(each.message() for each in planned))
        return pb.ImportUsersResponse(users=await self._platform.database.write(work))

    async def ListUserProgress(
        self, request: pb.ListUserProgressRequest, _: Context
    ) -> pb.ListUserProgressResponse:
        """Return users by name, each with how far they are."""
        caller, runtime = current_caller(), self._platform.runtime

        def rows(tx: Transaction, wanted: PageRequest) -> list[tuple[str, pb.UserProgress]]:
            users = tx.users.page(after=wanted.first, limit=wanted.fetch)
            progress = user_progress(tx, runtime, users, caller)
            return list(zip((user.id for user in users), progress, strict=True))

        page = await self._platform.page(request, rows, lambda line: line[:1])
        progress = (each for _, each in page.rows)
        return pb.ListUserProgressResponse(progress=progress, next_page_token=page.next_token)

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


def _describe(quotas: Quotas) -> str:
    """Return the quotas in words, for example "bots 3, tokens 10"."""
    known = (f"{name} {value}" for name, value in asdict(quotas).items() if value is not None)
    return ", ".join(known) or "of everybody"
