"""Caravanserai over the wire, one test playing all seats in step with an engine of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from arena.codecs.caravanserai.codec import CODEC
from arena.games.caravanserai.v1 import caravanserai_pb2
from arena.v1 import games_pb2, play_pb2
from engine.caravanserai import CARAVANSERAI
from engine.caravanserai.actions import CAMEL_STEP, kind_of
from engine.caravanserai.events import PieceLaid
from engine.caravanserai.hexes import Cell
from engine.caravanserai.state import CaravanseraiState
from engine.randomness import Stream


@dataclass(frozen=True)
class Placed:
    """A placement."""

    steps: tuple[int, ...]
    """The actions that it stands for."""
    pieces: tuple[int, ...]
    """As numbered on the wire."""
    cells: tuple[Cell, ...]

    @property
    def plan(self) -> games_pb2.Action:
        """All of it as one action on the wire."""
        return plan_action(self.pieces, self.cells)


@dataclass
class CaravanseraiMatch:
    """A match of Caravanserai that has begun, and the position as this side has worked it out."""

    bots: list[Any]
    """Each a RawBot of tests/system/play; by seat."""
    state: CaravanseraiState

    @classmethod
    def begun(cls, bots: list[Any]) -> CaravanseraiMatch:
        """Return the match whose beginning all of them have just received."""
        [started] = [heard.match_started for heard in bots[0].heard if heard.HasField("match_started")]
        seen = CODEC.decode_observation(started.view)
        return cls(bots, CARAVANSERAI.from_observation(seen, Stream(bytes(32))))

    @property
    def seat(self) -> int:
        """The seat that decides next; TERMINAL at the end."""
        return self.state.seat_to_act

    def asked(self) -> play_pb2.Decision:
        """Return the next decision, after checking that the arena has the same position."""
        seat = self.seat
        decision = self.bots[seat].hear("decision")
        assert isinstance(decision, play_pb2.Decision)
        assert CODEC.decode_observation(decision.view) == self.state.observe(seat)
        return decision

    def answer(self, decision: play_pb2.Decision, index: int = 0) -> None:
        """Answers by a place in the list."""
        self.bots[self.seat].answer(decision, index)
        self.state.apply(self.state.legal_actions()[index])

    def answer_by(self, decision: play_pb2.Decision, placed: Placed) -> None:
        """Answers by a plan."""
        self.bots[self.seat].act(decision, placed.plan)
        for step in placed.steps:
            self.state.apply(step)

    def open_all(self) -> None:
        """Every seat opens on the first cell of its list."""
        while self.state.round == 0:
            self.answer(self.asked())


def placement(state: CaravanseraiState, goods: int = 3) -> Placed:
    """Return a legal placement by the seat whose first step is due: at least so many goods if there is room.

    Nothing that lies loose is declined, since of equal steps the list has the other one first.
    """
    state = state.clone()
    state.take_events()
    steps: list[int] = []
    laid: list[PieceLaid] = []
    while not steps or kind_of(steps[-1]) != CAMEL_STEP:
        legal = list(state.legal_actions())
        onwards = [action for action in legal if kind_of(action) != CAMEL_STEP]
        enough = len(laid) >= goods and len(onwards) < len(legal)
        steps.append(legal[0] if enough or not onwards else onwards[0])
        state.apply(steps[-1])
        laid += [event for event in state.take_events() if isinstance(event, PieceLaid)]
    pieces = tuple(int(event.piece) + 1 for event in laid)
    return Placed(tuple(steps), pieces, tuple(event.cell for event in laid))


def plan_action(pieces: Sequence[int], cells: Sequence[Cell]) -> games_pb2.Action:
    """Return a plan on the wire. `pieces`: numbers of the wire."""
    wire = [caravanserai_pb2.Cell(q=cell.q, r=cell.r) for cell in cells]
    plan = caravanserai_pb2.Plan(pieces=pieces, cells=wire)  # type: ignore[arg-type]
    return games_pb2.Action(caravanserai=caravanserai_pb2.Action(plan=plan))
