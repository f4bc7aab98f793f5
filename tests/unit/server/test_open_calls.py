"""Calls that go on end with their token: at once when it is revoked, at its moment when it expires."""

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
def fixture() -> OpenCallsFixture:
    return OpenCallsFixture()


def test_an_ended_call_is_not_ended_again(fixture: OpenCallsFixture) -> None:
    with fixture.calls.entered(TOKEN, fixture.end_of("first")):
        pass
    fixture.calls.end([TOKEN], REVOKED)
    assert fixture.ended == []


def test_calls_end_at_the_moment_their_token_expires(fixture: OpenCallsFixture) -> None:
    expires_us = fixture.now_us() + 60_000_000
    with fixture.calls.entered(TOKEN, fixture.end_of("watch")):
        fixture.calls.note_expiry(TOKEN, expires_us)
        fixture.calls.note_expiry(TOKEN, expires_us)  # of a second call: one alarm is enough
        assert len(fixture.timers.alarms) == 1
        fixture.timers.move(59_999)
        assert fixture.ended == []
        fixture.timers.move(1)
        assert fixture.ended == [("watch", EXPIRED)]


def test_no_alarm_is_left_of_ended_calls(fixture: OpenCallsFixture) -> None:
    with fixture.calls.entered(TOKEN, fixture.end_of("watch")):
        fixture.calls.note_expiry(TOKEN, fixture.now_us() + 60_000_000)
    assert [alarm.cancelled for alarm in fixture.timers.alarms] == [True]
    fixture.calls.note_expiry(TOKEN, fixture.now_us() + 60_000_000)
    assert len(fixture.timers.alarms) == 1


def test_a_token_lives_longer_if_the_time_of_day_is_set_back(fixture: OpenCallsFixture) -> None:
    """Row 50: the clock of the machine goes on, the time of day does not."""
    expires_us = fixture.now_us() + 60_000_000
    with fixture.calls.entered(TOKEN, fixture.end_of("watch")):
        fixture.calls.note_expiry(TOKEN, expires_us)
        fixture.set_back_us = 10_000_000
        fixture.timers.move(60_000)
        assert fixture.ended == []
        fixture.timers.move(10_000)
        assert fixture.ended == [("watch", EXPIRED)]
