"""`arena event`: ladders and tournaments from a file."""

import sys
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from arena.cli.event.changes import Change, Difference, Warned, creation_warnings
from arena.cli.event.file import read_event_file
from arena.cli.event.live import tournaments_now
from arena.cli.event.plan import Plan, document, plan_of, show_plan
from arena.cli.framework.commands import CommandContext, arena_command, group
from arena.cli.framework.connection import ArenaClient
from arena.cli.framework.errors import CliError, CommandExit, print_error
from arena.cli.framework.output import Format, print_json, print_line, print_note
from arena.cli.framework.terminal import confirm
from arena.drawings.wording import counted
from arena.v1 import tournament_pb2
from arena.wire.wording import short

app = group("Make ladders and tournaments as a file has them.")

FileArgument = Annotated[Path, typer.Argument(metavar="FILE", help="The file, for example spring.toml.")]


@arena_command(app, "plan", example="arena event plan spring.toml")
def plan_event(context: CommandContext, file: FileArgument) -> None:
    """Show what `apply` would change, what is missing, and how long the tournaments take. Changes nothing."""
    wanted = read_event_file(file)
    with context.connect() as client:
        plan = plan_of(client, wanted)
    _show(context, plan, file)
    if plan.difference.obstacles:
        raise typer.Exit(int(CommandExit.FAILED))


@arena_command(app, "apply", example="arena event apply spring.toml --yes")
def apply_event(
    context: CommandContext,
    file: FileArgument,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask before changing anything.")] = False,
) -> None:
    """Make the arena as the file has it. Shows the plan and asks first; done twice, it changes nothing."""
    wanted = read_event_file(file)
    with context.connect() as client:
        plan = plan_of(client, wanted)
        changes = plan.difference.changes
        makes = bool(changes) and not plan.difference.obstacles
        if makes and not yes and (context.format is Format.JSON or not sys.stdin.isatty()):
            raise CliError(
                f"{file} needs {counted(len(changes), 'change')}. Look at `arena event plan {file}`, then use --yes.",
                CommandExit.USAGE,
            )
        if context.format is Format.TABLE:
            _show(context, plan, file)
        if plan.difference.obstacles:
            raise CliError("Nothing was changed.")
        if makes and not yes:
            confirm("Make these changes?", refused="Nothing was changed.")
        warned = _make(context, client, plan.difference)
        if context.format is Format.TABLE:
            for name, tournament in tournaments_now(client, wanted).items():
                if tournament.state == tournament_pb2.Tournament.STATE_PLANNED:
                    print_line(f"{name} has not begun. To begin it: arena tournament run {short(name)}")
    if context.format is Format.JSON:
        _show(context, replace(plan, difference=replace(plan.difference, warnings=warned)), file)


def _make(context: CommandContext, client: ArenaClient, found: Difference) -> tuple[Warned, ...]:
    """Make the changes; return all warnings: those of the plan, and those of the arena's answers, which it prints."""
    changes, warned = found.changes, list(found.warnings)
    for number, change in enumerate(changes):
        try:
            warnings = creation_warnings(change.make(client))
        except Exception:
            left = len(changes) - number
            print_error(
                f"{_words(change)} failed; {number} of {len(changes)} changes were made. Remove the cause and run "
                f"it again: it makes the other {left}."
            )
            raise
        if context.format is Format.TABLE:
            print_line(f"Done: {_words(change)}.")
        for each in (Warned(change.subject, sentence) for sentence in warnings):
            if each not in warned:
                warned.append(each)
                print_note(f"{each.subject}: {each.sentence}")
    return tuple(warned)


def _show(context: CommandContext, plan: Plan, file: Path) -> None:
    if context.format is Format.JSON:
        print_json(document(plan))
    else:
        show_plan(plan, str(file))


def _words(change: Change) -> str:
    return f"{change.action} {change.subject}{': ' if change.details else ''}{change.details}"
