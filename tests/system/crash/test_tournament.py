"""A tournament of an arena that is killed again and again: the plan stays what it was, and each match counts once."""

import random
from pathlib import Path
from typing import Any, Final

from arena.core.seeds import match_seed, rotated, seat_order
from arena.v1 import match_pb2, tournament_pb2
from tests.system.crash.campaign import POINTS as ALL_POINTS
from tests.system.crash.campaign import Campaign
from tests.system.crash.killed_arena import BOTS, SHORT, KilledArena, KillPoint, register
from tests.system.play.arena_process import SLOW

CUP: Final = "tournaments/cup"
SEED: Final = 3
MATCHES: Final = 2 * 3 * 2
"""Two rounds of three pairings of two matches."""

POINTS: Final = (
    "commit ResultRecorder.started, after",
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


def test_a_tournament_continues_with_the_same_pairings_after_each_kill(
    tmp_path: Path, database: str | None
) -> None:
    assert set(POINTS) < set(ALL_POINTS)
    campaign = Campaign(tmp_path, set_up, database=database)
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
    check_matches(campaign, now)


def check_matches(campaign: Campaign, tournament: Any) -> None:
    """Check that every match of the plan counts once, with the seed and the seats that follow from the secret."""
    assert (tournament.state, tournament.unplayed_matches) == (tournament.STATE_FINISHED, 0)
    arena = campaign.begin(None)
    pairings = arena.tournaments.ListPairings(name=CUP, page_size=1000).pairings
    standings = arena.tournaments.GetCrosstable(name=CUP).standings
    listed = arena.matches.ListMatches(tournament=CUP, page_size=1000).matches
    arena.kill()
    assert [(line.matches, line.not_played) for line in standings] == [(MATCHES * 2 // len(BOTS), 0)] * len(
        BOTS
    )
    finished = {match.name: match for match in listed if match.state == match_pb2.MATCH_STATE_FINISHED}
    assert sorted((match.group, match.group_index) for match in finished.values()) == sorted(
        (pairing.group, k) for pairing in pairings for k in range(2)
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
