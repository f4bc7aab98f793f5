"""`arena user`: create, list and change users."""

from __future__ import annotations

import uuid
from enum import StrEnum
from typing import Annotated

import typer
from rich.console import Group, RenderableType

from arena.cli.framework.commands import CommandContext, arena_command, group
from arena.cli.framework.connection import ArenaClient
from arena.cli.framework.errors import CliError
from arena.cli.framework.names import ID_HELP, resource
from arena.cli.framework.output import enum_value, facts, format_time, plain, print_note, short, table
from arena.cli.framework.paging import fetch_all
from arena.cli.token import format_role
from arena.drawings.wording import counted
from arena.v1 import token_pb2, user_pb2

app = group("Create, list and change users.")

UserArgument = Annotated[str, typer.Argument(metavar="USER", help="The user, for example alice.")]

BotsOption = Annotated[int | None, typer.Option("--bots", min=0, help="Bots, including hidden ones.")]
SubmissionsOption = Annotated[
    int | None, typer.Option("--submissions-per-day", min=0, help="Submissions per 24 hours.")
]
ArchiveOption = Annotated[
    int | None, typer.Option("--archive-mib", min=0, help="Maximum archive size in MiB.")
]
VersionsOption = Annotated[
    int | None, typer.Option("--versions-mib", min=0, help="Size of all submitted versions in MiB.")
]
ConnectionsOption = Annotated[
    int | None, typer.Option("--connections", min=0, help="Simultaneous connections of their bots.")
]
TokensOption = Annotated[
    int | None, typer.Option("--tokens", min=0, help="Tokens that are neither revoked nor expired.")
]


class UserRole(StrEnum):
    """The role of a user on the command line."""

    SPECTATOR = "spectator"
    OWNER = "owner"
    ORGANISER = "organiser"


RoleArgument = Annotated[UserRole, typer.Argument(metavar="ROLE", help="spectator, owner or organiser.")]


@arena_command(app, "create", example="arena user create alice --bots 3")
def create_user(
    context: CommandContext,
    name: Annotated[str, typer.Argument(metavar="USER", help=ID_HELP)],
    role: Annotated[UserRole, typer.Option(help="The highest role of their tokens.")] = UserRole.OWNER,
    bots: BotsOption = None,
    submissions_per_day: SubmissionsOption = None,
    archive_mib: ArchiveOption = None,
    versions_mib: VersionsOption = None,
    connections: ConnectionsOption = None,
    tokens: TokensOption = None,
) -> None:
    """Create a user. `arena token create` then creates their first token."""
    request = user_pb2.CreateUserRequest(
        user_id=short(resource("users", name)),
        role=enum_value(token_pb2.Role, role),
        quotas=user_pb2.UserQuotas(
            bots=bots,
            submissions_per_day=submissions_per_day,
            archive_mib=archive_mib,
            versions_mib=versions_mib,
            connections=connections,
            tokens=tokens,
        ),
        request_id=str(uuid.uuid4()),
    )
    with context.connect() as arena:
        user = arena.users.CreateUser(request).user
    own = plain(short(user.name))
    context.show(
        user,
        lambda: (
            f"User {own} was created with the role {format_role(user.role)}. To create their first token: "
            f"arena token create --{format_role(user.role)} {own}"
        ),
    )


@arena_command(app, "list", example="arena user list --format json")
def list_users(context: CommandContext) -> None:
    """List users by name."""
    with context.connect() as arena:
        users = fetch_all(arena.users.ListUsers, user_pb2.ListUsersRequest())
    context.show(users, lambda: _table(users))


@arena_command(app, "show", example="arena user show alice")
def show_user(
    context: CommandContext,
    name: Annotated[str | None, typer.Argument(metavar="USER", help="The user. Default: you.")] = None,
) -> None:
    """Show a user: role, quotas and usage."""
    request = user_pb2.GetUserRequest(name=resource("users", name) if name else "")
    with context.connect() as arena:
        user = arena.users.GetUser(request).user
    context.show(user, lambda: _details(user))


YesOption = Annotated[bool, typer.Option("--yes", help="Proceed even if this locks you out.")]


@arena_command(app, "role", example="arena user role alice organiser")
def set_role(context: CommandContext, name: UserArgument, role: RoleArgument, yes: YesOption = False) -> None:
    """Set a user's role. Their tokens with more rights are revoked."""
    request = user_pb2.SetUserRoleRequest(name=resource("users", name), role=enum_value(token_pb2.Role, role))
    with context.connect() as arena:
        if not yes and role is not UserRole.ORGANISER:
            _check_not_oneself(arena, request.name)
        changed = arena.users.SetUserRole(request)
    user = changed.user
    context.show(user, lambda: f"{plain(short(user.name))} has the role {format_role(user.role)}.")
    if changed.revoked_tokens:
        print_note(f"This revoked {counted(changed.revoked_tokens, 'token')} of {short(user.name)}.")


