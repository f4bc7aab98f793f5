"""What can be computed once for all matches: sets of cities, pieces of legal lists, who sits where.

A set of cities or seats is an int with one bit each; a piece of a legal list is its uint32 actions as bytes.
"""

from array import array
from functools import cache
from typing import Final

from engine.ahldarahd import board
from engine.ahldarahd.actions import (
    BUY_PAYMENT,
    ITEM_LOT,
    PAYMENT_OF,
    buy,
    claim,
    destroy,
    open_auction,
    raise_to,
    sell,
)
from engine.ahldarahd.board import KINDS, ROUTES
from engine.ahldarahd.options import MAX_SEATS

ACTION_BYTES: Final = 4

ENDS: Final = [0, *(1 << board.END_A[route] | 1 << board.END_B[route] for route in range(1, ROUTES + 1))]
"""By route: the set of its two cities."""

FIRST_END: Final = [
    min(board.END_A[route], board.END_B[route], key=board.ALPHABETICAL.index) for route in range(ROUTES + 1)
]
"""By route: that of its cities whose name comes first, as in payments (A48)."""

SECOND_END: Final = [
    max(board.END_A[route], board.END_B[route], key=board.ALPHABETICAL.index) for route in range(ROUTES + 1)
]
"""By route: the other one."""

SEA_ROUTE: Final = board.SEA_ROUTE
ROUTES_AT: Final = board.ROUTES_AT
MAJORITY: Final = board.MAJORITY
NUMBERS: Final = board.NUMBERS
PRICES: Final = board.PRICES
"""Those of the board, where compiled code finds them at once."""

AROUND: Final = [
    [tuple([(seat + step) % seats for step in range(seats)]) for seat in range(seats)]
    for seats in range(MAX_SEATS + 1)
]
"""By number of seats and seat: the seats clockwise from it, it first (A1)."""

HOLDINGS: Final = 9
"""Ways to hold cards of a route's two cities: none, one, or two and more of each; 3 * first + second."""

_PRICED: Final = 256
_BIDS: Final = 64
"""Numbers of gold up to which pieces of lists are made beforehand."""

_RAISES: Final = array("I", [raise_to(gold) for gold in range(_PRICED)]).tobytes()


class MapActions:
    """Pieces of the legal list that concern one map, by route."""

    __slots__ = ("buys", "claims", "destructions", "sale")

    def __init__(self, map_: int) -> None:
        """Make the pieces of the map of that number."""
        self.claims: list[bytes] = [
            _claims(map_, route, holding) for route in range(ROUTES + 1) for holding in range(HOLDINGS)
        ]
        """At HOLDINGS * route + how the seat holds cards of its cities."""
        self.buys: list[bytes] = [packed_bytes([buy(map_, route)]) for route in range(ROUTES + 1)]
        self.destructions: list[list[bytes]] = [
            [
                _destructions(map_, route, holding, bought)
                for route in range(ROUTES + 1)
                for holding in range(HOLDINGS)
            ]
            for bought in range(3)
        ]
        """By how many of the two payments may be purchases: as `claims`."""
        self.sale: bytes = packed_bytes([sell(map_)])


@cache
def map_actions(map_: int) -> MapActions:
    """Return the pieces of a map, made once."""
    return MapActions(map_)


def packed_bytes(actions: list[int]) -> bytes:
    """Return actions as a piece of a legal list."""
    return array("I", actions).tobytes()


def raises(above: int, most: int) -> bytes:
    """Return the bids above the standing one, up to so much gold (A13)."""
    if most < _PRICED:
        return _RAISES[ACTION_BYTES * (above + 1) : ACTION_BYTES * (most + 1)]
    return array("I", range(raise_to(above + 1), raise_to(most + 1))).tobytes()


def openings(lot: int, most: int) -> bytes:
    """Return the openings of a lot with bids of 0 up to so much gold (A12)."""
    if most < _BIDS:
        return _OPENINGS[lot][: ACTION_BYTES * (most + 1)]
    return _opened(lot, most)


def _opened(lot: int, most: int) -> bytes:
    return array("I", range(open_auction(lot, 0), open_auction(lot, most + 1))).tobytes()


_OPENINGS: Final = [_opened(lot, _BIDS - 1) for lot in range(2 * ITEM_LOT)]
"""By lot."""


def _held(route: int, holding: int) -> list[tuple[int, int]]:
    """Return the cities of the route with cards, in alphabetical order, and how many, 2 for two and more."""
    counts = ((FIRST_END[route], holding // 3), (SECOND_END[route], holding % 3))
    return [(city, count) for city, count in counts if count]


def _claims(map_: int, route: int, holding: int) -> bytes:
    return packed_bytes([claim(map_, route, city) for city, _ in _held(route, holding)])


def _destructions(map_: int, route: int, holding: int, bought: int) -> bytes:
    """Return the destructions with up to so many purchases among their two payments (A26)."""
    held = _held(route, holding)
    cards = [PAYMENT_OF[city] for city, _ in held]
    found = [destroy(map_, route, BUY_PAYMENT, BUY_PAYMENT)] if bought == 2 else []
    if bought:
        found += [destroy(map_, route, BUY_PAYMENT, card) for card in cards]
    found += [destroy(map_, route, PAYMENT_OF[city], PAYMENT_OF[city]) for city, count in held if count > 1]
    if len(cards) == 2:
        found.append(destroy(map_, route, cards[0], cards[1]))
    return packed_bytes(sorted(found))


assert KINDS * MAX_SEATS <= ITEM_LOT, "lots of cards come before those of items"
