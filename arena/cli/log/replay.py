"""`arena log replay`: replay a recorded seat against a bot."""

import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import typer
from rich.padding import Padding

from arena.cli.conformance.report import format_rule
from arena.cli.framework.errors import CliError, CommandExit, print_error
from arena.cli.framework.names import resource_id
from arena.cli.framework.output import (
    Columns,
    Format,
    err,
    facts,
    plain,
    print_json,
    print_line,
    progress_bar,
    show,
    table_of,
)
from arena.cli.framework.processes import TERMINAL
from arena.cli.framework.signals import Interrupted, run_interruptible
from arena.cli.framework.terminal import DEBUGGED, lent_terminal
from arena.cli.log.reading import chosen_seat, read_match
from arena.cli.match_data import SUFFIX, LogSource
from arena.cli.play.participants import Participant, parse_participants
from arena.cli.program_files import program_file
from arena.cli.program_output import UNBUFFERED, SeatOutput, ShownProcess, line_writer, make_output_folder
from arena.conformance.scripted_server import BotUnderTest
from arena.core.match import Cause, DebugLine, LineSource
from arena.core.units import NS_PER_MS
from arena.drawings.wording import counted, duration
from arena.match_log.checks.check import Status
from arena.match_log.checks.replay import replay as replay_by_rules
from arena.match_log.reader import MatchLog
from arena.match_report.plies import page_address
from arena.replay.recording import Moment, Recording
from arena.replay.replay_session import BrokenOff, Reply, replay_decisions
from arena.v1 import play_pb2
from engine.game import Game
from engine.randomness import SEED_BYTES


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
    debugged: bool = False
    """Whether the program has the terminal, and as much time as it takes."""
    output: Path | None = None
    """The folder for what the program writes."""


@dataclass(frozen=True, slots=True)
class Replay:
    """A replay, and the replies so far."""

    wanted: ReplayRequest
    recording: Recording
    first: int
    """The index of the first decision to replay."""
    replies: list[Reply]
    log: str
    """The match or file, as commands name it."""

    @property
    def asked(self) -> int:
        """The number of decisions to replay."""
        return len(self.recording.moments) - self.first

    @property
    def first_difference(self) -> Reply | None:
        """The first reply that differs from the record."""
        return next((reply for reply in self.replies if not reply.is_same), None)

    @property
    def late(self) -> int:
        """The number of replies that exceeded the recorded clock."""
        return sum(reply.late_ns > 0 for reply in self.replies)

    async def run(self, bot: BotUnderTest, on_ask: Callable[[int], None]) -> BrokenOff | None:
        """Add each reply as it comes and show a progress bar, unless the program has the terminal."""
        with progress_bar(unit="decisions", is_hidden=self.wanted.debugged) as progress:
            task = progress.add_task("replaying", total=self.asked)

            def on_reply(reply: Reply) -> None:
                self.replies.append(reply)
                progress.update(task, advance=1)

            return await replay_decisions(bot, self.recording, self.first, on_reply, on_ask)

    def print(self, broken_off: BrokenOff | None) -> None:
        """Print the replies, a summary, and why the replay ended early, if it did."""
        if self.wanted.format is Format.JSON:
            print_json(self._document(broken_off))
            if broken_off is not None:
                print_error(broken_off.sentence)
            return
        listed = [reply for reply in self.replies if self.wanted.every or not reply.is_same or reply.late_ns]
        if listed:
            show(table_of(_COLUMNS, listed))
        for sentence in self._summary():
            print_line(sentence)
        if broken_off is not None:
            print_error(broken_off.sentence)
            words = (
                ("rule", "" if broken_off.requirement is None else format_rule(broken_off.requirement)),
                ("what to do", broken_off.to_do),
                ("last messages", "\n".join(broken_off.messages)),
                ("output", "\n".join(broken_off.output)),
            )
            err().print(Padding(facts(*words), (0, 0, 0, 2), expand=False), highlight=False)

    def _summary(self) -> Iterator[str]:
        replies, first, recording = self.replies, self.first_difference, self.recording
        answered = counted(len(replies), "decision")
        yield f"Replayed seat {recording.seat}, {recording.log.setup.seats[recording.seat].bot}."
        if not replies:
            yield "No answers."
        elif first is None:
            yield f"{'All ' if len(replies) > 1 else ''}{answered} as recorded."
        else:
            same = sum(reply.is_same for reply in replies)
            now = "an invalid answer" if first.actions is None else _now(first)
            place = f"first difference at ply {first.moment.ply}"
            yield f"{same} of {answered} as recorded; {place}: {now} instead of {_recorded(first.moment)}."
        if self.late:
            answers = counted(self.late, "answer")
            yield f"{answers} exceeded the recorded clock, which has no effect in a replay."
        if recording.forfeited and len(replies) == self.asked:
            ending = recording.log.result.seats[recording.seat].ending
            yield f"The seat forfeited here, by {ending.termination.name}. {ending.sentence}"
        there = (
            ""
            if first is None
            else f"; its address with {page_address(first.moment.ply)} shows this difference"
        )
        yield (
            f"To see the match as a page: `arena log render {self.log}`{there}. To find the costliest decisions: "
            f"`arena log analyse {self.log} --seat {recording.seat}`."
        )

    def _document(self, broken_off: BrokenOff | None) -> dict[str, object]:
        recording, first = self.recording, self.first_difference
        setup = recording.log.setup
        return {
            "match": f"matches/{setup.match}",
            "game": setup.game,
            "seat": recording.seat,
            "bot": f"bots/{setup.seats[recording.seat].bot}",
            "asked": self.asked,
            "answered": len(self.replies),
            "as_recorded": sum(reply.is_same for reply in self.replies),
            "first_difference": None if first is None else first.moment.ply,
            "late": self.late,
            "forfeited_then": recording.forfeited,
            "decisions": [_entry(reply) for reply in self.replies],
            "broken_off": broken_off
            and {
                "sentence": broken_off.sentence,
                "to_do": broken_off.to_do,
                "messages": list(broken_off.messages),
                "output": list(broken_off.output),
            },
        }


