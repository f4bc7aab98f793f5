"""`arena mcp`: an agent plays as a bot, through the tools of an MCP server (docs/mcp.md)."""

import logging
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import grpc

from arena.cli.bot.run_token import bot_environment, token_for
from arena.cli.framework.commands import CommandContext, arena_command, only_command
from arena.cli.framework.connection import fetch_all
from arena.cli.framework.errors import CliError, server_packages
from arena.cli.framework.names import BotArgument, resource_id
from arena.cli.framework.signals import run_interruptible
from arena.v1 import ladder_pb2
from arena.wire.wording import short

if TYPE_CHECKING:
    from arena.sdk.mcp.calls import Ladder, Ladders

app = only_command()


@arena_command(app, "mcp", example="arena mcp my-agent --data data", formats=False)
def serve_tools(context: CommandContext, name: BotArgument) -> None:
    """Let an agent play as a bot: serve tools over the Model Context Protocol on standard input and output.

    Programs with agents start it. It ends with its input.
    """
    with server_packages("mcp"):
        from arena.sdk.mcp.server import serve
    from arena.sdk.settings import endpoint_from
    from arena.sdk.tls import SettingsError

    bot = resource_id("bots", name)
    logging.basicConfig(level=logging.INFO, stream=sys.stderr, format="arena mcp: %(message)s")
    logging.getLogger("mcp").setLevel(logging.WARNING)
    ladders = None if os.environ.get("ARENA_BOT_TOKEN") else _ladders(context, bot)
    with token_for(context, bot, "arena mcp") as token:
        settings = bot_environment(
            context.target.tls_environment(os.environ), context.target.address(), token
        )
        try:
            endpoint = endpoint_from(settings)
        except SettingsError as error:
            raise CliError(str(error)) from None
        run_interruptible(lambda: serve(bot, endpoint, ladders))


def _ladders(context: CommandContext, bot: str) -> "Ladders":
    """Return the function that reads the ladders of the bot, with the token of the command."""
    from arena.sdk.mcp.calls import Ladder
    from arena.sdk.mcp.errors import Reason, RefusedCallError

    def read() -> "Sequence[Ladder]":
        request = ladder_pb2.ListBotStandingsRequest(bot=f"bots/{bot}")
        try:
            with context.connect() as arena:
                lines = fetch_all(arena.ladders.ListBotStandings, request).standings
                names = [each.ladder for each in lines if not each.withdrawn]
                ladders = [
                    arena.ladders.GetLadder(ladder_pb2.GetLadderRequest(name=name)).ladder for name in names
                ]
        except (grpc.RpcError, CliError) as error:
            raise RefusedCallError(Reason.UNREACHABLE, context.describe(error).sentence) from None
        return [Ladder(short(each.name), each.game, _why_no_match(each)) for each in ladders]

    return read


def _why_no_match(ladder: ladder_pb2.Ladder) -> str:
    """Return why no match of a ladder begins now, as the rest of a sentence; empty if nothing prevents it."""
    if ladder.state != ladder_pb2.Ladder.STATE_RUNNING:
        return f"does not run: its organiser starts it with `arena ladder run {short(ladder.name)}`"
    return f"waits for {ladder.waiting_for}" if ladder.waiting_for else ""
