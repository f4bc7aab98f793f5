"""`arena ladder freeze` and `reveal`: standings that everybody but organisers sees as they were at a time."""

import time
from typing import Annotated

import typer
from rich.console import Group, RenderableType

from arena.cli.framework.commands import CommandContext
from arena.cli.framework.names import moment_or_removal, resource
from arena.cli.framework.output import plain
from arena.cli.framework.terminal import confirm, has_terminal
from arena.cli.ladder.settings import LadderArgument
from arena.cli.ladder.standings import standings_table
from arena.drawings.wording import counted
from arena.v1 import ladder_pb2
from arena.wire.wording import format_time, short


def freeze_text(ladder: ladder_pb2.Ladder) -> str:
    """Return when the standings freeze, or that they are frozen; empty if they are not to."""
    if ladder.frozen:
        revealing = ", ranks are being revealed" if ladder.revealing else ""
        return f"frozen since {format_time(ladder.freeze_time)}{revealing}"
    return f"will freeze {format_time(ladder.freeze_time)}" if ladder.HasField("freeze_time") else ""


def freeze_standings(
    context: CommandContext,
    name: LadderArgument,
    when: Annotated[
        str | None, typer.Argument(metavar="TIME", help="now, 30m, 2h or 2026-12-01T18:00 (UTC).")
    ] = None,
    remove: Annotated[bool, typer.Option("--remove", help="Remove a time that has not come yet.")] = False,
) -> None:
    """Freeze the standings of a ladder: others than organisers see nothing that counts later, until it is revealed."""
    freeze_time = moment_or_removal(when, remove=remove)
    if freeze_time is not None and when != "now" and freeze_time.ToNanoseconds() < time.time_ns():
        raise typer.BadParameter(
            f"{format_time(freeze_time)} has passed. Use now to freeze the standings at once; only a reveal ends that.",
            param_hint="TIME",
        )
    request = ladder_pb2.SetLadderFreezeRequest(name=resource("ladders", name), freeze_time=freeze_time)

    def done(ladder: ladder_pb2.Ladder) -> str:
        verb = "are " if ladder.frozen else ""
        return plain(f"The standings of {short(ladder.name)} {verb}{freeze_text(ladder) or 'do not freeze'}.")

    context.call(lambda arena: arena.ladders.SetLadderFreeze(request).ladder, done)


def reveal_ranks(
    context: CommandContext,
    name: LadderArgument,
    ranks: Annotated[
        int | None, typer.Option(min=1, max=1000, help="How many ranks, the last ones first. Default: 1.")
    ] = None,
    all_: Annotated[
        bool, typer.Option("--all", help="Reveal all at once, also while matches are played.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="With --all: do not ask on a terminal.")] = False,
) -> None:
    """Reveal ranks of frozen standings, the last one first. With the best rank everything is public again."""
    if all_ and ranks is not None:
        raise typer.BadParameter("give either --ranks or --all.", param_hint="--all")
    if all_ and not yes and has_terminal():
        confirm(
            f"Reveal all ranks of {short(name)} at once? It cannot be undone.",
            refused="Nothing was revealed.",
        )
    request = ladder_pb2.RevealLadderRanksRequest(name=resource("ladders", name), ranks=ranks or 0, all=all_)
    context.call(lambda arena: arena.ladders.RevealLadderRanks(request), _revealed)


def _revealed(answer: ladder_pb2.RevealLadderRanksResponse) -> RenderableType:
    own = short(answer.ladder.name)
    if not answer.hidden_ranks:
        left = f"All ranks of {own} are revealed: `arena ladder standings {own}` shows everybody the same."
    else:
        left = f"{counted(answer.hidden_ranks, 'rank')} of {own} still hidden."
    lines = ladder_pb2.ListStandingsResponse(standings=answer.standings)
    return Group(*([standings_table(lines)] if answer.standings else []), plain(left))
