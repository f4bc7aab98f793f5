"""When the scheduler looks again, and who comes first: whoever was served longest ago (docs/matchmaking.md)."""

import asyncio
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, cast

import pytest

from arena.scheduling import scheduler
from arena.scheduling.planning_round import PlanningRound
from arena.scheduling.scheduler import MADE, NOTHING, FairRotation, Scheduler, Turn
from arena.scheduling.snapshot import Snapshot
from tests.unit.scheduling.fakes import FakeHost

NONE = cast(Any, None)


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
        super().__init__(NONE, NONE, NONE, ())
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


NOTHING_STORED = Snapshot((), (), (), frozenset(), {})
NOW = PlanningRound((), (), Counter(), FakeHost())


@dataclass
class FakeSupplier:
    """All ladders or all tournaments, of which each does as it is told."""

    does: dict[str, Turn]
    asked: list[tuple[str, bool, frozenset[str]]] = field(default_factory=list)
    resting: str = ""

    def refresh(self, _snapshot: Snapshot) -> tuple[str, ...]:
        return tuple(self.does)

    async def make(self, name: str, _outlook: PlanningRound, *, first: bool, held: frozenset[str]) -> Turn:
        self.asked.append((name, first, held))
        return self.does[name]


async def served(ladders: FakeSupplier, tournaments: FakeSupplier, times: int) -> list[str]:
    """Return who was served, turn by turn."""
    turns = FairRotation((ladders, tournaments))
    names: list[str] = []
    for _ in range(times):
        turns.refresh(NOTHING_STORED)
        ladders.asked.clear()
        tournaments.asked.clear()
        if await turns.take(NOW):
            names.append((ladders.asked + tournaments.asked)[-1][0])
    return names


async def test_ladders_and_tournaments_take_turns() -> None:
    ladders, tournaments = FakeSupplier({"main": MADE}), FakeSupplier({"spring": MADE, "fall": MADE})
    assert await served(ladders, FakeSupplier({}), 2) == ["main", "main"]
    assert await served(ladders, tournaments, 6) == ["main", "spring", "fall"] * 2


async def test_behind_a_ladder_that_waits_nobody_takes_its_bots_or_reserves_any() -> None:
    ladders = FakeSupplier({"main": Turn(waits=True, holds=frozenset({"ann"}))})
    tournaments = FakeSupplier({"spring": NOTHING})
    assert await served(ladders, tournaments, 1) == []
    assert ladders.asked == [("main", True, frozenset())]
    assert tournaments.asked == [("spring", False, frozenset({"ann"}))]


async def test_after_a_ladder_that_wants_nothing_the_next_one_is_first() -> None:
    tournaments = FakeSupplier({"spring": MADE})
    assert await served(FakeSupplier({"main": NOTHING}), tournaments, 1) == ["spring"]
    assert tournaments.asked == [("spring", True, frozenset())]


async def test_when_all_places_for_programs_are_taken_the_other_hosted_bots_are_given_to_nobody() -> None:
    now = PlanningRound((), (), Counter(), FakeHost("ann", "bob", slots=1))
    kind = FakeSupplier({"main": NOTHING})
    turns = FairRotation((kind,))
    turns.refresh(NOTHING_STORED)
    await turns.take(now)
    now.add(lambda _: (), ("ann", "guest"), 1)
    await turns.take(now)
    assert [held for _, _, held in kind.asked] == [frozenset(), {"bob"}]
