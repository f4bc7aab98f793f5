"""The command `arena` and its groups."""

import os
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Annotated, Final

import typer

from arena.cli import audit, data, games, pages, token, user
from arena.cli.bot import commands as bot
from arena.cli.compare.commands import compare_bots
from arena.cli.conformance.commands import try_conformance
from arena.cli.demo.commands import run_demo
from arena.cli.doctor import examine_arena
from arena.cli.event import commands as event
from arena.cli.framework.commands import PlainGroup, arena_command, command
from arena.cli.framework.errors import CommandExit, print_error
from arena.cli.framework.target import DEFAULT_DATA, Target, check_data_folder
from arena.cli.ladder import commands as ladder
from arena.cli.log import commands as log
from arena.cli.match import commands as match
from arena.cli.play.commands import play_match
from arena.cli.rules import FIRST_GAME
from arena.cli.season import commands as season
from arena.cli.serve import serve_arena
from arena.cli.simulate.commands import simulate_matches
from arena.cli.tournament import commands as tournament
from engine.state import BUILD

app = typer.Typer(
    cls=PlainGroup,
    help="Caravan Arena: bots play board games against each other over gRPC.",
    epilog="Begin with: arena demo",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def _print_version(asked: bool) -> None:
    """Print the version and exit, if asked."""
    if asked:
        try:
            installed = version("caravan-arena")
        except PackageNotFoundError:
            installed = "unknown"  # a checkout
        print(f"caravan-arena {installed}, engine {BUILD}")
        raise typer.Exit


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
        Path,
        typer.Option(
            metavar="DIR",
            envvar="ARENA_DATA",
            callback=check_data_folder,
            help="The local arena's data folder.",
        ),
    ] = DEFAULT_DATA,
    tls_ca: Annotated[
        str | None, typer.Option(metavar="FILE", help="Encrypt, and trust the authorities in this PEM file.")
    ] = None,
    _version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit."),
    ] = False,
) -> None:
    """Store the options before the command."""
    ctx.obj = Target(server or None, token or None, data, tls_ca)


command(app, "serve", example="arena serve --data data --port 7450")(serve_arena)
command(app, "demo", example="arena demo --matches 20")(run_demo)
arena_command(
    app, "play", example=f"arena play {FIRST_GAME} greedy 'python my_bot.py' --watch", formats=False
)(play_match)
command(app, "compare", example="arena compare 'python new.py' 'python old.py' --against greedy")(
    compare_bots
)
command(app, "conformance", example="arena conformance -- python my_bot.py")(try_conformance)
command(app, "simulate", example=f"arena simulate {FIRST_GAME} --seats 4 --matches 1000 --jobs 2")(
    simulate_matches
)
arena_command(app, "doctor", example="arena doctor --data data --deep")(examine_arena)
arena_command(app, "challenge", example="arena challenge mine greedy --rounds 3 --wait")(tournament.challenge)
GROUPS: Final = {
    "games": games.app,
    "user": user.app,
    "bot": bot.app,
    "token": token.app,
    "ladder": ladder.app,
    "season": season.app,
    "tournament": tournament.app,
    "event": event.app,
    "match": match.app,
    "log": log.app,
    "pages": pages.app,
    "audit": audit.app,
    "data": data.app,
}
"""The groups of commands, in the order of the help; each is declared in the file of its group."""

for name, group in GROUPS.items():
    app.add_typer(group, name=name)


def main() -> None:
    """Run the command line and exit with its code."""
    try:
        app(prog_name="arena")
    except Exception as error:
        if os.environ.get("ARENA_DEBUG"):
            raise
        print_error(f"Internal error ({type(error).__name__}: {error}). Please report it.")
        sys.exit(CommandExit.FAILED)


if __name__ == "__main__":
    main()
