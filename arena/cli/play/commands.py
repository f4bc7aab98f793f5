"""`arena play`: play one match on this machine, without an arena."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from datetime import UTC, datetime
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from arena.cli.explain.seat_summary import exception_lines
from arena.cli.framework.commands import CommandContext, arena_command, only_command
from arena.cli.framework.errors import CliError, CommandExit, server_packages
from arena.cli.framework.output import out, plain, print_line, show
from arena.cli.framework.signals import Interrupted, run_interruptible
from arena.cli.framework.terminal import lent_terminal, terminal_for_person
from arena.cli.match_data import KEY_SUFFIX, PACE_SECONDS, SUFFIX, PaceOption
from arena.cli.play.options import (
    BotsArgument,
    BrowserOption,
    DebugOption,
    EntryOption,
    FromOption,
    HintOption,
    LogOption,
    PauseOption,
    PlyOption,
    SeedOption,
    WatchOption,
)
from arena.cli.play.participants import ME, Participant, parse_participants
from arena.cli.program_files import OutputOption, program_file
from arena.cli.rules import (
    FIRST_GAME,
    ClockValues,
    GameArgument,
    OptionValues,
    clock_rules,
    clock_values,
    game_named,
    print_warnings,
)
from arena.cli.suites import SuiteOption
from arena.core.clock.clock_fit import check_clock_fits, clock_warnings

if TYPE_CHECKING:
    from arena.cli.play.pause import Pause
    from arena.cli.program_output import SeatOutput
    from arena.cli.viewer import Follow
    from arena.match_log.reader import MatchLog
    from arena.server.local_match import LocalPlan

app = only_command()


@arena_command(
    app, "play", example=f"arena play {FIRST_GAME} greedy 'python my_bot.py' --watch", formats=False
)
def play_match(
    context: CommandContext,
    game: GameArgument,
    bots: BotsArgument,
    seed: SeedOption = None,
    suite: SuiteOption = None,
    entry: EntryOption = None,
    from_: FromOption = None,
    ply: PlyOption = None,
    option: OptionValues = None,
    clock: ClockValues = None,
    watch: WatchOption = False,
    pace: PaceOption = PACE_SECONDS,
    log: LogOption = None,
    output: OutputOption = None,
    debug: DebugOption = None,
    pause: PauseOption = False,
    browser: BrowserOption = False,
    hint: HintOption = None,
) -> None:
    """Play one match on this machine between bots, or against them: a real log, no account, no rating."""
    with server_packages():
        from arena.cli.play.beginning import BeginningRequest, beginning
        from arena.cli.play.pause import Pause
        from arena.cli.program_output import make_output_folder
        from arena.cli.viewer import follower, progress
        from arena.drawings.drawing import drawing_for
        from arena.drawings.narration import seat_names
        from arena.match_log.reader import read_log
        from arena.server.local_match import LocalPlan
        from arena.server.service_log import only_errors
    chosen_game = game_named(game, "GAME")
    asked = BeginningRequest(seed, suite, entry, from_, ply, tuple(option or ()))
    begins = beginning(context, chosen_game, bots, asked)
    participants = parse_participants(bots, game, hint, browser=browser)
    rules = clock_rules(clock_values(clock))
    check_clock_fits(rules)
    print_warnings(clock_warnings(rules, chosen_game, {len(bots): begins.options}))
    lent_to = _seat_with_terminal(participants, debug, watch=watch, pause=pause)
    untimed = frozenset() if lent_to is None else frozenset({lent_to})
    plan = LocalPlan(
        game,
        begins.options,
        tuple(participant.bot for participant in participants),
        rules,
        begins.seed,
        untimed,
        suite=begins.suite,
        continued_from=begins.continued_from,
        given=begins.given,
    )
    path = _log_path(log, output)
    participants = tuple(each.with_log(path) for each in participants)
    files = [] if output is None else [program_file(output / path.name, seat) for seat in range(len(bots))]
    if output is not None:
        make_output_folder(output, files)
    only_errors()
    names = " against ".join(f"{each.bot} (seat {seat})" for seat, each in enumerate(participants))
    out().print(f"[bold]{plain(chosen_game.spec.title)}[/bold]: {plain(names)}", highlight=False)
    print_line(begins.sentence)
    pauses = Pause(out(), drawing_for(game), seat_names(plan.bots)) if pause else None
    follow = follower(game, plan.bots, pace=pace) if watch else progress(game, plan.bots)
    data, outputs = _play(plan, participants, path, files, follow=follow, lent_to=lent_to, pauses=pauses)
    raise typer.Exit(int(_print_result(read_log(data), outputs, path, files)))


def _play(
    plan: LocalPlan,
    participants: Sequence[Participant],
    path: Path,
    files: Sequence[Path],
    *,
    follow: Follow,
    lent_to: int | None,
    pauses: Pause | None,
) -> tuple[bytes, list[SeatOutput]]:
    """Play the match and write its log; return the log, and what the programs have written."""
    from arena.cli.play.local_play import SeatProgram, play_local
    from arena.cli.program_output import SeatOutput, line_writer
    from arena.cli.viewer import follow_nothing
    from arena.match_log.keys import SigningKey

    key = SigningKey.new()

    def keep(data: bytes) -> None:
        path.write_bytes(data)
        path.with_suffix(KEY_SUFFIX).write_bytes(key.public.pem())

    if lent_to is None:
        lends: AbstractContextManager[None] = nullcontext()
    elif participants[lent_to].by_hand:
        lends = terminal_for_person()
    else:
        lends = lent_terminal(f"Seat {lent_to}, {plan.bots[lent_to]},")
    try:
        with lends, line_writer() as writer:
            outputs = [
                SeatOutput(seat, each.bot, writer, path=file, shows_debug=not each.sample)
                for seat, (each, file) in enumerate(zip_longest(participants, files))
            ]
            programs = tuple(
                SeatProgram(each, outputs[seat], has_terminal=seat == lent_to)
                for seat, each in enumerate(participants)
            )
            shown = follow if lent_to is None else follow_nothing
            hold = None
            if pauses is not None:
                shown, hold = pauses.follow, pauses.hold
            data = run_interruptible(
                lambda: play_local(plan, programs, key, follow=shown, keep=keep, hold=hold)
            )
    except Interrupted:  # and the terminal is given back
        ended = (
            f"the match had ended; its log is {path}" if path.exists() else "an unfinished match has no log"
        )
        print_line(f"Stopped. No process is left running; {ended}.")
        raise
    return data, outputs


def _seat_with_terminal(
    participants: Sequence[Participant], debug: int | None, *, watch: bool, pause: bool
) -> int | None:
    """Return the seat whose program has the terminal and no clock. Raises BadParameter if several things need it."""
    persons = [seat for seat, each in enumerate(participants) if each.by_hand]
    if len(persons) > 1:
        raise typer.BadParameter(
            f"one person can play at this terminal, not {len(persons)}.", param_hint="BOT"
        )
    if debug is not None and debug >= len(participants):
        seats = len(participants)
        raise typer.BadParameter(f"the match has {seats} seats, numbered from 0.", param_hint="--debug")
    users = [ME] if persons else []
    users += ["--debug"] if debug is not None else []
    users += ["--pause"] if pause else []
    users += ["--watch"] if watch else []
    if len(users) > 1:
        raise typer.BadParameter(
            f"{users[0]} needs the terminal, and so does {users[1]}.", param_hint=users[1]
        )
    return persons[0] if persons else debug


def _log_path(log: Path | None, output: Path | None = None) -> Path:
    """Return the path of the log, by default in `output`. Raises CliError if it exists or cannot be written."""
    # The hex digits distinguish matches that began in the same second.
    name = f"match-{datetime.now(UTC):%Y%m%d-%H%M%S}-{secrets.token_hex(3)}{SUFFIX}"
    path = log or (output or Path()) / name
    for each in (path, path.with_suffix(KEY_SUFFIX)):
        if each.exists():
            raise CliError(f"{each} exists. Name another file with --log.")
    if log is not None and path.parent != output and not path.parent.is_dir():
        raise CliError(f"{path.parent} is not a folder. Create it, or name another file with --log.")
    return path


def _print_result(
    log: MatchLog, outputs: Sequence[SeatOutput], path: Path, files: Sequence[Path]
) -> CommandExit:
    """Print the result; return whether every seat played to the end as an exit code."""
    from arena.codecs.codec import codec_for
    from arena.core.endings.terminations import Termination
    from arena.match_report.story import ending_lines

    for part in ending_lines(log, codec_for(log.setup.game).game):
        show(part)
    fine = (Termination.NORMAL, Termination.RESIGNATION)
    failed = any(how.ending.termination not in fine for how in log.result.seats)
    for seat, output in enumerate(outputs):
        for line in exception_lines(output.exceptions):
            print_line(f"Seat {seat} ({log.setup.seats[seat].bot}): {line}")
    for seat, how in enumerate(log.result.seats):
        if how.ending.forfeited and (written := outputs[seat].tail()):
            print_line(f"\nLast output of {log.setup.seats[seat].bot}:")
            out().print(plain(written), highlight=False, style="dim", soft_wrap=True)
    key = path.with_suffix(KEY_SUFFIX)
    print_line(f"\nLog: {path}, signed with the key {key}.")
    if files:
        print_line(f"Output and debug lines: {', '.join(map(str, files))}.")
    page = path.with_suffix(".html")
    for command in (
        f"show {path}",
        f"explain {path}",
        f"render {path} -o {page}",
        f"verify {path} --key {key}",
    ):
        print_line(f"  arena log {command}")
    return CommandExit.FAILED if failed or log.result.void_reason else CommandExit.OK
