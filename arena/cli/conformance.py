"""`arena conformance`: tries whether a program speaks the protocol, scenario by scenario."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

from arena.cli.conformance_report import as_document, listing, report
from arena.cli.errors import ExitCode
from arena.cli.output import Format, print_json, progress_bar, say, show
from arena.cli.processes import Child, without_arena
from arena.cli.signals import Interrupted, run_interruptible
from arena.conformance.program import Launch
from arena.conformance.run import try_bot
from arena.conformance.scenario import Scenario
from arena.conformance.scenarios import SCENARIOS
from arena.conformance.stage import Bot
from arena.conformance.verdict import Row, Verdict
from engine.registry import GAMES

PATIENCE_SECONDS = 20.0


def try_conformance(
    command: Annotated[
        list[str] | None,
        typer.Argument(help="The bot's program and its arguments, after --.", metavar="COMMAND..."),
    ] = None,
    only: Annotated[
        list[str] | None,
        typer.Option(metavar="SCENARIO", help="Try this one alone; may be given several times."),
    ] = None,
    list_: Annotated[bool, typer.Option("--list", help="List the scenarios and end.")] = False,
    game: Annotated[
        str | None,
        typer.Option(metavar="GAME", help="The game. Default: the first that the bot's hello names."),
    ] = None,
    patience: Annotated[
        float, typer.Option(metavar="SECONDS", min=1, help="How long to wait for a message of the bot.")
    ] = PATIENCE_SECONDS,
    format: Annotated[Format, typer.Option(help="A table for people, or one JSON document.")] = Format.TABLE,
) -> None:
    """Tries a bot, in any language, against a scripted arena: what passed, what failed, and what the protocol says."""
    scenarios = _chosen(only or ())
    if list_:
        _list(scenarios, format)
        return
    bot = Bot(_launcher(_program(command or ())), _known(game), patience)
    try:
        rows = run_interruptible(lambda: _try_all(bot, scenarios))
    except Interrupted as interrupted:
        say("Stopped. Nothing is left running.")
        raise typer.Exit(128 + interrupted.number) from None
    if format is Format.JSON:
        print_json(as_document(rows))
    else:
        report(rows)
    if any(row.verdict is Verdict.FAILED for row in rows):
        raise typer.Exit(int(ExitCode.FAILED))


async def _try_all(bot: Bot, scenarios: Sequence[Scenario]) -> list[Row]:
    """All rows, with a progress bar meanwhile."""
    rows = []
    with progress_bar(unit="scenarios") as progress:
        task = progress.add_task(scenarios[0].name, total=len(scenarios))
        async for row in try_bot(bot, scenarios):
            rows.append(row)
            coming = scenarios[len(rows)].name if len(rows) < len(scenarios) else ""
            progress.update(task, advance=1, description=coming)
    return rows


def _chosen(names: Sequence[str]) -> list[Scenario]:
    """The scenarios of these names in their usual order, all if there are none. Raises BadParameter."""
    known = [scenario.name for scenario in SCENARIOS]
    for name in names:
        if name not in known:
            raise typer.BadParameter(
                f"there is no scenario {name!r}; there are {', '.join(known)}.", param_hint="--only"
            )
    return [scenario for scenario in SCENARIOS if not names or scenario.name in names]


def _known(game: str | None) -> str | None:
    if game is not None and game not in GAMES:
        raise typer.BadParameter(
            f"there is no game {game!r}; there are {', '.join(GAMES)}.", param_hint="--game"
        )
    return game


def _program(command: Sequence[str]) -> list[str]:
    if not command:
        raise typer.BadParameter(
            "name the program to be tried, after --: arena conformance -- python my_bot.py.",
            param_hint="COMMAND...",
        )
    if shutil.which(command[0]) is None:
        raise typer.BadParameter(
            f"{command[0]!r} is no program that can be started; build it first, or give its path.",
            param_hint="COMMAND...",
        )
    return list(command)


def _launcher(command: Sequence[str]) -> Launch:
    own = without_arena(os.environ)

    def launch(settings: Mapping[str, str], log: Path) -> Child:
        return Child("The bot", command, environment=own | dict(settings), log=log)

    return launch


def _list(scenarios: Sequence[Scenario], format: Format) -> None:
    if format is Format.JSON:
        print_json([{"scenario": each.name, "idea": each.idea} for each in scenarios])
    else:
        show(listing(scenarios))
