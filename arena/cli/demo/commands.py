"""`arena demo`: server, bots, ladder, standings and verified logs in one command."""

import os
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path
from typing import Annotated, Final

import grpc
import typer
from google.protobuf.message import Message

from arena.cli import sample_bots
from arena.cli.framework.commands import command, only_command
from arena.cli.framework.connection import ArenaClient
from arena.cli.framework.errors import CliError, call_of, server_packages
from arena.cli.framework.names import numbers
from arena.cli.framework.output import print_line
from arena.cli.framework.signals import Interrupted, interruptible
from arena.cli.framework.target import check_data_folder
from arena.cli.ladder.watch import ladder_named, run_and_watch
from arena.cli.match_data import SUFFIX
from arena.cli.play.participants import Participant, parse_named_participant, parse_participants
from arena.cli.rules import FIRST_GAME, GameOption, game_named, time_control
from arena.drawings.wording import counted
from arena.v1 import bot_pb2, ladder_pb2

app = only_command()

DEFAULT_MATCHES: Final = 24
"""A run takes about a minute on two cores."""

STALL_SECONDS: Final = 90.0
"""Seconds without a finished match after which the demo fails."""

_FOLDER: Final = "data/demo"


@command(app, "demo", example="arena demo --matches 20")
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
            callback=check_data_folder,
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
        from arena.cli.demo.processes import report, running_demo, write_pages
    plan = plan_demo(game, seats, bot or ())
    folder = data or default_folder(game)
    with interruptible() as interruption:
        try:
            with running_demo(folder, plan, interruption) as demo:
                run = run_and_watch(
                    demo.arena, LADDER, matches, patience=STALL_SECONDS, check=demo.check_alive
                )
                played = counted(run.played, "match", "matches")
                print_line(f"{played} played in {run.seconds:.0f} s; {run.finished} on this ladder in all.")
                code = report(demo.arena, folder)
                write_pages(demo.connection, folder)
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


LADDER: Final = "ladders/demo"

_LEAST: Final = 2
"""Seats of a rated match."""


@dataclass(frozen=True, slots=True)
class DemoPlan:
    """The game, seat counts and bots of a demo."""

    game: str
    participants: tuple[Participant, ...]
    """As many as the largest match has seats, or more."""
    seat_counts: tuple[int, ...]
    """Of the matches, ascending."""
    is_asked_for: bool
    """Whether the seat counts were given."""


def plan_demo(game: str, seats: str | None, bots: Sequence[str]) -> DemoPlan:
    """Return the plan of a demo with these seat counts and the bots given as NAME=COMMAND.

    The default is all seat counts that there are bots for (the smallest and the largest if these are many) and
    all sample bots of the game, some of them twice if the largest match has more seats.

    Raises:
        BadParameter: invalid seat counts, too few bots, or an invalid bot.
        InvalidOptionsError: more seats than the game has.
        CliError: the sample bots are missing.
    """
    spec = game_named(game, "--game").spec
    asked = _asked(game, seats) if seats is not None else None
    found = _named(bots, game) if bots else _samples(game, max(asked or (spec.max_seats,)))
    every = range(max(_LEAST, spec.min_seats), min(spec.max_seats, len(found)) + 1)
    # A short demo has few groups, and each seat count takes at least one.
    few = tuple(every) if len(every) <= 3 else (every[0], every[-1])
    counts = asked or few
    if not counts or counts[-1] > len(found):
        needed = counts[-1] if counts else every.start
        raise typer.BadParameter(
            f"a match of {needed} seats needs {needed} bots, not {len(found)}. Repeat --bot.",
            param_hint="--bot",
        )
    return DemoPlan(game, found, counts, asked is not None)


def _asked(game: str, seats: str) -> tuple[int, ...]:
    counts = tuple(sorted(set(numbers(seats, "--seats"))))
    for count in counts:
        game_named(game, "--game").options(count, {})
    if counts[0] < _LEAST:
        raise typer.BadParameter(
            f"--seats must be at least {_LEAST}: the ladder is rated.", param_hint="--seats"
        )
    return counts


def _named(bots: Sequence[str], game: str) -> tuple[Participant, ...]:
    found = tuple(parse_named_participant(text, game) for text in bots)
    names = [participant.bot for participant in found]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise typer.BadParameter(f"duplicate bot name {twice!r}.", param_hint="--bot")
    return found


def _samples(game: str, places: int) -> tuple[Participant, ...]:
    names = sample_bots.names(game)
    if not names:
        raise CliError(
            "The sample bots are missing from this installation. Install the package again, run `make demo` in a "
            "checkout, or name bots of your own with --bot."
        )
    return parse_participants(tuple(islice(cycle(names), max(places, len(names)))), game)


def register_bots(arena: ArenaClient, plan: DemoPlan) -> None:
    """Create the ladder, and register and enter all bots.

    Raises CliError: the ladder exists with another game or other seat counts.
    """
    request = ladder_pb2.CreateLadderRequest(
        ladder_id=LADDER.removeprefix("ladders/"),
        game=plan.game,
        seat_counts=plan.seat_counts,
        time_control=time_control({}),
    )
    if not _created(arena.ladders.CreateLadder, request):
        ladder = ladder_named(arena, LADDER)
        if ladder.game != plan.game or (plan.is_asked_for and (*ladder.seat_counts,) != plan.seat_counts):
            seats = ",".join(map(str, ladder.seat_counts))
            raise CliError(
                f"The demo in this data folder is a different one. Continue it with --game {ladder.game} "
                f"--seats {seats}, or name another folder with --data."
            )
    for participant in plan.participants:
        bot = participant.bot
        _created(
            arena.bots.CreateBot, bot_pb2.CreateBotRequest(bot_id=bot, description=participant.description)
        )
        arena.ladders.JoinLadder(ladder_pb2.JoinLadderRequest(name=LADDER, bot=f"bots/{bot}"))


def _created(call: Callable[..., object], request: Message) -> bool:
    """Create something; return False if it exists."""
    try:
        call(request)
    except grpc.RpcError as error:
        if call_of(error).code() is not grpc.StatusCode.ALREADY_EXISTS:
            raise
        return False
    return True
