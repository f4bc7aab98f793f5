"""A challenge that somebody makes to bots of others takes no place that rated play could use."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path

from arena.core.clock.time_control import TimeControl
from arena.core.match import MatchState, SeedPolicy
from arena.core.pairing.round_robin import round_robin
from arena.core.seeds import secret_commitment
from arena.core.tournaments import TournamentFormat, TournamentState
from arena.sessions.handshake import Capacity
from arena.store.matches.matches import MatchFilter
from arena.store.store import Store
from arena.store.tournaments.tournaments import TournamentRow
from tests.unit.scheduling.absentees import LadderFixture

CHALLENGE = "griefing"


def challenge(table: LadderFixture, *bots: str, yields: bool = True) -> None:
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
    table.db.store.write(lambda tx: tx.tournaments.add(row, plan))


def played(table: LadderFixture) -> int:
    """How many matches of the challenge have ended with a result."""
    which = MatchFilter(tournament=CHALLENGE, state=MatchState.FINISHED)
    return len(table.db.store.read(lambda tx: tx.matches.page(which, before=None, limit=100)))


def at_table(folder: Path, work: Callable[[LadderFixture], Awaitable[None]]) -> None:
    """Run the work on a ladder of its own."""

    async def run() -> None:
        store = Store(f"sqlite:///{folder / 'new.db'}")
        store.migrate()
        store.close()
        shutil.copy(folder / "new.db", folder / "arena.db")
        table = LadderFixture(folder, folder / "arena.db")
        try:
            await work(table)
        finally:
            await table.close()

    asyncio.run(run())


async def steps(table: LadderFixture, count: int) -> None:
    """So much time passes."""
    for _ in range(count):
        await table.step()


def test_the_only_slot_of_a_bot_is_kept_for_its_ladder(
    tmp_path: Path,
) -> None:
    async def work(table: LadderFixture) -> None:
        challenge(table, "mal", "ann")
        await steps(table, 12)
        assert played(table) == 0
        assert table.bots["ann"].ended > 0
        assert table.tournaments.waiting_for(CHALLENGE).endswith("place: mal, ann")
        table.no_more_groups()
        await steps(table, 12)
        assert played(table) > 0

    at_table(tmp_path, work)


def test_a_place_that_rated_play_leaves_is_free_for_a_challenge(tmp_path: Path) -> None:
    async def work(table: LadderFixture) -> None:
        for bot in ("mal", "ann"):
            session = table.bots[bot].session
            assert session is not None
            session.set_capacity(Capacity(8, 8))
        challenge(table, "mal", "ann")
        await steps(table, 12)
        assert played(table) > 0

    at_table(tmp_path, work)


def test_a_challenge_that_yields_to_none_takes_its_turn_as_any_tournament(tmp_path: Path) -> None:
    async def work(table: LadderFixture) -> None:
        challenge(table, "mal", "ann", yields=False)
        await steps(table, 12)
        assert played(table) > 0

    at_table(tmp_path, work)
