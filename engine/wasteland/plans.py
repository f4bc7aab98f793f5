"""Where to go for which mission: roads without Wilds, and what a mission takes from here."""

from __future__ import annotations

from typing import Final, NamedTuple

from engine.wasteland.board import CITIES, LINKED, OFFERS, SPACE_KINDS, SPACES, WILD
from engine.wasteland.missions import MISSION_TOWN, NEEDS, REWARD
from engine.wasteland.position import Position
from engine.wasteland.resources import KINDS, fits

_FAR: Final = 99


def _roads_to(goal: int) -> list[int]:
    """By space: steps to the goal on which no Wild is entered."""
    far = [_FAR] * SPACES
    far[goal] = 0
    waiting = [goal]
    for space in waiting:
        for near in LINKED[space]:
            if far[near] == _FAR:
                far[near] = far[space] + 1
                if SPACE_KINDS[near] != WILD:
                    waiting.append(near)
    return far


ROADS: Final = [_roads_to(goal) for goal in range(SPACES)]
"""By goal and space: steps on which no Wild is entered but the first space and the goal."""


class Plan(NamedTuple):
    """A mission to go for."""

    mission: int
    goal: int
    """The next space to go to: a City that offers what is missing, or the Town."""
    steps: int
    """To the Town, by way of the Cities."""


def best_plan(position: Position, seat: int) -> Plan | None:
    """The face-up mission that pays most for its steps; None if none of them fits into the caravan."""
    best: Plan | None = None
    best_worth = -1.0
    pace = position.movement(seat)
    slots = position.slots(seat)
    for mission in position.missions:
        if not fits(NEEDS[mission], slots):
            continue
        plan = plan_for(position, seat, mission)
        worth = REWARD[mission] / (plan.steps + pace)
        if worth > best_worth:
            best, best_worth = plan, worth
    return best


def plan_for(position: Position, seat: int, mission: int) -> Plan:
    """The shortest way by at most two Cities to what the mission needs, and on to its Town."""
    here, town = position.spaces[seat], MISSION_TOWN[mission]
    stored = position.stores[seat]
    missing = [kind for kind in range(KINDS) if stored[kind] < NEEDS[mission][kind]]
    if not missing:
        return Plan(mission, town, ROADS[town][here])
    best, best_steps = 0, _FAR * KINDS
    for first in range(CITIES):
        left = [kind for kind in missing if kind not in OFFERS[first]]
        if len(left) == len(missing):
            continue
        steps = ROADS[first][here] + _rest(first, left, town)
        if steps < best_steps:
            best, best_steps = first, steps
    return Plan(mission, best, best_steps)


def _rest(city: int, missing: list[int], town: int) -> int:
    """Steps from the City to the Town, by way of the Cities for what is still missing."""
    if not missing:
        return ROADS[town][city]
    best = _FAR
    for second in range(CITIES):
        left = [kind for kind in missing if kind not in OFFERS[second]]
        if len(left) < len(missing):
            steps = ROADS[second][city] + (_rest(second, left, town) if left else ROADS[town][second])
            best = min(best, steps)
    return best
