"""`make strength`: how strong the sample bots are, at one time control, and whether that is what is promised of them.

Match groups with rotated seats, for several seat counts, on seeds drawn afresh (or repeated by `--seed`), played in
process on the arena's own clock; the ratings are the arena's refit. The exit code says whether all promises hold.
Stderr has a line for each group that has ended; an interrupt prints the sums so far.
"""

import os
import secrets
import signal
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from functools import partial
from multiprocessing import active_children, get_context
from typing import Annotated, Final, NoReturn

import typer

from arena.cli.framework.names import seed_of
from arena.cli.framework.output import print_line, progress_bar, show
from arena.cli.framework.signals import Interrupted, Interruption, interruptible
from arena.cli.rules import game_named
from arena.core.clock.time_control import TimeControl
from arena.core.rating.refit import refit
from arena.core.seeds import SECRET_BYTES
from benchmarks.environments import Environments
from benchmarks.processes.worker import ROOT
from benchmarks.strength_contest import contest_of
from benchmarks.strength_matches import Fixture, Played, fixtures, play
from benchmarks.strength_report import (
    Groups,
    alone_table,
    meetings_table,
    promises_of,
    ranked,
    ratings_table,
    thinking_table,
)
from engine.registry import GAMES
from engine.state import COMPILED

_FROM_CHECKOUT: Final = f"""
import runpy, sys
sys.path.append({str(ROOT)!r})
runpy.run_module("benchmarks.strength", run_name="__main__", alter_sys=True)
"""
"""Runs this file of the checkout on what is installed: the checkout comes last on the path of modules."""

_OF_A_TERMINAL: Final = (signal.SIGINT, signal.SIGHUP)
"""What a terminal sends to every process that was started from it."""

GROUPS: Final = 20
"""Match groups of each line-up."""


def strength(
    game: Annotated[str, typer.Option(help="The game.")] = next(iter(GAMES)),
    groups: Annotated[int, typer.Option(min=1, help="Match groups of each line-up.")] = GROUPS,
    jobs: Annotated[int, typer.Option(min=1, help="Processes; at most one for each idle core.")] = 2,
    seed: Annotated[
        str | None, typer.Option(metavar="HEX", help="Same seed, same seats and bags. Default: a new one.")
    ] = None,
    only: Annotated[
        str | None,
        typer.Option(metavar="BOTS", help="Only line-ups of these bots, with commas: planner,mcts."),
    ] = None,
    compiled: Annotated[bool, typer.Option("--compiled", help="On the compiled engine of a wheel.")] = False,
) -> None:
    """Play the sample bots against each other and print whether the promises about their strength hold.

    Example: make strength ARGS="--groups 5"
    """
    if compiled and not COMPILED:
        _run_on_a_wheel()
    contest = contest_of(game_named(game, "--game").spec.id)
    if only is not None:
        contest = contest.among(only.split(","))
    secret = secrets.token_bytes(SECRET_BYTES) if seed is None else seed_of(seed)
    planned, matches = list(fixtures(contest, secret, groups)), list[Played]()
    with interruptible() as interruption:
        try:
            print_line(f"{_conditions(contest.control)} Seed: {secret.hex()}.")
            _play(planned, contest.control, jobs, interruption, matches)
        except Interrupted as interrupted:
            show(meetings_table(contest, matches))
            print_line(
                f"Stopped after {len(matches)} of {len(planned)} matches. Promises are judged after all of them alone."
            )
            raise typer.Exit(128 + interrupted.number) from None
    show(ratings_table(refit(ranked(matches))))
    show(meetings_table(contest, matches))
    if contest.has_solo:
        show(alone_table(contest, matches))
    show(thinking_table(contest, matches))
    promises = promises_of(contest, matches)
    for promise in promises:
        print_line(f"{'PASS' if promise.holds else 'FAIL'}  {promise.claim}: {promise.measured}.")
    if not all(promise.holds for promise in promises):
        raise typer.Exit(1)


def _conditions(control: TimeControl) -> str:
    return (
        f"Time control: {control.per_decision_ms} ms for a decision, a bank of {control.bank_ms} ms, "
        f"{control.increment_ms} ms more for each decision. Engine: {'compiled' if COMPILED else 'plain Python'}."
    )


def _play(
    planned: Sequence[Fixture],
    control: TimeControl,
    jobs: int,
    interruption: Interruption,
    played: list[Played],
) -> None:
    """Add the matches to `played`, in whatever order they end; print a line on stderr for each group."""
    groups = Groups(planned)
    with progress_bar(unit="matches") as bar, _processes(jobs, interruption) as pool:
        with interruption.held(), _signals_blocked():
            running = [pool.submit(partial(play, control=control), fixture) for fixture in planned]
        for match in bar.track(as_completed(running), total=len(running), description="playing"):
            played.append(match.result())
            if line := groups.line_of(played[-1]):
                bar.console.print(line, markup=False, highlight=False, soft_wrap=True)


@contextmanager
def _processes(jobs: int, interruption: Interruption) -> Iterator[Executor]:
    """Start processes that play; end them at once, in the middle of a match, where their work is broken off."""
    with interruption.held(), _signals_blocked():
        pool = ProcessPoolExecutor(
            jobs, mp_context=get_context("spawn"), initializer=_leave_signals_to_the_parent
        )
    try:
        yield pool
    except BaseException:
        for process in active_children():
            process.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


@contextmanager
def _signals_blocked() -> Iterator[None]:
    """Block the signals that a terminal sends to all, until processes begun inside can ignore them."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _OF_A_TERMINAL)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _leave_signals_to_the_parent() -> None:
    for number in _OF_A_TERMINAL:
        signal.signal(number, signal.SIG_IGN)


def _run_on_a_wheel() -> NoReturn:
    """Go on as the same command in the environment of a wheel. Raises typer.Exit if it has no compiled engine."""
    installed = Environments(ROOT / "benchmarks" / ".venvs", print_line).arena()
    if not installed.is_compiled:
        print_line(f"There is no compiled engine: {installed.build}.")
        raise typer.Exit(1)
    sys.stdout.flush()
    os.execv(installed.python, [str(installed.python), "-P", "-c", _FROM_CHECKOUT, *sys.argv[1:]])


if __name__ == "__main__":
    typer.run(strength)
