"""`arena log replay`: replay a recorded seat against a bot."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import typer

from arena.cli.framework.errors import CliError, CommandExit
from arena.cli.framework.names import resource_id
from arena.cli.framework.output import Format, err, plain, print_line, progress_bar
from arena.cli.framework.signals import Interrupted, run_interruptible
from arena.cli.log.reading import interpreted
from arena.cli.log.replay_report import ReplayView, print_replay
from arena.cli.match_data import LogSource
from arena.cli.play.participants import Participant, parse_participants
from arena.conformance.bot_process import Launch
from arena.conformance.scripted_server import BotUnderTest
from arena.drawings.wording import counted
from arena.match_log.checks.check import Status
from arena.match_log.checks.replay import replay
from arena.match_log.reader import MatchLog
from arena.replay.recording import Recording
from arena.replay.replay_session import BrokenOff, Reply, replay_decisions
from engine.game import Game
from engine.randomness import SEED_BYTES
from engine.registry import GAMES


@dataclass(frozen=True, slots=True)
class ReplayRequest:
    """What to replay, and how."""

    seat: int | None
    bot: str | None
    """The bot of the seat, as in the log."""
    from_ply: int
    patience: float
    """Seconds to wait for a message, beyond the clock."""
    every: bool
    """Whether to list all decisions."""
    format: Format


def replay_log(log: LogSource, command: str, wanted: ReplayRequest) -> CommandExit:
    """Replay the recorded decisions against the program and print the result; OK if all are as recorded.

    Raises:
        CliError: the log cannot be replayed, or has no such decisions.
        BadParameter: the match has no such seat, or the command cannot be started.
    """
    match = interpreted(log)
    game = _game_of(log.title, match)
    seat = _seat(match, wanted)
    recording = Recording(match, game, seat)
    first = _first(recording, wanted.from_ply)
    try:
        [participant] = parse_participants([command], game.spec.id)
    except typer.BadParameter as error:
        error.param_hint = "--bot"
        raise
    if wanted.seat is None and wanted.bot is None and len(match.setup.seats) > 1:
        name = plain(match.setup.seats[seat].bot)
        err().print(f"Replaying seat 0, {name}. To replay another, use --seat or --as.", highlight=False)
    bot = BotUnderTest(_launcher(participant), game.spec.id, wanted.patience)
    shown = ReplayView(recording, first, wanted.every, wanted.format)
    replies: list[Reply] = []
    try:
        broken_off = run_interruptible(lambda: _replayed(bot, recording, first, replies))
    except Interrupted:
        if replies:
            print_replay(shown, replies, None)
        print_line("Stopped. No process is left running.")
        raise
    print_replay(shown, replies, broken_off)
    is_same = broken_off is None and all(reply.is_same for reply in replies)
    return CommandExit.OK if is_same else CommandExit.FAILED


async def _replayed(
    bot: BotUnderTest, recording: Recording, first: int, replies: list[Reply]
) -> BrokenOff | None:
    """Add each reply as it comes and show a progress bar."""
    with progress_bar(unit="decisions") as progress:
        task = progress.add_task("replaying", total=len(recording.moments) - first)

        def on_reply(reply: Reply) -> None:
            replies.append(reply)
            progress.update(task, advance=1)

        return await replay_decisions(bot, recording, first, on_reply)


def _game_of(title: str, log: MatchLog) -> Game:
    """Return the game in the rules version of the log. Raises CliError if the match cannot be replayed with it."""
    game = GAMES[log.setup.game]
    here, there = game.spec.rules_version, log.setup.rules_version
    if here != there:
        raise CliError(
            f"{title} follows version {there} of the rules of {game.spec.id}, but version {here} is installed. "
            "It cannot be replayed here.",
            CommandExit.NOT_REPLAYED,
        )
    if len(log.setup.seed) != SEED_BYTES:
        raise CliError(f"{title} has no seed. The match cannot be replayed.")
    check = replay(log, game).check
    if check.status is not Status.OK:
        raise CliError(f"{title} does not follow from its seed by the rules: {check.sentence}")
    return game


def _seat(log: MatchLog, wanted: ReplayRequest) -> int:
    """Return the requested seat; default 0. Raises BadParameter."""
    holders = log.setup.seats
    if wanted.seat is not None and wanted.bot is not None:
        raise typer.BadParameter("use only one of --seat or --as.", param_hint="--seat")
    if wanted.bot is None:
        seat = wanted.seat or 0
        if seat >= len(holders):
            raise typer.BadParameter(
                f"the match has {counted(len(holders), 'seat')}, numbered from 0.", param_hint="--seat"
            )
        return seat
    name = resource_id("bots", wanted.bot)
    found = [seat for seat, holder in enumerate(holders) if holder.bot == name]
    if not found:
        names = ", ".join(dict.fromkeys(holder.bot for holder in holders))
        raise typer.BadParameter(f"{name!r} has no seat in it; bots: {names}.", param_hint="--as")
    if len(found) > 1:
        seats = " and ".join(map(str, found))
        raise typer.BadParameter(
            f"{name!r} played on seats {seats}. Choose one with --seat.", param_hint="--as"
        )
    return found[0]


def _first(recording: Recording, from_ply: int) -> int:
    """Return the index of the first decision to replay. Raises CliError if there is none."""
    moments, seat = recording.moments, recording.seat
    if not moments:
        raise CliError(f"Seat {seat} has no decisions in this match, so there is nothing to replay.")
    for index, moment in enumerate(moments):
        if moment.ply >= from_ply:
            return index
    raise CliError(
        f"Seat {seat} has no decision at ply {from_ply} or later. Its last one is at ply {moments[-1].ply}."
    )


def _launcher(participant: Participant) -> Launch:
    from arena.conformance.bot_process import LocalBotProcess

    async def launch(settings: Mapping[str, str], folder: Path) -> LocalBotProcess:
        log = folder / "program.log"
        return LocalBotProcess(
            participant.start(settings["ARENA_ADDRESS"], settings["ARENA_TOKEN"], log), log
        )

    return launch
