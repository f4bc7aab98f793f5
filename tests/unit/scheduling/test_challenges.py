"""A challenge that somebody makes to bots of others takes no place that rated play could use."""

from pathlib import Path

from arena.core.clock.time_control import TimeControl
from arena.core.match import MatchState, SeedPolicy
from arena.core.pairing.round_robin import round_robin
from arena.core.seeds import secret_commitment
from arena.core.tournaments import TournamentFormat, TournamentState
from arena.sessions.handshake import Capacity
from arena.store.matches.matches import MatchFilter
from arena.store.tournaments.tournaments import TournamentRow
from tests.unit.scheduling.absentees import LadderFixture, a_ladder

CHALLENGE = "griefing"


def challenge(ladder: LadderFixture, *bots: str, yields: bool = True) -> None:
    """Store a challenge of many matches between these bots."""
    plan = round_robin(bots, seats=2, rounds=10)
    row = TournamentRow(
        id=CHALLENGE,
        owner="ada",
        format=TournamentFormat.CHALLENGE,
        game="caravan",
        rules_version=1,
        options={},
        time_control=TimeControl(),
        bots=bots,
        seats=2,
        rounds=10,
        seed_policy=SeedPolicy.DERIVED,
        state=TournamentState.RUNNING,
        pairings=len(plan),
        secret=bytes(32),
        commitment=secret_commitment(bytes(32)),
        created_us=1,
        yields=yields,
    )
    ladder.db.store.write(lambda tx: tx.tournaments.add(row, plan))


def played(ladder: LadderFixture) -> int:
    """How many matches of the challenge have ended with a result."""
    which = MatchFilter(tournament=CHALLENGE, state=MatchState.FINISHED)
    return len(ladder.db.store.read(lambda tx: tx.matches.page(which, before=None, limit=100)))


async def steps(ladder: LadderFixture, count: int) -> None:
    """So much time passes."""
    for _ in range(count):
        await ladder.step()


async def test_the_only_slot_of_a_bot_is_kept_for_its_ladder(tmp_path: Path) -> None:
    async with a_ladder(tmp_path) as ladder:
        challenge(ladder, "mal", "ann")
        await steps(ladder, 12)
        assert played(ladder) == 0
        assert ladder.bots["ann"].ended > 0
        assert ladder.tournaments.waiting_for(CHALLENGE).endswith("place: mal, ann")
        ladder.no_more_groups()
        await steps(ladder, 12)
        assert played(ladder) > 0


async def test_a_slot_that_rated_play_leaves_is_free_for_a_challenge(tmp_path: Path) -> None:
    async with a_ladder(tmp_path) as ladder:
        for bot in ("mal", "ann"):
            session = ladder.bots[bot].session
            assert session is not None
            session.set_capacity(Capacity(8, 8))
        challenge(ladder, "mal", "ann")
        await steps(ladder, 12)
        assert played(ladder) > 0


async def test_a_challenge_that_does_not_yield_takes_its_turn_as_any_tournament(tmp_path: Path) -> None:
    async with a_ladder(tmp_path) as ladder:
        challenge(ladder, "mal", "ann", yields=False)
        await steps(ladder, 12)
        assert played(ladder) > 0
