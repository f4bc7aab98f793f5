"""Running a ladder for a number of matches, or until its last one has ended, with progress."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Self

from arena.cli.framework.connection import PAGE_SIZE, ArenaClient
from arena.cli.framework.errors import CliError
from arena.cli.framework.output import err, plain, progress_bar
from arena.drawings.wording import counted
from arena.v1 import ladder_pb2, match_pb2
from arena.wire.wording import short

POLL_SECONDS: Final = 0.25
_REPORT_EVERY: Final = 10


class MatchProgress:
    """A bar of the matches played, or a line every few of them where there is no terminal. Use it with `with`."""

    def __init__(self) -> None:
        self._bar = progress_bar(unit="matches")
        self._task = self._bar.add_task("playing", total=None)
        self._reported = 0
        self._reason = ""
        self._printed = ""

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._bar.stop()

    def show(self, played: int, total: int, reason: str, *, is_over: bool = False, about: str = "") -> None:
        """Show so many matches.

        `reason`: why nothing is played; it is printed once, if it holds for two calls. `is_over`: the last line says
        how many there were, if there was one before. `about`: the word before a total that is estimated.
        """
        if reason and reason == self._reason and reason != self._printed:
            self._bar.console.print(plain(f"Waiting: {reason.rstrip('.')}."), highlight=False)
            self._printed = reason
        self._reason = reason
        word = "waiting" if reason else "playing"
        self._bar.update(self._task, completed=played, total=total, description=word)
        enough = played // _REPORT_EVERY > self._reported // _REPORT_EVERY
        last = is_over and 0 < self._reported < played
        if self._bar.disable and (enough or last):
            self._reported = played
            err().print(plain(f"{played} of {about}{total} matches."), highlight=False)


@dataclass(frozen=True, slots=True)
class LadderRun:
    """The result of a run of a ladder."""

    played: int
    finished: int
    """On the ladder in all."""
    seconds: float


def ladder_named(arena: ArenaClient, name: str) -> ladder_pb2.Ladder:
    """Return the ladder of this resource name."""
    return arena.ladders.GetLadder(ladder_pb2.GetLadderRequest(name=name)).ladder


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
    before = finished = ladder_named(arena, ladder).finished_matches
    arena.ladders.RunLadder(ladder_pb2.RunLadderRequest(name=ladder, matches=matches))
    began = changed = time.monotonic()
    with MatchProgress() as progress:
        while True:
            now = ladder_named(arena, ladder)
            if now.finished_matches != finished:
                finished, changed = now.finished_matches, time.monotonic()
            elif patience is not None and time.monotonic() - changed > patience:
                reason = now.waiting_for or "the arena gives no reason"
                raise CliError(f"No match has ended for {patience:.0f} s ({reason}). See the arena's output.")
            played = finished - before
            total = max(matches, played + now.running_matches)
            progress.show(played, total, "" if now.running_matches else now.waiting_for)
            if now.state == ladder_pb2.Ladder.STATE_PAUSED and not now.running_matches:
                return LadderRun(played, finished, time.monotonic() - began)
            check()
            time.sleep(POLL_SECONDS)


def pending_matches(arena: ArenaClient, ladder: str) -> tuple[int, bool]:
    """Return how many matches of the ladder wait for their bots, and whether there are more than these."""
    page = arena.matches.ListMatches(
        match_pb2.ListMatchesRequest(ladder=ladder, state=match_pb2.MATCH_STATE_PENDING, page_size=PAGE_SIZE)
    )
    return len(page.matches), bool(page.next_page_token)


def pause_and_watch(arena: ArenaClient, ladder: str) -> ladder_pb2.Ladder:
    """Pause the ladder ("ladders/{ladder}"), and wait until none of its matches runs or waits for its bots.

    Return the ladder as it is then. Raises CliError: it was started again meanwhile.
    """
    first = before = arena.ladders.PauseLadder(ladder_pb2.PauseLadderRequest(name=ladder)).ladder
    with MatchProgress() as progress:
        while True:
            # In this order, so that a match that begins or is replayed between the calls is seen by one of them.
            pending, more = pending_matches(arena, ladder)
            now = ladder_named(arena, ladder)
            if now.state != ladder_pb2.Ladder.STATE_PAUSED:
                raise CliError(f"Somebody has started the ladder {short(ladder)} again, so it does not end.")
            if not (before.running_matches or pending or now.running_matches):
                return now
            before = now
            played = now.finished_matches - first.finished_matches
            which = f"{'more than ' if more else ''}{counted(pending, 'match', 'matches')}"
            reason = "" if now.running_matches else f"the bots of {which} are not ready"
            progress.show(played, played + now.running_matches + pending, reason)
            time.sleep(POLL_SECONDS)
