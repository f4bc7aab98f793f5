"""`arena user`: create, list and change users."""

import uuid
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Final, Literal

import typer
from rich.console import Group, RenderableType

from arena.cli.framework.commands import CommandContext, arena_command, group
from arena.cli.framework.connection import ArenaClient, fetch_all
from arena.cli.framework.errors import CliError
from arena.cli.framework.names import ID_HELP, resource
from arena.cli.framework.output import Columns, enum_value, facts, listing_table, plain, print_note, table
from arena.cli.framework.target import check_host_and_port
from arena.cli.roster import new_files, read_roster
from arena.drawings.wording import counted
from arena.v1 import token_pb2, user_pb2
from arena.wire.owner_wording import format_role
from arena.wire.wording import enum_word, format_time, short

app = group("Create, list and change users.")

SheetAddress = Annotated[
    str | None,
    typer.Option(
        metavar="HOST:PORT",
        help="The address of the arena for the users, for --sheet.",
        callback=check_host_and_port,
    ),
]

UserArgument = Annotated[str, typer.Argument(metavar="USER", help="The user, for example alice.")]

QUOTA_OPTIONS: Final = {
    name: Annotated[int | None, typer.Option(min=0, help=sentence)]
    for name, sentence in (
        ("bots", "Bots, including hidden ones."),
        ("submissions_per_day", "Submissions per 24 hours."),
        ("archive_mib", "Maximum archive size in MiB."),
        ("versions_mib", "Size of all submitted versions in MiB."),
        ("connections", "Simultaneous connections of their bots."),
        ("tokens", "Tokens that are neither revoked nor expired."),
    )
}
"""The options of commands that set quotas, by the field of the quota."""


UserRole = Literal["spectator", "owner", "organiser"]
"""The role of a user on the command line."""


RoleArgument = Annotated[UserRole, typer.Argument(metavar="ROLE", help="spectator, owner or organiser.")]


@arena_command(app, "create", example="arena user create alice --bots 3", more=QUOTA_OPTIONS)
def create_user(
    context: CommandContext,
    /,
    name: Annotated[str, typer.Argument(metavar="USER", help=ID_HELP)],
    role: Annotated[UserRole, typer.Option(help="The highest role of their tokens.")] = "owner",
    full_name: Annotated[str, typer.Option(help="The person's name, for organisers.")] = "",
    **quotas: int | None,
) -> None:
    """Create a user. `arena token create` then creates their first token."""
    request = user_pb2.CreateUserRequest(
        user_id=short(resource("users", name)),
        role=enum_value(token_pb2.Role, role),
        quotas=user_pb2.UserQuotas(**quotas),
        request_id=str(uuid.uuid4()),
        full_name=full_name,
    )

    def created(user: user_pb2.User) -> str:
        own, role = plain(short(user.name)), format_role(user.role)
        return (
            f"User {own} was created with the role {role}. To create their first token: "
            f"arena token create --{role} {own}"
        )

    context.call(lambda arena: arena.users.CreateUser(request).user, created)


@arena_command(app, "list", example="arena user list --format json")
def list_users(context: CommandContext) -> None:
    """List users by name."""
    context.call(
        lambda arena: fetch_all(arena.users.ListUsers, user_pb2.ListUsersRequest()),
        lambda listing: listing_table(
            _COLUMNS, listing.users, "No users yet: `arena user create` makes one."
        ),
    )


@arena_command(app, "show", example="arena user show alice")
def show_user(
    context: CommandContext,
    name: Annotated[str | None, typer.Argument(metavar="USER", help="The user. Default: you.")] = None,
) -> None:
    """Show a user: role, quotas and usage."""
    request = user_pb2.GetUserRequest(name=resource("users", name) if name else "")
    context.call(lambda arena: arena.users.GetUser(request).user, _details)


