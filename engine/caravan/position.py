"""A position as flat ints and lists, and what can be asked of it without knowing the rules of actions."""

from __future__ import annotations

from typing import Final

from engine.caravan.board import Board
from engine.caravan.events import Ending
from engine.caravan.goods import NO_GOOD, POINTS
from engine.caravan.observation import GoodsSpace, SeatView
from engine.caravan.options import Options
from engine.caravan.tables import BoardTables, tables_of
from engine.game import State

KINDS: Final = len(POINTS)

NOT_LISTED: Final[list[int]] = []
"""For `Position.good_actions`, before there are any: nobody adds to it."""


class Setup:
    """What never changes in a match, shared by all copies of its position."""

    __slots__ = ("board", "camels", "idle_turns", "most_laden", "options", "seats", "tables", "text", "turns")

    def __init__(self, seats: int, options: Options, board: Board) -> None:
        """Set up a match of so many seats on that board."""
        self.seats: int = seats
        self.options: Options = options
        self.camels: int = options.camels
        """Of each seat."""
        self.most_laden: int = options.camels - 1
        """Of each seat (C12)."""
        self.idle_turns: int = options.no_progress_turns
        """So many in a row end the match (C18)."""
        self.turns: int = options.turn_limit
        self.board: Board = board
        self.tables: BoardTables = tables_of(board)
        self.text: bytes = b""
        """What a digest says of it, once one was asked for."""


class Position(State):
    """All that a match of Caravan consists of at one moment. Lists by seat unless said otherwise.

    A laden camel is an int (`laden_camel` of actions.py). The camels of a seat are in ascending tuples.
    Tuples are replaced as a whole, so that a copy shares them.
    """

    __slots__ = (
        "bag",
        "bag_left",
        "camels",
        "delivered",
        "demand_markers",
        "drawn",
        "empty",
        "ending",
        "events",
        "good_actions",
        "goods_on_spaces",
        "idle",
        "idle_turns",
        "laden",
        "legal",
        "occupied",
        "points",
        "seat_to_act",
        "seat_views",
        "setup",
        "space_goods",
        "space_markers",
        "space_views",
        "stream_words",
        "supply",
        "theft_markers",
        "turn",
    )

    setup: Setup
    turn: int
    """The running turn, from 1 (C6)."""
    points: int
    seat_to_act: int
    idle: bool
    """Nothing was picked up, stolen or delivered in this turn so far (C18)."""
    idle_turns: int
    """Idle turns in a row before this one."""
    ending: Ending | None
    supply: list[int]
    empty: list[tuple[int, ...]]
    """The squares of empty camels on the board, one entry per camel."""
    laden: list[tuple[int, ...]]
    occupied: list[int]
    """The set of squares on which the seat has camels."""
    camels: bytes
    """The squares of all camels on the board, one entry per camel, in no order."""
    theft_markers: tuple[int, ...]
    demand_markers: tuple[int, ...]
    delivered: tuple[int, ...]
    """By seat and kind: KINDS * seat + good."""
    space_goods: list[int]
    """By index of the goods space: the good or NO_GOOD."""
    space_markers: list[int]
    """By index of the goods space."""
    goods_on_spaces: int
    """The set of squares on which a good lies."""
    bag: bytes
    """All goods in the order of drawing."""
    drawn: int
    """How many of them have been drawn."""
    bag_left: tuple[int, ...]
    """By kind: how many are left in the bag."""
    stream_words: int
    """Words of the match's stream that were used."""
    legal: memoryview | None
    """The legal list, once it was asked for."""
    good_actions: list[int]
    """Of that list, what concerns goods; empty before."""
    seat_views: list[SeatView | None]
    """What was shown of a seat, while it is still true."""
    space_views: tuple[GoodsSpace, ...] | None
    """What was shown of the goods spaces, while it is still true."""

    def __init__(self, setup: Setup) -> None:
        """Make a position of which only the setup is known: `clear` or `copy_from` comes next."""
        self.setup = setup

    def clear(self) -> None:
        """Clear the board and the bag, before the first turn (C3)."""
        seats, spaces = self.setup.seats, len(self.setup.board.goods_spaces)
        self.turn = self.points = self.seat_to_act = 0
        self.idle, self.idle_turns, self.ending = True, 0, None
        self.supply = [self.setup.camels] * seats
        self.empty = [()] * seats
        self.laden = [()] * seats
        self.occupied = [0] * seats
        self.camels = b""
        self.theft_markers = (1,) * seats
        self.demand_markers = (0,) * seats
        self.delivered = (0,) * (seats * KINDS)
        self.space_goods = [NO_GOOD] * spaces
        self.space_markers = [0] * spaces
        self.goods_on_spaces = 0
        self.bag, self.drawn, self.bag_left = b"", 0, (0,) * KINDS
        self.stream_words = 0
        self.events = []
        self.legal, self.good_actions = None, NOT_LISTED
        self.seat_views, self.space_views = [None] * seats, None

    def copy_from(self, other: Position) -> None:
        """Become an independent copy of `other`, of the same setup, with no events waiting."""
        self.turn = other.turn
        self.points = other.points
        self.seat_to_act = other.seat_to_act
        self.idle = other.idle
        self.idle_turns = other.idle_turns
        self.ending = other.ending
        self.supply = other.supply[:]
        self.empty = other.empty[:]
        self.laden = other.laden[:]
        self.occupied = other.occupied[:]
        self.camels = other.camels
        self.theft_markers = other.theft_markers
        self.demand_markers = other.demand_markers
        self.delivered = other.delivered
        self.space_goods = other.space_goods[:]
        self.space_markers = other.space_markers[:]
        self.goods_on_spaces = other.goods_on_spaces
        self.bag = other.bag
        self.drawn = other.drawn
        self.bag_left = other.bag_left
        self.stream_words = other.stream_words
        self.events = []
        self.legal = other.legal
        self.good_actions = other.good_actions
        self.seat_views = other.seat_views[:]
        self.space_views = other.space_views

    @property
    def end_armed(self) -> bool:
        """The bag is empty: the next delivery ends the match (C17)."""
        return self.drawn == len(self.bag)

    def camels_anywhere(self) -> int:
        """Return the set of squares on which any camel stands."""
        squares = 0
        for own in self.occupied:
            squares |= own
        return squares

    def may_carry_more(self, seat: int) -> bool:
        """Return whether one more good leaves the seat a camel without (C12)."""
        return len(self.laden[seat]) < self.setup.most_laden

    def goods_delivered(self, seat: int) -> int:
        """Return the number of goods that the seat has delivered."""
        return sum(self.delivered[KINDS * seat : KINDS * (seat + 1)])

    def score(self, seat: int) -> int:
        """Return the score if the match ended now (C19)."""
        score = self.demand_markers[seat]
        first = KINDS * seat
        for kind in range(KINDS):
            score += POINTS[kind] * self.delivered[first + kind]
        carried = len(self.laden[seat])
        return score - carried * (carried - 1) // 2


def plus(numbers: tuple[int, ...], index: int, more: int) -> tuple[int, ...]:
    """Return the numbers, with so many more at the index."""
    changed = list(numbers)
    changed[index] += more
    return tuple(changed)
