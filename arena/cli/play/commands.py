"""`arena play`: play one match on this machine, without an arena."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.framework.errors import CliError, CommandExit, server_packages
from arena.cli.framework.names import pairs, seed_of
from arena.cli.framework.output import out, plain, print_line, show
from arena.cli.framework.signals import Interrupted, run_interruptible
from arena.cli.match_data import KEY_SUFFIX, PACE_SECONDS, SUFFIX, PaceOption
from arena.cli.play.participants import parse_participants
from arena.cli.rules import ClockValues, GameArgument, OptionValues, clock_rules, game_named

if TYPE_CHECKING:
    from arena.cli.play.local_play import LocalResult
    from arena.match_log.reader import MatchLog


def play_match(
    game: GameArgument,
    bots: Annotated[
        list[str],
        typer.Argument(
            metavar="BOT...",
            help="By seat: a sample bot, such as random or greedy, or a command in quotes: 'python my_bot.py'.",
        ),
    ],
    seed: Annotated[
        str | None, typer.Option(metavar="HEX", help="64 hex digits: repeat a set-up and its draws.")
    ] = None,
    option: OptionValues = None,
    clock: ClockValues = None,
    watch: Annotated[bool, typer.Option("--watch", help="Show the board while it is played.")] = False,
    pace: PaceOption = PACE_SECONDS,
    log: Annotated[
        Path | None, typer.Option(metavar="FILE", help=f"The log file. Default: ./match-TIME{SUFFIX}.")
    ] = None,
) -> None:
    """Play one match between bots on this machine: real clocks, a real log, no account, no rating."""
    with server_packages():
        from arena.cli.play.local_play import play_local
        from arena.cli.viewer import follower, progress
        from arena.match_log.keys import SigningKey
        from arena.match_log.reader import read_log
        from arena.server.local_match import LocalPlan
        from arena.server.service_log import only_errors
    chosen_game = game_named(game, "GAME")
    options = chosen_game.options(len(bots), pairs(option or (), "--option"))
    participants = parse_participants(bots, game)
    rules = clock_rules(pairs(clock or (), "--clock"))
    chosen = seed_of(seed) if seed is not None else secrets.token_bytes(32)
    plan = LocalPlan(game, options, tuple(participant.bot for participant in participants), rules, chosen)
    path = _log_path(log)
    only_errors()
    names = " against ".join(f"{each.bot} (seat {seat})" for seat, each in enumerate(participants))
    out().print(f"[bold]{plain(chosen_game.spec.title)}[/bold]: {plain(names)}", highlight=False)
    print_line(f"Seed {chosen.hex()}{'; use it with --seed to repeat the draws' if seed is None else ''}.")
    key = SigningKey.new()
    follow = follower(game, plan.bots, pace=pace) if watch else progress(game, plan.bots)

    def keep(data: bytes) -> None:
        path.write_bytes(data)
        path.with_suffix(KEY_SUFFIX).write_bytes(key.public.pem())

    try:
        result = run_interruptible(lambda: play_local(plan, participants, key, follow=follow, keep=keep))
    except Interrupted:
        kept = (
            f"the match had ended; its log is {path}" if path.exists() else "an unfinished match has no log"
        )
        print_line(f"Stopped. No process is left running; {kept}.")
        raise
    raise typer.Exit(int(_print_result(read_log(result.log), result, path)))


def _log_path(log: Path | None) -> Path:
    """Return the path of the log. Raises CliError if it exists or cannot be written."""
    # The hex digits distinguish matches that began in the same second.
    path = log or Path(f"match-{datetime.now(UTC):%Y%m%d-%H%M%S}-{secrets.token_hex(3)}{SUFFIX}")
    for each in (path, path.with_suffix(KEY_SUFFIX)):
        if each.exists():
            raise CliError(f"{each} exists. Name another file with --log.")
    if not path.parent.is_dir():
        raise CliError(f"{path.parent} is not a folder. Create it, or name another file with --log.")
    return path


def _print_result(log: MatchLog, result: LocalResult, path: Path) -> CommandExit:
    """Print the result; return whether every seat played to the end as an exit code."""
    from arena.codecs.codec import codec_for
    from arena.core.endings.terminations import Termination
    from arena.match_report.story import ending_lines

    for part in ending_lines(log, codec_for(log.setup.game).game):
        show(part)
    fine = (Termination.NORMAL, Termination.RESIGNATION)
    failed = any(how.ending.termination not in fine for how in log.result.seats)
    for seat, how in enumerate(log.result.seats):
        if how.ending.forfeited and result.written[seat]:
            print_line(f"\nLast output of {log.setup.seats[seat].bot}:")
            out().print(plain(result.written[seat]), highlight=False, style="dim", soft_wrap=True)
    key = path.with_suffix(KEY_SUFFIX)
    print_line(f"\nLog: {path}, signed with the key {key}.")
    for command in (f"show {path}", f"explain {path}", f"verify {path} --key {key}"):
        print_line(f"  arena log {command}")
    return CommandExit.FAILED if failed or log.result.void_reason else CommandExit.OK
