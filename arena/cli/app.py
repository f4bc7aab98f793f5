"""The command `arena`: its groups, and what holds for all of them."""

from __future__ import annotations

import os
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Annotated

import typer

from arena.cli import audit, bot, data, games, ladder, log, match, token, tournament, user
from arena.cli.bot_pack import pack_bot
from arena.cli.bot_submit import host_bot, list_versions, show_submissions, submit_bot
from arena.cli.commands import arena_command, command
from arena.cli.conformance import try_conformance
from arena.cli.demo import run_demo
from arena.cli.doctor import examine_arena
from arena.cli.errors import ExitCode, tell
from arena.cli.play import play_match
from arena.cli.rules import FIRST_GAME
from arena.cli.serve import serve_arena
from arena.cli.simulate import simulate_matches
from arena.cli.watch import watch_match
from arena.cli.where import DEFAULT_DATA, Where
from engine.state import BUILD

app = typer.Typer(
    help="Caravan Arena: bots play board games against each other over gRPC.",
    epilog="Begin with: arena demo",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def _print_version(asked: bool) -> None:
    """Prints the version and ends, if it was asked for."""
    if asked:
        print(f"caravan-arena {installed_version()}, engine {BUILD}")
        raise typer.Exit


def installed_version() -> str:
    """The version of the installed distribution; "unknown" in a checkout that is not installed."""
    try:
        return version("caravan-arena")
    except PackageNotFoundError:
        return "unknown"


@app.callback()
def arena(
    ctx: typer.Context,
    server: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", envvar="ARENA_ADDRESS", help="The arena: host:port or unix:///path."),
    ] = None,
    token: Annotated[
        str | None,
        typer.Option(metavar="TOKEN|FILE", envvar="ARENA_TOKEN", help="A token, or a file that holds one."),
    ] = None,
    data: Annotated[
        Path, typer.Option(metavar="DIR", envvar="ARENA_DATA", help="The local arena's data folder.")
    ] = DEFAULT_DATA,
    tls_ca: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Encrypt, and trust the authorities in this PEM file."),
    ] = None,
    _version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and end."),
    ] = False,
) -> None:
    """Keeps what stands before the command."""
    ctx.obj = Where(server or None, token or None, data, tls_ca)


command(app, "serve", example="arena serve --data data --port 7450")(serve_arena)
command(app, "demo", example="arena demo --matches 20")(run_demo)
command(app, "play", example=f"arena play {FIRST_GAME} greedy 'python my_bot.py' --watch")(play_match)
command(app, "conformance", example="arena conformance -- python my_bot.py")(try_conformance)
command(app, "simulate", example=f"arena simulate {FIRST_GAME} --seats 4 --matches 1000 --jobs 2")(
    simulate_matches
)
command(bot.app, "pack", example="arena bot pack ./my_bot")(pack_bot)
arena_command(app, "doctor", example="arena doctor --data data --deep")(examine_arena)
arena_command(app, "challenge", example="arena challenge mine greedy --rounds 3 --wait")(tournament.challenge)
arena_command(bot.app, "submit", example="arena bot submit my-bot ./my_bot")(submit_bot)
arena_command(bot.app, "submissions", example="arena bot submissions my-bot 7")(show_submissions)
arena_command(bot.app, "versions", example="arena bot versions my-bot")(list_versions)
arena_command(bot.app, "host", example="arena bot host my-bot --pin 3f9a01c2b7de")(host_bot)
arena_command(match.app, "watch", example="arena match watch 17 --from-start", formats=False)(watch_match)
for group in (games, user, bot, token, ladder, tournament, match, log, audit, data):
    app.add_typer(group.app, name=group.__name__.rsplit(".", 1)[-1])


def main() -> None:
    """Runs the command line and ends the program with its exit code."""
    try:
        app(prog_name="arena")
    except Exception as error:
        if os.environ.get("ARENA_DEBUG"):
            raise
        tell(f"This is a bug of the command line ({type(error).__name__}: {error}): please report it.")
        sys.exit(ExitCode.FAILED)


if __name__ == "__main__":
    main()
