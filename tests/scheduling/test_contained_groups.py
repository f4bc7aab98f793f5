"""Groups whose matches share a seed with hidden draws: who is paired for them, and which of their matches begin."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from arena.core.match import MatchState, SeedPolicy
from arena.core.pairing.dispatch import PendingMatch
from arena.core.terminations import Termination
from arena.match_log.files import LogFiles
from arena.players.sessions import Presence
from arena.scheduling.bot_room import BotRoom
from arena.scheduling.debug_lines import DebugLines
from arena.scheduling.free_space import FreeSpace
from arena.scheduling.hosting import NobodyHosted
from arena.scheduling.ladders import Ladders
from arena.scheduling.recovery import DESERTED_NS, LOOK_EVERY_NS, Recovery
from arena.scheduling.scheduler import Scheduler
from arena.scheduling.settlement import Settlement
from arena.scheduling.turns import MADE, NOTHING
from arena.store.database import Database
from arena.store.matches import MatchRow
from arena.store.store import Store, Transaction
from tests.runner.fakes import FakeTimers
from tests.scheduling.looks import one_turn
from tests.store.world import World, a_ladder

CLOSED = "closed"
"""A ladder of hosted bots alone."""
HOSTED = ("ant", "bee")
GUEST = "guest"
SHARED = SeedPolicy.SHARED
ONE_MS = 1_000_000


class Hostel(NobodyHosted):
    """Hosted bots, each with a fresh program that is there."""

    def __init__(self) -> None:
        self.versions = dict.fromkeys(HOSTED, "1")
        self.warm: set[str] = set()
        self.asked: list[PendingMatch] = []

    def hosts(self, bot: str) -> bool:
        return bot in self.versions

    is_there = hosts

    def version(self, bot: str) -> str:
        return self.versions.get(bot, "")

    def capacity_for(self, bot: str, game: str, rules_version: int) -> int:
        return int(bot in self.versions)

    free = capacity_for

    def fresh_program(self, bot: str) -> int:
        return 0 if bot in self.warm else int(bot in self.versions)

    def prepare(self, waiting: Sequence[PendingMatch]) -> int | None:
        self.asked = list(waiting)
        return None


class Hall:
    """Sessions and desk at once: everybody is connected with room for one match."""

    rests = ""
    running = 0

    def __init__(self) -> None:
        self.begun: list[int] = []
        self.sessions = self
        self.bell = self

    def is_there(self, bot: str) -> bool:
        return True

    def presence(self, bot: str) -> Presence:
        return Presence(connections=1, capacity=1)

    def free(self, bot: str, game: str, rules_version: int) -> int:
        return 1

    capacity_for = free

    def plays(self, match: int) -> bool:
        return match in self.begun

    def seat(self, match: MatchRow, secret: object) -> bool:
        self.begun.append(match.id)
        return True

    def ring(self) -> None:
        """Nobody listens."""


class Scene:
    """Two hosted bots and one that dials in, all of them entered into a ladder that takes hosted ones alone."""

    def __init__(self, folder: Path) -> None:
        store = Store(f"sqlite:///{folder / 'arena.db'}")
        store.migrate()
        self.world = World(store)
        self.world.populate(*HOSTED, GUEST)
        store.write(self._enter)
        self.host, self.hall, self.timers = Hostel(), Hall(), FakeTimers()
        self.database = Database(store)
        self.room = BotRoom(self.hall, self.hall, self.host)  # type: ignore[arg-type]
        self.ladders = Ladders(self.database, self.room)
        logs, lines = LogFiles(folder / "logs"), DebugLines(folder / "debug")
        settlement = Settlement(self.database, logs, lines, (), FreeSpace(lambda: 0, 0))
        self.recovery = Recovery(self.database, settlement, self.hall, self.timers, self.host)  # type: ignore[arg-type]

    @staticmethod
    def _enter(tx: Transaction) -> None:
        tx.ladders.add(replace(a_ladder(CLOSED), seat_counts=(2,), seed_policy=SHARED))
        for bot in (*HOSTED, GUEST):
            tx.entries.join(CLOSED, bot, 1)
        tx.ladders.run(CLOSED, None)

    def make(self) -> object:
        """It is the ladder's turn."""
        return asyncio.run(
            one_turn(self.ladders, CLOSED, self.database, self.room, first=True, held=frozenset())
        )

    def begin(self) -> list[int]:
        """The matches that have begun, after one look that makes none."""
        scheduler = Scheduler(self.database, self.room, self.recovery, ())
        asyncio.run(scheduler.look())
        return self.hall.begun

    def give_up(self) -> bool:
        """Matches that cannot be played are given up; whether there were any."""
        self.timers.move(LOOK_EVERY_NS / ONE_MS)
        return asyncio.run(self.recovery.cancel_deserted(self.hall.plays))

    def matches(self) -> list[MatchRow]:
        """Those that have not ended."""
        return list(self.world.store.read(lambda tx: tx.matches.unfinished()))


