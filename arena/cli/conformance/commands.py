"""`arena conformance`: test a bot against the protocol, scenario by scenario."""

from __future__ import annotations

import math
import os
import shutil
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Final

import typer

from arena.cli.framework.commands import command, only_command
from arena.cli.framework.errors import CommandExit
from arena.cli.framework.output import Format, print_json, show
from arena.cli.framework.processes import TERMINAL, Child, without_arena
from arena.cli.framework.terminal import DEBUGGED, lent_terminal
from arena.cli.rules import game_named

if TYPE_CHECKING:
    from arena.conformance.scenario import Scenario

app = only_command()

_COMMAND: Final = "COMMAND..."


@command(app, "conformance", example="arena conformance -- python my_bot.py")
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
    debug: Annotated[
        bool,
        typer.Option(
            "--debug", help="Give the bot the terminal, and all the time that it takes; with one --only."
        ),
    ] = False,
    format: Annotated[Format, typer.Option(help="Output format.")] = Format.TABLE,
) -> None:
    """Test a bot in any language against a scripted arena: results, failures and the rules of the protocol."""
    from arena.cli.conformance.report import ideas_as_document, launcher, scenarios_table, try_all
    from arena.conformance.scenarios import SCENARIOS
    from arena.conformance.scripted_server import BotUnderTest

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
    program, inherited = _program(command or ()), without_arena(os.environ)
    if debug:
        _check_debug(chosen, format)
        launch = launcher(
            lambda settings, _log: Child(
                "The bot", program, environment=inherited | dict(settings) | DEBUGGED, streams=TERMINAL
            )
        )
        with lent_terminal("The bot"):
            is_fine = try_all(BotUnderTest(launch, game, math.inf), chosen, format, is_quiet=True)
    else:
        launch = launcher(
            lambda settings, log: Child("The bot", program, environment=inherited | dict(settings), log=log)
        )
        is_fine = try_all(BotUnderTest(launch, game, patience), chosen, format)
    if not is_fine:
        raise typer.Exit(int(CommandExit.FAILED))


def _check_debug(chosen: Sequence[Scenario], format: Format) -> None:
    """Raise BadParameter unless it is one scenario that is printed as text."""
    if len(chosen) != 1:
        raise typer.BadParameter(
            "name one scenario with --only: one program has the terminal.", param_hint="--debug"
        )
    if format is Format.JSON:
        raise typer.BadParameter(
            "the bot has the standard output, so no JSON fits there.", param_hint="--debug"
        )


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
