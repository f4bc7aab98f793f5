"""Decisions of a match made by the rules, as an agent has them before it without an arena."""

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any, TypeVar

from arena.sdk.llm.match_texts import MatchTexts
from arena.sdk.mcp.calls import Calls, Ladders
from arena.sdk.mcp.presence import Presence
from arena.sdk.mcp.seats import OpenDecision, Seats
from arena.sdk.settings import Endpoint
from engine.game import State
from tests.unit.sdk.llm.matches import a_match, legal, new_state, observation

NOWHERE = Endpoint("unix:///nowhere", "")

T = TypeVar("T")


@dataclass
class Time:
    """A clock that shows the time that was set last."""

    now: float = 0.0


@dataclass
class Table:
    """Seats of an agent, with decisions that wait for it."""

    time: Time = field(default_factory=Time)
    seats: Seats = field(init=False)

    def __post_init__(self) -> None:
        self.seats = Seats(now=lambda: self.time.now, run="run")

    def begin(self, game: str = "caravan", number: int = 7, state: State | None = None) -> MatchTexts:
        """Begin a match and return its texts."""
        match = a_match(game, state or new_state(game))
        object.__setattr__(match, "name", f"matches/{number}")
        texts = MatchTexts(match)
        self.seats.begin(match, texts, f"{match.name} has begun.")
        return texts

    def decide(
        self, game: str = "caravan", number: int = 7, state: State | None = None, until: float = 60.0
    ) -> OpenDecision:
        """Begin a match if it has not begun, and open a decision in it."""
        state = state or new_state(game)
        seats = {seat.match.name: seat for seat in self.seats.in_progress()}
        name = f"matches/{number}"
        texts = seats[name].texts if name in seats else self.begin(game, number, state)
        match = next(seat.match for seat in self.seats.in_progress() if seat.match.name == name)
        seen = observation(game, state, state.seat_to_act)
        return self.seats.open(
            match, texts.read(seen), legal(state), texts.question(seen, legal(state)), until
        )

    def call(self, use: Callable[[Calls], Coroutine[Any, Any, T]], ladders: Ladders | None = None) -> T:
        """Call a tool."""

        async def run() -> T:
            return await use(Calls(Presence("agent", NOWHERE, self.seats), self.seats, ladders))

        return asyncio.run(run())
