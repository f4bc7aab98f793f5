"""Groups whose matches share a seed with hidden draws: who is paired for them, and which of their matches begin."""

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from arena.core.endings.terminations import Termination
from arena.core.match import MatchState, SeedPolicy
from arena.core.unavailability import Unavailability, UnavailableReason
from arena.scheduling.recovery import DESERTED_NS, LOOK_EVERY_NS
from arena.scheduling.result_recorder import replay_of
from arena.scheduling.scheduler import MADE, NOTHING
from arena.store.store import Transaction
from tests.unit.scheduling.fakes import FakeHost, SchedulingFixture, opened
from tests.unit.store.store_fixture import StoreFixture, a_ladder

CLOSED = "closed"
"""A ladder of hosted bots alone."""
HOSTED = ("ant", "bee")
GUEST = "guest"
SHARED = SeedPolicy.SHARED
ONE_MS = 1_000_000


class IsolatedLadder(SchedulingFixture):
    """Two hosted bots and one that dials in, all of them entered into a ladder that takes hosted ones alone."""

    name = CLOSED
    db: StoreFixture

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, *HOSTED, GUEST, host=FakeHost(*HOSTED))
        self.db.store.write(self._enter)
        self.sessions.room = dict.fromkeys((*HOSTED, GUEST), 9)

    @staticmethod
    def _enter(tx: Transaction) -> None:
        tx.ladders.add(replace(a_ladder(CLOSED), seat_counts=(2,), seed_policy=SHARED))
        for bot in (*HOSTED, GUEST):
            tx.entries.join(CLOSED, bot, 1)
        tx.ladders.run(CLOSED, None)

    def give_up(self) -> bool:
        """Give up matches that cannot be played; return whether there were any."""
        self.timers.move(LOOK_EVERY_NS / ONE_MS)
        return asyncio.run(self.recovery.settle_deserted(self.sessions.plays))


def missing(fixture: IsolatedLadder) -> str:
    """Which bots the open matches wait for."""
    return fixture.room.blocking_bots(fixture.db.store.read(lambda tx: tx.open_matches.all())).describe()


@pytest.fixture
def fixture(tmp_path: Path) -> Iterator[IsolatedLadder]:
    yield from opened(IsolatedLadder(tmp_path))


def test_a_ladder_with_a_shared_seed_pairs_hosted_bots_alone(fixture: IsolatedLadder) -> None:
    assert fixture.make() is MADE
    assert {frozenset(match.bots) for match in fixture.matches()} == {frozenset(HOSTED)}
    assert {(match.seed_policy, match.seed_group_index) for match in fixture.matches()} == {(SHARED, 0)}
    places = {place.bot: place for place in asyncio.run(fixture.ladders.queue(CLOSED))}
    unavailability = places[GUEST].unavailability
    assert unavailability is not None
    assert unavailability.reason is UnavailableReason.NOT_HOSTED


def test_a_ladder_that_has_too_few_hosted_bots_says_so(fixture: IsolatedLadder) -> None:
    del fixture.host.versions["bee"]
    assert fixture.make() is NOTHING
    assert fixture.ladders.waiting_for(CLOSED).startswith("1 of its bots")


def test_such_a_match_begins_in_fresh_programs_and_no_other(fixture: IsolatedLadder) -> None:
    first, second = fixture.db.pair(*HOSTED, policy=SHARED)
    fixture.host.unused["bee"] = 0
    assert fixture.look() == []
    assert [(need.match, need.alone) for need in fixture.host.asked] == [(first, True), (second, True)]
    fixture.host.unused["bee"] = 1
    assert fixture.look() == [first]


def test_a_remote_bot_never_plays_an_isolated_match(fixture: IsolatedLadder) -> None:
    """It was hosted when the group was made."""
    first, _ = fixture.db.pair("ant", GUEST, policy=SHARED)
    assert fixture.look() == []
    assert fixture.host.asked == []
    assert "guest to come" in missing(fixture)
    fixture.timers.move(DESERTED_NS / ONE_MS)
    assert fixture.give_up()
    assert fixture.db.match(first).state is MatchState.NO_CONTEST
    guest = fixture.ending(first, GUEST)
    assert guest.termination is Termination.DISCONNECT
    assert dict(guest.evidence) == {"absent_min": "10", "hosted": "no"}


@pytest.mark.parametrize("chosen", ["2", ""], ids=["pinned", "off"])
def test_a_begun_group_is_ended_by_the_same_version(fixture: IsolatedLadder, chosen: str) -> None:
    """Its owner has seen the lucky half of the group, and must not be able to call off the other one."""
    first, second = fixture.db.pair(*HOSTED, policy=SHARED)
    assert fixture.look() == [first]
    fixture.db.finish(first, 1, 2)
    fixture.host.versions["bee"] = chosen
    assert not fixture.give_up()
    assert fixture.look() == [first, second]
    assert fixture.host.held == {"ant": "1", "bee": "1"}
    fixture.db.finish(second, 2, 1)
    fixture.look()
    assert fixture.host.held == {}
    assert fixture.host.version("bee") == chosen


