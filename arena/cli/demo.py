"""`arena demo`: the whole arena on one command - server, bots, ladder, standings, verified logs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from arena.cli import demo_cast
from arena.cli.demo_ladder import play
from arena.cli.demo_stage import stage
from arena.cli.errors import ExitCode, server_packages
from arena.cli.output import say
from arena.cli.signals import Interrupted, interruptible

DEFAULT_MATCHES: Final = 24
"""So that a run takes a minute to a minute and a half on two cores."""


def run_demo(
    data: Annotated[
        Path, typer.Option(metavar="DIR", help="The demo's own data folder; a ladder there goes on.")
    ] = Path("data/demo"),
    matches: Annotated[int, typer.Option(min=1, help="How many matches at least.")] = DEFAULT_MATCHES,
) -> None:
    """Starts an arena and four bots, plays a rated ladder, shows the standings and verifies every log."""
    with server_packages():
        from arena.cli.demo_report import report
    programs = demo_cast.programs()
    with interruptible() as interruption:
        try:
            with stage(data, programs, interruption) as players:
                play(players, matches)
                code = report(players.arena, data)
        except Interrupted as interrupted:
            say("Stopped. Nothing is left running, what was played is kept: `arena demo` goes on from there.")
            raise typer.Exit(128 + interrupted.number) from None
    if code is not ExitCode.OK:
        raise typer.Exit(int(code))