@arena_command(app, "disable", example="arena user disable alice")
def disable_user(context: CommandContext, name: UserArgument, yes: YesOption = False) -> None:
    """Disable a user: reject their tokens, close their connections, stop scheduling their bots."""
    _set_disabled(context, name, disabled=True, oneself_too=yes)


@arena_command(app, "enable", example="arena user enable alice")
def enable_user(context: CommandContext, name: UserArgument) -> None:
    """Enable a user. Their tokens work again."""
    _set_disabled(context, name, disabled=False)


@arena_command(app, "quotas", example="arena user quotas alice --bots 10 --connections 64")
def set_quotas(
    context: CommandContext,
    name: UserArgument,
    reset: Annotated[
        bool, typer.Option("--reset", help="Reset quotas that are not given to the defaults.")
    ] = False,
    bots: BotsOption = None,
    submissions_per_day: SubmissionsOption = None,
    archive_mib: ArchiveOption = None,
    versions_mib: VersionsOption = None,
    connections: ConnectionsOption = None,
    tokens: TokensOption = None,
) -> None:
    """Set a user's quotas. Those not given stay as they are."""
    given = user_pb2.UserQuotas(
        bots=bots,
        submissions_per_day=submissions_per_day,
        archive_mib=archive_mib,
        versions_mib=versions_mib,
        connections=connections,
        tokens=tokens,
    )
    if not given.ListFields() and not reset:
        raise typer.BadParameter("name a quota, for example --bots 10, or use --reset.")
    user_name = resource("users", name)
    with context.connect() as arena:
        quotas = user_pb2.UserQuotas()
        if not reset:
            quotas.CopyFrom(arena.users.GetUser(user_pb2.GetUserRequest(name=user_name)).user.quotas)
        quotas.MergeFrom(given)
        request = user_pb2.SetUserQuotasRequest(name=user_name, quotas=quotas)
        arena.users.SetUserQuotas(request)
        user = arena.users.GetUser(user_pb2.GetUserRequest(name=user_name)).user  # with the usage
    context.show(user, lambda: _details(user))


def _set_disabled(context: CommandContext, name: str, *, disabled: bool, oneself_too: bool = True) -> None:
    request = user_pb2.SetUserDisabledRequest(name=resource("users", name), disabled=disabled)
    with context.connect() as arena:
        if not oneself_too:
            _check_not_oneself(arena, request.name)
        user = arena.users.SetUserDisabled(request).user
    context.show(user, lambda: f"{plain(short(user.name))} is {'disabled' if user.disabled else 'enabled'}.")


def _check_not_oneself(arena: ArenaClient, name: str) -> None:
    """Raise CliError if the token belongs to this user, who would lose their own rights."""
    own = arena.tokens.GetOwnToken(token_pb2.GetOwnTokenRequest()).token
    if short(own.owner) == short(name):
        raise CliError(
            f"You are {short(name)} (token {short(own.name)}) and would lose your own rights. Use --yes "
            "to proceed, or the token of another organiser."
        )


def _table(users: user_pb2.ListUsersResponse) -> RenderableType:
    titles = ("user", "role", "disabled", "created", "own quotas")
    return table(titles, (_row(user) for user in users.users))


def _row(user: user_pb2.User) -> tuple[str, ...]:
    own = ", ".join(f"{field.name} {value}" for field, value in user.quotas.ListFields())
    disabled = "yes" if user.disabled else ""
    return short(user.name), format_role(user.role), disabled, format_time(user.create_time), own


def _details(user: user_pb2.User) -> RenderableType:
    kept = "kept, but " if user.quotas.ListFields() else "none: "
    about = facts(
        (
            ("user", short(user.name)),
            ("role", format_role(user.role)),
            ("disabled", "yes" if user.disabled else ""),
            ("created", format_time(user.create_time)),
            ("quotas", "" if user.HasField("quotas_in_force") else f"{kept}organisers have no limits"),
        )
    )
    if not user.HasField("quotas_in_force") and not user.HasField("usage"):
        return about
    titles = ("what", ">used", ">quota", "")
    names = [field.name for field in user.quotas.DESCRIPTOR.fields]
    if user.role == token_pb2.ROLE_SPECTATOR:
        names = [name for name in names if name == "tokens" or _has(user, name)]
    return Group(about, table(titles, (_quota(user, name) for name in names)))


def _has(user: user_pb2.User, name: str) -> int:
    """Return the usage of a quota; 0 if it is not counted."""
    return int(getattr(user.usage, name)) if name in user.usage.DESCRIPTOR.fields_by_name else 0


def _quota(user: user_pb2.User, name: str) -> tuple[str, ...]:
    counted = user.HasField("usage") and name in user.usage.DESCRIPTOR.fields_by_name
    has, may = _has(user, name), int(getattr(user.quotas_in_force, name))
    bounded = user.HasField("quotas_in_force")
    remarks = [
        *(["set for this user"] if name in {field.name for field, _ in user.quotas.ListFields()} else []),
        *(["exceeded: nothing new is accepted"] if bounded and has > may else []),
    ]
    return name, str(has) if counted else "", str(may) if bounded else "", "; ".join(remarks)
