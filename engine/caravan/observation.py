"""What may be seen of a position: all of it but the order of the bag.

The parts are named tuples: they are made for every decision and serve as keys of caches, and C does both.
"""

from typing import NamedTuple

from engine.caravan.board import Board
from engine.caravan.events import Ending
from engine.caravan.goods import Good
from engine.caravan.options import Options


class EmptyCamels(NamedTuple):
    """Camels of one seat on one square that carry nothing."""

    square: int
    camels: int
    """At least 1."""


class LadenCamel(NamedTuple):
    """A camel that carries a good."""

    square: int
    good: Good
    protected: bool
    """Stolen and not moved since (C11)."""


class SeatView(NamedTuple):
    """Everything a seat has on the board and beside it."""

    supply: int
    """Camels not yet on the board."""
    empty_camels: tuple[EmptyCamels, ...]
    """By ascending square."""
    laden_camels: tuple[LadenCamel, ...]
    """By ascending square, then good, then not protected first."""
    theft_markers: int
    demand_markers: int
    delivered: tuple[int, ...]
    """By kind of good."""
    score: int
    """If the match ended now (C19)."""


class GoodsSpace(NamedTuple):
    """What lies on a goods space."""

    good: Good | None
    demand_markers: int


class Observation(NamedTuple):
    """The whole public position."""

    board: Board
    options: Options
    turn: int
    """Counted from 1 (C6)."""
    seat_to_act: int
    """When the match is over: the seat whose turn was the last."""
    points: int
    """Action points left in this turn; 0 when the match is over."""
    seats: tuple[SeatView, ...]
    goods_spaces: tuple[GoodsSpace, ...]
    """The goods spaces 1 to 8."""
    bag: tuple[int, ...]
    """What is left in the bag, by kind of good."""
    idle: bool
    """Nothing was picked up, stolen or delivered in this turn so far (C18)."""
    idle_turns: int
    """Idle turns in a row before this one."""
    end_armed: bool
    """The bag is empty: the next delivery ends the match (C17)."""
    ending: Ending | None
    """Why the match has ended; None while it runs."""
    viewer: int
    """The seat this view was made for, or SPECTATOR."""
