"""Groups whose matches share a seed with hidden draws: who is paired for them, and which of their matches begin."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from arena.core.endings.terminations import Termination
from arena.core.match import MatchState, SeedPolicy
from arena.core.match_record import MatchRecord
from arena.core.pairing.start_order import PendingMatch
from arena.match_log.files import LogFiles
from arena.scheduling.availability import Availability
from arena.scheduling.debug_lines import DebugLines
from arena.scheduling.disk_space import DiskSpace
from arena.scheduling.ladders import LadderMatchmaking
from arena.scheduling.recovery import DESERTED_NS, LOOK_EVERY_NS, Recovery
from arena.scheduling.result_recorder import ResultRecorder, replay_of
from arena.scheduling.rotation import MADE, NOTHING
from arena.scheduling.scheduler import Scheduler
from arena.store.database import Database
from arena.store.store import Transaction
from tests.unit.runner.fakes import FakeTimers
from tests.unit.scheduling.fakes import FakeSessions, NoHostedBots, one_turn
from tests.unit.store.store_fixture import StoreFixture, a_ladder, open_store

CLOSED = "closed"
"""A ladder of hosted bots alone."""
HOSTED = ("ant", "bee")
GUEST = "guest"
SHARED = SeedPolicy.SHARED
ONE_MS = 1_000_000


class FreshPrograms(NoHostedBots):
    """Hosted bots, each with a fresh program that is there."""

    def __init__(self) -> None:
        super().__init__()
        self.versions = dict.fromkeys(HOSTED, "1")
        """Chosen by the owners."""
        self.held: Mapping[str, str] = {}
        self.bench: dict[str, str] = {}
        self.warm: set[str] = set()
        self.unwilling: set[str] = set()
        """There, but their programs say in their hello that they play another game."""
        self.asked: list[PendingMatch] = []

    def hosts(self, bot: str) -> bool:
        return bool(self.version(bot))

    def is_there(self, bot: str) -> bool:
        return self.hosts(bot) and bot not in self.bench

    def why_suspended(self, bot: str) -> str:
        return self.bench.get(bot, "")

    def version(self, bot: str) -> str:
        return self.held.get(bot) or self.versions.get(bot, "")

    def hold(self, versions: Mapping[str, str]) -> None:
        self.held = versions

    def is_held(self, bot: str) -> bool:
        return self.version(bot) != self.versions.get(bot, "")

    def why_away(self, bot: str) -> str:
        return "it is held"

    def capacity_for(self, bot: str, game: str, rules_version: int) -> int:
        return int(self.is_there(bot) and bot not in self.unwilling)

    def free(self, bot: str, game: str, rules_version: int) -> int:
        return int(self.is_there(bot) and not self.is_held(bot))

    def unused_process(self, bot: str) -> int:
        return int(self.is_there(bot) and bot not in self.warm)

    def prepare(self, waiting: Sequence[PendingMatch]) -> int | None:
        self.asked = list(waiting)
        return None


class IsolatedLadder:
    """Two hosted bots and one that dials in, all of them entered into a ladder that takes hosted ones alone."""

    def __init__(self, folder: Path) -> None:
        store = open_store(folder)
        self.db = StoreFixture(store)
        self.db.populate(*HOSTED, GUEST)
        store.write(self._enter)
        self.host, self.sessions, self.timers = FreshPrograms(), FakeSessions(), FakeTimers()
        self.sessions.room = dict.fromkeys((*HOSTED, GUEST), 9)
        self.database = Database(store)
        self.room = Availability(self.sessions, self.sessions, self.host)  # type: ignore[arg-type]
        self.ladders = LadderMatchmaking(self.database, self.room)
        logs, lines = LogFiles(folder / "logs"), DebugLines(folder / "debug")
        recorder = ResultRecorder(self.database, logs, lines, (), DiskSpace(lambda: 0, 0))
        self.recovery = Recovery(self.database, recorder, self.sessions, self.timers, self.host)  # type: ignore[arg-type]

    @staticmethod
    def _enter(tx: Transaction) -> None:
        tx.ladders.add(replace(a_ladder(CLOSED), seat_counts=(2,), seed_policy=SHARED))
        for bot in (*HOSTED, GUEST):
            tx.entries.join(CLOSED, bot, 1)
        tx.ladders.run(CLOSED, None)

    def make(self) -> object:
        """Run one turn of the ladder."""
        return asyncio.run(
            one_turn(self.ladders, CLOSED, self.database, self.room, first=True, held=frozenset())
        )

    def begin(self) -> list[int]:
        """Run the scheduler once without planning; return the matches that have begun."""
        scheduler = Scheduler(self.database, self.room, self.recovery, ())
        asyncio.run(scheduler.look())
        return list(self.sessions.in_play)

    def give_up(self) -> bool:
        """Give up matches that cannot be played; return whether there were any."""
        self.timers.move(LOOK_EVERY_NS / ONE_MS)
        return asyncio.run(self.recovery.settle_deserted(self.sessions.plays))

    def matches(self) -> list[MatchRecord]:
        """Those that have not ended."""
        return list(self.db.store.read(lambda tx: tx.matches.unfinished()))


def missing(scene: IsolatedLadder) -> str:
    """Which bots the open matches wait for."""
    return scene.room.blocking_bots(scene.db.store.read(lambda tx: tx.open_matches.all())).describe()


@pytest.fixture
def scene(tmp_path: Path) -> Iterator[IsolatedLadder]:
    opened = IsolatedLadder(tmp_path)
    yield opened
    opened.database.close()


def test_a_ladder_with_a_shared_seed_pairs_hosted_bots_alone(scene: IsolatedLadder) -> None:
    assert scene.make() is MADE
    assert {frozenset(match.bots) for match in scene.matches()} == {frozenset(HOSTED)}
    assert {(match.seed_policy, match.seed_group_index) for match in scene.matches()} == {(SHARED, 0)}
    places = {place.bot: place for place in asyncio.run(scene.ladders.queue(CLOSED))}
    assert "does not run it" in places[GUEST].waiting_for


def test_a_ladder_that_has_too_few_hosted_bots_says_so(scene: IsolatedLadder) -> None:
    del scene.host.versions["bee"]
    assert scene.make() is NOTHING
    assert scene.ladders.waiting_for(CLOSED).startswith("1 of its bots")


def test_such_a_match_begins_in_fresh_programs_and_no_other(scene: IsolatedLadder) -> None:
    first, second = scene.db.pair(*HOSTED, policy=SHARED)
    scene.host.warm = {"bee"}
    assert scene.begin() == []
    assert [(need.match, need.alone) for need in scene.host.asked] == [(first, True), (second, True)]
    scene.host.warm = set()
    assert scene.begin() == [first]


def test_a_remote_bot_never_plays_an_isolated_match(
    scene: IsolatedLadder,
) -> None:
    """It was hosted when the group was made."""
    first, _ = scene.db.pair("ant", GUEST, policy=SHARED)
    assert scene.begin() == []
    assert scene.host.asked == []
    assert "guest to come" in missing(scene)
    scene.timers.move(DESERTED_NS / ONE_MS)
    assert scene.give_up()
    given_up = scene.db.store.read(lambda tx: tx.matches.get(first))
    assert given_up.state is MatchState.NO_CONTEST
    guest = next(seat.ending for seat in given_up.seats if seat.bot == GUEST)
    assert guest is not None
    assert guest.termination is Termination.DISCONNECT
    assert dict(guest.evidence) == {"absent_min": "10", "hosted": "no"}


@pytest.mark.parametrize("chosen", ["2", ""], ids=["pinned", "off"])
def test_a_begun_group_is_ended_by_the_same_version(scene: IsolatedLadder, chosen: str) -> None:
    """Its owner has seen the lucky half of the group, and must not be able to call off the other one."""
    first, second = scene.db.pair(*HOSTED, policy=SHARED)
    assert scene.begin() == [first]
    scene.db.finish(first, 1, 2)
    scene.host.versions["bee"] = chosen
    assert not scene.give_up()
    assert scene.begin() == [first, second]
    assert scene.host.held == {"ant": "1", "bee": "1"}
    scene.db.finish(second, 2, 1)
    scene.begin()
    assert scene.host.held == {}
    assert scene.host.version("bee") == chosen


def test_what_was_not_begun_waits_for_the_version_that_is_chosen_now(scene: IsolatedLadder) -> None:
    first, second = scene.db.pair(*HOSTED, policy=SHARED)
    [open_one, _] = scene.db.pair("bee", GUEST)
    scene.db.start(first)
    scene.sessions.in_play[first] = HOSTED
    scene.host.versions["bee"] = "2"
    scene.db.finish(first, 1, 2)
    scene.host.warm = {"bee"}
    assert scene.begin() == [first]  # though bee has room for those of the group with seeds of its own
    scene.host.warm = set()
    assert scene.begin() == [first, second]
    assert scene.make() is not MADE
    places = {place.bot: place for place in asyncio.run(scene.ladders.queue(CLOSED))}
    assert places["bee"].waiting_for == "it is held"
    scene.db.start(second)
    scene.db.finish(second, 2, 1)
    assert scene.begin()[:3] == [first, second, open_one]
    assert scene.host.version("bee") == "2"


def test_the_oldest_of_several_begun_groups_comes_first(
    scene: IsolatedLadder,
) -> None:
    """A version was chosen between the first seat of a group and its first decision, and played meanwhile."""
    groups = [scene.db.pair(*HOSTED, policy=SHARED) for _ in range(2)]
    for version, (first, _) in zip(("1", "2"), groups, strict=True):
        scene.db.start(first, bee=version)
        scene.db.finish(first, 1, 2)
    scene.host.versions["bee"] = "3"
    assert scene.begin() == [groups[0][1]]
    scene.db.start(groups[0][1])
    scene.db.finish(groups[0][1], 1, 2)
    assert scene.begin() == [groups[0][1], groups[1][1]]
    assert scene.host.version("bee") == "2"


def test_a_suspension_gives_up_only_matches_of_that_version(
    scene: IsolatedLadder,
) -> None:
    first, second = scene.db.pair(*HOSTED, policy=SHARED)
    others = scene.db.pair(*HOSTED, policy=SHARED)
    scene.db.start(first)
    scene.db.finish(first, 1, 2)
    scene.host.versions["bee"], scene.host.warm = "2", {"bee"}
    scene.begin()
    scene.host.bench["bee"] = "benched: it failed"
    assert scene.give_up()
    forfeited = scene.db.store.read(lambda tx: tx.matches.get(second))
    bee = next(seat.ending for seat in forfeited.seats if seat.bot == "bee")
    assert bee is not None
    assert bee.termination is Termination.NO_SHOW
    assert dict(bee.evidence) == {"benched": "benched: it failed"}
    untouched = [match.id for match in scene.matches() if not any(seat.ending for seat in match.seats)]
    assert tuple(untouched) == others


def test_an_unwilling_process_holds_its_group_for_ten_minutes(
    scene: IsolatedLadder,
) -> None:
    first, second = scene.db.pair(*HOSTED, policy=SHARED)
    scene.begin()
    scene.db.finish(first, 1, 2)
    scene.host.versions["ant"] = "2"
    scene.host.unwilling = scene.host.warm = {"bee"}
    assert not scene.give_up()
    scene.begin()
    assert scene.host.is_held("ant")
    assert "bee to take them" in missing(scene)
    scene.timers.move(DESERTED_NS / ONE_MS)
    assert scene.give_up()
    scene.begin()
    assert not scene.host.is_held("ant")
    assert list(scene.sessions.in_play)[-1] == second, "decided: it ends as it begins"
    forfeited = scene.db.store.read(lambda tx: tx.matches.get(second))
    bee = next(seat.ending for seat in forfeited.seats if seat.bot == "bee")
    assert bee is not None
    assert bee.termination is Termination.NO_SHOW
    assert dict(bee.evidence) == {"absent_min": "10", "takes": "no"}
    assert "took no match" in bee.sentence


def test_a_group_that_is_left_to_the_organiser_holds_nobody_until_his_word(scene: IsolatedLadder) -> None:
    """Row 46. Then it is played to its end by the version that began it."""
    first, second = scene.db.pair(*HOSTED, policy=SHARED)
    scene.begin()
    scene.db.finish(first, 1, 2)
    scene.host.versions["bee"] = "2"
    scene.db.start(second)
    scene.db.abort(second, None)
    scene.begin()
    assert not scene.host.is_held("bee")
    left = scene.db.store.read(lambda tx: tx.matches.get(second))
    assert left.left_to_organiser
    again = scene.db.store.write(lambda tx: tx.rulings.replay(left, replay_of(tx, left), 9))
    assert scene.begin()[-1] == again
    assert scene.host.version("bee") == "1"


def test_the_same_bots_on_seeds_of_their_own_play_as_they_are(scene: IsolatedLadder) -> None:
    first, second = scene.db.pair("ant", GUEST)
    scene.db.finish(first, 1, 2)
    scene.host.versions["ant"], scene.host.warm = "2", {"ant"}
    assert scene.begin() == [second]
    assert [need.alone for need in scene.host.asked] == [False]
