"""Pings of all connections in turn, and looks at their writes, on a clock that the test moves."""

from collections import Counter

import pytest

from arena.core.units import NS_PER_MS
from arena.server.play.keepalive import PING_EVERY_NS, TICK_NS, WRITE_WITHIN_S, PingSchedule, WriteWatch
from tests.unit.runner.fakes import FakeTimers

ROUND_MS = PING_EVERY_NS / NS_PER_MS
TICK_MS = TICK_NS / NS_PER_MS


class Bot:
    """Remembers when it was pinged, and whether it was found too slow."""

    def __init__(self, timers: FakeTimers) -> None:
        self.timers = timers
        self.pinged_at: list[int] = []
        self.slow = False

    def ping(self) -> None:
        self.pinged_at.append(self.timers.now())

    def too_slow(self) -> None:
        self.slow = True


@pytest.fixture
def timers() -> FakeTimers:
    return FakeTimers()


def joined(timers: FakeTimers, round_: PingSchedule, count: int) -> list[Bot]:
    bots = [Bot(timers) for _ in range(count)]
    for bot in bots:
        round_.join(bot)
    return bots


def test_everybody_is_pinged_within_a_round_and_from_then_on_once_in_each(timers: FakeTimers) -> None:
    begun = timers.now()
    bots = joined(timers, PingSchedule(timers), 100)
    timers.move(4 * ROUND_MS)
    for bot in bots:
        assert bot.pinged_at[0] - begun <= PING_EVERY_NS
        gaps = {later - one for one, later in zip(bot.pinged_at, bot.pinged_at[1:], strict=False)}
        assert gaps == {PING_EVERY_NS}


def test_who_comes_at_the_same_moment_is_not_pinged_at_the_same_moment(timers: FakeTimers) -> None:
    bots = joined(timers, PingSchedule(timers), 600)
    timers.move(ROUND_MS)
    together = Counter(at for bot in bots for at in bot.pinged_at)
    assert max(together.values()) == 10


def test_who_has_left_is_pinged_no_more_and_leaves_room_for_another(timers: FakeTimers) -> None:
    round_ = PingSchedule(timers)
    first, *others = joined(timers, round_, 60)
    round_.leave(first)
    (late,) = joined(timers, round_, 1)
    timers.move(ROUND_MS)
    assert first.pinged_at == []
    together = Counter(at for bot in (late, *others) for at in bot.pinged_at)
    assert set(together.values()) == {1}


def test_a_round_without_anybody_needs_no_alarm(timers: FakeTimers) -> None:
    round_ = PingSchedule(timers)
    for bot in joined(timers, round_, 2):
        round_.leave(bot)
    timers.move(TICK_MS)
    assert timers.alarms == []
    (back,) = joined(timers, round_, 1)
    timers.move(ROUND_MS)
    assert len(back.pinged_at) == 1


def test_who_comes_when_all_others_have_just_left_is_pinged_as_often_as_anybody(timers: FakeTimers) -> None:
    round_ = PingSchedule(timers)
    for bot in joined(timers, round_, 2):
        round_.leave(bot)
    (next_,) = joined(timers, round_, 1)
    timers.move(2 * ROUND_MS)
    assert len(next_.pinged_at) == 2


def test_an_arena_that_stood_still_does_not_ping_all_at_once_afterwards(timers: FakeTimers) -> None:
    bots = joined(timers, PingSchedule(timers), 60)
    timers.stall(ROUND_MS)
    assert sum(len(bot.pinged_at) for bot in bots) == 1


def test_a_write_is_too_slow_only_after_the_time_that_it_may_take(timers: FakeTimers) -> None:
    watch, first, second = WriteWatch(timers), Bot(timers), Bot(timers)
    watch.begin(first)
    timers.move(400)
    watch.begin(second)
    timers.move(WRITE_WITHIN_S * 1_000)
    assert (first.slow, second.slow) == (False, False)
    timers.move(200)
    assert (first.slow, second.slow) == (True, True)
    assert timers.alarms == []


def test_a_write_that_ends_in_time_is_looked_at_no_more(timers: FakeTimers) -> None:
    watch, bot = WriteWatch(timers), Bot(timers)
    for _ in range(3):
        watch.begin(bot)
        timers.move(0.9 * WRITE_WITHIN_S * 1_000)
        watch.end(bot)
    timers.move(2 * WRITE_WITHIN_S * 1_000)
    assert not bot.slow
    assert timers.alarms == []
