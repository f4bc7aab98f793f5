"""Probes share the time of a thread out among sections, each without what is measured within it."""

import asyncio
import threading
import time
from functools import partial

import pytest

from benchmarks.decision_account.entry_points import CallbackSections
from benchmarks.decision_account.probes import (
    CALL,
    CALLBACK,
    STEP,
    ProbedAwaitable,
    ProbedLoop,
    SectionClock,
    measure_costs,
    probed,
)


class Times:
    """A thread's clock that stands still until it is moved."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0
        monkeypatch.setattr(time, "thread_time_ns", lambda: self.now)

    def work(self, ns: int) -> None:
        self.now += ns


@pytest.fixture
def times(monkeypatch: pytest.MonkeyPatch) -> Times:
    return Times(monkeypatch)


def test_time_goes_to_the_innermost_section(times: Times) -> None:
    clock = SectionClock("base")
    outer, inner = clock.section("outer"), clock.section("inner")
    work_within = probed(clock, inner, partial(times.work, 7))

    def work() -> None:
        times.work(10)
        work_within()
        times.work(100)

    times.work(1)
    probed(clock, outer, work)()
    clock.enter(outer, CALL)  # what came since is counted when the next section begins
    assert {name: section.spent_ns for name, section in clock.sections.items()} == {
        "base": 1,
        "outer": 110,
        "inner": 7,
    }
    assert (outer.within[CALL], inner.entered[CALL], clock.section("base").within[CALL]) == (1, 1, 2)


def test_a_call_that_raises_leaves_its_section(times: Times) -> None:
    clock = SectionClock("base")

    def fail() -> None:
        times.work(5)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        probed(clock, clock.section("broken"), fail)()
    times.work(3)
    clock.enter(clock.section("next"), CALL)
    assert (clock.section("broken").spent_ns, clock.section("base").spent_ns) == (5, 3)


def test_calls_in_other_threads_are_not_measured() -> None:
    clock = SectionClock("base")
    section = clock.section("part")
    thread = threading.Thread(target=probed(clock, section, threading.get_ident))
    thread.start()
    thread.join()
    assert section.entered == [0, 0, 0]


def test_an_awaitable_is_measured_step_by_step_and_not_while_it_is_suspended(times: Times) -> None:
    clock = SectionClock("base")
    section = clock.section("read")

    async def read() -> str:
        times.work(10)
        await asyncio.sleep(0)
        times.work(20)
        return "frame"

    async def main() -> str:
        return str(await ProbedAwaitable(clock, section, read()))

    steps = main()
    steps.send(None)
    times.work(1_000)
    with pytest.raises(StopIteration) as ended:
        steps.send(None)
    assert ended.value.value == "frame"
    assert (section.spent_ns, section.entered[STEP]) == (30, 2)


def test_callbacks_are_measured_only_while_the_probes_are_in_place() -> None:
    clock = SectionClock("base")
    section = clock.section("callback")

    async def turns() -> int:
        for _ in range(3):
            await asyncio.sleep(0)
        return section.entered[CALLBACK]

    with asyncio.Runner(loop_factory=partial(ProbedLoop, clock, lambda _: section)) as runner:
        assert runner.run(turns()) == 0
        ProbedLoop.switch(on=True)
        try:
            assert runner.run(turns()) >= 3
        finally:
            ProbedLoop.switch(on=False)
        before = section.entered[CALLBACK]
        assert runner.run(turns()) <= before + 1  # what was scheduled while they were in place


def test_probes_cost_something_and_scheduling_too() -> None:
    costs = measure_costs(CallbackSections)
    assert all(0 < cost < 1e6 for cost in (*costs["within"], *costs["around"]))
    assert costs["schedule"] < 1e6
