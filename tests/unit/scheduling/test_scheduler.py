"""When the scheduler looks again: at once, unless its looks are so much work that play would suffer."""

import asyncio
from dataclasses import dataclass
from typing import Any, cast

import pytest

from arena.scheduling import scheduler
from arena.scheduling.scheduler import Scheduler

NOTHING = cast(Any, None)


@dataclass
class Machine:
    """A processor's clock and a clock on the wall, and the pauses that were made."""

    worked_s: float = 0.0
    passed_s: float = 0.0
    pauses: tuple[float, ...] = ()

    def process_time(self) -> float:
        return self.worked_s

    def monotonic(self) -> float:
        return self.passed_s

    async def sleep(self, seconds: float) -> None:
        self.pauses += (seconds,)


class TwoLooks(Scheduler):
    """Takes two looks, each of which works and waits for so long."""

    def __init__(self, machine: Machine, *, works_s: float, waits_s: float) -> None:
        super().__init__(NOTHING, NOTHING, NOTHING, ())
        self.looks = 0
        self._machine, self._works_s, self._waits_s = machine, works_s, waits_s

    async def look(self) -> bool:
        self.looks += 1
        self._machine.worked_s += self._works_s
        self._machine.passed_s += self._works_s + self._waits_s
        self.wake()
        if self.looks == 2:
            self.stop()
        return False


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    """Replace the clocks and the sleep of the scheduler."""
    machine = Machine()
    monkeypatch.setattr(scheduler, "time", machine)
    monkeypatch.setattr(asyncio, "sleep", machine.sleep)
    return machine


def test_a_look_that_only_waits_however_long_is_followed_by_the_next_at_once(machine: Machine) -> None:
    looker = TwoLooks(machine, works_s=0.04, waits_s=2.0)
    asyncio.run(looker.run())
    assert looker.looks == 2
    assert machine.pauses == ()


@pytest.mark.parametrize(("works_s", "pause_s"), [(0.1, 0.3), (0.25, 0.75), (5.0, 1.0)])
def test_a_long_look_is_followed_by_a_pause(machine: Machine, works_s: float, pause_s: float) -> None:
    asyncio.run(TwoLooks(machine, works_s=works_s, waits_s=0.0).run())
    assert machine.pauses == pytest.approx((pause_s, pause_s))
