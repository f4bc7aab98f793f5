"""Matches that wait for programs: which of them programs are started for, and which may begin meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from arena.core.match import MatchState
from arena.core.pairing.start_order import MAX_LEAD, PendingMatch
from arena.scheduling.availability import Availability
from arena.scheduling.scheduler import Scheduler
from arena.store.database import Database
from arena.store.store import Store
from tests.unit.scheduling.no_hosted_bots import NoHostedBots
from tests.unit.store.world import World

HOSTED = ("ant", "bee")
GUESTS = ("cat", "dog")


class FakeHost(NoHostedBots):
    """Hosted bots that are there, with programs that the test starts."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[list[tuple[str, ...]]] = []
        self.without_place_now: int | None = None

    def hosts(self, bot: str) -> bool:
        return bot in HOSTED

    def is_there(self, bot: str) -> bool:
        return True

    def capacity_for(self, bot: str, game: str, rules_version: int) -> int:
        return 1

    def prepare(self, waiting: Sequence[PendingMatch]) -> int | None:
        self.asked.append([each.bots for each in waiting])
        return self.without_place_now


class FakeSessions:
    """Sessions and desk at once: how many matches each bot takes now, and which were begun."""

    def __init__(self) -> None:
        self.room: dict[str, int] = {}
        self.begun: list[int] = []
        self.running = 0
        self.rests = ""
        self.resting: set[str] = set()

    def is_resting(self, bot: str) -> bool:
        return bot in self.resting

    def is_there(self, bot: str) -> bool:
        return bot in self.room

    def capacity_for(self, bot: str, game: str, rules_version: int) -> int:
        return self.room.get(bot, 0)

    free = capacity_for

    def plays(self, match: int) -> bool:
        return match in self.begun

    def seat(self, match: object, secret: object, versions: object) -> bool:
        self.begun.append(match.id)  # type: ignore[attr-defined]
        return True


class NothingDeserted:
    async def settle_deserted(self, plays: object) -> bool:
        return False

    async def settle_refused(self, matches: object, plays: object) -> bool:
        return False


class HostedLadder:
    """A scheduler whose matches the test has made."""

    def __init__(self, folder: Path) -> None:
        store = Store(f"sqlite:///{folder / 'arena.db'}")
        store.migrate()
        self.world = World(store)
        self.world.populate(*HOSTED, *GUESTS)
        self.host, self.fake_sessions = FakeHost(), FakeSessions()
        self.database = Database(store)
        room = Availability(self.fake_sessions, self.fake_sessions, self.host)  # type: ignore[arg-type]
        self.scheduler = Scheduler(self.database, room, NothingDeserted(), ())  # type: ignore[arg-type]

    def look(self) -> list[int]:
        """Run the scheduler once; return the matches that have begun."""
        asyncio.run(self.scheduler.look())
        return self.fake_sessions.begun


@pytest.fixture
def scene(tmp_path: Path) -> Iterator[HostedLadder]:
    opened = HostedLadder(tmp_path)
    yield opened
    opened.database.close()


def test_programs_are_started_for_matches_whose_other_bots_have_room(scene: HostedLadder) -> None:
    scene.world.pair("ant", "cat")
    scene.world.pair("bee", "dog")
    scene.fake_sessions.room = {"cat": 1}
    assert scene.look() == []
    assert set(scene.host.asked[-1]) == {("ant", "cat"), ("cat", "ant")}


def test_a_match_begins_when_the_program_has_said_hello(scene: HostedLadder) -> None:
    first, second = scene.world.pair("ant", "cat")
    scene.fake_sessions.room = {"ant": 1, "cat": 1}
    assert scene.look() == [first]
    assert scene.world.store.read(lambda tx: tx.matches.get(second)).state is MatchState.PENDING


def test_a_match_without_hosted_bots_asks_for_no_program(scene: HostedLadder) -> None:
    scene.world.pair("cat", "dog")
    scene.fake_sessions.room = {"cat": 1, "dog": 1}
    assert len(scene.look()) == 1
    assert scene.host.asked == [[]]


def test_much_younger_matches_of_hosted_bots_wait_with_one_that_waits_for_a_place(
    scene: HostedLadder,
) -> None:
    """So programs become idle and make room; bots that dial in play on."""
    oldest, _ = scene.world.pair("ant", "cat")
    while True:
        young = scene.world.pair("bee", "dog")
        if young[0] > oldest + MAX_LEAD:
            break
    [alone, _] = scene.world.pair("cat", "dog")
    scene.fake_sessions.room = {"bee": 1_000, "dog": 1_000, "cat": 1_000}
    scene.host.without_place_now = oldest
    begun = scene.look()
    assert begun
    assert alone in begun
    assert not {*young} & {*begun}
    assert max(match for match in begun if match < young[0]) <= oldest + MAX_LEAD


def test_a_hosted_bot_that_rests_after_a_no_show_is_offered_nothing_and_keeps_no_place_of_others(
    scene: HostedLadder,
) -> None:
    scene.world.pair("ant", "cat")
    alone, _ = scene.world.pair("cat", "dog")
    scene.fake_sessions.room = {"ant": 1, "cat": 1, "dog": 1}
    scene.fake_sessions.resting = {"ant"}
    assert scene.look() == [alone]
    assert scene.host.asked == [[]]
