"""The feature list of Caravan: boards as planes of rows and columns, laden camels as a table."""

from collections.abc import Sequence
from typing import Final

from arena.research.features import (
    LARGEST,
    NONE,
    ActionField,
    Bits,
    Feature,
    GameFeatures,
    one,
    per_seat,
)
from engine.caravan.actions import (
    AT_SHIFT,
    GOOD_SHIFT,
    KIND_NAMES,
    KIND_SHIFT,
    MOVE,
    MOVE_GOOD,
    PICK_UP,
    PLACE,
    STEAL,
    VICTIM_SHIFT,
)
from engine.caravan.board import GOODS_SPACES, MAX_SQUARES, Board, load_board
from engine.caravan.goods import GOODS, NO_GOOD
from engine.caravan.observation import Observation
from engine.caravan.options import Options
from engine.caravan.state import MOST_POINTS

_KINDS: Final = len(GOODS)
_MOST_GOODS: Final = 48
"""In a match (C4)."""
_CAMEL_FIELDS: Final = 3


class CaravanFeatures(GameFeatures):
    """What a seat sees of Caravan."""

    kinds = KIND_NAMES
    kind_shift = KIND_SHIFT
    fields = (
        ActionField("to", "The target square.", {PLACE: Bits(0, 8), MOVE: Bits(0, 8), MOVE_GOOD: Bits(0, 8)}),
        ActionField(
            "at",
            "The square on which the action starts.",
            dict.fromkeys((MOVE, PICK_UP, STEAL, MOVE_GOOD), Bits(AT_SHIFT, 8)),
        ),
        ActionField("victim", "The seat that is stolen from.", {STEAL: Bits(VICTIM_SHIFT, 2)}),
        ActionField(
            "good", "The kind of good.", {STEAL: Bits(GOOD_SHIFT, 3), MOVE_GOOD: Bits(GOOD_SHIFT, 3)}
        ),
        ActionField("protected", "1 if the good is protected.", {MOVE_GOOD: Bits(8, 1)}),
    )

    def features(self, seats: int, options: Options) -> tuple[Feature, ...]:
        """Return the features; the board's rows and columns and the number of camels are axes."""
        return (
            *_of_the_turn(seats),
            *_of_the_seats(seats, options.camels, load_board(options.board)),
            *_of_the_goods(),
        )

    def most_actions(self, seats: int, options: Options) -> int:
        """Return the most over all divisions of the camels into empty ones, laden ones and those in the supply."""
        board = load_board(options.board)
        squares, camels = board.rows * board.columns, options.camels
        stolen = (seats - 1) * (camels - 1)
        most = 0
        for empty in range(camels + 1):
            for laden in range(camels - empty + 1):
                placed = squares if empty + laden < camels else 0
                moved = empty * (squares - 1)
                with_goods = min(empty, GOODS_SPACES) + (stolen if empty else 0) + empty * laden
                most = max(most, 1 + placed + moved + with_goods)
        return most


def _of_the_turn(seats: int) -> tuple[Feature, ...]:
    return (
        one("viewer", NONE, seats - 1, "The seat that sees this.", lambda view: view.viewer),
        one(
            "to_act",
            NONE,
            seats - 1,
            "The seat that decides.",
            lambda view: view.seat_to_act if view.ending is None else None,
        ),
        one("turn", 1, LARGEST, "The running turn, from 1.", lambda view: view.turn),
        one("points", 0, MOST_POINTS, "Action points left in this turn.", lambda view: view.points),
        one(
            "idle",
            0,
            1,
            "1 if nothing was picked up, stolen or delivered in this turn.",
            lambda view: view.idle,
        ),
        one("idle_turns", 0, LARGEST, "Idle turns in a row before this one.", lambda view: view.idle_turns),
        one(
            "end_armed",
            0,
            1,
            "1 if the bag is empty: the next delivery ends the match.",
            lambda view: view.end_armed,
        ),
    )


def _of_the_seats(seats: int, camels: int, board: Board) -> tuple[Feature, ...]:
    most_laden, squares = camels - 1, board.rows * board.columns
    return (
        per_seat(
            seats, "supply", 0, camels, "By seat: camels not yet on the board.", lambda seat: seat.supply
        ),
        Feature(
            "empty_camels",
            (seats, board.rows, board.columns),
            0,
            camels,
            "By seat, row and column: camels there without a good.",
            lambda view: _empty_camels(view, squares),
        ),
        Feature(
            "laden_camels",
            (seats, most_laden, _CAMEL_FIELDS),
            NONE,
            MAX_SQUARES - 1,
            "By seat and camel: its square (row * columns + column), the kind of its good, 1 if it is protected.",
            lambda view: _laden_camels(view, most_laden),
        ),
        per_seat(
            seats, "theft_markers", 0, LARGEST, "By seat: theft markers.", lambda seat: seat.theft_markers
        ),
        per_seat(
            seats, "demand_markers", 0, LARGEST, "By seat: demand markers.", lambda seat: seat.demand_markers
        ),
        Feature(
            "delivered",
            (seats, _KINDS),
            0,
            _MOST_GOODS,
            "By seat and kind of good: delivered goods.",
            lambda view: [count for seat in view.seats for count in seat.delivered],
        ),
        per_seat(
            seats,
            "score",
            -LARGEST,
            LARGEST,
            "By seat: points if the match ended now.",
            lambda seat: seat.score,
        ),
    )


def _of_the_goods() -> tuple[Feature, ...]:
    return (
        Feature(
            "space_goods",
            (GOODS_SPACES,),
            NONE,
            _KINDS - 1,
            "By goods space: the kind of good there.",
            lambda view: [NO_GOOD if space.good is None else space.good for space in view.goods_spaces],
        ),
        Feature(
            "space_markers",
            (GOODS_SPACES,),
            0,
            LARGEST,
            "By goods space: demand markers there.",
            lambda view: [space.demand_markers for space in view.goods_spaces],
        ),
        Feature("bag", (_KINDS,), 0, _MOST_GOODS, "By kind of good: left in the bag.", lambda view: view.bag),
    )


def _empty_camels(view: Observation, squares: int) -> list[int]:
    planes = [0] * (squares * len(view.seats))
    for seat, seen in enumerate(view.seats):
        for square, camels in seen.empty_camels:
            planes[squares * seat + square] = camels
    return planes


def _laden_camels(view: Observation, most: int) -> Sequence[int]:
    table: list[int] = []
    for seen in view.seats:
        for square, good, protected in seen.laden_camels:
            table += (square, good, protected)
        table += [NONE] * (_CAMEL_FIELDS * (most - len(seen.laden_camels)))
    return table


FEATURES = CaravanFeatures()
