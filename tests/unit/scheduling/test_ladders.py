"""Boards of solo ladders are made for all bots and starve nobody; a large table is waited for (docs/matchmaking.md)."""

import asyncio
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from arena.core.match import SeedPolicy
from arena.core.match_record import MatchRecord
from arena.core.seeds import seat_order
from arena.core.unavailability import UnavailableReason, not_connected
from arena.scheduling.queue_report import QueuePlace
from arena.scheduling.scheduler import MADE, NOTHING, FairRotation, Turn
from arena.store.matches.results import MatchReport
from arena.store.store import Store, Transaction
from tests.unit.scheduling.fakes import SchedulingFixture, opened, take_one
from tests.unit.store.solo_store_fixture import SoloStoreFixture, a_solo_result
from tests.unit.store.store_fixture import LADDER, StoreFixture, a_ladder, a_result

BOTS = ("ant", "bee", "cat")


class SoloLadder(SchedulingFixture):
    """A running solo ladder of three bots."""

    db: SoloStoreFixture

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, *BOTS)

    def populated(self, store: Store, bots: tuple[str, ...]) -> SoloStoreFixture:
        db = SoloStoreFixture(store)
        db.join(*bots)
        store.write(lambda tx: tx.ladders.run(LADDER, None))
        return db

    def waiting(self) -> list[MatchRecord]:
        """Return the matches that have not begun, by id."""
        return [match for match in self.matches() if match.id not in self.sessions.in_play]

    def begin(self) -> None:
        """Begin all matches whose bots have room."""
        for match in self.waiting():
            if all(self.sessions.free(bot, "", 1) for bot in match.bots):
                self.sessions.in_play[match.id] = match.bots

    def end(self, bot: str) -> None:
        """Finish the match that the bot plays."""
        match = next(match for match, bots in self.sessions.in_play.items() if bot in bots)
        self.finish(match)

    def finish(self, match: int) -> str:
        """Finish the match; return its ladder."""
        row = self.db.match(match)
        self.db.store.write(lambda tx: tx.matches.start(match, ["1"] * len(row.bots), 1_100))
        result = a_solo_result(20) if len(row.bots) == 1 else a_result(1, 2)
        self.db.report(MatchReport(match, result, bytes(32), "ab" * 32))
        del self.sessions.in_play[match]
        return row.terms.ladder or ""

    @staticmethod
    def add_rated_ladder(tx: Transaction) -> None:
        """Add a running ladder of two seats with the same bots."""
        tx.ladders.add(replace(a_ladder("pairs"), seat_counts=(2,)))
        for bot in BOTS:
            tx.entries.join("pairs", bot, 1)
        tx.ladders.run("pairs", None)

    def queue(self) -> dict[str, QueuePlace]:
        """Who plays the next board."""
        return {place.bot: place for place in asyncio.run(self.ladders.queue(LADDER))}


@pytest.fixture
def fixture(tmp_path: Path) -> Iterator[SoloLadder]:
    yield from opened(SoloLadder(tmp_path))


def test_a_board_is_one_unrated_match_for_each_bot_on_one_seed(fixture: SoloLadder) -> None:
    assert fixture.make() is MADE
    matches = fixture.waiting()
    group = matches[0].group
    stored = fixture.db.store.read(lambda tx: tx.groups.secret_of(group))
    assert stored is not None
    assert tuple(match.bots[0] for match in matches) == seat_order(stored.secret, group, BOTS)
    assert {
        (match.group, match.seed_group_index, match.seed_policy, match.terms.rated) for match in matches
    } == {(group, 0, SeedPolicy.SHARED, False)}
    assert len({match.seed_commitment for match in matches}) == 1
    (row,) = fixture.db.store.read(lambda tx: tx.groups.recent(LADDER, 9))
    assert row.bots == tuple(match.bots[0] for match in matches)


def test_where_chance_is_hidden_each_match_of_a_board_has_a_seed_of_its_own(fixture: SoloLadder) -> None:
    """Two bots of one owner could tell each other what is hidden."""

    def hide(tx: Transaction) -> None:
        tx.ladders.add(replace(tx.ladders.get(LADDER), id="hidden", game="caravan"))
        tx.entries.join("hidden", "ant", 1)
        tx.entries.join("hidden", "bee", 1)

    fixture.db.store.write(hide)
    assert fixture.make("hidden") is MADE
    matches = fixture.waiting()
    assert [(match.seed_group_index, match.seed_policy) for match in matches] == [
        (0, SeedPolicy.DERIVED),
        (1, SeedPolicy.DERIVED),
    ]
    assert len({match.seed_commitment for match in matches}) == 2


def test_bots_that_are_away_or_take_none_of_its_matches_are_left_out(fixture: SoloLadder) -> None:
    del fixture.sessions.room["bee"]
    fixture.sessions.room["cat"] = 0
    assert fixture.make() is MADE
    assert [match.bots for match in fixture.waiting()] == [("ant",)]