def replay_log(log: LogSource, command: str, wanted: ReplayRequest) -> CommandExit:
    """Replay the recorded decisions against the program and print the result; OK if all are as recorded.

    Raises:
        CliError: the log cannot be replayed, or has no such decisions.
        BadParameter: the match has no such seat, or the command cannot be started.
    """
    match, codec = read_match(log)
    _check_rules(log.title, match, codec.game)
    recording = Recording(match, codec.game, chosen_seat(match, wanted.seat, wanted.bot) or 0)
    replay = Replay(
        wanted, recording, _first(recording, wanted.from_ply), [], resource_id("matches", log.title)
    )
    try:
        [participant] = parse_participants([command], match.setup.game)
    except typer.BadParameter as error:
        error.param_hint = "--bot"
        raise
    if wanted.seat is None and wanted.bot is None and len(match.setup.seats) > 1:
        name = plain(match.setup.seats[0].bot)
        err().print(f"Replaying seat 0, {name}. To replay another, use --seat or --as.", highlight=False)
    try:
        broken_off = _run(replay, participant, _program_file(log, recording.seat, wanted.output))
    except Interrupted:
        if replay.replies:
            replay.print(None)
        print_line("Stopped. No process is left running.")
        raise
    replay.print(broken_off)
    is_same = broken_off is None and replay.first_difference is None
    return CommandExit.OK if is_same else CommandExit.FAILED


