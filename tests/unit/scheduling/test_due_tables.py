"""A ladder of two and three seats waits for a table of three that is due (docs/matchmaking.md)."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.scheduling.availability import Availability
from arena.scheduling.ladders import LadderMatchmaking
from arena.scheduling.scheduler import MADE, Turn
from arena.store.database import Database
from tests.unit.scheduling.fakes import FakeSessions, NoHostedBots, one_turn
from tests.unit.store.store_fixture import LADDER, StoreFixture, open_store


class UnevenLadder:
    """A running ladder of ant, bee and cat on which ant and bee have played twelve matches, and cat none."""

    def __init__(self, folder: Path) -> None:
        store = open_store(folder)
        self.db = StoreFixture(store)
        self.db.populate("ant", "bee", "cat")
        for _ in range(6):
            for match in self.db.pair("ant", "bee"):
                self.db.finish(match, 1, 2)
        store.write(lambda tx: tx.ladders.run(LADDER, None))
        self.sessions = FakeSessions("ant", "bee", "cat")
        self.database = Database(store)
        self._room = Availability(self.sessions, self.sessions, NoHostedBots())  # type: ignore[arg-type]
        self._ladders = LadderMatchmaking(self.database, self._room)

    def make(self) -> Turn:
        """Run one turn of the ladder."""
        return asyncio.run(
            one_turn(self._ladders, LADDER, self.database, self._room, first=True, held=frozenset())
        )

    def newest_group(self) -> set[str]:
        """Return the bots of the group made last."""
        return set(self.db.store.read(lambda tx: tx.groups.recent(LADDER, 1))[0].bots)


@pytest.fixture
def fixture(tmp_path: Path) -> Iterator[UnevenLadder]:
    opened = UnevenLadder(tmp_path)
    yield opened
    opened.database.close()


def test_bots_with_room_are_held_until_the_last_one_of_the_table_has_room(fixture: UnevenLadder) -> None:
    fixture.sessions.in_play[999] = ("cat",)
    assert fixture.make() == Turn(waits=True, holds=frozenset({"ant", "bee"}))
    del fixture.sessions.in_play[999]
    assert fixture.make() is MADE
    assert fixture.newest_group() == {"ant", "bee", "cat"}


@pytest.mark.parametrize("gone", [{}, {"cat": 0}])
def test_an_absent_or_unwilling_bot_is_not_waited_for(fixture: UnevenLadder, gone: dict[str, int]) -> None:
    fixture.sessions.room = {"ant": 1, "bee": 1} | gone
    assert fixture.make() is MADE
    assert fixture.newest_group() == {"ant", "bee"}
