"""Movement, step by step (section 7 of the rules)."""

from typing import Final

from engine.wasteland.actions import (
    OUTRIDER,
    OUTRIDER_ACTION,
    STEP,
    STOP_ACTION,
    is_scout,
    kind_of,
    scout,
    space_of,
    step,
)
from engine.wasteland.board import LINKED, SPACE_KINDS, WILD
from engine.wasteland.caravan_cards import OUTRIDER_BIKES, SCOUT_RIG
from engine.wasteland.position import Position
from engine.wasteland.resources import FUEL

_REQUIRED: Final = 2
"""Attack cards of a Wild (W34)."""


def moves(position: Position) -> list[int]:
    """Return what the current player may do in its Movement (W32-W35)."""
    seat = position.current
    has_fuel = position.stores[seat][FUEL] > 0
    steps: list[int] = []
    if position.steps < position.allowance():
        can_scout = has_fuel and position.has_card(seat, SCOUT_RIG)
        for space in LINKED[position.spaces[seat]]:
            if space in position.road_blocks:
                continue
            if SPACE_KINDS[space] != WILD:
                steps.append(step(space))
            elif not position.sandstorm:
                steps.append(step(space))
                if can_scout:
                    steps.append(scout(space))
    may_ride = position.steps == 0 and not position.outrider and has_fuel
    if may_ride and steps and position.has_card(seat, OUTRIDER_BIKES):
        steps.append(OUTRIDER_ACTION)
    return [*steps, STOP_ACTION]


def move(position: Position, action: int) -> bool:
    """Make one of `moves`; return whether the Movement is over."""
    seat = position.current
    kind = kind_of(action)
    if kind == OUTRIDER:
        position.add_units(seat, FUEL, -1)
        position.outrider = True
        return False
    if kind == STEP:
        space = space_of(action)
        position.spaces[seat] = space
        position.steps += 1
        if SPACE_KINDS[space] == WILD:
            scouted = is_scout(action)
            if scouted:
                position.add_units(seat, FUEL, -1)
            position.wilds += ((space, _REQUIRED - 1 if scouted else _REQUIRED),)
        return False
    if position.steps == 0 and SPACE_KINDS[position.spaces[seat]] == WILD:
        position.wilds += ((position.spaces[seat], _REQUIRED),)
    return True
