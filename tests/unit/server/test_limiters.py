"""Limits on callers: calls a second, with bans (rows 2 and 25), calls at once, and the share of time."""

import asyncio
from collections.abc import Coroutine
from typing import Any
from unittest.mock import patch

import pytest
from structlog.testing import capture_logs

from arena.core.errors import ArenaError, ErrorReason, ResourceExhaustedError
from arena.server import limits
from arena.server.auth.limiters import CallSlots, CallSource, RateLimiter, TimeBudgets
from arena.store.audit.entries import AuditKind
from tests.unit.store.audit_recorder import AuditRecorder

S = 1_000_000_000
THREE = limits.Allowance("knocks", burst=3, per_s=2)
ANN, BOB = CallSource("a", "token a"), CallSource("b", "token b")


class Clock:
    """A clock that the test moves."""

    def __init__(self) -> None:
        self.now = 10 * S

    def __call__(self) -> int:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def recorder() -> AuditRecorder:
    return AuditRecorder()


@pytest.fixture
def bans(clock: Clock, recorder: AuditRecorder) -> RateLimiter:
    return RateLimiter(clock, recorder)


def takes(bans: RateLimiter, source: CallSource, times: int) -> int:
    """How many of so many were granted before the first refusal."""
    for taken in range(times):
        try:
            bans.take(source, THREE)
        except ResourceExhaustedError:
            return taken
    return times


def test_the_burst_is_granted_and_one_more_bans(bans: RateLimiter) -> None:
    assert takes(bans, ANN, 10) == 3
    with pytest.raises(ResourceExhaustedError) as refused:
        bans.check(ANN)
    assert refused.value.reason is ErrorReason.RATE_LIMITED
    assert refused.value.metadata == {"retry_after_s": "60"}


@pytest.mark.parametrize(("taken", "seconds", "granted"), [(3, 1, 2), (0, 1_000, 3)])
def test_two_a_second_are_earned_up_to_the_burst(
    bans: RateLimiter, clock: Clock, taken: int, seconds: int, granted: int
) -> None:
    takes(bans, ANN, taken)
    clock.now += seconds * S
    assert takes(bans, ANN, 10) == granted


def test_given_back_calls_do_not_count(bans: RateLimiter) -> None:
    for _ in range(50):
        bans.take(ANN, THREE)
        bans.give_back(ANN, THREE)
    assert takes(bans, ANN, 10) == 3


def test_others_are_not_banned(bans: RateLimiter) -> None:
    takes(bans, ANN, 10)
    bans.check(BOB)
    assert takes(bans, BOB, 10) == 3


def test_a_ban_lasts_a_minute_and_names_the_rest(bans: RateLimiter, clock: Clock) -> None:
    takes(bans, ANN, 4)
    clock.now += 59 * S + 1
    with pytest.raises(ResourceExhaustedError, match=r"for 1 s"):
        bans.check(ANN)
    clock.now += S - 1
    bans.check(ANN)
    assert takes(bans, ANN, 10) == 3


def test_a_ban_is_once_in_service_log_and_audit_trail_without_its_secret(
    bans: RateLimiter, recorder: AuditRecorder
) -> None:
    with capture_logs() as logs:
        takes(bans, ANN, 4)
        with pytest.raises(ResourceExhaustedError):
            bans.check(ANN)
    assert logs == [
        {"event": "banned", "log_level": "warning", "who": "token a", "too_many": "knocks", "for_s": 60}
    ]
    [told] = recorder.told
    assert (told.kind, told.facts) == (AuditKind.BAN, {"who": "token a", "too_many": "knocks"})


def test_many_sources_do_not_fill_the_memory(bans: RateLimiter, clock: Clock) -> None:
    for number in range(25_000):
        bans.take(CallSource(str(number), ""), THREE)
        clock.now += S
    assert len(bans._earned_at) <= 10_000


def test_calls_that_hold_memory_are_counted_for_each_user_and_for_all() -> None:
    slots = CallSlots("uploads", 3, 2)
    with slots.taken("ada"), slots.taken("bob"):
        with slots.taken("ada"):
            for user in ("ada", "cyd"):
                with pytest.raises(ArenaError) as refused, slots.taken(user):
                    pass
                assert refused.value.reason is ErrorReason.RATE_LIMITED
        with slots.taken("cyd"):
            pass


class Loop(asyncio.SelectorEventLoop):
    """A loop whose time is what is slept."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 1_000.0

    def time(self) -> float:
        return self.now


async def slept(delay: float) -> None:
    """Let time pass at once."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, Loop)
    loop.now += delay


def passed_s(work: Coroutine[Any, Any, None]) -> float:
    """Return how long the work took by the loop's clock; nothing is waited for."""
    loop = Loop()
    try:
        with patch.object(asyncio, "sleep", slept):
            loop.run_until_complete(work)
        return loop.now - 1_000.0
    finally:
        loop.close()


async def repeat(budget: TimeBudgets, who: str, times: int, answer_bytes: int) -> None:
    for _ in range(times):
        await budget.turn(who)
        budget.charge(who, answer_bytes * limits.ANSWER_BYTE_S)


@pytest.mark.parametrize("answer_bytes", [0, 55_000])
def test_in_the_long_run_a_user_gets_no_more_than_the_share(answer_bytes: int) -> None:
    times = 5_000
    work_s = times * (limits.CALL_S + answer_bytes * limits.ANSWER_BYTE_S)
    took = passed_s(repeat(TimeBudgets(lambda: True), "ada", times, answer_bytes))
    assert took == pytest.approx((work_s - limits.WORK_AHEAD_S) / limits.WORK_SHARE, rel=0.02)


def test_a_few_calls_are_not_delayed_and_others_never_are() -> None:
    async def main() -> None:
        budget, loop = TimeBudgets(lambda: True), asyncio.get_running_loop()
        await repeat(budget, "bob", 10, 10_000)
        assert loop.time() == 1_000.0
        await repeat(budget, "ada", 100, 55_000)
        assert loop.time() > 1_000.0
        before = loop.time()
        await repeat(budget, "bob", 10, 10_000)
        assert loop.time() == before

    passed_s(main())


def test_no_call_is_delayed_longer_than_the_limit() -> None:
    async def main() -> None:
        budget = TimeBudgets(lambda: True)
        await budget.turn("ada")
        budget.charge("ada", 1_000)
        await budget.turn("ada")

    assert passed_s(main()) == pytest.approx(limits.LONGEST_DELAY_S)


def test_without_a_match_in_play_no_call_is_delayed() -> None:
    assert passed_s(repeat(TimeBudgets(lambda: False), "ada", 5_000, 55_000)) == 0


async def test_no_more_than_so_many_calls_of_one_user_wait() -> None:
    budget = TimeBudgets(lambda: True)
    await budget.turn("ada")
    budget.charge("ada", 1_000)
    waiting = [asyncio.create_task(budget.turn("ada")) for _ in range(limits.DELAYED_CALLS)]
    await asyncio.sleep(0)
    with pytest.raises(ResourceExhaustedError) as refused:
        await budget.turn("ada")
    assert refused.value.reason is ErrorReason.RATE_LIMITED
    await budget.turn("bob")
    for each in waiting:
        each.cancel()
