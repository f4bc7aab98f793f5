"""How ladders and tournaments share the bots: the one served longest ago comes first (docs/matchmaking.md)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Protocol

from arena.scheduling.planning_round import PlanningRound


@dataclass(frozen=True, slots=True)
class Turn:
    """What a ladder or tournament did when it was its turn."""

    made: bool = False
    """It made matches."""
    waits: bool = False
    """It wants to make some, and only has to wait until its bots have room."""
    holds: frozenset[str] = frozenset()
    """Bots with room that it needs together with others: no other may take them."""


MADE: Final = Turn(made=True)
NOTHING: Final = Turn()
"""It wants nothing, or cannot have it as things are."""


class Supplier(Protocol):
    """What makes matches: all ladders, or all tournaments."""

    async def running(self) -> tuple[str, ...]:
        """Return the ids of those that are running."""

    async def make(self, name: str, planning: PlanningRound, *, first: bool, held: frozenset[str]) -> Turn:
        """Make the matches of one match group of one of them out of what is open, if possible.

        `first`: no other that waits was served longer ago; `held`: bots that are not to be taken.
        """

    def rest(self, why: str) -> None:
        """Make nothing for now. `why`: a sentence part without a full stop; empty: make matches again."""


@dataclass(slots=True)
class FairRotation:
    """All running ladders and tournaments, the one served longest ago first."""

    suppliers: tuple[Supplier, ...]
    _order: list[tuple[int, str]] = field(default_factory=list)
    """Place of the supplier, id."""

    async def refresh(self) -> None:
        """Update what is running: newly begun ones come last."""
        running = [
            (place, name) for place, each in enumerate(self.suppliers) for name in await each.running()
        ]
        stay = [each for each in self._order if each in running]
        self._order = stay + [each for each in running if each not in stay]

    async def take(self, planning: PlanningRound) -> bool:
        """Have the first that can make one match group. Return False if none can."""
        without_place = planning.without_place
        first, held = True, without_place
        for place, name in list(self._order):
            turn = await self.suppliers[place].make(name, planning, first=first, held=held)
            if turn.made:
                self._order.remove((place, name))
                self._order.append((place, name))
                return True
            if turn.waits and first:
                first, held = False, turn.holds | without_place
        return False
