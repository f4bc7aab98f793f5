"""`make ladder-builds`: one bot on the compiled engine and on the plain one, and its rival, on a real ladder.

An arena, gRPC, each bot a process of its own, the same clock for all: what the compiled engine is worth in rating.
"""

import shlex
import subprocess
import sys
from pathlib import Path
from typing import Annotated, Final

import typer

from benchmarks.environments import Environments, Installed, MissingError
from benchmarks.processes.worker import ROOT
from engine.registry import GAMES

MATCHES: Final = 60
_RUN: Final = ROOT / "sample_bots" / "run.py"


def ladder_builds(
    game: Annotated[str, typer.Option(help="The game.")] = next(iter(GAMES)),
    matches: Annotated[int, typer.Option(min=1, help="How many matches at least.")] = MATCHES,
    bot: Annotated[str, typer.Option(help="The sample bot that plays twice.")] = "mcts",
    rival: Annotated[
        str, typer.Option(help="The sample bot that both meet, on the plain engine.")
    ] = "planner",
    seats: Annotated[str, typer.Option(help="Seats of a match.")] = "2",
    data: Annotated[Path | None, typer.Option(help="Data folder. Default: data/builds-GAME.")] = None,
) -> None:
    """Play the ladder and show its standings.

    Example: make ladder-builds ARGS="--matches 100"
    """
    try:
        compiled = Environments(ROOT / "benchmarks" / ".venvs", typer.echo).arena()
        if not compiled.is_compiled:
            raise MissingError(f"there is no compiled engine: {compiled.build}")
    except MissingError as error:
        typer.echo(f"Cannot compare: {error}.", err=True)
        raise typer.Exit(1) from None
    entries = entrants(game, compiled, bot, rival)
    folder = data or Path(f"data/builds-{game}")
    command = [sys.executable, "-m", "arena.cli.app", "demo", "--game", game, "--data", str(folder)]
    command += ["--seats", seats, "--matches", str(matches), *[f"--bot={entry}" for entry in entries]]
    raise typer.Exit(subprocess.run(command, cwd=ROOT, check=False).returncode)


def entrants(game: str, compiled: Installed, bot: str, rival: str) -> list[str]:
    """Return the bot on either engine and its rival, each as NAME=COMMAND, as `arena demo --bot` takes it."""
    return [
        f"{bot}-compiled={program(compiled.python, game, bot)}",
        f"{bot}-plain={program(Path(sys.executable), game, bot)}",
        f"{rival}={program(Path(sys.executable), game, rival)}",
    ]


def program(python: Path, game: str, bot: str) -> str:
    """Return the command that runs a sample bot on the engine that this Python has installed."""
    return shlex.join((str(python), str(_RUN), game, bot))


if __name__ == "__main__":
    typer.run(ladder_builds)
