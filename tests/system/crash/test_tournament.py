"""A tournament of an arena that is killed again and again: the plan stays what it was, and each match counts once."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any, Final

from arena.v1 import tournament_pb2
from tests.system.crash.campaign import Campaign
from tests.system.crash.killed_arena import BOTS, SHORT, KilledArena, KillPoint, register
from tests.system.play.arena_process import SLOW

CUP: Final = "tournaments/cup"
SEED: Final = 3
MATCHES: Final = 2 * 3 * 2
"""Two rounds of three pairings of two matches."""

POINTS: Final = (
    "commit MatchManager._begin, after",
    "rename logs/#/#.arenalog, after",
    "commit ResultRecorder._record, before",
    "commit ResultRecorder._record, after",
)


def set_up(arena: KilledArena) -> dict[str, str]:
    """Make the bots, and a tournament of them that runs; return their tokens."""
    tokens = register(arena)
    arena.tournaments.CreateTournament(
        tournament_id="cup",
        format=tournament_pb2.Tournament.FORMAT_ROUND_ROBIN,
        game="caravan",
        bots=[f"bots/{bot}" for bot in BOTS],
        seats=2,
        rounds=2,
        options=SHORT,
        time_control=SLOW,
    )
    arena.tournaments.RunTournament(name=CUP)
    return tokens


def plan(campaign: Campaign) -> tuple[list[tuple[Any, ...]], Any]:
    """Return the plan, pairing by pairing, and the standings, as a new arena on the folder shows them."""
    arena = campaign.begin(None)
    campaign.audit.check(campaign.told.ended)
    pairings = arena.tournaments.ListPairings(name=CUP, page_size=1000).pairings
    tournament = arena.tournaments.GetTournament(name=CUP).tournament
    arena.kill()
    return [(each.number, each.round, tuple(each.bots), each.group) for each in pairings], tournament


def test_a_tournament_goes_on_with_the_same_pairings_after_each_kill(tmp_path: Path) -> None:
    campaign = Campaign(tmp_path, set_up)
    draw = random.Random(SEED)
    planned, before = plan(campaign)
    again, now = planned, before
    for point in POINTS:
        campaign.run(KillPoint(point, draw.randint(1, 2)))
        again, now = plan(campaign)
        assert again == planned
        assert now.secret_commitment == before.secret_commitment
    while now.ended_matches < MATCHES:
        campaign.run(KillPoint("commit ResultRecorder._record, after", 1))
        again, now = plan(campaign)
    assert again == planned
    assert (now.matches, now.ended_matches) == (MATCHES, MATCHES)
    assert len(now.secret) == 32