def test_without_present_bots_no_board_is_made_and_the_reason_is_given(fixture: SoloLadder) -> None:
    fixture.sessions.room.clear()
    assert fixture.make() is NOTHING
    assert fixture.ladders.waiting_for(LADDER).startswith("0 of its bots")


def test_bots_with_room_for_several_play_several_boards_at_once(fixture: SoloLadder) -> None:
    fixture.sessions.room = dict.fromkeys(BOTS, 3)
    made = []
    while fixture.make() is MADE:
        fixture.begin()
        made.append(len(fixture.waiting()))
    assert made == [0, 0, 0]


def test_a_board_waits_for_its_slowest_bot_and_keeps_the_others_for_it(fixture: SoloLadder) -> None:
    fixture.make()
    fixture.begin()
    assert fixture.make() == Turn(waits=True)
    fixture.end("ant")
    fixture.end("bee")
    assert fixture.make() == Turn(waits=True, holds=frozenset({"ant", "bee"}))
    fixture.end("cat")
    assert fixture.make() is MADE
    assert len(fixture.waiting()) == 3


def test_bots_that_are_held_for_another_are_left_alone(fixture: SoloLadder) -> None:
    assert not fixture.make(first=False, held=frozenset({"bee"})).made
    assert fixture.waiting() == []
    assert fixture.make(first=False) is MADE


def test_a_ladder_beside_it_gets_every_bot_too_however_slow_one_is(fixture: SoloLadder) -> None:
    """A slow bot with one place is never taken by boards alone."""
    fixture.db.store.write(fixture.add_rated_ladder)
    turns = FairRotation((fixture.ladders,))
    served: Counter[tuple[str, str]] = Counter()
    for step in range(100):
        fixture.begin()
        while asyncio.run(take_one(turns, fixture.database, fixture.room)):
            fixture.begin()
        for match, bots in list(fixture.sessions.in_play.items()):
            if "cat" not in bots or step % 5 == 0:
                ladder = fixture.finish(match)
                served.update((ladder, bot) for bot in bots)
    assert min(served[ladder, bot] for ladder in (LADDER, "pairs") for bot in BOTS) >= 3


def test_all_present_bots_are_first_in_the_queue_of_a_solo_ladder(fixture: SoloLadder) -> None:
    fixture.make()
    fixture.begin()
    fixture.end("ant")
    del fixture.sessions.room["cat"]
    places = fixture.queue()
    assert {bot: place.position for bot, place in places.items()} == {"ant": 1, "bee": 1, "cat": 0}
    assert {place.wait_bound for place in places.values()} == {1}
    assert [bot for bot, place in places.items() if place.unavailability is not None] == ["cat"]
    assert places["cat"].unavailability == not_connected()

    asyncio.run(fixture.database.write(lambda tx: tx.submissions.add("cat", "ada", "cd" * 32, 400, 1)))
    unavailability = fixture.queue()["cat"].unavailability
    assert unavailability is not None
    assert unavailability.reason is UnavailableReason.NOT_CONNECTED
    assert unavailability != not_connected()

    asyncio.run(fixture.database.write(lambda tx: tx.users.set_disabled("ada", True)))
    unavailability = fixture.queue()["cat"].unavailability
    assert unavailability is not None
    assert unavailability.reason is UnavailableReason.OWNER_INACTIVE


def test_a_run_ends_with_a_whole_board(fixture: SoloLadder) -> None:
    fixture.db.store.write(lambda tx: tx.ladders.run(LADDER, 4))
    fixture.sessions.room = dict.fromkeys(BOTS, 9)
    assert [fixture.make(), fixture.make(), fixture.make()] == [MADE, MADE, NOTHING]
    assert len(fixture.waiting()) == 6


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
def uneven(tmp_path: Path) -> Iterator[UnevenLadder]:
    yield from opened(UnevenLadder(tmp_path))


def test_bots_with_room_are_held_until_the_last_one_of_the_table_has_room(uneven: UnevenLadder) -> None:
    uneven.sessions.in_play[999] = ("cat",)
    assert uneven.make() == Turn(waits=True, holds=frozenset({"ant", "bee"}))
    del uneven.sessions.in_play[999]
    assert uneven.make() is MADE
    assert uneven.newest_group() == {"ant", "bee", "cat"}


@pytest.mark.parametrize("gone", [{}, {"cat": 0}])
def test_an_absent_or_unwilling_bot_is_not_waited_for(uneven: UnevenLadder, gone: dict[str, int]) -> None:
    uneven.sessions.room = {"ant": 1, "bee": 1} | gone
    assert uneven.make() is MADE
    assert uneven.newest_group() == {"ant", "bee"}
