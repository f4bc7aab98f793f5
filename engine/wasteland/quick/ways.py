"""Ways over the board, reckoned once: which ends can be reached by how many Wilds, and how far tours by Cities are."""

from __future__ import annotations

from typing import Final

from engine.wasteland.board import CITIES, LINKED, OFFERS, SPACE_KINDS, SPACES, TOWN, WILD
from engine.wasteland.plans import ROADS
from engine.wasteland.resources import KINDS

MOST_STEPS: Final = 12
"""No Movement has more (W76)."""

ALL_KINDS: Final = (1 << KINDS) - 1

OFFERED: Final = [sum([1 << kind for kind in OFFERS[space]]) for space in range(SPACES)]
"""By space: a bit for each resource that it offers."""

_FAR: Final = 99


def _wilds_on_ways() -> list[list[list[int]]]:
    ways = [[[1 if end == start else 0 for end in range(SPACES)] for start in range(SPACES)]]
    for steps in range(1, MOST_STEPS + 1):
        before = ways[steps - 1]
        table = []
        for start in range(SPACES):
            row = before[start][:]
            for near in LINKED[start]:
                more = 1 if SPACE_KINDS[near] == WILD else 0
                for end in range(SPACES):
                    row[end] |= before[near][end] << more
            table.append(row)
        ways.append(table)
    return ways


WAYS: Final = _wilds_on_ways()
"""By steps, start and end: bit w is set if a way of at most so many steps enters w Wilds."""


def _tours_to(town: int) -> list[list[int]]:
    tours = [ROADS[town]]
    for missing in range(1, ALL_KINDS + 1):
        row = [_FAR] * SPACES
        for city in range(CITIES):
            left = missing & ~OFFERED[city]
            if left != missing:
                rest = tours[left][city]
                for space in range(SPACES):
                    row[space] = min(row[space], ROADS[city][space] + rest)
        tours.append(row)
    return tours


TOURS: Final = [_tours_to(town) if SPACE_KINDS[town] == TOWN else [] for town in range(SPACES)]
"""By Town, missing resources as bits, and space: steps by Cities that offer them to the Town, Wilds avoided."""
