"""The jobs of a seat: a good, the cheapest path to its city, and the action points that it still needs."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import Final, NamedTuple

from engine.caravan.actions import PROTECTED, at_of, good_of
from engine.caravan.goods import NO_GOOD, POINTS
from engine.caravan.position import Position

CARRIED: Final = 0
"""The seat carries the good."""
ON_SPACE: Final = 1
"""It lies on a goods space."""
ON_OTHER: Final = 2
"""Another seat carries it."""


class Task(NamedTuple):
    """A good and where it is."""

    kind: int
    """CARRIED, ON_SPACE or ON_OTHER."""
    square: int
    good: int
    value: int
    """Points it brings, demand markers included."""
    victim: int = -1
    """The seat that carries it, for ON_OTHER."""


class Job(NamedTuple):
    """A task with the cheapest path to the good's city. Sets of squares are ints with one bit per square."""

    task: Task
    city: int
    path: int
    """The squares of the path; the good's own one only if it is the city."""
    missing: int
    """Those on which the seat still needs a camel."""
    cost: int
    """Action points up to the delivery, about."""


class Camels(NamedTuple):
    """A seat's camels as sets of squares."""

    own: int
    empty: int
    anybody: int
    """The camels of all seats."""
    idle: int
    """How many of the seat's camels carry nothing, those in the supply included."""


def camels_of(position: Position, seat: int) -> Camels:
    """The camels of the seat."""
    empty = 0
    for square in position.empty[seat]:
        empty |= 1 << square
    idle = position.supply[seat] + len(position.empty[seat])
    return Camels(position.occupied[seat], empty, position.camels_anywhere(), idle)


def carried(position: Position, seat: int) -> list[Task]:
    """The goods that the seat carries."""
    return [
        Task(CARRIED, at_of(camel), good_of(camel), POINTS[good_of(camel)]) for camel in position.laden[seat]
    ]


def free(position: Position, seat: int) -> list[Task]:
    """The goods on goods spaces, if the seat may carry one more (C12)."""
    if not position.may_carry_more(seat):
        return []
    spaces = zip(position.setup.board.goods_spaces, position.space_goods, position.space_markers, strict=True)
    return [
        Task(ON_SPACE, square, good, POINTS[good] + markers)
        for square, good, markers in spaces
        if good != NO_GOOD
    ]


def stealable(position: Position, seat: int) -> list[Task]:
    """The goods of other seats that the seat may steal, once it has a camel there (C11, C12)."""
    if not position.theft_markers[seat] or not position.may_carry_more(seat):
        return []
    return [
        Task(ON_OTHER, at_of(camel), good_of(camel), POINTS[good_of(camel)], victim)
        for victim, camels in enumerate(position.laden)
        if victim != seat
        for camel in camels
        if not camel & PROTECTED
    ]


def job_for(position: Position, camels: Camels, task: Task) -> Job:
    """The job along the path that needs the fewest action points for camels (C8)."""
    city = position.setup.board.cities[task.good]
    ready = camels.own & ~(1 << city) | camels.empty & (
        1 << city
    )  # Only an empty camel can receive the good.
    columns = position.setup.tables.columns
    best = best_missing = 0
    best_cost = -1
    for path in paths(task.square, city, columns):
        missing = path & ~ready
        cost = missing.bit_count() + (missing & camels.anybody).bit_count()
        if best_cost < 0 or cost < best_cost:
            best, best_missing, best_cost = path, missing, cost
    hands = camels.idle
    if task.kind != CARRIED:
        hands -= 1
        here = 1 << task.square
        best_cost += 1 if camels.empty & here else 2 + (camels.anybody & here != 0)
    steps = abs(task.square // columns - city // columns) + abs(task.square % columns - city % columns)
    best_cost += -(-steps // hands) if 0 < hands < steps else 1  # So many times the good is moved.
    return Job(task, city, best, best_missing, best_cost)


@cache
def paths(start: int, end: int, columns: int) -> tuple[int, ...]:
    """All shortest paths with at most two corners, each as its squares but the first."""
    if start == end:
        return (1 << end,)
    (row, column), (last_row, last_column) = divmod(start, columns), divmod(end, columns)
    ways = set()
    for turn in range(min(column, last_column), max(column, last_column) + 1):
        corners = ((row, column), (row, turn), (last_row, turn), (last_row, last_column))
        ways.add(_squares_along(corners, columns))
    for turn in range(min(row, last_row), max(row, last_row) + 1):
        corners = ((row, column), (turn, column), (turn, last_column), (last_row, last_column))
        ways.add(_squares_along(corners, columns))
    return tuple(way & ~(1 << start) for way in sorted(ways))


def _squares_along(corners: tuple[tuple[int, int], ...], columns: int) -> int:
    squares = 0
    for (row, column), (next_row, next_column) in pairwise(corners):
        for r in range(min(row, next_row), max(row, next_row) + 1):
            for c in range(min(column, next_column), max(column, next_column) + 1):
                squares |= 1 << r * columns + c
    return squares
