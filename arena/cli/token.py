"""`arena token`: what opens an arena's services."""

from __future__ import annotations

import time
from enum import StrEnum
from typing import Annotated

import typer
from rich.console import RenderableType

from arena.cli.framework.commands import CommandContext, arena_command, group
from arena.cli.framework.connection import ArenaClient
from arena.cli.framework.names import resource
from arena.cli.framework.output import Column, facts, plain, remark, short, table, when
from arena.cli.framework.paging import whole
from arena.v1 import token_pb2


class ScopeName(StrEnum):
    """A part of what a role may do."""

    READ = "read"
    BOTS = "bots"
    COMPETE = "compete"
    PRIVATE = "private"
    TOKENS = "tokens"
    ORGANISE = "organise"
    OVERSEE = "oversee"

    @property
    def on_wire(self) -> token_pb2.Scope.ValueType:
        """The scope of the .proto."""
        return token_pb2.Scope.Value(f"SCOPE_{self.name}")


def role_word(role: token_pb2.Role.ValueType) -> str:
    """The role as people call it; a number for one of a newer arena."""
    known = role in token_pb2.Role.values()
    return token_pb2.Role.Name(role).removeprefix("ROLE_").lower() if known else str(role)


def somebody(role: token_pb2.Role.ValueType) -> str:
    """Who has the role, for example "an owner"."""
    word = role_word(role)
    return f"an {word}" if word[0] in "aeiou" else f"a {word}"


def may_do(token: token_pb2.Token) -> str:
    """What a token is for: the scopes that it names, or all of its role."""
    if token.role == token_pb2.ROLE_BOT:
        return "play"
    names = token_pb2.Scope
    words = [
        names.Name(scope).removeprefix("SCOPE_").lower() if scope in names.values() else str(scope)
        for scope in token.scopes
    ]
    return ", ".join(words) or "all of its role"


app = group("Tokens: made, listed, revoked.")

ExpireOption = Annotated[
    int, typer.Option("--expire-days", min=0, max=3650, help="Days until it ends; 0: never.")
]


@arena_command(app, "create", example="arena token create --owner alice --expire-days 90 --note laptop")
def create_token(
    session: CommandContext,
    bot: Annotated[str | None, typer.Option(help="Make a token that plays as this bot.")] = None,
    spectator: Annotated[
        str | None, typer.Option(metavar="USER", help="Make a token of this user that reads what is public.")
    ] = None,
    owner: Annotated[
        str | None, typer.Option(metavar="USER", help="Make a token that manages the bots of this user.")
    ] = None,
    organiser: Annotated[
        str | None, typer.Option(metavar="USER", help="Make a token of this user that manages everything.")
    ] = None,
    scope: Annotated[
        list[ScopeName] | None,
        typer.Option(help="Only this part of what its role may do; may be given several times."),
    ] = None,
    expire_days: ExpireOption = 0,
    expire_minutes: Annotated[
        int, typer.Option(min=0, max=5_256_000, help="Minutes until it ends, in place of days; 0: never.")
    ] = 0,
    note: Annotated[str, typer.Option(help="What you call it, for example laptop.")] = "",
) -> None:
    """Makes a token; its secret is shown only here, only now."""
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
        raise typer.BadParameter("give exactly one of --bot, --spectator, --owner and --organiser.")
    if expire_days and expire_minutes:
        raise typer.BadParameter("give only one of --expire-days and --expire-minutes.")
    [(role, name)] = given
    request = request_for(role, name, expire_days)
    request.expire_minutes = expire_minutes
    request.note = note
    request.scopes.extend(each.on_wire for each in scope or ())
    issue(session, request)


@arena_command(app, "show", example="arena token show")
def show_token(session: CommandContext) -> None:
    """Shows the token that you use: who you are here, and what you may do."""
    with session.connect() as arena:
        token = arena.tokens.GetOwnToken(token_pb2.GetOwnTokenRequest()).token
    session.show(token, lambda: _page(token))


@arena_command(app, "list", example="arena token list --format json")
def list_tokens(
    session: CommandContext,
    owner: Annotated[str | None, typer.Option(metavar="USER", help="Only those of this user.")] = None,
    bot: Annotated[str | None, typer.Option(metavar="BOT", help="Only those that play as this bot.")] = None,
    live: Annotated[bool, typer.Option("--live", help="Only those neither revoked nor expired.")] = False,
) -> None:
    """Lists tokens, oldest first, never their secrets; "last used" is to the minute."""
    of_owner = resource("owners", owner.removeprefix("users/")) if owner else None
    of_bot = resource("bots", bot) if bot else None
    with session.connect() as arena:
        tokens = whole(
            lambda size, page: arena.tokens.ListTokens(
                token_pb2.ListTokensRequest(page_size=size, page_token=page)
            ),
            lines=lambda listing: len(listing.tokens),
        )
    kept = [
        token
        for token in tokens.tokens
        if of_owner in (None, token.owner)
        and of_bot in (None, token.bot)
        and not (live and (token.revoked or _has_expired(token)))
    ]
    chosen = token_pb2.ListTokensResponse(tokens=kept)
    session.show(chosen, lambda: _listing(chosen))


