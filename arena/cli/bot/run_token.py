"""What a program that plays as a bot gets from the command that starts it: address and token."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import grpc

from arena.cli.framework.commands import CommandContext
from arena.cli.framework.errors import CliError
from arena.cli.framework.output import print_note
from arena.cli.framework.target import token_in
from arena.cli.token import bot_token
from arena.v1 import token_pb2
from arena.wire.wording import short

_CALLERS_OWN = ("ARENA_TOKEN", "ARENA_BOT_TOKEN", "ARENA_DATA", "ARENA_CONFIG")
"""Variables that a bot's process must not inherit: they hold the rights of its owner."""


def bot_environment(own: Mapping[str, str], address: str, token: str) -> dict[str, str]:
    """Return `own` without the caller's secrets, with the bot's address and token."""
    kept = {name: value for name, value in own.items() if name not in _CALLERS_OWN}
    return kept | {"ARENA_ADDRESS": address, "ARENA_TOKEN": token}


@contextmanager
def token_for(context: CommandContext, bot: str, note: str) -> Iterator[str]:
    """Yield the token of ARENA_BOT_TOKEN, or a new one with a note that is revoked afterwards."""
    if given := os.environ.get("ARENA_BOT_TOKEN"):
        yield token_in(given, "ARENA_BOT_TOKEN")
        return
    with context.connect() as arena:
        made = bot_token(arena, bot, note=note)
    try:
        yield made.secret
    finally:
        try:
            with context.connect() as arena:
                arena.tokens.RevokeToken(token_pb2.RevokeTokenRequest(name=made.token.name), timeout=5.0)
        except (grpc.RpcError, CliError) as error:
            name = short(made.token.name)
            print_note(
                f"Token {name} of this run could not be revoked. Unless it has ended too, it can still play as the "
                f"bot: revoke it with `arena token revoke {name}`. {context.describe(error).sentence}"
            )
