"""What a position is worth to each seat, in points of the score."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from engine.caravan.board import Board
from engine.caravan.position import Position
from sample_bots.python.caravan.search.jobs import Camels, Task, camels_of, job_for, tasks_of, tasks_on

DECAY: Final = 0.8
"""A delivery that still needs c action points counts with DECAY ** c of its value."""
FREE: Final = (0.55, 0.275)
"""Weights of the best and the second best good that are still free for everybody."""
WIN: Final = 8.0
"""What winning is worth once the match is over, in points."""

_ODDS: Final = tuple(DECAY**cost for cost in range(100))


def leads(position: Position) -> list[float]:
    """By seat: how far it is ahead of the best and of the average other seat, in expected points."""
    seats = range(position.setup.seats)
    over = position.ending is not None
    points = [position.score(seat) + (0.0 if over else prospects(position, seat)) for seat in seats]
    return [_lead(points, seat, WIN if over else 0.0) for seat in seats]


def _lead(points: list[float], seat: int, win: float) -> float:
    own = points[seat]
    others = points[:seat] + points[seat + 1 :]
    best = max(others)
    lead = own - (best + sum(others) / len(others)) / 2
    return lead + win * ((own > best) - (own < best))


def prospects(position: Position, seat: int) -> float:
    """The points that the seat may expect beyond its score: from what it carries and from the best free goods."""
    goods: tuple[int, ...] = ()
    markers: tuple[int, ...] = ()
    if position.may_carry_more(seat):
        goods, markers = tuple(position.space_goods), tuple(position.space_markers)
    return _prospects(position.setup.board, camels_of(position, seat), position.laden[seat], goods, markers)


@lru_cache(maxsize=1 << 16)
def _prospects(
    board: Board, camels: Camels, laden: tuple[int, ...], goods: tuple[int, ...], markers: tuple[int, ...]
) -> float:
    """The same for the seat's camels and what lies on goods spaces; a search asks most of it more than once."""
    worth = sum(_expected(board, camels, task) for task in tasks_of(laden))
    worth += len(laden) * (len(laden) - 1) / 4  # The penalty of C19 will mostly be worked off.
    best = sorted((_expected(board, camels, task) for task in tasks_on(board, goods, markers)), reverse=True)
    return worth + sum(weight * value for weight, value in zip(FREE, best, strict=False))


def _expected(board: Board, camels: Camels, task: Task) -> float:
    return task.value * _ODDS[job_for(board, camels, task).cost]


def odds(cost: int) -> float:
    """How much of its value a delivery counts that still needs so many action points."""
    return _ODDS[cost]
