"""`arena conformance`: test a bot against the protocol, scenario by scenario."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from arena.cli.framework.errors import CommandExit
from arena.cli.framework.output import Format, print_json, print_line, progress_bar, show
from arena.cli.framework.processes import Child, without_arena
from arena.cli.framework.signals import Interrupted, run_interruptible
from arena.cli.rules import game_named

if TYPE_CHECKING:
    from arena.conformance.bot_process import Launch
    from arena.conformance.scenario import Scenario
    from arena.conformance.scripted_server import BotUnderTest
    from arena.conformance.verdict import Row

_COMMAND: Final = "COMMAND..."


def try_conformance(
    command: Annotated[
        list[str] | None,
        typer.Argument(help="The bot's program and its arguments, after --.", metavar=_COMMAND),
    ] = None,
    only: Annotated[
        list[str] | None, typer.Option(metavar="SCENARIO", help="Run only this scenario. Repeatable.")
    ] = None,
    list_: Annotated[bool, typer.Option("--list", help="List the scenarios and exit.")] = False,
    game: Annotated[
        str | None, typer.Option(metavar="GAME", help="The game. Default: the first game in the bot's hello.")
    ] = None,
    patience: Annotated[
        float,
        typer.Option(
            metavar="SECONDS",
            min=1,
            max=30,  # a bot closes a connection that is silent for 40 s
            help="How long to wait for a message from the bot.",
        ),
    ] = 20.0,
    format: Annotated[Format, typer.Option(help="Output format.")] = Format.TABLE,
) -> None:
    """Test a bot in any language against a scripted arena: results, failures and the rules of the protocol."""
    from arena.cli.conformance.report import as_document, ideas_as_document, report, scenarios_table
    from arena.conformance.scenarios import SCENARIOS
    from arena.conformance.scripted_server import BotUnderTest
    from arena.conformance.verdict import ScenarioVerdict

    names = [scenario.name for scenario in SCENARIOS]
    if unknown := [each for each in only or () if each not in names]:
        raise typer.BadParameter(
            f"unknown scenario {unknown[0]!r}; scenarios: {', '.join(names)}.", param_hint="--only"
        )
    chosen = [scenario for scenario in SCENARIOS if not only or scenario.name in only]
    if list_:
        print_json(ideas_as_document(chosen)) if format is Format.JSON else show(scenarios_table(chosen))
        return
    if game is not None:
        game_named(game, "--game")
    print_rows = (lambda rows: print_json(as_document(rows))) if format is Format.JSON else report
    rows = _try_all(BotUnderTest(_launcher(_program(command or ())), game, patience), chosen, print_rows)
    if any(row.verdict is ScenarioVerdict.FAILED for row in rows):
        raise typer.Exit(int(CommandExit.FAILED))


def _try_all(
    bot: BotUnderTest, scenarios: Sequence[Scenario], print_rows: Callable[[list[Row]], None]
) -> list[Row]:
    """Run and report all scenarios; after a signal, those that ran."""
    rows: list[Row] = []
    try:
        run_interruptible(lambda: _gather(bot, scenarios, rows))
    except Interrupted:
        if rows:
            print_rows(rows)
        print_line("Stopped. No process is left running.")
        raise
    print_rows(rows)
    return rows


async def _gather(bot: BotUnderTest, scenarios: Sequence[Scenario], rows: list[Row]) -> None:
    """Add a row for each scenario and show a progress bar."""
    from arena.conformance.run import try_bot

    with progress_bar(unit="scenarios") as progress:
        task = progress.add_task(scenarios[0].name, total=len(scenarios))
        async for row in try_bot(bot, scenarios):
            rows.append(row)
            coming = scenarios[len(rows)].name if len(rows) < len(scenarios) else ""
            progress.update(task, advance=1, description=coming)


def _program(command: Sequence[str]) -> Sequence[str]:
    """Return the command if it can be started. Raises BadParameter."""
    why = ""
    if not command:
        why = "name the program to test after --, as in: arena conformance -- python my_bot.py."
    elif shutil.which(command[0]) is None and len(command) == 1 and " " in command[0]:
        why = f"{command[0]!r} is one word. Write the command without quotes around all of it."
    elif shutil.which(command[0]) is None:
        why = f"{command[0]!r} cannot be started. Build it first, or give its path."
    if why:
        raise typer.BadParameter(why, param_hint=_COMMAND)
    return command


def _launcher(command: Sequence[str]) -> Launch:
    from arena.conformance.bot_process import LocalBotProcess

    own = without_arena(os.environ)

    async def launch(settings: Mapping[str, str], folder: Path) -> LocalBotProcess:
        log = folder / "program.log"
        return LocalBotProcess(Child("The bot", command, environment=own | dict(settings), log=log), log)

    return launch
