"""`arena event`: ladders and tournaments from a file."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Final

import typer

from arena.cli.event.changes import Arena, Change, Difference, Obstacle, difference
from arena.cli.event.file import EventFile, read_event_file
from arena.cli.event.live import Size, Speed, arena_now, size_of, speeds
from arena.cli.framework.commands import CommandContext, arena_command, group
from arena.cli.framework.connection import ArenaClient
from arena.cli.framework.errors import CliError, CommandExit, print_error
from arena.cli.framework.output import Columns, Format, print_json, print_line, show, table_of
from arena.drawings.wording import counted
from arena.wire.wording import short

app = group("Make ladders and tournaments as a file has them.")

FileArgument = Annotated[Path, typer.Argument(metavar="FILE", help="The file, for example spring.toml.")]


@arena_command(app, "plan", example="arena event plan spring.toml")
def plan_event(context: CommandContext, file: FileArgument) -> None:
    """Show what `apply` would change, what is missing, and how long the tournaments take. Changes nothing."""
    wanted = read_event_file(file)
    with context.connect() as client:
        plan = _plan(client, wanted)
    _show(context, plan)
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
        plan = _plan(client, wanted)
        changes = plan.difference.changes
        makes = bool(changes) and not plan.difference.obstacles
        if makes and not yes and (context.format is Format.JSON or not sys.stdin.isatty()):
            raise CliError(
                f"{file} needs {counted(len(changes), 'change')}. Look at `arena event plan {file}`, then use --yes.",
                CommandExit.USAGE,
            )
        if context.format is Format.TABLE:
            _show(context, plan)
        if plan.difference.obstacles:
            raise CliError("Nothing was changed.")
        if makes and not yes and not typer.confirm("Make these changes?"):
            raise CliError("Nothing was changed.")
        for number, change in enumerate(changes):
            try:
                change.make(client)
            except Exception:
                left = len(changes) - number
                print_error(
                    f"{_words(change)} failed; {number} of {len(changes)} changes were made. Remove the cause and run "
                    f"it again: it makes the other {left}."
                )
                raise
            if context.format is Format.TABLE:
                print_line(f"Done: {_words(change)}.")
    if context.format is Format.JSON:
        _show(context, plan)


class _Plan:
    """What would happen."""

    def __init__(
        self, found: Difference, sizes: Sequence[Size], speed: dict[str, Speed], arena: Arena
    ) -> None:
        self.difference = found
        self.sizes = sizes
        self.speed = speed
        self.arena = arena

    def hours(self, size: Size) -> float | None:
        """Return how long the matches take at today's speed; None if it is not known."""
        return size.matches / self.speed[size.game].per_hour if size.game in self.speed else None


def _plan(client: ArenaClient, wanted: EventFile) -> _Plan:
    arena = arena_now(client, wanted)
    found = difference(wanted, arena)
    stopped = {each.subject for each in found.obstacles}
    answers = [size_of(client, event, arena) for event in wanted.tournaments if event.name not in stopped]
    refused = tuple(each for each in answers if isinstance(each, Obstacle))
    sizes = [each for each in answers if isinstance(each, Size)]
    found = Difference(found.changes, (*found.obstacles, *refused))
    return _Plan(found, sizes, speeds(client) if sizes else {}, arena)


def _show(context: CommandContext, plan: _Plan) -> None:
    if context.format is Format.JSON:
        print_json(_document(plan))
        return
    if plan.difference.changes:
        show(table_of(_CHANGES, plan.difference.changes))
    else:
        print_line("Nothing to change.")
    for size in plan.sizes:
        print_line(_size_in_words(plan, size))
    for obstacle in plan.difference.obstacles:
        print_error(f"{obstacle.subject}: {obstacle.sentence}")


def _size_in_words(plan: _Plan, size: Size) -> str:
    matches = counted(size.matches, "match", "matches")
    to_play = f"{size.tournament}: {counted(size.pairings, 'pairing')}, {matches} to play"
    hours = plan.hours(size)
    if hours is None:
        return f"{to_play}. How long they take is not known: too few matches of {size.game} have ended here."
    speed = plan.speed[size.game]
    return (
        f"{to_play}, about {_duration(hours)} at the speed of the newest {speed.matches} matches of {size.game} "
        f"({speed.per_hour:.0f} an hour)."
    )


def _duration(hours: float) -> str:
    return f"{hours:.1f} h" if hours >= 1 else f"{hours * 60:.0f} min"


def _document(plan: _Plan) -> dict[str, object]:
    return {
        "changes": [
            {"subject": each.subject, "action": each.action, "details": each.details}
            for each in plan.difference.changes
        ],
        "obstacles": [
            {"subject": each.subject, "sentence": each.sentence} for each in plan.difference.obstacles
        ],
        "tournaments": [
            {
                "tournament": each.tournament,
                "pairings": each.pairings,
                "matches_to_play": each.matches,
                "hours": plan.hours(each),
            }
            for each in plan.sizes
        ],
    }


def _words(change: Change) -> str:
    return f"{change.action} {change.subject}{': ' if change.details else ''}{change.details}"


_CHANGES: Final[Columns[Change]] = {
    "change": lambda change: change.action,
    "of": lambda change: f"{change.subject.partition('s/')[0]} {short(change.subject)}",
    "details": lambda change: change.details,
}
