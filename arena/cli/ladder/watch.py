"""Running a ladder for a number of matches, with progress."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from rich.console import Console
from rich.progress import Progress, TaskID

from arena.cli.framework.connection import ArenaClient
from arena.cli.framework.errors import CliError
from arena.cli.framework.output import err, plain, progress_bar
from arena.v1 import ladder_pb2

_POLL_SECONDS: Final = 0.25
_REPORT_EVERY: Final = 10


@dataclass(frozen=True, slots=True)
class LadderRun:
    """The result of a run of a ladder."""

    played: int
    finished: int
    """On the ladder in all."""
    seconds: float


@dataclass(slots=True)
class _Watch:
    """The progress of a run."""

    arena: ArenaClient
    ladder: str
    start: int
    """Matches finished before."""
    total: int
    patience: float | None
    finished: int
    changed: float
    """When the number changed last, on the monotonic clock."""

    @property
    def played(self) -> int:
        """Matches finished since the run began."""
        return self.finished - self.start

    def poll(self) -> ladder_pb2.Ladder:
        """Return the ladder. Raises CliError if it made no progress for too long."""
        ladder = ladder_named(self.arena, self.ladder)
        now = time.monotonic()
        if ladder.finished_matches != self.finished:
            self.finished, self.changed = ladder.finished_matches, now
        elif self.patience is not None and now - self.changed > self.patience:
            reason = ladder.waiting_for or "the arena gives no reason"
            raise CliError(
                f"No match has ended for {self.patience:.0f} s ({reason}). See the arena's output."
            )
        return ladder


def run_and_watch(
    arena: ArenaClient,
    ladder: str,
    matches: int,
    *,
    patience: float | None = None,
    check: Callable[[], None] = lambda: None,
) -> LadderRun:
    """Run the ladder ("ladders/{ladder}") for at least so many more matches, and wait until it pauses.

    `patience`: seconds without a finished match before CliError is raised; None: unlimited. `check` is called now and
    then and may raise.
    """
    before = ladder_named(arena, ladder).finished_matches
    arena.ladders.RunLadder(ladder_pb2.RunLadderRequest(name=ladder, matches=matches))
    began = time.monotonic()
    watch = _Watch(arena, ladder, before, matches, patience, before, began)
    with progress_bar(unit="matches") as bar:
        _until_paused(watch, check, bar, bar.add_task("playing", total=matches))
    return LadderRun(watch.played, watch.finished, time.monotonic() - began)


def ladder_named(arena: ArenaClient, name: str) -> ladder_pb2.Ladder:
    """Return the ladder of this resource name."""
    return arena.ladders.GetLadder(ladder_pb2.GetLadderRequest(name=name)).ladder


@dataclass(slots=True)
class WaitingReason:
    """Why nothing is played: printed once, when it has held for two polls."""

    seen: str = ""
    printed: str = ""

    def poll(self, reason: str, console: Console) -> None:
        """Print a new reason that has held for two calls; empty: the ladder is not waiting."""
        if reason and reason == self.seen and reason != self.printed:
            console.print(plain(f"Waiting: {reason.rstrip('.')}."), highlight=False)
            self.printed = reason
        self.seen = reason


def _until_paused(watch: _Watch, check: Callable[[], None], bar: Progress, task: TaskID) -> None:
    printed = 0
    waiting = WaitingReason()
    while True:
        ladder = watch.poll()
        total = max(watch.total, watch.played + ladder.running_matches)
        reason = "" if ladder.running_matches else ladder.waiting_for
        waiting.poll(reason, bar.console)
        bar.update(task, completed=watch.played, total=total, description="waiting" if reason else "playing")
        if bar.disable and watch.played // _REPORT_EVERY > printed:
            printed = watch.played // _REPORT_EVERY
            err().print(plain(f"{watch.played} of {total} matches."), highlight=False)
        if ladder.state == ladder_pb2.Ladder.STATE_PAUSED and not ladder.running_matches:
            return
        check()
        time.sleep(_POLL_SECONDS)
