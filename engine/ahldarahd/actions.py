"""Actions as ints: a public packing (A48).

::

    bits 28-31  kind: SETUP_ROUTES ... LOSE_ROUTE
    SETUP_ROUTES      bits 8-12 the lower route, bits 0-4 the higher one
    OPEN_AUCTION      bits 21-27 the lot, bits 0-20 the bid
    BID, PLEDGE       bits 0-20 the gold
    GIVE_SHAH, SELL   bits 0-2 the seat; the map whose Right is sold
    CLAIM, BUY, DESTROY, LOSE_ROUTE
                      bits 16-18 the map, bits 8-12 the route, bits 4-7 and 0-3 payments: BUY_PAYMENT, or 1 + the
                      place of the card's commodity in alphabetical order; CLAIM has the second one only, DESTROY both,
                      ascending

A lot is a card of the row, 10 * colour + commodity, or ITEM_LOT + an item. Items are SHAH, EYES, QUEEN, RIGHTS + map.

An offer is legal but never listed, and wider than 32 bits: bit 124, bits 120-122 the seat it is made to, and two sides,
`want` from bit 0 and `give` from bit 60 on, each with 3 bits a commodity in alphabetical order, from bit 30 on 21 bits
of gold and from bit 51 on a bit an item.
"""

from typing import Final

from engine.ahldarahd.board import ALPHABETICAL, KINDS

SETUP_ROUTES: Final = 0
OPEN_AUCTION: Final = 1
BID: Final = 2
PASS: Final = 3
GIVE_SHAH: Final = 4
CLAIM: Final = 5
BUY: Final = 6
DESTROY: Final = 7
SELL: Final = 8
DONE: Final = 9
ACCEPT: Final = 10
DECLINE: Final = 11
AVERT: Final = 12
PLEDGE: Final = 13
LOSE_ROUTE: Final = 14

KIND_NAMES: Final = (
    "setup_routes",
    "open_auction",
    "bid",
    "pass",
    "give_shah",
    "claim",
    "buy",
    "destroy",
    "sell",
    "done",
    "accept",
    "decline",
    "avert",
    "pledge",
    "lose_route",
)

KIND_SHIFT: Final = 28
LOT_SHIFT: Final = 21
LOT_MASK: Final = 0x7F
GOLD_MASK: Final = (1 << LOT_SHIFT) - 1
MOST_GOLD: Final = GOLD_MASK
MAP_SHIFT: Final = 16
MAP_MASK: Final = 0b111
ROUTE_SHIFT: Final = 8
ROUTE_MASK: Final = 0x1F
FIRST_SHIFT: Final = 4
PAYMENT_MASK: Final = 0xF

BUY_PAYMENT: Final = 0
"""The payment without a card; it comes first in alphabetical order, too."""

PAYMENT_OF: Final = [1 + ALPHABETICAL.index(commodity) for commodity in range(KINDS)]
"""By commodity: the payment with such a card."""

COMMODITY_OF: Final = [-1, *ALPHABETICAL]
"""By payment: the commodity of the card, -1 for BUY_PAYMENT."""

SHAH: Final = 0
EYES: Final = 1
QUEEN: Final = 2
RIGHTS: Final = 3
"""The Right of Passage of map m is the item RIGHTS + m."""

ITEM_LOT: Final = 64
"""Lots from here on are items."""

OFFER: Final = 1 << 124
TARGET_SHIFT: Final = 120
GIVE_SHIFT: Final = 60

FIELDS: Final = (
    ROUTE_MASK << ROUTE_SHIFT | ROUTE_MASK,
    LOT_MASK << LOT_SHIFT | GOLD_MASK,
    GOLD_MASK,
    0,
    MAP_MASK,
    MAP_MASK << MAP_SHIFT | ROUTE_MASK << ROUTE_SHIFT | PAYMENT_MASK,
    MAP_MASK << MAP_SHIFT | ROUTE_MASK << ROUTE_SHIFT,
    MAP_MASK << MAP_SHIFT | ROUTE_MASK << ROUTE_SHIFT | PAYMENT_MASK << FIRST_SHIFT | PAYMENT_MASK,
    MAP_MASK,
    0,
    0,
    0,
    0,
    GOLD_MASK,
    MAP_MASK << MAP_SHIFT | ROUTE_MASK << ROUTE_SHIFT,
)
"""By kind, the bits that its fields take."""