@arena_command(app, "revoke", example="arena token revoke 7f3a90c1e2d4")
def revoke_token(
    session: CommandContext,
    name: Annotated[
        str,
        typer.Argument(
            metavar="TOKEN", help="Its name, as `arena token list` shows it; what stands behind arn_."
        ),
    ],
) -> None:
    """Ends a token's life; its connections and calls end within two seconds."""
    with session.connect() as arena:
        token = arena.tokens.RevokeToken(token_pb2.RevokeTokenRequest(name=_token_name(name))).token
    session.show(token, lambda: f"Token {plain(short(token.name))} is revoked.")


def _token_name(text: str) -> str:
    """The resource name. A token as a whole holds its name, so it may stand for it."""
    return resource(
        "tokens", text.removeprefix("arn_").partition("_")[0] if text.startswith("arn_") else text
    )


def request_for(role: token_pb2.Role.ValueType, name: str, expire_days: int) -> token_pb2.CreateTokenRequest:
    """What asks for a token of this role; `name` is the bot, or the owner."""
    if role == token_pb2.ROLE_BOT:
        return token_pb2.CreateTokenRequest(role=role, bot=resource("bots", name), expire_days=expire_days)
    return token_pb2.CreateTokenRequest(role=role, owner=resource("owners", name), expire_days=expire_days)


def issue(session: CommandContext, request: token_pb2.CreateTokenRequest) -> None:
    """Makes the token and prints it: the secret alone on stdout, so that it can be piped."""
    with session.connect() as arena:
        made = arena.tokens.CreateToken(request)
    session.show(made, lambda: plain(made.secret))
    if made.user_made:
        tell_of_new_user(made.token.owner, made.token.role)
    remark(
        f"Token {short(made.token.name)} is made. Keep it: it is shown only this once.{_end(made.token, request)}"
    )


def tell_of_new_user(name: str, role: token_pb2.Role.ValueType) -> None:
    """On stderr: a name that was mistyped should not go unnoticed."""
    remark(f"User {short(name)} is made, {somebody(role)}.")


def _end(token: token_pb2.Token, request: token_pb2.CreateTokenRequest) -> str:
    """Until when a token lives, where that was asked for or is sooner; a sentence after another one."""
    if not token.HasField("expire_time"):
        return ""
    until = f" It ends at {when(token.expire_time)}"
    asked_us = (request.expire_days * 24 * 60 + request.expire_minutes) * 60 * 1_000_000
    lives_us = token.expire_time.ToMicroseconds() - token.create_time.ToMicroseconds()
    if asked_us and lives_us >= asked_us:
        return f"{until}."
    return f"{until}, with the token that made it: no token outlives that one."


def bot_token(arena: ArenaClient, bot: str, note: str = "") -> token_pb2.CreateTokenResponse:
    """A new token that plays as the bot."""
    request = request_for(token_pb2.ROLE_BOT, bot, 0)
    request.note = note
    return arena.tokens.CreateToken(request)


def _page(token: token_pb2.Token) -> RenderableType:
    return facts(
        (
            ("token", short(token.name)),
            ("user", short(token.owner)),
            ("role", role_word(token.role)),
            ("may do", may_do(token)),
            ("note", token.note),
            ("made", when(token.create_time)),
            ("ends", when(token.expire_time) or "never"),
        )
    )


def _listing(tokens: token_pb2.ListTokensResponse) -> RenderableType:
    columns = (
        Column("token"),
        Column("role"),
        Column("of"),
        Column("may do", cut=True),
        Column("note", cut=True),
        Column("made", spare=True),
        Column("last used", spare=True),
        Column("ends"),
        Column("over"),
    )
    return table(columns, (_line(token) for token in tokens.tokens))


def _line(token: token_pb2.Token) -> tuple[str, ...]:
    return (
        short(token.name),
        role_word(token.role),
        short(token.bot or token.owner),
        may_do(token),
        token.note,
        when(token.create_time),
        when(token.last_use_time) or "never",
        when(token.expire_time) or "never",
        "revoked" if token.revoked else "expired" if _has_expired(token) else "",
    )


def _has_expired(token: token_pb2.Token) -> bool:
    """By the clock of this machine."""
    return token.HasField("expire_time") and token.expire_time.ToMicroseconds() <= time.time() * 1_000_000
