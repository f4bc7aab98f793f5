"""What a drawing is given to tell."""

from __future__ import annotations

from arena.drawings.drawing import Step
from engine.game import SPECTATOR, State


def steps(state: State, *actions: str) -> list[Step]:
    """The actions, in the notation of the rules, played one after the other; `state` stays as it is."""
    state = state.clone()
    told = []
    for action in actions:
        before, seat = state.observe(SPECTATOR), state.seat_to_act
        packed = state.parse_action(action)
        state.apply(packed)
        told.append(Step(seat, before, packed, tuple(state.take_events()), state.observe(SPECTATOR)))
    return told
