"""TeamService: users who own bots together."""
# ruff: noqa: N802 - the methods are named as in the .proto

from collections.abc import Callable
from dataclasses import asdict, replace
from typing import TypeVar

from arena.core.errors import (
    AlreadyExistsError,
    ErrorReason,
    FailedPreconditionError,
    NotFoundError,
    invalid_field,
)
from arena.core.invite_codes import TEAM_PREFIX, InviteCode, new_code, parse_code
from arena.server.auth.authentication import check_still_valid, team_changed
from arena.server.auth.permissions import Caller, current_caller
from arena.server.auth.quotas import check_pace, quotas_in_force
from arena.server.context import Context
from arena.server.limits import TEAM_MEMBERS
from arena.server.services.paging import PageRequest
from arena.server.services.service_context import Service, complete, record_decision
from arena.server.services.user_fields import user_message
from arena.store.accounts.tokens import Role, Scope
from arena.store.accounts.users import NO_QUOTAS, UserRow
from arena.store.audit.entries import AuditKind
from arena.store.store import Transaction
from arena.v1 import team_pb2 as pb
from arena.v1 import team_pb2_grpc, user_pb2
from arena.wire.fields import timestamp
from arena.wire.resource_names import (
    bot_name,
    check_id,
    owner_name,
    parse_team,
    parse_user,
    team_name,
    user_name,
)

M = TypeVar("M")


