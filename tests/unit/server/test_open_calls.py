"""Calls that go on end with their token: at once when it is revoked, at its moment when it expires."""

from __future__ import annotations

import pytest

from arena.core.errors import ArenaError
from arena.server.auth.revocation import EXPIRED, REVOKED, End, OpenCalls
from tests.unit.runner.fakes import FakeTimers

TOKEN, OTHER = "0123456789ab", "ba9876543210"


class OpenCallsFixture:
    """Open calls over clocks that the test moves: one of the machine, one of the day."""

    def __init__(self) -> None:
        self.timers = FakeTimers()
        self.set_back_us = 0
        self.calls = OpenCalls(self.timers, self.now_us)
        self.ended: list[tuple[str, ArenaError]] = []

    def now_us(self) -> int:
        return self.timers.now() // 1_000 - self.set_back_us

    def end_of(self, name: str) -> End:
        """Note which call has ended, and why."""
        return lambda why: self.ended.append((name, why))


@pytest.fixture
def world() -> OpenCallsFixture:
    return OpenCallsFixture()


def test_all_calls_of_a_token_end_and_no_others(world: OpenCallsFixture) -> None:
    with (
        world.calls.entered(TOKEN, world.end_of("first")),
        world.calls.entered(TOKEN, world.end_of("second")),
        world.calls.entered(OTHER, world.end_of("other")),
    ):
        world.calls.end([TOKEN, "nobody's"], REVOKED)
    assert world.ended == [("first", REVOKED), ("second", REVOKED)]


def test_a_call_that_is_over_is_left_alone(world: OpenCallsFixture) -> None:
    with world.calls.entered(TOKEN, world.end_of("first")):
        pass
    world.calls.end([TOKEN], REVOKED)
    assert world.ended == []


def test_calls_end_at_the_moment_their_token_expires(world: OpenCallsFixture) -> None:
    expires_us = world.now_us() + 60_000_000
    with world.calls.entered(TOKEN, world.end_of("watch")):
        world.calls.note_expiry(TOKEN, expires_us)
        world.calls.note_expiry(TOKEN, expires_us)  # of a second call: one alarm is enough
        assert len(world.timers.alarms) == 1
        world.timers.move(59_999)
        assert world.ended == []
        world.timers.move(1)
        assert world.ended == [("watch", EXPIRED)]


def test_no_alarm_is_left_of_calls_that_are_over(world: OpenCallsFixture) -> None:
    with world.calls.entered(TOKEN, world.end_of("watch")):
        world.calls.note_expiry(TOKEN, world.now_us() + 60_000_000)
    assert [alarm.cancelled for alarm in world.timers.alarms] == [True]
    world.calls.note_expiry(TOKEN, world.now_us() + 60_000_000)
    assert len(world.timers.alarms) == 1


def test_where_the_time_of_day_was_set_back_the_token_lives_as_long_as_it_says(
    world: OpenCallsFixture,
) -> None:
    """Row 50: the clock of the machine goes on, the time of day does not."""
    expires_us = world.now_us() + 60_000_000
    with world.calls.entered(TOKEN, world.end_of("watch")):
        world.calls.note_expiry(TOKEN, expires_us)
        world.set_back_us = 10_000_000
        world.timers.move(60_000)
        assert world.ended == []
        world.timers.move(10_000)
        assert world.ended == [("watch", EXPIRED)]
