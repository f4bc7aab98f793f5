"""What a look of the scheduler asks of the database, and that it leaves nothing for another look."""

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import pytest

from arena.core.tournaments import TournamentState
from arena.scheduling.scheduler import LOOK_AGAIN_IDLE_S, LOOK_AGAIN_S, Scheduler
from arena.store.database import Database
from arena.store.store import Transaction
from tests.unit.scheduling.fakes import add_tournament, opened
from tests.unit.scheduling.test_ladders import BOTS, SoloLadder

T = TypeVar("T")


class CountingDatabase(Database):
    """A database that counts its transactions."""

    reads = writes = 0

    async def read(self, question: Callable[[Transaction], T]) -> T:
        self.reads += 1
        return await super().read(question)

    async def write(self, change: Callable[[Transaction], T]) -> T:
        self.writes += 1
        return await super().write(change)


class LookFixture(SoloLadder):
    """A solo ladder and a rated one of the same three bots, and what counts the transactions."""

    database: CountingDatabase

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.db.store.write(self.add_rated_ladder)
        self.database = CountingDatabase(self.db.store)
        self.restart()

    async def look(self) -> bool:  # type: ignore[override]
        """Look once; return whether to look again. The counts begin anew."""
        self.database.reads = self.database.writes = 0
        return await self.scheduler.look()

    def restart(self) -> None:
        super().restart()
        suppliers = (self.ladders, self.tournaments)
        self.scheduler = Scheduler(self.database, self.room, self.recovery, suppliers)


@pytest.fixture
def fixture(tmp_path: Path) -> Iterator[LookFixture]:
    yield from opened(LookFixture(tmp_path))


@pytest.mark.parametrize("seed", range(8))
async def test_one_look_makes_and_begins_all_that_ladders_have_room_for(
    fixture: LookFixture, seed: int
) -> None:
    rooms = random.Random(seed)
    fixture.sessions.room = {bot: rooms.randrange(5) for bot in BOTS}
    for _ in range(6):
        assert not await fixture.look()
        matches, begun = fixture.matches(), dict(fixture.sessions.in_play)
        assert not await fixture.look()
        assert (fixture.matches(), fixture.sessions.in_play) == (matches, begun)
        fixture.sessions.room[rooms.choice(BOTS)] += rooms.randrange(3)


async def test_a_look_reads_once_and_writes_once_what_it_makes_and_begins(fixture: LookFixture) -> None:
    fixture.sessions.room = {}
    await fixture.look()  # draws the secrets of the day, and looks for deserted matches
    fixture.sessions.room = dict.fromkeys(BOTS, 4)
    await fixture.look()
    assert fixture.sessions.in_play
    assert (fixture.database.reads, fixture.database.writes) == (1, 1)
    await fixture.look()
    assert (fixture.database.reads, fixture.database.writes) == (1, 0)


async def test_a_tournament_that_has_begun_is_looked_at_again_for_a_pairing_that_waits(
    fixture: LookFixture,
) -> None:
    fixture.db.store.write(lambda tx: tx.ladders.pause("pairs"))
    fixture.db.store.write(lambda tx: tx.ladders.pause(fixture.name))
    fixture.sessions.room = dict.fromkeys(BOTS, 2)
    add_tournament(fixture.db.store, "cup", *BOTS)
    assert await fixture.look()
    assert len(fixture.sessions.in_play) == len(fixture.matches())
    assert await fixture.look()
    assert len(fixture.sessions.in_play) < len(fixture.matches())
    assert not await fixture.look()


async def test_it_looks_rarely_only_while_nothing_runs_and_no_match_is_open(fixture: LookFixture) -> None:
    """Time alone then changes nothing; with an open match it may, such as the absence of a bot."""
    fixture.sessions.room = {}

    async def looks_again_s() -> float:
        await fixture.look()
        return fixture.scheduler.look_again_s

    assert await looks_again_s() == LOOK_AGAIN_S
    fixture.db.store.write(lambda tx: tx.ladders.pause("pairs"))
    assert await looks_again_s() == LOOK_AGAIN_S
    fixture.db.store.write(lambda tx: tx.ladders.pause(fixture.name))
    assert await looks_again_s() == LOOK_AGAIN_IDLE_S
    add_tournament(fixture.db.store, "cup", *BOTS)
    assert await looks_again_s() == LOOK_AGAIN_S
    fixture.db.store.write(lambda tx: tx.tournaments.set_state("cup", TournamentState.PAUSED))
    fixture.db.store.write(lambda tx: tx.ladders.run("pairs", None))
    fixture.sessions.room = dict.fromkeys(BOTS, 2)
    assert await looks_again_s() == LOOK_AGAIN_S
    fixture.db.store.write(lambda tx: tx.ladders.pause("pairs"))
    assert fixture.matches()
    assert await looks_again_s() == LOOK_AGAIN_S