class TeamService(Service, team_pb2_grpc.TeamServiceServicer):
    """Manages teams."""

    async def CreateTeam(self, request: pb.CreateTeamRequest, _: Context) -> pb.CreateTeamResponse:
        """Store a team; only the response has its code."""
        caller, now_us = current_caller(), self._platform.now_us()
        team = UserRow(check_id("team_id", request.team_id), Role.OWNER, now_us, is_team=True)
        code = new_code(self._platform.random_bytes, TEAM_PREFIX)

        def create(tx: Transaction) -> pb.Team:
            check_still_valid(tx, caller, now_us)
            check_pace(tx, caller, now_us)
            known = tx.users.find(team.id)
            if known is not None:
                raise _name_taken(known)
            quotas = NO_QUOTAS
            if not caller.is_organiser:
                _check_free(caller)
                quotas = tx.users.get(caller.user).quotas
            made = replace(team, quotas=quotas)
            tx.users.add(made)
            tx.teams.set_code(team.id, code.sha256)
            what = f"The team {team.id} was created."
            if not caller.is_organiser:
                tx.teams.set_member(caller.user, team.id)
                what += f" Its first member is {caller.user}, whose bots it owns."
            _record(tx, caller, now_us, what, team.id, caller.user)
            return _message(tx, made)

        return pb.CreateTeamResponse(team=await self._change(create), code=str(code))

    async def GetTeam(self, request: pb.GetTeamRequest, _: Context) -> pb.GetTeamResponse:
        """Return one team."""
        caller = current_caller()
        name = _managed(request.name, caller)
        team = await self._platform.database.read(lambda tx: _message(tx, tx.teams.get(name)))
        return pb.GetTeamResponse(team=team)

    async def ListTeams(self, request: pb.ListTeamsRequest, _: Context) -> pb.ListTeamsResponse:
        """Return teams by name."""

        def rows(tx: Transaction, wanted: PageRequest) -> list[tuple[str, pb.Team]]:
            teams = tx.teams.page(after=wanted.first, limit=wanted.fetch)
            return [(team.id, _message(tx, team)) for team in teams]

        page = await self._platform.page(request, rows, lambda line: line[:1])
        return pb.ListTeamsResponse(teams=(team for _, team in page.rows), next_page_token=page.next_token)

    async def JoinTeam(self, request: pb.JoinTeamRequest, _: Context) -> pb.JoinTeamResponse:
        """Make the caller a member of the team with the code."""
        caller, code, now_us = current_caller(), _read_code(request.code), self._platform.now_us()

        def join(tx: Transaction) -> pb.Team:
            check_still_valid(tx, caller, now_us)
            check_pace(tx, caller, now_us)
            team = tx.teams.find_by_code(code.sha256)
            if team is None:
                raise NotFoundError(
                    ErrorReason.TEAM_NOT_FOUND,
                    "This arena has no team with this code. Ask a member for the present one: `arena team code`.",
                )
            _check_free(caller)
            _check_takes_members(tx, team)
            tx.teams.set_member(caller.user, team.id)
            what = f"{caller.user} became a member of the team {team.id}, which owns their bots from then on."
            _record(tx, caller, now_us, what, team.id, caller.user)
            return _message(tx, team)

        return pb.JoinTeamResponse(team=await self._change(join))

    async def LeaveTeam(self, _request: pb.LeaveTeamRequest, _: Context) -> pb.LeaveTeamResponse:
        """End the caller's membership."""
        caller, now_us = current_caller(), self._platform.now_us()
        name = _managed("", caller)
        ended: list[str] = []

        def leave(tx: Transaction) -> pb.Team:
            check_still_valid(tx, caller, now_us)
            if tx.teams.count_members(name) == 1 and tx.users.count_bots(name):
                raise FailedPreconditionError(
                    ErrorReason.TEAM_STATE,
                    f"You are the last member of {name}, and it has bots: they must belong to somebody. Stay, or ask "
                    "the organiser.",
                    team=team_name(name),
                )
            tx.teams.set_member(caller.user, "")
            ended.extend(_other_tokens(tx, caller, now_us))
            left = _message(tx, tx.teams.get(name))
            what = f"{caller.user} left the team {name}, which keeps all its bots."
            if not left.members:
                tx.teams.remove(name)
                what = f"{caller.user} left the team {name}, which had no other member and no bots, and is removed."
            _record(tx, caller, now_us, what, name, caller.user)
            return left

        return pb.LeaveTeamResponse(team=await self._change(leave, ended))

    async def RenewTeamCode(self, request: pb.RenewTeamCodeRequest, _: Context) -> pb.RenewTeamCodeResponse:
        """Replace the code; only the response has it."""
        caller, now_us = current_caller(), self._platform.now_us()
        name = _managed(request.name, caller)
        code = new_code(self._platform.random_bytes, TEAM_PREFIX)

        def renew(tx: Transaction) -> pb.Team:
            check_still_valid(tx, caller, now_us)
            check_pace(tx, caller, now_us)
            team = tx.teams.get(name)
            tx.teams.set_code(name, code.sha256)
            _record(tx, caller, now_us, f"The code of the team {name} was replaced.", name)
            return _message(tx, team)

        return pb.RenewTeamCodeResponse(team=await self._change(renew), code=str(code))

    async def SetUserTeam(self, request: pb.SetUserTeamRequest, _: Context) -> pb.SetUserTeamResponse:
        """Make a user a member of a team, of another one, or of none."""
        caller, now_us = current_caller(), self._platform.now_us()
        user_id = parse_user("user", request.user)
        team_id = parse_team("team", request.team) if request.team else ""
        ended: list[str] = []

        def change(tx: Transaction) -> user_pb2.User:
            check_still_valid(tx, caller, now_us)
            user = tx.users.get_person(user_id)
            if team_id:
                tx.teams.get(team_id)
            if user.team != team_id:
                tx.teams.set_member(user_id, team_id)
                ended.extend(token.id for token in tx.tokens.live_of(user_id, now_us))
                what = f"{user_id} was made a member of {f'the team {team_id}' if team_id else 'no team'}."
                about = [name for name in (team_id, user.team) if name]
                _record(tx, caller, now_us, what, *about, user_id)
            return user_message(replace(user, team=team_id))

        return pb.SetUserTeamResponse(user=await self._change(change, ended))

    async def _change(self, work: Callable[[Transaction], M], ended: list[str] | None = None) -> M:
        """Carry out the change, and end calls that began before it. `ended`: filled by `work`, ids of their tokens."""

        async def carry_out() -> M:
            made = await self._platform.database.write(work)
            self._platform.runtime.end_calls(ended or (), team_changed())
            self._platform.runtime.hosting_changed()  # which bots have one owner may have changed
            self._platform.runtime.wake_scheduler()
            return made

        return await complete(carry_out())


