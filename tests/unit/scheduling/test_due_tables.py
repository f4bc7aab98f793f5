"""A ladder of two and three seats waits for a table of three that is due (docs/matchmaking.md)."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.scheduling.scheduler import MADE, Turn
from tests.unit.scheduling.fakes import SchedulingFixture, opened
from tests.unit.store.store_fixture import LADDER, StoreFixture


class UnevenLadder(SchedulingFixture):
    """A running ladder of ant, bee and cat on which ant and bee have played twelve matches, and cat none."""

    db: StoreFixture

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, "ant", "bee", "cat")
        for _ in range(6):
            for match in self.db.pair("ant", "bee"):
                self.db.finish(match, 1, 2)
        self.db.store.write(lambda tx: tx.ladders.run(LADDER, None))

    def newest_group(self) -> set[str]:
        """Return the bots of the group made last."""
        return set(self.db.store.read(lambda tx: tx.groups.recent(LADDER, 1))[0].bots)


@pytest.fixture
def fixture(tmp_path: Path) -> Iterator[UnevenLadder]:
    yield from opened(UnevenLadder(tmp_path))


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
