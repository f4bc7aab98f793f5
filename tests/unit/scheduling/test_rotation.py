"""Ladders and tournaments share the bots (docs/matchmaking.md): whoever was served longest ago comes first."""

from collections import Counter
from dataclasses import dataclass, field

from arena.scheduling.planning_round import PlanningRound
from arena.scheduling.scheduler import MADE, NOTHING, FairRotation, Turn
from tests.unit.scheduling.fakes import FakeHost

NOW = PlanningRound((), (), Counter(), FakeHost())


@dataclass
class FakeSupplier:
    """All ladders or all tournaments, of which each does as it is told."""

    does: dict[str, Turn]
    asked: list[tuple[str, bool, frozenset[str]]] = field(default_factory=list)
    resting: str = ""

    async def running(self) -> tuple[str, ...]:
        return tuple(self.does)

    async def make(self, name: str, _outlook: PlanningRound, *, first: bool, held: frozenset[str]) -> Turn:
        self.asked.append((name, first, held))
        return self.does[name]


async def served(ladders: FakeSupplier, tournaments: FakeSupplier, times: int) -> list[str]:
    """Return who was served, turn by turn."""
    turns = FairRotation((ladders, tournaments))
    names: list[str] = []
    for _ in range(times):
        await turns.refresh()
        ladders.asked.clear()
        tournaments.asked.clear()
        if await turns.take(NOW):
            names.append((ladders.asked + tournaments.asked)[-1][0])
    return names


async def test_those_who_can_always_be_served_take_turns() -> None:
    ladders, tournaments = FakeSupplier({"main": MADE}), FakeSupplier({"spring": MADE, "fall": MADE})
    assert await served(ladders, FakeSupplier({}), 2) == ["main", "main"]
    assert await served(ladders, tournaments, 6) == ["main", "spring", "fall"] * 2


async def test_behind_a_ladder_that_waits_nobody_takes_its_bots_or_reserves_any() -> None:
    ladders = FakeSupplier({"main": Turn(waits=True, holds=frozenset({"ann"}))})
    tournaments = FakeSupplier({"spring": NOTHING})
    assert await served(ladders, tournaments, 1) == []
    assert ladders.asked == [("main", True, frozenset())]
    assert tournaments.asked == [("spring", False, frozenset({"ann"}))]


async def test_behind_one_that_wants_nothing_the_next_is_first() -> None:
    tournaments = FakeSupplier({"spring": MADE})
    assert await served(FakeSupplier({"main": NOTHING}), tournaments, 1) == ["spring"]
    assert tournaments.asked == [("spring", True, frozenset())]


async def test_when_all_places_for_programs_are_taken_the_other_hosted_bots_are_given_to_nobody() -> None:
    now = PlanningRound((), (), Counter(), FakeHost("ann", "bob", slots=1))
    kind = FakeSupplier({"main": NOTHING})
    turns = FairRotation((kind,))
    await turns.refresh()
    await turns.take(now)
    now.add(lambda _: (), ("ann", "guest"), 1)
    await turns.take(now)
    assert [held for _, _, held in kind.asked] == [frozenset(), {"bob"}]
