"""`arena demo`: the whole arena on one command - server, bots, ladder, standings, verified logs."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import Annotated, Final

import typer

from arena.cli import demo_cast
from arena.cli.demo_stage import Players, stage
from arena.cli.errors import ExitCode, server_packages
from arena.cli.ladder_watch import run_and_watch
from arena.cli.logs import SUFFIX
from arena.cli.output import counted, say
from arena.cli.signals import Interrupted, interruptible

DEFAULT_MATCHES: Final = 24
"""So that a run takes a minute to a minute and a half on two cores."""

STALL_SECONDS: Final = 90.0
"""Without one more match finished for so long, something is wrong."""


DEFAULT_DATA: Final = Path("data/demo")


def run_demo(
    data: Annotated[
        Path, typer.Option(metavar="DIR", help="The demo's own data folder; a ladder there goes on.")
    ] = DEFAULT_DATA,
    matches: Annotated[int, typer.Option(min=1, help="How many matches at least.")] = DEFAULT_MATCHES,
    bot: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=COMMAND",
            help="Play with this bot instead of the four sample bots; give it several times, once for each.",
        ),
    ] = None,
) -> None:
    """Starts an arena and four bots, plays a rated ladder, shows the standings and verifies every log."""
    with server_packages():
        from arena.cli.demo_report import report
    cast = demo_cast.cast(bot or ())
    with interruptible() as interruption:
        try:
            with stage(data, cast, interruption) as players:
                _play(players, matches)
                code = report(players.arena, data)
        except Interrupted as interrupted:
            say(_last_words(data, again=_again(data) if not bot else "the same command"))
            raise typer.Exit(128 + interrupted.number) from None
    if code is not ExitCode.OK:
        raise typer.Exit(int(code))


def _last_words(data: Path, *, again: str) -> str:
    """What is said at the end of a demo that was interrupted; logs are there once matches have ended."""
    stopped = "Stopped. Nothing is left running"
    if any((data / "logs").rglob(f"*{SUFFIX}")):
        return f"{stopped}, matches that ended are kept: {again} goes on from there."
    return f"{stopped}, and no match has ended: {again} begins anew."


def _again(data: Path) -> str:
    """The command as it was called, in backticks; make tells by MAKELEVEL that it calls."""
    option = "" if data == DEFAULT_DATA else f"--data {shlex.quote(str(data))}"
    if os.environ.get("MAKELEVEL"):
        return f'`make demo ARGS="{option}"`' if option else "`make demo`"
    return f"`{f'arena demo {option}'.strip()}`"


def _play(players: Players, matches: int) -> None:
    run = run_and_watch(
        players.arena, demo_cast.LADDER, matches, patience=STALL_SECONDS, check=players.check_alive
    )
    played = counted(run.played, "match", "matches")
    say(f"{played} played in {run.seconds:.0f} s; {run.finished} on this ladder in all.")
