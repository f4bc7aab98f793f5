"""`make strength`: how strong the sample bots are, at one time control, and whether that is what is promised of them.

Match groups with rotated seats, for two to four seats, on seeds drawn afresh (or repeated by `--seed`), played in
process on the arena's own clock; the ratings are the arena's refit. The exit code says whether all promises hold.
"""

from __future__ import annotations

import argparse
import secrets
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import partial
from typing import Final

from arena.cli.output import progress_bar, say, show
from arena.core.rating.refit import refit
from arena.core.time_control import TimeControl
from benchmarks.strength_matches import Played, fixtures, play
from benchmarks.strength_report import meetings_table, promises_of, ranked, ratings_table, thinking_table

CONTROL: Final = TimeControl()
"""That of a ladder unless it is created with another one."""

GROUPS: Final = 20
"""Match groups of each line-up."""


def main(arguments: Sequence[str]) -> int:
    """Plays and reports; 0 if all promises hold, 1 if not."""
    chosen = _parser().parse_args(arguments)
    secret = bytes.fromhex(chosen.seed) if chosen.seed else secrets.token_bytes(32)
    say(
        f"Time control: {CONTROL.per_decision_ms} ms for a decision, a bank of {CONTROL.bank_ms} ms, "
        f"{CONTROL.increment_ms} ms more for each decision. Seed: {secret.hex()}."
    )
    matches = _play_all(secret, chosen.groups, chosen.jobs)
    fitted = refit(ranked(matches))
    show(ratings_table(fitted))
    show(meetings_table(matches))
    show(thinking_table(matches))
    promises = promises_of(matches)
    for promise in promises:
        say(f"{'PASS' if promise.holds else 'FAIL'}  {promise.claim}: {promise.measured}.")
    return 0 if all(promise.holds for promise in promises) else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="make strength", description=__doc__)
    parser.add_argument("--groups", type=int, default=GROUPS, help="match groups of each line-up")
    parser.add_argument("--jobs", type=int, default=2, help="processes; at most one for each idle core")
    parser.add_argument("--seed", help="64 hex digits; repeats the seats and bags of an earlier run")
    return parser


def _play_all(secret: bytes, groups: int, jobs: int) -> list[Played]:
    """The matches, in whatever order they end."""
    planned = list(fixtures(secret, groups))
    with ProcessPoolExecutor(jobs) as pool, progress_bar(unit="matches") as bar:
        running = [pool.submit(partial(play, control=CONTROL), fixture) for fixture in planned]
        done = bar.track(as_completed(running), total=len(running), description="playing")
        return [match.result() for match in done]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
