"""A challenge that somebody makes to bots of others takes no place that rated play could use."""

from pathlib import Path

from arena.core.match import MatchState
from arena.sessions.handshake import Capacity
from arena.store.matches.matches import MatchFilter
from tests.unit.scheduling.absentees import LadderFixture, a_ladder
from tests.unit.scheduling.fakes import add_tournament

CHALLENGE = "griefing"


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
        add_tournament(ladder.db.store, CHALLENGE, "mal", "ann", rounds=10, challenge=True)
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
        add_tournament(ladder.db.store, CHALLENGE, "mal", "ann", rounds=10, challenge=True)
        await steps(ladder, 12)
        assert played(ladder) > 0


async def test_a_challenge_that_does_not_yield_takes_its_turn_as_any_tournament(tmp_path: Path) -> None:
    async with a_ladder(tmp_path) as ladder:
        add_tournament(ladder.db.store, CHALLENGE, "mal", "ann", rounds=10, challenge=False)
        await steps(ladder, 12)
        assert played(ladder) > 0
