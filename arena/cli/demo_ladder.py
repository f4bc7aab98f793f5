"""Playing the demo's ladder, with progress for whoever watches."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Final

from rich.progress import Progress, TaskID

from arena.cli.demo_cast import LADDER
from arena.cli.demo_stage import PROCESS_LOGS, Players
from arena.cli.errors import CliError
from arena.cli.output import progress_bar, say
from arena.v1 import ladder_pb2

STALL_SECONDS: Final = 90.0
"""Without one more match finished for so long, something is wrong."""

_POLL_SECONDS = 0.25
_REPORT_EVERY = 10


@dataclass(slots=True)
class _Watch:
    """What has been seen of the ladder since the demo began."""

    start: int
    """Matches finished before."""
    total: int
    finished: int
    changed: float
    """When the number changed last, on the monotonic clock."""

    def see(self, ladder: ladder_pb2.Ladder) -> None:
        """Notes where the ladder stands. Raises CliError if it has stood there for too long."""
        now = time.monotonic()
        if ladder.finished_matches != self.finished:
            self.finished, self.changed = ladder.finished_matches, now
        elif now - self.changed > STALL_SECONDS:
            reason = ladder.waiting_for or "the arena gives no reason"
            raise CliError(
                f"No match has ended for {STALL_SECONDS:.0f} s ({reason}): look at {PROCESS_LOGS}/ in the data folder."
            )

    @property
    def played(self) -> int:
        """Matches finished since the demo began."""
        return self.finished - self.start


def play(players: Players, matches: int) -> None:
    """The ladder has played at least so many more matches, and rests.

    Raises:
        CliError: a process has ended, or nothing happens any more.
    """
    before = _ladder(players).finished_matches
    players.arena.ladders.RunLadder(ladder_pb2.RunLadderRequest(name=LADDER, matches=matches))
    watch = _Watch(before, matches, before, time.monotonic())
    began = time.monotonic()
    with progress_bar(unit="matches") as bar:
        _until_done(players, watch, bar, bar.add_task("playing", total=matches))
    took = time.monotonic() - began
    say(f"{watch.played} matches played in {took:.0f} s; {watch.finished} on this ladder in all.")


def _until_done(players: Players, watch: _Watch, bar: Progress, task: TaskID) -> None:
    told = 0
    while True:
        ladder = _ladder(players)
        watch.see(ladder)
        doing = "waiting" if ladder.waiting_for and not ladder.running_matches else "playing"
        total = max(watch.total, watch.played + ladder.running_matches)
        bar.update(task, completed=watch.played, total=total, description=doing)
        if bar.disable and watch.played // _REPORT_EVERY > told:
            told = watch.played // _REPORT_EVERY
            say(f"{watch.played} of {total} matches.")
        if ladder.state == ladder_pb2.Ladder.STATE_PAUSED and not ladder.running_matches:
            return
        players.check_alive()
        time.sleep(_POLL_SECONDS)


def _ladder(players: Players) -> ladder_pb2.Ladder:
    return players.arena.ladders.GetLadder(ladder_pb2.GetLadderRequest(name=LADDER)).ladder
