"""Who uses more than the share of time waits for the answers, and nobody else does."""

import asyncio
from collections.abc import Coroutine
from typing import Any

import pytest

from arena.core.errors import ErrorReason, ResourceExhaustedError
from arena.server.auth.limiters import TimeBudgets
from arena.server.limits import (
    ANSWER_BYTE_S,
    CALL_S,
    DELAYED_CALLS,
    LONGEST_DELAY_S,
    WORK_AHEAD_S,
    WORK_SHARE,
)


class Loop(asyncio.SelectorEventLoop):
    """A loop whose time is what is slept."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 1_000.0

    def time(self) -> float:
        return self.now


async def slept(delay: float) -> None:
    """Time passes at once."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, Loop)
    loop.now += delay


@pytest.fixture
def _no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asyncio, "sleep", slept)


def passed_s(work: Coroutine[Any, Any, None]) -> float:
    """How long the work took by the loop's clock."""
    loop = Loop()
    try:
        loop.run_until_complete(work)
        return loop.now - 1_000.0
    finally:
        loop.close()


async def repeat(budget: TimeBudgets, who: str, times: int, answer_bytes: int) -> None:
    for _ in range(times):
        await budget.turn(who)
        budget.charge(who, answer_bytes * ANSWER_BYTE_S)


@pytest.mark.usefixtures("_no_waiting")
@pytest.mark.parametrize("answer_bytes", [0, 55_000])
def test_in_the_long_run_a_user_gets_no_more_than_the_share(answer_bytes: int) -> None:
    times = 5_000
    work_s = times * (CALL_S + answer_bytes * ANSWER_BYTE_S)
    took = passed_s(repeat(TimeBudgets(lambda: True), "ada", times, answer_bytes))
    assert took == pytest.approx((work_s - WORK_AHEAD_S) / WORK_SHARE, rel=0.02)


@pytest.mark.usefixtures("_no_waiting")
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


@pytest.mark.usefixtures("_no_waiting")
def test_no_call_is_delayed_for_longer_than_is_said() -> None:
    async def main() -> None:
        budget = TimeBudgets(lambda: True)
        await budget.turn("ada")
        budget.charge("ada", 1_000)
        await budget.turn("ada")

    assert passed_s(main()) == pytest.approx(LONGEST_DELAY_S)


@pytest.mark.usefixtures("_no_waiting")
def test_without_a_match_in_play_nobody_waits() -> None:
    assert passed_s(repeat(TimeBudgets(lambda: False), "ada", 5_000, 55_000)) == 0


async def test_no_more_than_so_many_calls_of_one_user_wait() -> None:
    budget = TimeBudgets(lambda: True)
    await budget.turn("ada")
    budget.charge("ada", 1_000)
    waiting = [asyncio.create_task(budget.turn("ada")) for _ in range(DELAYED_CALLS)]
    await asyncio.sleep(0)
    with pytest.raises(ResourceExhaustedError) as refused:
        await budget.turn("ada")
    assert refused.value.reason is ErrorReason.RATE_LIMITED
    await budget.turn("bob")
    for each in waiting:
        each.cancel()