@arena_command(app, "import", example="arena user import class.csv --codes codes.csv --expire-days 14")
def import_users(
    context: CommandContext,
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", help="CSV with the titles user, name, role, team and those of quotas."
        ),
    ],
    codes: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Write the lines of new users with their codes to this new CSV file."
        ),
    ] = None,
    sheet: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write a page with the codes to print, a new HTML file."),
    ] = None,
    again: Annotated[
        bool,
        typer.Option("--again", help="Give new codes to all who have no token yet; their old codes end."),
    ] = False,
    expire_days: Annotated[
        int, typer.Option("--expire-days", min=0, max=3650, help="Days until the codes expire; 0: never.")
    ] = 30,
    token_expire_days: Annotated[
        int,
        typer.Option("--token-expire-days", min=0, max=3650, help="Days until the tokens expire; 0: never."),
    ] = 0,
    renewable: Annotated[
        bool, typer.Option("--renewable", help="Codes work until they expire, and replace a lost token.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Check the file, and change nothing.")] = False,
    address: SheetAddress = None,
) -> None:
    """Create the users of a CSV file, all or none. The same file again changes nothing."""
    outputs = [each for each in (codes, sheet) if each is not None]
    if again and not outputs:
        raise typer.BadParameter("--again needs --codes or --sheet: the codes are shown only there.")
    if sheet is not None and address is None:
        raise typer.BadParameter("--sheet needs --address: the arena's address for the students, host:port.")
    roster = read_roster(file)
    if roster.kept:
        print_note(f"Used: {', '.join(roster.used)}. Only kept for --codes: {', '.join(roster.kept)}.")
    wanted = user_pb2.ROSTER_INVITES_NOT_JOINED if again else user_pb2.ROSTER_INVITES_NEW
    request = user_pb2.ImportUsersRequest(
        entries=(line.entry for line in roster.lines),
        validate_only=dry_run,
        invites=wanted if outputs else user_pb2.ROSTER_INVITES_UNSPECIFIED,
        expire_days=expire_days,
        token_expire_days=token_expire_days,
        renewable=renewable,
    )
    with new_files([] if dry_run else outputs) as write, context.connect() as arena:
        with roster.naming_lines(context.describe):
            imported = arena.users.ImportUsers(request)
        found = {short(each.user.name): each.code for each in imported.users if each.code}
        write({codes: roster.codes_csv(found), sheet: roster.sheet_html(found, address or "")})
        missing = _missing(arena, imported)  # after the codes are safe: this call may fail
    for each in imported.users:
        each.code = ""  # it is in the files
    context.show(imported, lambda: _import_in_words(imported, is_dry=dry_run, codes=len(found)))
    _note_missing(missing)
    _note_moves(imported)
    if not dry_run and not outputs and any(each.outcome == _CREATED for each in imported.users):
        print_note("No codes were made. `--again` with --codes or --sheet makes them.")


_CREATED: Final = user_pb2.ImportedUser.OUTCOME_CREATED


_MOST_MISSING: Final = 10
"""Users who are named because a roster lacks them."""


def _note_moves(imported: user_pb2.ImportUsersResponse) -> None:
    """Print who leaves a team for another one by a roster."""
    for each in imported.users:
        if each.previous_team:
            print_note(
                f"{short(each.user.name)}: team {short(each.previous_team)} -> {short(each.user.team)}."
            )


def _note_missing(missing: Sequence[str]) -> None:
    """Print which owners a roster lacks, if any."""
    if missing:
        shown = f"{', '.join(missing[:_MOST_MISSING])}{', ...' if len(missing) > _MOST_MISSING else ''}"
        print_note(
            f"{counted(len(missing), 'owner')} of the arena not in the file: {shown}. They stay; `arena user disable` "
            "ends the access of one."
        )


def _missing(arena: ArenaClient, imported: user_pb2.ImportUsersResponse) -> list[str]:
    """Return the owners who are not in a roster that was imported before; nobody if all of its users are new."""
    if all(each.outcome == _CREATED for each in imported.users):
        return []
    listed = {each.user.name for each in imported.users}
    users = fetch_all(arena.users.ListUsers, user_pb2.ListUsersRequest()).users
    return [
        short(user.name)
        for user in users
        if user.role == token_pb2.ROLE_OWNER and not user.disabled and user.name not in listed
    ]


