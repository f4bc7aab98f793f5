"""`arena token`: create, list and revoke tokens."""

import time
from enum import StrEnum
from typing import Annotated, Final

import typer
from rich.console import RenderableType

from arena.cli.framework.commands import CommandContext, arena_command, group
from arena.cli.framework.connection import ArenaClient, fetch_all
from arena.cli.framework.names import resource
from arena.cli.framework.output import Columns, enum_value, facts, listing_table, plain, print_note
from arena.v1 import token_pb2
from arena.wire.owner_wording import format_role, format_scopes
from arena.wire.wording import format_time, short


class ScopeName(StrEnum):
    """The scopes on the command line."""

    READ = "read"
    BOTS = "bots"
    COMPETE = "compete"
    PRIVATE = "private"
    TOKENS = "tokens"
    ORGANISE = "organise"
    OVERSEE = "oversee"


app = group("Create, list and revoke tokens.")

ExpireOption = Annotated[
    int, typer.Option("--expire-days", min=0, max=3650, help="Days until it expires; 0: never.")
]


@arena_command(app, "create", example="arena token create --owner alice --expire-days 90 --note laptop")
def create_token(
    context: CommandContext,
    bot: Annotated[str | None, typer.Option(help="Create a token that plays as this bot.")] = None,
    spectator: Annotated[
        str | None, typer.Option(metavar="USER", help="Create a token of this user that reads public data.")
    ] = None,
    owner: Annotated[
        str | None, typer.Option(metavar="USER", help="Create a token that manages this user's bots.")
    ] = None,
    organiser: Annotated[
        str | None, typer.Option(metavar="USER", help="Create a token of this user that manages everything.")
    ] = None,
    scope: Annotated[
        list[ScopeName] | None, typer.Option(help="Limit the token to this scope of its role. Repeatable.")
    ] = None,
    expire_days: ExpireOption = 0,
    expire_minutes: Annotated[
        int, typer.Option(min=0, max=5_256_000, help="Minutes until it expires, instead of days; 0: never.")
    ] = 0,
    note: Annotated[str, typer.Option(help="A note, for example laptop.")] = "",
) -> None:
    """Create a token. Its secret is printed only once."""
    given = [
        (role, name)
        for role, name in (
            (token_pb2.ROLE_BOT, bot),
            (token_pb2.ROLE_SPECTATOR, spectator),
            (token_pb2.ROLE_OWNER, owner),
            (token_pb2.ROLE_ORGANISER, organiser),
        )
        if name is not None
    ]
    if len(given) != 1:
        raise typer.BadParameter("use exactly one of --bot, --spectator, --owner and --organiser.")
    if expire_days and expire_minutes:
        raise typer.BadParameter("use only one of --expire-days and --expire-minutes.")
    [(role, name)] = given
    request = request_for(role, name, expire_days)
    request.expire_minutes = expire_minutes
    request.note = note
    request.scopes.extend(enum_value(token_pb2.Scope, each) for each in scope or ())
    issue(context, request)


@arena_command(app, "show", example="arena token show")
def show_token(context: CommandContext) -> None:
    """Show the token in use: who you are here, and what you may do."""
    request = token_pb2.GetOwnTokenRequest()
    context.call(lambda arena: arena.tokens.GetOwnToken(request).token, _details)


@arena_command(app, "list", example="arena token list --format json")
def list_tokens(
    context: CommandContext,
    owner: Annotated[str | None, typer.Option(metavar="USER", help="Only tokens of this user.")] = None,
    bot: Annotated[str | None, typer.Option(metavar="BOT", help="Only tokens that play as this bot.")] = None,
    live: Annotated[bool, typer.Option("--live", help="Only tokens neither revoked nor expired.")] = False,
) -> None:
    """List tokens, oldest first, never their secrets. "last used" is exact to the minute."""
    of_owner = resource("owners", owner.removeprefix("users/")) if owner else None
    of_bot = resource("bots", bot) if bot else None
    with context.connect() as arena:
        tokens = fetch_all(arena.tokens.ListTokens, token_pb2.ListTokensRequest())
    chosen = token_pb2.ListTokensResponse(
        tokens=(
            token
            for token in tokens.tokens
            if of_owner in (None, token.owner)
            and of_bot in (None, token.bot)
            and not (live and _ended(token))
        )
    )
    none = "No tokens of this kind: `arena token create` makes one."
    context.show(chosen, lambda: listing_table(_COLUMNS, chosen.tokens, none))


