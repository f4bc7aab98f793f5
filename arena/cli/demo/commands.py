"""`arena demo`: server, bots, ladder, standings and verified logs in one command."""

import os
import shlex
from pathlib import Path
from typing import Annotated, Final

import typer

from arena.cli.demo import bots
from arena.cli.framework.errors import server_packages
from arena.cli.framework.output import print_line
from arena.cli.framework.signals import Interrupted, interruptible
from arena.cli.ladder.watch import run_and_watch
from arena.cli.match_data import SUFFIX
from arena.cli.rules import FIRST_GAME, GameOption
from arena.drawings.wording import counted

DEFAULT_MATCHES: Final = 24
"""A run takes about a minute on two cores."""

STALL_SECONDS: Final = 90.0
"""Seconds without a finished match after which the demo fails."""

_FOLDER: Final = "data/demo"


def run_demo(
    game: GameOption = FIRST_GAME,
    seats: Annotated[
        str | None,
        typer.Option(
            metavar="N,N...", help="Seat counts of the matches. Default: all; of many, 2 and the maximum."
        ),
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="The demo's own data folder; a ladder in it continues. "
            f"Default: {_FOLDER}, or {_FOLDER}-GAME for games other than {FIRST_GAME}.",
        ),
    ] = None,
    matches: Annotated[int, typer.Option(min=1, help="Minimum number of matches.")] = DEFAULT_MATCHES,
    bot: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=COMMAND", help="Play with this bot instead of the sample bots. Repeatable."
        ),
    ] = None,
) -> None:
    """Start an arena and bots, play a rated ladder, show the standings and verify every log."""
    with server_packages():
        from arena.cli.demo.processes import report, running_demo
    plan = bots.plan_demo(game, seats, bot or ())
    folder = data or default_folder(game)
    with interruptible() as interruption:
        try:
            with running_demo(folder, plan, interruption) as demo:
                run = run_and_watch(
                    demo.arena, bots.LADDER, matches, patience=STALL_SECONDS, check=demo.check_alive
                )
                played = counted(run.played, "match", "matches")
                print_line(f"{played} played in {run.seconds:.0f} s; {run.finished} on this ladder in all.")
                code = report(demo.arena, folder)
        except Interrupted:
            again = "the same command" if bot else rerun_command(game, seats, data)
            print_line(_interrupted_message(folder, again=again))
            raise
    raise typer.Exit(int(code))


def default_folder(game: str) -> Path:
    """Return the data folder of a game's demo: a bot's name means another program in another game."""
    return Path(_FOLDER if game == FIRST_GAME else f"{_FOLDER}-{game}")


def _interrupted_message(data: Path, *, again: str) -> str:
    """Return what to print after an interrupted demo; logs exist once matches have ended."""
    stopped = "Stopped. No process is left running"
    if any((data / "logs").rglob(f"*{SUFFIX}")):
        return f"{stopped}, and finished matches are kept. To continue: {again}."
    return f"{stopped}, and no match has finished. To start again: {again}."


def rerun_command(game: str, seats: str | None, data: Path | None) -> str:
    """Return the command as it was called, in backticks. `make` sets MAKELEVEL."""
    options = [f"--seats {shlex.quote(seats)}"] if seats is not None else []
    options += [f"--data {shlex.quote(str(data))}"] if data is not None else []
    other = game != FIRST_GAME
    if os.environ.get("MAKELEVEL"):
        words = ["make demo", *([f"GAME={game}"] if other else [])]
        words += [f'ARGS="{" ".join(options)}"'] if options else []
    else:
        words = ["arena demo", *([f"--game {game}"] if other else []), *options]
    return f"`{' '.join(words)}`"
