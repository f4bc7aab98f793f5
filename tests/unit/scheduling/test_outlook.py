"""Several match groups are made in one look, all of them stored together or not at all."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import pytest

from arena.core.errors import ErrorReason, UnavailableError
from arena.scheduling.scheduler import MADE
from arena.store.store import Transaction
from tests.unit.scheduling.fakes import opened, planning
from tests.unit.scheduling.test_ladders import SoloLadder
from tests.unit.scheduling.test_tournaments import RunningTournament
from tests.unit.store.store_fixture import LADDER

T = TypeVar("T")


@pytest.fixture
def fixture(tmp_path: Path) -> Iterator[SoloLadder]:
    ladder = SoloLadder(tmp_path)
    ladder.db.store.write(ladder.add_rated_ladder)
    yield from opened(ladder)


@pytest.fixture
def tournament(tmp_path: Path) -> Iterator[RunningTournament]:
    yield from opened(RunningTournament(tmp_path))


async def test_groups_of_one_look_equal_those_of_several_looks(fixture: SoloLadder, tmp_path: Path) -> None:
    fixture.sessions.room = {"ant": 4, "bee": 4, "cat": 4}
    now = await planning(fixture.database, fixture.room, fixture.ladders)
    for _ in range(3):
        assert await fixture.ladders.make("pairs", now, first=True, held=frozenset()) is MADE
    assert fixture.db.store.read(lambda tx: tx.groups.recent("pairs", 9)) == ()
    await now.store(fixture.database)
    at_once = fixture.db.store.read(lambda tx: tx.groups.recent("pairs", 9))
    assert [group.number for group in at_once] == [3, 2, 1]
    waiting = fixture.waiting()
    assert len(waiting) == 6
    assert all(sum(bot in match.bots for match in waiting) == 4 for bot in ("ant", "bee", "cat"))


async def test_room_that_a_group_of_the_look_has_taken_is_not_given_twice(fixture: SoloLadder) -> None:
    now = await planning(fixture.database, fixture.room, fixture.ladders)
    boards = await fixture.ladders.make(LADDER, now, first=True, held=frozenset())
    pairs = await fixture.ladders.make("pairs", now, first=False, held=frozenset())
    again = await fixture.ladders.make(LADDER, now, first=True, held=frozenset())
    assert [boards.made, pairs.made, again.made] == [True, False, False]


async def test_room_that_another_ladder_has_taken_since_is_not_given_twice(fixture: SoloLadder) -> None:
    fixture.sessions.room = {"ant": 3, "bee": 3, "cat": 3}
    now = await planning(fixture.database, fixture.room, fixture.ladders)
    pairs = await fixture.ladders.make("pairs", now, first=True, held=frozenset())
    boards = await fixture.ladders.make(LADDER, now, first=True, held=frozenset())
    again = await fixture.ladders.make("pairs", now, first=True, held=frozenset())
    assert [pairs.made, boards.made, again.made] == [True, True, False]


async def test_a_pairing_that_could_not_be_stored_is_made_again(tournament: RunningTournament) -> None:
    class Refusing:
        async def write(self, _change: Callable[[Transaction], T]) -> T:
            raise UnavailableError(ErrorReason.STORAGE, "The disk is full.")

    now = await planning(tournament.database, tournament.room, tournament.tournaments)
    assert await tournament.tournaments.make("cup", now, first=True, held=frozenset()) is MADE
    with pytest.raises(UnavailableError):
        await now.store(Refusing())  # type: ignore[arg-type]
    assert tournament.made() == []
    assert await tournament.turn() is MADE
    assert tournament.made() == [frozenset({"bob", "cid"})]
    await tournament.turn()
    assert len(tournament.made()) == 1
