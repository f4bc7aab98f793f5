"""A round-robin of sample bots, with the arena killed in the middle of it (docs/tournaments.md)."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from arena.core.seeds import match_seed, rotated, seat_order
from arena.v1 import match_pb2, tournament_pb2
from tests.checkout import ROOT
from tests.system.play.arena_process import ArenaProcess

BOTS = ("amber", "basalt", "cedar", "dune")
NAME = "tournaments/spring"
PLAN_MATCHES = 12


class TournamentFixture:
    """Four random bots, and an arena that may die."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.arena = ArenaProcess(data).wait_open()
        self.programs = [self._program(bot) for bot in BOTS]

    def _program(self, bot: str) -> subprocess.Popen[bytes]:
        environment = {
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "ARENA_TOKEN": self.arena.bot(bot),
            "ARENA_ADDRESS": self.arena.unix,
        }
        program = [sys.executable, str(ROOT / "sample_bots/python/random_bot.py")]
        return subprocess.Popen(program, env=environment, stderr=subprocess.DEVNULL)

    def restart(self) -> None:
        """Kill the arena, and run another one on the same folder."""
        self.arena.kill()
        self.arena.close()
        self.arena = ArenaProcess(self.data).wait_open()

    def create(self) -> None:
        """Plan and run the tournament."""
        self.arena.tournaments.CreateTournament(
            tournament_id="spring",
            format=tournament_pb2.Tournament.FORMAT_ROUND_ROBIN,
            game="caravan",
            bots=[f"bots/{bot}" for bot in BOTS],
        )
        self.arena.tournaments.RunTournament(name=NAME)

    def pairings(self) -> list[tournament_pb2.Pairing]:
        """Return the present plan."""
        return list(self.arena.tournaments.ListPairings(name=NAME).pairings)

    def tournament(self) -> Any:
        """Return the present tournament."""
        return self.arena.tournaments.GetTournament(name=NAME).tournament

    def wait(self) -> list[tournament_pb2.TournamentStanding]:
        """Return the standings, once it is over."""
        ended = 0
        while self.tournament().state != tournament_pb2.Tournament.STATE_FINISHED:
            ended += 1
            self.arena.wait_for("match over", times=ended)
        return list(self.arena.tournaments.GetCrosstable(name=NAME).standings)

    def close(self) -> None:
        for program in self.programs:
            program.kill()
            program.wait()
        self.arena.close()


@pytest.fixture
def event(tmp_path: Path) -> Iterator[TournamentFixture]:
    with closing(TournamentFixture(tmp_path / "data")) as opened:
        yield opened


def test_a_tournament_goes_on_with_the_same_plan_after_kill_9_and_counts_every_match_once(
    event: TournamentFixture,
) -> None:
    event.create()
    plan = [(each.number, each.group, list(each.bots)) for each in event.pairings()]
    event.arena.wait_for("match over", times=3)
    event.restart()
    assert [(each.number, each.group, list(each.bots)) for each in event.pairings()] == plan
    standings = event.wait()
    assert [line.matches for line in standings] == [6] * 4
    assert [line.not_played for line in standings] == [0] * 4
    pairings = event.pairings()
    assert [(each.number, each.group, list(each.bots)) for each in pairings] == plan

    arena, tournament = event.arena, event.tournament()
    assert (tournament.ended_matches, tournament.unplayed_matches) == (PLAN_MATCHES, 0)
    assert tournament.state == tournament_pb2.Tournament.STATE_FINISHED
    listed = arena.matches.ListMatches(tournament=NAME, page_size=1000).matches
    finished = {match.name: match for match in listed if match.state == match_pb2.MATCH_STATE_FINISHED}
    assert Counter((match.group, match.group_index) for match in finished.values()) == Counter(
        {(each.group, k): 1 for each in pairings for k in range(2)}
    )
    assert not any(match.rated for match in listed)
    for pairing in pairings:
        group, bots = int(pairing.group[1:]), tuple(name.removeprefix("bots/") for name in pairing.bots)
        order = seat_order(tournament.secret, group, bots)
        for k, name in enumerate(pairing.matches):
            match = finished[name]
            assert tuple(seat.bot.removeprefix("bots/") for seat in match.seats) == rotated(order, k)
            assert match.seed_group_index == k
            assert match.seed == match_seed(tournament.secret, group, k, match.seed_attempt)