def _run(replay: Replay, participant: Participant, path: Path | None) -> BrokenOff | None:
    """Run the replay; show what the program writes, and keep it in `path`. Return why it ended early, if it did."""
    wanted, recording = replay.wanted, replay.recording
    name = recording.log.setup.seats[recording.seat].bot
    lends = (
        lent_terminal(f"The program of seat {recording.seat}, {name},") if wanted.debugged else nullcontext()
    )
    with lends, line_writer() as writer:
        output = SeatOutput(recording.seat, name, writer, path=path, shows_debug=not participant.sample)
        asked = 0
        output.decision = lambda: asked

        async def launch(settings: Mapping[str, str], _folder: Path) -> ShownProcess:
            where = settings["ARENA_ADDRESS"], settings["ARENA_TOKEN"]
            if wanted.debugged:
                return ShownProcess(participant.start(*where, streams=TERMINAL, settings=DEBUGGED), output)
            with output.streams() as streams:
                return ShownProcess(participant.start(*where, streams=streams, settings=UNBUFFERED), output)

        def on_ask(decision: int) -> None:
            nonlocal asked
            output.read()
            asked = decision

        def on_debug(debug: play_pb2.Debug) -> None:
            source = LineSource.EXCEPTION if debug.exception else LineSource.MESSAGE
            output.note(DebugLine(debug.decision, debug.text, source))

        patience = math.inf if wanted.debugged else wanted.patience
        bot = BotUnderTest(launch, recording.game.spec.id, patience, on_debug=on_debug)
        return run_interruptible(lambda: replay.run(bot, on_ask))


def _program_file(log: LogSource, seat: int, folder: Path | None) -> Path | None:
    """Return the file for what the program writes; an earlier one is overwritten. Raises CliError."""
    if folder is None:
        return None
    make_output_folder(folder, ())
    title = Path(log.title)
    stem = title.stem if title.suffix == SUFFIX else f"match-{title.name}"
    return program_file(folder / f"{stem}.replay{SUFFIX}", seat)


def _check_rules(title: str, log: MatchLog, game: Game) -> None:
    """Raise CliError if the match cannot be replayed with these rules."""
    here, there = game.spec.rules_version, log.setup.rules_version
    if here != there:
        raise CliError(
            f"{title} follows version {there} of the rules of {game.spec.id}, but version {here} is installed. "
            "It cannot be replayed here.",
            CommandExit.NOT_REPLAYED,
        )
    if len(log.setup.seed) != SEED_BYTES:
        raise CliError(f"{title} has no seed. The match cannot be replayed.")
    check = replay_by_rules(log, game).check
    if check.status is not Status.OK:
        raise CliError(f"{title} does not follow from its seed by the rules: {check.sentence}")


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


_DEFAULTS: Final = {
    Cause.TIME_FORFEIT: "default, no answer in time",
    Cause.ILLEGAL_ACTION: "default, illegal answer",
}


def _recorded(moment: Moment) -> str:
    """Return what was played, and why if the bot did not choose it."""
    default = _DEFAULTS.get(moment.cause)
    played = moment.notation(moment.played)
    return f"{played} ({default})" if default else played


def _now(reply: Reply) -> str:
    if reply.actions is None:
        return reply.exception or reply.objection
    return reply.moment.notation(reply.actions)


_COLUMNS: Final[Columns[Reply]] = {
    ">ply": lambda reply: reply.moment.ply,
    "?>decision": lambda reply: reply.moment.decision,
    "~recorded": lambda reply: _recorded(reply.moment),
    "~now": _now,
    "is": lambda reply: (
        ("same" if reply.is_same else "other")
        + (f", {duration(reply.late_ns)} late" if reply.late_ns else "")
    ),
    ">took": lambda reply: duration(reply.took_ns),
    ">then": lambda reply: duration(reply.moment.used_ns),
    ">had": lambda reply: duration(reply.moment.allowance_ns),
}


def _entry(reply: Reply) -> dict[str, object]:
    moment = reply.moment
    return {
        "ply": moment.ply,
        "replay": page_address(moment.ply),
        "decision": moment.decision,
        "recorded": moment.notation(moment.played),
        "cause": moment.cause.name,
        "now": None if reply.actions is None else moment.notation(reply.actions),
        "objection": reply.objection,
        "exception": reply.exception or None,
        "same": reply.is_same,
        "took_ms": _ms(reply.took_ns),
        "took_then_ms": _ms(moment.used_ns),
        "allowed_then_ms": _ms(moment.allowance_ns),
        "late_ms": _ms(reply.late_ns),
    }


def _ms(ns: int) -> float:
    return round(ns / NS_PER_MS, 3)