@arena_command(app, "revoke", example="arena token revoke 7f3a90c1e2d4")
def revoke_token(
    context: CommandContext,
    name: Annotated[
        str, typer.Argument(metavar="TOKEN", help="Its name in `arena token list`: the part after arn_.")
    ],
) -> None:
    """Revoke a token. Its connections and calls end within two seconds."""
    own = name.removeprefix("arn_").partition("_")[0] if name.startswith("arn_") else name  # a whole token
    request = token_pb2.RevokeTokenRequest(name=resource("tokens", own))
    context.call(
        lambda arena: arena.tokens.RevokeToken(request).token,
        lambda token: f"Token {plain(short(token.name))} is revoked.",
    )


def request_for(role: token_pb2.Role.ValueType, name: str, expire_days: int) -> token_pb2.CreateTokenRequest:
    """Return the request for a token of this role; `name`: the bot, or the owner."""
    if role == token_pb2.ROLE_BOT:
        return token_pb2.CreateTokenRequest(role=role, bot=resource("bots", name), expire_days=expire_days)
    return token_pb2.CreateTokenRequest(role=role, owner=resource("owners", name), expire_days=expire_days)


def issue(context: CommandContext, request: token_pb2.CreateTokenRequest) -> None:
    """Create the token and print its secret alone on stdout, so that it can be piped."""
    made = context.call(lambda arena: arena.tokens.CreateToken(request), lambda made: plain(made.secret))
    if made.user_made:
        note_new_user(made.token.owner, made.token.role)
    print_note(
        f"Created token {short(made.token.name)}. Keep it: it is shown only once.{_end(made.token, request)}"
    )


def note_new_user(name: str, role: token_pb2.Role.ValueType) -> None:
    """Print a note on stderr: the name may be mistyped."""
    print_note(f"User {short(name)} was created with the role {format_role(role)}.")


def _end(token: token_pb2.Token, request: token_pb2.CreateTokenRequest) -> str:
    """Return when a token expires, if it was asked for or is sooner, as the end of a line."""
    if not token.HasField("expire_time"):
        return ""
    until = f" It expires at {format_time(token.expire_time)}"
    asked_us = (request.expire_days * 24 * 60 + request.expire_minutes) * 60 * 1_000_000
    lives_us = token.expire_time.ToMicroseconds() - token.create_time.ToMicroseconds()
    if asked_us and lives_us >= asked_us:
        return f"{until}."
    return f"{until}: no token outlives the one that created it."


def bot_token(
    arena: ArenaClient, bot: str, *, note: str = "", expire_days: int = 0
) -> token_pb2.CreateTokenResponse:
    """Create a token that plays as the bot."""
    request = request_for(token_pb2.ROLE_BOT, bot, expire_days)
    request.note = note
    return arena.tokens.CreateToken(request)


def _details(token: token_pb2.Token) -> RenderableType:
    return facts(
        ("token", short(token.name)),
        ("user", short(token.owner)),
        ("role", format_role(token.role)),
        ("may do", format_scopes(token)),
        ("note", token.note),
        ("created", format_time(token.create_time)),
        ("expires", format_time(token.expire_time) or "never"),
    )


def _ended(token: token_pb2.Token) -> str:
    """Return "revoked", "expired", or nothing for a token that is still valid."""
    if token.revoked:
        return "revoked"
    expires_us = token.expire_time.ToMicroseconds()
    return "expired" if token.HasField("expire_time") and expires_us <= time.time() * 1_000_000 else ""


_COLUMNS: Final[Columns[token_pb2.Token]] = {
    "token": lambda token: short(token.name),
    "role": lambda token: format_role(token.role),
    "of": lambda token: short(token.bot or token.owner),
    "~may do": format_scopes,
    "~note": lambda token: token.note,
    "?created": lambda token: format_time(token.create_time),
    "?last used": lambda token: format_time(token.last_use_time) or "never",
    "expires": lambda token: format_time(token.expire_time) or "never",
    "ended": _ended,
}
