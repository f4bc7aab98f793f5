"""A challenge that somebody makes to bots of others takes no place that rated play could use."""

from pathlib import Path

import pytest

from arena.core.match import MatchState
from arena.sessions.handshake import Capacity
from arena.store.matches.matches import MatchFilter
from tests.unit.scheduling.absentees import LadderFixture, a_ladder
from tests.unit.scheduling.fakes import add_tournament

CHALLENGE = "griefing"


async def played(ladder: LadderFixture, steps: int = 12) -> int:
    """Let time pass; return how many matches of the challenge have ended with a result."""
    for _ in range(steps):
        await ladder.step()
    which = MatchFilter(tournament=CHALLENGE, state=MatchState.FINISHED)
    return len(ladder.db.store.read(lambda tx: tx.matches.page(which, before=None, limit=100)))


async def test_the_only_slot_of_a_bot_is_kept_for_its_ladder(tmp_path: Path) -> None:
    async with a_ladder(tmp_path) as ladder:
        add_tournament(ladder.db.store, CHALLENGE, "mal", "ann", rounds=10, challenge=True)
        assert await played(ladder) == 0
        assert ladder.bots["ann"].ended > 0
        assert ladder.tournaments.waiting_for(CHALLENGE).endswith("place: mal, ann")
        ladder.no_more_groups()
        assert await played(ladder) > 0


@pytest.mark.parametrize(("capacity", "yields"), [(8, True), (1, False)])
async def test_a_slot_that_rated_play_leaves_is_free_for_a_challenge_and_all_are_if_it_does_not_yield(
    tmp_path: Path, capacity: int, yields: bool
) -> None:
    async with a_ladder(tmp_path) as ladder:
        for bot in ("mal", "ann"):
            session = ladder.bots[bot].session
            assert session is not None
            session.set_capacity(Capacity(capacity, capacity))
        add_tournament(ladder.db.store, CHALLENGE, "mal", "ann", rounds=10, challenge=yields)
        assert await played(ladder) > 0