def _import_in_words(imported: user_pb2.ImportUsersResponse, *, is_dry: bool, codes: int) -> str:
    outcomes = Counter(enum_word(user_pb2.ImportedUser.Outcome, each.outcome) for each in imported.users)
    done = ", ".join(f"{outcomes[word]} {word}" for word in ("created", "changed", "unchanged"))
    if is_dry:
        return f"The file is correct. Importing it would give: {done}. Nothing was changed."
    return f"{counted(len(imported.users), 'user')}: {done}. {counted(codes, 'code')} written."


YesOption = Annotated[bool, typer.Option("--yes", help="Proceed even if this locks you out.")]


@arena_command(app, "role", example="arena user role alice organiser")
def set_role(context: CommandContext, name: UserArgument, role: RoleArgument, yes: YesOption = False) -> None:
    """Set a user's role. Their tokens with more rights are revoked."""
    request = user_pb2.SetUserRoleRequest(name=resource("users", name), role=enum_value(token_pb2.Role, role))
    with context.connect() as arena:
        if not yes and role != "organiser":
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


@arena_command(
    app, "quotas", example="arena user quotas alice --bots 10 --connections 64", more=QUOTA_OPTIONS
)
def set_quotas(
    context: CommandContext,
    /,
    name: UserArgument,
    reset: Annotated[
        bool, typer.Option("--reset", help="Reset quotas that are not given to the defaults.")
    ] = False,
    **quotas: int | None,
) -> None:
    """Set a user's quotas. Those not given stay as they are."""
    given = user_pb2.UserQuotas(**quotas)
    if not given.ListFields() and not reset:
        raise typer.BadParameter("name a quota, for example --bots 10, or use --reset.")
    request = user_pb2.SetUserQuotasRequest(name=resource("users", name))
    get = user_pb2.GetUserRequest(name=request.name)
    with context.connect() as arena:
        if not reset:
            request.quotas.CopyFrom(arena.users.GetUser(get).user.quotas)
        request.quotas.MergeFrom(given)
        arena.users.SetUserQuotas(request)
        user = arena.users.GetUser(get).user  # with the usage
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


_COLUMNS: Final[Columns[user_pb2.User]] = {
    "user": lambda user: short(user.name),
    "~name": lambda user: user.full_name,
    "role": lambda user: format_role(user.role),
    "?team": lambda user: short(user.team) if user.team else "",
    "disabled": lambda user: "yes" if user.disabled else "",
    "created": lambda user: format_time(user.create_time),
    "own quotas": lambda user: ", ".join(
        f"{field.name} {value}" for field, value in user.quotas.ListFields()
    ),
}


def _details(user: user_pb2.User) -> RenderableType:
    kept = "kept, but " if user.quotas.ListFields() else "none: "
    about = facts(
        ("user", short(user.name)),
        ("name", user.full_name),
        ("role", format_role(user.role)),
        ("team", short(user.team) if user.team else ""),
        ("disabled", "yes" if user.disabled else ""),
        ("created", format_time(user.create_time)),
        ("quotas", "" if user.HasField("quotas_in_force") else f"{kept}organisers have no limits"),
    )
    if not user.HasField("quotas_in_force") and not user.HasField("usage"):
        return about
    titles = ("what", ">used", ">quota", "")
    names = [field.name for field in user.quotas.DESCRIPTOR.fields]
    if user.role == token_pb2.ROLE_SPECTATOR:
        names = [name for name in names if name == "tokens" or getattr(user.usage, name, None)]
    return Group(about, table(titles, (_quota(user, name) for name in names)))


def _quota(user: user_pb2.User, name: str) -> tuple[str, ...]:
    counted = user.HasField("usage") and name in user.usage.DESCRIPTOR.fields_by_name
    bounded = user.HasField("quotas_in_force")
    has = int(getattr(user.usage, name)) if counted else 0
    may = int(getattr(user.quotas_in_force, name))
    own = {field.name for field, _ in user.quotas.ListFields()}
    remarks = ["set for this user"] if name in own else []
    if bounded and has > may:
        remarks.append("exceeded: nothing new is accepted")
    return name, str(has) if counted else "", str(may) if bounded else "", "; ".join(remarks)