def card_lot(commodity: int, colour: int) -> int:
    """Return the lot of a card."""
    return KINDS * colour + commodity


def setup_routes(a: int, b: int) -> int:
    """Return two free routes, a < b (A8)."""
    return SETUP_ROUTES << KIND_SHIFT | a << ROUTE_SHIFT | b


def open_auction(lot: int, bid: int) -> int:
    """Return the opening of a lot with a bid (A12)."""
    return OPEN_AUCTION << KIND_SHIFT | lot << LOT_SHIFT | bid


def raise_to(gold: int) -> int:
    """Return a bid (A13)."""
    return BID << KIND_SHIFT | gold


PASS_ACTION: Final = PASS << KIND_SHIFT
DONE_ACTION: Final = DONE << KIND_SHIFT
ACCEPT_ACTION: Final = ACCEPT << KIND_SHIFT
DECLINE_ACTION: Final = DECLINE << KIND_SHIFT
AVERT_ACTION: Final = AVERT << KIND_SHIFT


def give_shah(to: int) -> int:
    """Return who gets the Shah (A16)."""
    return GIVE_SHAH << KIND_SHIFT | to


def claim(map_: int, route: int, commodity: int) -> int:
    """Return the claim of a route for a gold and a card (A19)."""
    return CLAIM << KIND_SHIFT | _place(map_, route) | PAYMENT_OF[commodity]


def buy(map_: int, route: int) -> int:
    """Return the purchase of a route for its price (A20)."""
    return BUY << KIND_SHIFT | _place(map_, route)


def destroy(map_: int, route: int, first: int, second: int) -> int:
    """Another seat's route for two payments, in any order (A26)."""
    low, high = (first, second) if first <= second else (second, first)
    return DESTROY << KIND_SHIFT | _place(map_, route) | low << FIRST_SHIFT | high


def sell(map_: int) -> int:
    """Return the sale of the Right of that map (A27)."""
    return SELL << KIND_SHIFT | map_


def pledge(gold: int) -> int:
    """Return an addition to a ransom (A41)."""
    return PLEDGE << KIND_SHIFT | gold


def lose_route(map_: int, route: int) -> int:
    """Return the choice of the route that comes off in a Night (A42)."""
    return LOSE_ROUTE << KIND_SHIFT | _place(map_, route)


def is_offer(action: int) -> bool:
    """Return whether the action is packed as an offer."""
    return action >> TARGET_SHIFT + 3 == OFFER >> TARGET_SHIFT + 3


def kind_of(action: int) -> int:
    """SETUP_ROUTES ... LOSE_ROUTE; greater for offers and for what is no action."""
    return action >> KIND_SHIFT


def lot_of(action: int) -> int:
    """Return the lot of an opening."""
    return action >> LOT_SHIFT & LOT_MASK


def gold_of(action: int) -> int:
    """Return the gold of an opening, a bid or a pledge."""
    return action & GOLD_MASK


def seat_of(action: int) -> int:
    """Return to whom the Shah goes, or the map of a Right that is sold."""
    return action & MAP_MASK


def map_of(action: int) -> int:
    """Return the map of a route."""
    return action >> MAP_SHIFT & MAP_MASK


def route_of(action: int) -> int:
    """Return the route; of SETUP_ROUTES the lower one."""
    return action >> ROUTE_SHIFT & ROUTE_MASK


def second_route_of(action: int) -> int:
    """Return the higher route of SETUP_ROUTES."""
    return action & ROUTE_MASK


def payments_of(action: int) -> tuple[int, int]:
    """Return the two payments of DESTROY, ascending; the second one is that of CLAIM."""
    return action >> FIRST_SHIFT & PAYMENT_MASK, action & PAYMENT_MASK


def _place(map_: int, route: int) -> int:
    return map_ << MAP_SHIFT | route << ROUTE_SHIFT
