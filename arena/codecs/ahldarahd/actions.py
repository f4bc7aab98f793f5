"""Actions of Ahldarahd on the wire."""

from collections.abc import Sequence
from typing import Final

from arena.codecs.action_table import ActionTable, Field, Kind, packed
from arena.codecs.ahldarahd.pieces import COMMODITY, GOLD, LOT, OFFER, SEAT
from arena.codecs.record import Convert, number, wire_enum
from arena.codecs.validation import many_of
from arena.games.ahldarahd.v1 import ahldarahd_pb2
from engine.ahldarahd import actions, offers
from engine.ahldarahd.actions import BUY_PAYMENT, COMMODITY_OF, PAYMENT_OF, is_offer, payments_of, route_of
from engine.ahldarahd.board import ROUTES
from engine.game import UnreadableActionError

_PAYMENTS: Final = 2
"""Of a destruction (A26)."""


def _routes(field: str, wire: Sequence[int]) -> list[int]:
    return [_ROUTE.read(field, route) for route in many_of(field, wire, 2)]


def _cards(payments: Sequence[int]) -> list[int]:
    return [COMMODITY.value(COMMODITY_OF[payment]) for payment in payments if payment != BUY_PAYMENT]


def _payments(field: str, wire: Sequence[int]) -> list[int]:
    if len(wire) > _PAYMENTS:
        raise UnreadableActionError(f"The field {field} has {len(wire)} cards: there are two payments.")
    payments = [PAYMENT_OF[COMMODITY.member(field, card)] for card in wire]
    return payments + [BUY_PAYMENT] * (_PAYMENTS - len(payments))


_ROUTE: Final = number(1, ROUTES)
_ON_MAP: Final = Field("on_map", actions.map_of, SEAT), Field("route", route_of, _ROUTE)
_GOLD: Final = Field("gold", actions.gold_of, GOLD)

ACTIONS: Final = ActionTable(
    "Caravans of Ahldarahd",
    ahldarahd_pb2.Action,
    actions.KIND_SHIFT,
    [
        packed(
            "setup_routes",
            lambda routes: actions.setup_routes(routes[0], routes[1]),
            Field(
                "routes",
                lambda action: (route_of(action), actions.second_route_of(action)),
                Convert(read=_routes),
            ),
        ),
        packed("open_auction", actions.open_auction, Field("lot", actions.lot_of, LOT), _GOLD),
        packed("bid", actions.raise_to, _GOLD),
        packed("give_shah", actions.give_shah, Field("to", actions.seat_of, SEAT)),
        packed(
            "claim",
            actions.claim,
            *_ON_MAP,
            Field("card", lambda action: COMMODITY_OF[payments_of(action)[1]], wire_enum(COMMODITY)),
        ),
        packed("buy", actions.buy, *_ON_MAP),
        packed(
            "destroy",
            lambda on_map, route, paid: actions.destroy(on_map, route, paid[0], paid[1]),
            *_ON_MAP,
            Field("cards", payments_of, Convert(_cards, _payments)),
        ),
        packed("sell", actions.sell, Field("right", actions.seat_of, SEAT)),
        Kind(
            "offer",
            lambda action: OFFER.write(offers.offer_of(action)),
            lambda wire: offers.make_offer(OFFER.read("offer", wire)),
        ),
        packed("pledge", actions.pledge, _GOLD),
        packed("lose_route", actions.lose_route, *_ON_MAP),
    ],
    unnumbered="offer",
    is_unnumbered=is_offer,
)
