"""The jobs of a seat: a good, the cheapest path to its city, and the action points that it still needs."""

from functools import cache, lru_cache, reduce
from itertools import pairwise
from operator import itemgetter, or_
from typing import Final

from engine.caravan.actions import PROTECTED, at_of, good_of
from engine.caravan.board import Board
from engine.caravan.goods import NO_GOOD, POINTS
from engine.caravan.position import Position

CARRIED: Final = 0
"""The seat carries the good."""
ON_SPACE: Final = 1
"""It lies on a goods space."""
ON_OTHER: Final = 2
"""Another seat carries it."""


class Task:
    """A good and where it is."""

    __slots__ = ("good", "kind", "square", "value", "victim")

    def __init__(self, kind: int, square: int, good: int, value: int, victim: int = -1) -> None:
        """`kind`: CARRIED, ON_SPACE or ON_OTHER, where `victim` is the seat that carries it."""
        self.kind: int = kind
        self.square: int = square
        self.good: int = good
        self.value: int = value
        """Points it brings, demand markers included."""
        self.victim: int = victim


class Job:
    """A task with the cheapest path to the good's city. Sets of squares are ints with one bit per square."""

    __slots__ = ("city", "cost", "missing", "path", "task")

    def __init__(self, task: Task, city: int, path: int, missing: int, cost: int) -> None:
        """As `job_for` finds it."""
        self.task: Task = task
        self.city: int = city
        self.path: int = path
        """The squares of the path; the good's own one only if it is the city."""
        self.missing: int = missing
        """Those on which the seat still needs a camel."""
        self.cost: int = cost
        """Action points up to the delivery, about."""


class Camels:
    """A seat's camels as sets of squares."""

    __slots__ = ("anybody", "empty", "idle", "own")

    def __init__(self, own: int, empty: int, anybody: int, idle: int) -> None:
        """`anybody`: the camels of all seats."""
        self.own: int = own
        self.empty: int = empty
        self.anybody: int = anybody
        self.idle: int = idle
        """How many of the seat's camels carry nothing, those in the supply included."""


def camels_of(position: Position, seat: int) -> Camels:
    """Return the camels of the seat."""
    empty = position.empty[seat]
    idle = position.supply[seat] + len(empty)
    return Camels(position.occupied[seat], _set_of(empty), position.camels_anywhere(), idle)


@lru_cache(maxsize=1 << 14)
def _set_of(squares: tuple[int, ...]) -> int:
    return reduce(or_, (1 << square for square in squares), 0)


def carried(position: Position, seat: int) -> tuple[Task, ...]:
    """Return the goods that the seat carries."""
    return tasks_of(position.laden[seat])


@lru_cache(maxsize=1 << 14)
def tasks_of(laden: tuple[int, ...]) -> tuple[Task, ...]:
    """Return the goods on laden camels of one's own."""
    return tuple(Task(CARRIED, at_of(camel), good_of(camel), POINTS[good_of(camel)]) for camel in laden)


def free(position: Position, seat: int) -> tuple[Task, ...]:
    """Return the goods on goods spaces, if the seat may carry one more (C12)."""
    if not position.may_carry_more(seat):
        return ()
    return tasks_on(position.setup.board, tuple(position.space_goods), tuple(position.space_markers))


@lru_cache(maxsize=1 << 14)
def tasks_on(board: Board, goods: tuple[int, ...], markers: tuple[int, ...]) -> tuple[Task, ...]:
    """Return what lies on goods spaces: by space its good and its demand markers."""
    return tuple(
        Task(ON_SPACE, square, good, POINTS[good] + extra)
        for square, good, extra in zip(board.goods_spaces, goods, markers, strict=False)
        if good != NO_GOOD
    )


def stealable(position: Position, seat: int) -> list[Task]:
    """Return the goods of other seats that the seat may steal, once it has a camel there (C11, C12)."""
    if not position.theft_markers[seat] or not position.may_carry_more(seat):
        return []
    return [
        Task(ON_OTHER, at_of(camel), good_of(camel), POINTS[good_of(camel)], victim)
        for victim, camels in enumerate(position.laden)
        if victim != seat
        for camel in camels
        if not camel & PROTECTED
    ]


def job_for(board: Board, camels: Camels, task: Task) -> Job:
    """Return the job along the path that needs the fewest action points for camels (C8)."""
    kind, square = task.kind, task.square
    own, empty, anybody, hands = camels.own, camels.empty, camels.anybody, camels.idle
    city = board.cities[task.good]
    goal = 1 << city
    ready = own & ~goal | empty & goal  # Only an empty camel can receive the good.
    steps, area = extent(square, city, board.columns)
    path, missing, cost = _cheapest(square, city, board.columns, ready & area, anybody & area)
    if kind != CARRIED:
        hands -= 1
        here = 1 << square
        cost += 1 if empty & here else 2 + (anybody & here != 0)
    cost += -(-steps // hands) if 0 < hands < steps else 1  # So many times the good is moved.
    return Job(task, city, path, missing, cost)


@cache
def extent(start: int, end: int, columns: int) -> tuple[int, int]:
    """Return the number of orthogonal steps between two squares, and the squares that lie on any of their paths."""
    steps = abs(start // columns - end // columns) + abs(start % columns - end % columns)
    return steps, reduce(or_, paths(start, end, columns))


@lru_cache(maxsize=1 << 16)
def _cheapest(start: int, end: int, columns: int, ready: int, anybody: int) -> tuple[int, int, int]:
    """Return the path that needs the fewest points for camels: it, its squares without one, the points.

    `ready` and `anybody` hold squares of the extent alone: what differs elsewhere on the board is the same call.
    """
    found = []
    for path in paths(start, end, columns):
        missing = path & ~ready
        found.append((path, missing, missing.bit_count() + (missing & anybody).bit_count()))
    return min(found, key=itemgetter(2))


@cache
def paths(start: int, end: int, columns: int) -> tuple[int, ...]:
    """Return all shortest paths with at most two corners, each as its squares but the first."""
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
