"""Waiting for the end of a tournament, with progress for whoever watches."""

from __future__ import annotations

import time
from typing import Final

from arena.cli.framework.connection import ArenaClient
from arena.cli.framework.output import err, plain, progress_bar
from arena.cli.ladder.watch import WaitingReason
from arena.v1 import tournament_pb2

_POLL_SECONDS: Final = 0.25
_REPORT_EVERY: Final = 10


def tournament_named(arena: ArenaClient, name: str) -> tournament_pb2.Tournament:
    """The tournament as it stands."""
    return arena.tournaments.GetTournament(tournament_pb2.GetTournamentRequest(name=name)).tournament


def watch_to_end(arena: ArenaClient, name: str) -> None:
    """The tournament ("tournaments/{tournament}") has finished, or somebody has paused it."""
    told, waiting = 0, WaitingReason()
    with progress_bar(unit="matches") as bar:
        task = bar.add_task("playing", total=None)
        while True:
            now = tournament_named(arena, name)
            reason = "" if now.running_matches else now.waiting_for
            waiting.look(reason, bar.console)
            word = "waiting" if reason else "playing"
            bar.update(task, completed=now.ended_matches, total=now.matches, description=word)
            if bar.disable and now.ended_matches // _REPORT_EVERY > told:
                told = now.ended_matches // _REPORT_EVERY
                err().print(plain(f"{now.ended_matches} of {now.matches} matches."), highlight=False)
            if now.state != tournament_pb2.Tournament.STATE_RUNNING and not now.running_matches:
                return
            time.sleep(_POLL_SECONDS)