def test_what_was_not_begun_waits_for_the_version_that_is_chosen_now(fixture: IsolatedLadder) -> None:
    first, second = fixture.db.pair(*HOSTED, policy=SHARED)
    [open_one, _] = fixture.db.pair("bee", GUEST)
    fixture.db.start(first)
    fixture.sessions.in_play[first] = HOSTED
    fixture.host.versions["bee"] = "2"
    fixture.db.finish(first, 1, 2)
    fixture.host.unused["bee"] = 0
    assert fixture.look() == [first]  # though bee has room for those of the group with seeds of its own
    fixture.host.unused["bee"] = 1
    assert fixture.look() == [first, second]
    assert fixture.make() is not MADE
    places = {place.bot: place for place in asyncio.run(fixture.ladders.queue(CLOSED))}
    assert places["bee"].unavailability == Unavailability(UnavailableReason.HOSTING_UNAVAILABLE, "it is held")
    fixture.db.start(second)
    fixture.db.finish(second, 2, 1)
    assert fixture.look()[:3] == [first, second, open_one]
    assert fixture.host.version("bee") == "2"


def test_the_oldest_of_several_begun_groups_comes_first(fixture: IsolatedLadder) -> None:
    """A version was chosen between the first seat of a group and its first decision, and played meanwhile."""
    groups = [fixture.db.pair(*HOSTED, policy=SHARED) for _ in range(2)]
    for version, (first, _) in zip(("1", "2"), groups, strict=True):
        fixture.db.start(first, bee=version)
        fixture.db.finish(first, 1, 2)
    fixture.host.versions["bee"] = "3"
    assert fixture.look() == [groups[0][1]]
    fixture.db.start(groups[0][1])
    fixture.db.finish(groups[0][1], 1, 2)
    assert fixture.look() == [groups[0][1], groups[1][1]]
    assert fixture.host.version("bee") == "2"


def test_a_suspension_gives_up_only_matches_of_that_version(fixture: IsolatedLadder) -> None:
    first, second = fixture.db.pair(*HOSTED, policy=SHARED)
    others = fixture.db.pair(*HOSTED, policy=SHARED)
    fixture.db.start(first)
    fixture.db.finish(first, 1, 2)
    fixture.host.versions["bee"], fixture.host.unused["bee"] = "2", 0
    fixture.look()
    fixture.host.suspended["bee"] = "suspended: it failed"
    assert fixture.give_up()
    bee = fixture.ending(second, "bee")
    assert bee.termination is Termination.NO_SHOW
    assert dict(bee.evidence) == {"benched": "suspended: it failed"}
    untouched = [match.id for match in fixture.matches() if not any(seat.ending for seat in match.seats)]
    assert tuple(untouched) == others


def test_an_unwilling_process_holds_its_group_for_ten_minutes(fixture: IsolatedLadder) -> None:
    first, second = fixture.db.pair(*HOSTED, policy=SHARED)
    fixture.look()
    fixture.db.finish(first, 1, 2)
    fixture.host.versions["ant"] = "2"
    fixture.host.unwilling, fixture.host.unused["bee"] = {"bee"}, 0
    assert not fixture.give_up()
    fixture.look()
    assert fixture.host.is_held("ant")
    assert "bee to take them" in missing(fixture)
    fixture.timers.move(DESERTED_NS / ONE_MS)
    assert fixture.give_up()
    fixture.look()
    assert not fixture.host.is_held("ant")
    assert list(fixture.sessions.in_play)[-1] == second, "decided: it ends as it begins"
    bee = fixture.ending(second, "bee")
    assert bee.termination is Termination.NO_SHOW
    assert dict(bee.evidence) == {"absent_min": "10", "takes": "no"}
    assert "took no match" in bee.sentence


def test_a_group_left_to_the_organiser_holds_no_version_until_it_is_replayed(fixture: IsolatedLadder) -> None:
    """Row 46. Then it is played to its end by the version that began it."""
    first, second = fixture.db.pair(*HOSTED, policy=SHARED)
    fixture.look()
    fixture.db.finish(first, 1, 2)
    fixture.host.versions["bee"] = "2"
    fixture.db.start(second)
    fixture.db.abort(second, None)
    fixture.look()
    assert not fixture.host.is_held("bee")
    left = fixture.db.match(second)
    assert left.left_to_organiser
    again = fixture.db.store.write(lambda tx: tx.rulings.replay(left, replay_of(tx, left), 9))
    assert fixture.look()[-1] == again
    assert fixture.host.version("bee") == "1"


def test_the_same_bots_on_seeds_of_their_own_play_as_they_are(fixture: IsolatedLadder) -> None:
    first, second = fixture.db.pair("ant", GUEST)
    fixture.db.finish(first, 1, 2)
    fixture.host.versions["ant"], fixture.host.unused["ant"] = "2", 0
    assert fixture.look() == [second]
    assert [need.alone for need in fixture.host.asked] == [False]
