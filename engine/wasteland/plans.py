"""Where to go for which mission: roads without Wilds, and what a mission takes from here."""

from typing import Final, NamedTuple

from engine.wasteland.board import CITIES, LINKED, OFFERS, SPACE_KINDS, SPACES, TOWN, WILD
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


OFFERED: Final = [sum([1 << kind for kind in OFFERS[space]]) for space in range(SPACES)]
"""By space: a bit for each resource that it offers."""

ALL_KINDS: Final = (1 << KINDS) - 1


def _tours_to(town: int) -> list[list[tuple[int, int]]]:
    tours = [[(ROADS[town][space], town) for space in range(SPACES)]]
    for missing in range(1, ALL_KINDS + 1):
        row = []
        for space in range(SPACES):
            best, best_steps = 0, _FAR * KINDS
            for city in range(CITIES):
                left = missing & ~OFFERED[city]
                if left != missing:
                    steps = ROADS[city][space] + tours[left][city][0]
                    if steps < best_steps:
                        best, best_steps = city, steps
            row.append((best_steps, best))
        tours.append(row)
    return tours


_TOURS: Final = [_tours_to(town) if SPACE_KINDS[town] == TOWN else [] for town in range(SPACES)]

TOURS: Final = [[[steps for steps, _ in row] for row in tours] for tours in _TOURS]
"""By Town, missing resources as bits, and space: steps by Cities that offer them to the Town, Wilds avoided."""

_NEXT_GOALS: Final = [[[goal for _, goal in row] for row in tours] for tours in _TOURS]
"""Likewise: where such a tour leads first."""


class Plan(NamedTuple):
    """A mission to go for."""

    mission: int
    goal: int
    """The next space to go to: a City that offers what is missing, or the Town."""
    steps: int
    """To the Town, by way of the Cities."""


def best_plan(position: Position, seat: int) -> Plan | None:
    """Return the face-up mission that pays most for its steps; None if none of them fits into the caravan."""
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
    """Return the shortest way by Cities to what the mission needs, and on to its Town."""
    here, town = position.spaces[seat], MISSION_TOWN[mission]
    missing = lacks(position.stores[seat], mission)
    return Plan(mission, _NEXT_GOALS[town][missing][here], TOURS[town][missing][here])


def lacks(stored: list[int], mission: int) -> int:
    """Return a bit for each resource of which the mission needs more than is stored."""
    missing = 0
    needs = NEEDS[mission]
    for kind in range(KINDS):
        if stored[kind] < needs[kind]:
            missing |= 1 << kind
    return missing
