"""`make strength`: how strong the sample bots are, at one time control, and whether that is what is promised of them.

Match groups with rotated seats, for several seat counts, on seeds drawn afresh (or repeated by `--seed`), played in
process on the arena's own clock; the ratings are the arena's refit. The exit code says whether all promises hold.
"""

from __future__ import annotations

import secrets
import signal
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import partial
from multiprocessing import get_context
from typing import Annotated, Final

import typer

from arena.cli.names import seed_of
from arena.cli.output import progress_bar, say, show
from arena.cli.rules import game_named
from arena.cli.signals import Interrupted, interruptible
from arena.core.rating.refit import refit
from arena.core.seeds import SECRET_BYTES
from arena.core.time_control import TimeControl
from benchmarks.environments import Environments
from benchmarks.processes.worker import ROOT
from benchmarks.strength_contest import contest_of
from benchmarks.strength_matches import Fixture, Played, fixtures, play
from benchmarks.strength_report import (
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
    """Plays the sample bots against each other and says whether the promises about their strength hold.

    Example: make strength ARGS="--groups 5"
    """
    if compiled and not COMPILED:
        raise typer.Exit(_run_on_a_wheel())
    contest = contest_of(game_named(game, "--game").spec.id)
    if only is not None:
        contest = contest.among(only.split(","))
    control = contest.control
    secret = secrets.token_bytes(SECRET_BYTES) if seed is None else seed_of(seed)
    say(
        f"Time control: {control.per_decision_ms} ms for a decision, a bank of {control.bank_ms} ms, "
        f"{control.increment_ms} ms more for each decision. Engine: {'compiled' if COMPILED else 'plain Python'}. "
        f"Seed: {secret.hex()}."
    )
    matches = _play_all(list(fixtures(contest, secret, groups)), control, jobs)
    show(ratings_table(refit(ranked(matches))))
    show(meetings_table(contest, matches))
    if contest.has_solo:
        show(alone_table(contest, matches))
    show(thinking_table(contest, matches))
    promises = promises_of(contest, matches)
    for promise in promises:
        say(f"{'PASS' if promise.holds else 'FAIL'}  {promise.claim}: {promise.measured}.")
    if not all(promise.holds for promise in promises):
        raise typer.Exit(1)


def _play_all(planned: list[Fixture], control: TimeControl, jobs: int) -> list[Played]:
    """The matches, in whatever order they end."""
    pool = ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_leave_ctrl_c_to_the_parent)
    with pool, progress_bar(unit="matches") as bar, interruptible():
        running = [pool.submit(partial(play, control=control), fixture) for fixture in planned]
        done = bar.track(as_completed(running), total=len(running), description="playing")
        try:
            return [match.result() for match in done]
        except Interrupted as interrupted:
            say("Stopping: nothing is measured. Matches in play end first, which takes some seconds.")
            for match in running:
                match.cancel()
            raise typer.Exit(128 + interrupted.number) from None


def _run_on_a_wheel() -> int:
    """The same command in the environment of a wheel; its exit code."""
    installed = Environments(ROOT / "benchmarks" / ".venvs", say).arena()
    if not installed.is_compiled:
        say(f"There is no compiled engine: {installed.build}.")
        return 1
    return subprocess.run(
        [installed.python, "-P", "-c", _FROM_CHECKOUT, *sys.argv[1:]], check=False
    ).returncode


def _leave_ctrl_c_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


if __name__ == "__main__":
    typer.run(strength)