@pytest.fixture
def scene(tmp_path: Path) -> Iterator[Scene]:
    opened = Scene(tmp_path)
    yield opened
    opened.database.close()


def test_a_ladder_with_a_shared_seed_pairs_hosted_bots_alone(scene: Scene) -> None:
    assert scene.make() is MADE
    assert {frozenset(match.bots) for match in scene.matches()} == {frozenset(HOSTED)}
    assert {(match.seed_policy, match.group_index) for match in scene.matches()} == {(SHARED, 0)}
    places = {place.bot: place for place in asyncio.run(scene.ladders.queue(CLOSED))}
    assert places[GUEST].waiting_for == (
        "the arena does not run it now, and only bots that it runs play here"
    )


def test_a_ladder_that_has_too_few_hosted_bots_says_so(scene: Scene) -> None:
    del scene.host.versions["bee"]
    assert scene.make() is NOTHING
    assert scene.ladders.waiting_for(CLOSED) == (
        "1 of its bots are run by the arena and not benched, and a match needs 2"
    )


def test_such_a_match_begins_in_fresh_programs_and_no_other(scene: Scene) -> None:
    first, second = scene.world.pair(*HOSTED, policy=SHARED)
    scene.host.warm = {"bee"}
    assert scene.begin() == []
    assert [(need.match, need.alone) for need in scene.host.asked] == [(first, True), (second, True)]
    scene.host.warm = set()
    assert scene.begin() == [first]


def test_a_bot_that_dials_in_never_plays_such_a_match_and_keeps_nobody_waiting_for_long(scene: Scene) -> None:
    """It was hosted when the group was made."""
    first, _ = scene.world.pair("ant", GUEST, policy=SHARED)
    assert scene.begin() == []
    assert scene.host.asked == []
    assert scene.room.who_is_missing(asyncio.run(scene.database.read(lambda tx: tx.open_matches.all()))) == (
        "matches wait for guest to come back, and are given up after 10 minutes"
    )
    scene.timers.move(DESERTED_NS / ONE_MS)
    assert scene.give_up()
    given_up = scene.world.store.read(lambda tx: tx.matches.get(first))
    assert given_up.state is MatchState.NO_CONTEST
    guest = next(seat.ending for seat in given_up.seats if seat.bot == GUEST)
    assert guest is not None
    assert guest.termination is Termination.DISCONNECT
    assert guest.sentence == "The match never began: guest was not run by the arena for more than 10 minutes."
    assert dict(guest.evidence) == {"absent_min": "10", "hosted": "no"}


def test_what_another_version_would_play_is_given_up_and_the_next_group_is_played(scene: Scene) -> None:
    """Its owner has seen how the match before ended, and could have told it."""
    first, second = scene.world.pair(*HOSTED, policy=SHARED)
    assert scene.begin() == [first]
    scene.world.finish(first, 1, 2)
    scene.host.versions["bee"] = "2"
    assert scene.begin() == [first]
    assert scene.give_up()
    given_up = scene.world.store.read(lambda tx: tx.matches.get(second))
    bee = next(seat.ending for seat in given_up.seats if seat.bot == "bee")
    assert bee is not None
    assert "its version has changed since its match group began" in bee.sentence
    assert set(dict(bee.evidence)) == {"version_changed"}
    [third, _] = scene.world.pair(*HOSTED, policy=SHARED)
    assert scene.begin() == [first, third]


def test_the_same_bots_on_seeds_of_their_own_play_as_they_are(scene: Scene) -> None:
    first, second = scene.world.pair("ant", GUEST)
    scene.world.finish(first, 1, 2)
    scene.host.versions["ant"], scene.host.warm = "2", {"ant"}
    assert scene.begin() == [second]
    assert [need.alone for need in scene.host.asked] == [False]