def _managed(name: str, caller: Caller) -> str:
    """Return the id of a team that the caller may manage; without a name it is the caller's.

    Raises InvalidArgumentError (FIELD_INVALID), NotFoundError (TEAM_NOT_FOUND), PermissionDeniedError (NOT_OWNER,
    SCOPE_REQUIRED).
    """
    team = parse_team("name", name) if name else caller.team
    if not team:
        raise NotFoundError(
            ErrorReason.TEAM_NOT_FOUND,
            f"{caller.user} is in no team. `arena team join CODE` joins one, `arena team create NAME` makes one.",
        )
    if team != caller.team:
        caller.check_owns(team, name)
        caller.check_scope("Another team", Scope.OVERSEE)
    return team


def _name_taken(known: UserRow) -> AlreadyExistsError:
    """Return the error of a new team with the name of a user or team (USER_EXISTS)."""
    what = "team" if known.is_team else "user"
    return AlreadyExistsError(
        ErrorReason.USER_EXISTS,
        f"The name {known.id} is that of a {what}; choose another one.",
        user=known.id,
    )


def _check_free(caller: Caller) -> None:
    """Raise FailedPreconditionError (TEAM_STATE) if the caller is a member of a team."""
    if caller.team:
        raise FailedPreconditionError(
            ErrorReason.TEAM_STATE,
            f"You are a member of the team {caller.team}, and may be in one at a time. `arena team leave` ends that; "
            "all bots stay with the team.",
            team=team_name(caller.team),
        )


def _check_takes_members(tx: Transaction, team: UserRow) -> None:
    """Raise FailedPreconditionError (TEAM_STATE) if nobody can join the team."""
    why = ""
    if team.disabled:
        why = "it is disabled"
    elif tx.teams.count_members(team.id) >= TEAM_MEMBERS:
        why = f"it has {TEAM_MEMBERS} members"
    if why:
        raise FailedPreconditionError(
            ErrorReason.TEAM_STATE,
            f"Nobody can join the team {team.id}: {why}. The organiser may still add members.",
            team=team_name(team.id),
        )


def _other_tokens(tx: Transaction, caller: Caller, now_us: int) -> list[str]:
    """Return the ids of the caller's other tokens, whose calls see what is no longer theirs."""
    live = tx.tokens.live_of(caller.user, now_us)
    return [token.id for token in live if token.id != caller.token_id]


def _read_code(text: str) -> InviteCode:
    """Return the code. Raises InvalidArgumentError (FIELD_INVALID)."""
    code = parse_code(text, TEAM_PREFIX)
    if code is None:
        hint = (
            " This is the code of an invite: `arena join` takes it."
            if parse_code(text) is not None
            else " Check each for a mistake."
        )
        raise invalid_field("code", f"This is not the code of a team: TEAM- and 20 letters and digits.{hint}")
    return code


def _record(tx: Transaction, caller: Caller, now_us: int, what: str, *about: str) -> None:
    """Record a decision about these teams and users."""
    names = dict.fromkeys(user_name(each) for each in about)
    record_decision(tx, AuditKind.USER, caller, now_us, what, *names)


def _message(tx: Transaction, team: UserRow) -> pb.Team:
    in_force = quotas_in_force(team)
    return pb.Team(
        name=team_name(team.id),
        owner=owner_name(team.id),
        members=map(user_name, tx.teams.members(team.id)),
        bots=sorted(map(bot_name, tx.bots.of_owner(team.id))),
        create_time=timestamp(team.created_us),
        disabled=team.disabled,
        quotas_in_force=None if in_force is None else user_pb2.UserQuotas(**asdict(in_force)),
    )
