"""Matches that wait for programs: which of them programs are started for, and which may begin meanwhile."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.core.match import MatchState
from arena.core.pairing.start_order import MAX_LEAD
from tests.unit.scheduling.fakes import FakeHost, SchedulingFixture, opened
from tests.unit.store.store_fixture import StoreFixture

HOSTED = ("ant", "bee")
GUESTS = ("cat", "dog")


class HostedLadder(SchedulingFixture):
    """A scheduler whose matches the test has made."""

    db: StoreFixture

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, *HOSTED, *GUESTS, host=FakeHost(*HOSTED))
        self.sessions.room = {}


@pytest.fixture
def fixture(tmp_path: Path) -> Iterator[HostedLadder]:
    yield from opened(HostedLadder(tmp_path))


def test_programs_are_started_for_matches_whose_other_bots_have_room(fixture: HostedLadder) -> None:
    fixture.db.pair("ant", "cat")
    fixture.db.pair("bee", "dog")
    fixture.sessions.room = {"cat": 1}
    assert fixture.look() == []
    assert {need.bots for need in fixture.host.asked} == {("ant", "cat"), ("cat", "ant")}


def test_a_match_begins_when_the_program_has_said_hello(fixture: HostedLadder) -> None:
    first, second = fixture.db.pair("ant", "cat")
    fixture.sessions.room = {"ant": 1, "cat": 1}
    assert fixture.look() == [first]
    assert fixture.db.match(second).state is MatchState.PENDING


def test_a_match_without_hosted_bots_asks_for_no_program(fixture: HostedLadder) -> None:
    fixture.db.pair("cat", "dog")
    fixture.sessions.room = {"cat": 1, "dog": 1}
    assert len(fixture.look()) == 1
    assert fixture.host.asked == []


def test_much_younger_hosted_matches_wait_for_one_without_a_slot(fixture: HostedLadder) -> None:
    """So that processes become idle and end; remote bots play on."""
    oldest, _ = fixture.db.pair("ant", "cat")
    while True:
        young = fixture.db.pair("bee", "dog")
        if young[0] > oldest + MAX_LEAD:
            break
    [alone, _] = fixture.db.pair("cat", "dog")
    fixture.sessions.room = {"bee": 1_000, "dog": 1_000, "cat": 1_000}
    fixture.host.without_place_now = oldest
    begun = fixture.look()
    assert begun
    assert alone in begun
    assert not {*young} & {*begun}
    assert max(match for match in begun if match < young[0]) <= oldest + MAX_LEAD


def test_a_resting_hosted_bot_gets_no_offer_and_keeps_no_slot(fixture: HostedLadder) -> None:
    fixture.db.pair("ant", "cat")
    alone, _ = fixture.db.pair("cat", "dog")
    fixture.sessions.room = {"ant": 1, "cat": 1, "dog": 1}
    fixture.sessions.resting = {"ant"}
    assert fixture.look() == [alone]
    assert fixture.host.asked == []
