"""An opponent on a real arena for a person who plays there as the bot "ada"."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from arena.cli.framework.processes import without_arena
from arena.v1 import time_control_pb2, tournament_pb2
from tests.checkout import ROOT
from tests.system.play.arena_process import SLOW, WAIT_S, ArenaProcess
from tests.unit.cli.programs import environment


@contextmanager
def greedy_plays(arena: ArenaProcess) -> Iterator[None]:
    """Run the greedy bot of Caravan."""
    address = {"ARENA_ADDRESS": arena.unix, "ARENA_TOKEN": arena.bot("greedy")}
    process = subprocess.Popen(
        [sys.executable, str(ROOT / "sample_bots/python/caravan/greedy.py")],
        stderr=subprocess.DEVNULL,
        env=without_arena(environment()) | address,
    )
    try:
        yield
    finally:
        process.terminate()
        process.wait(WAIT_S)


def challenge(arena: ArenaProcess, clock: time_control_pb2.TimeControl = SLOW) -> None:
    """Let the bots play one match from each seat, of few turns."""
    arena.tournaments.CreateTournament(
        tournament_pb2.CreateTournamentRequest(
            format=tournament_pb2.Tournament.FORMAT_CHALLENGE,
            game="caravan",
            bots=["bots/ada", "bots/greedy"],
            options={"turn_limit": "8"},
            time_control=clock,
        )
    )
