"""Actions of Ahldarahd on the wire."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

from arena.codecs.ahldarahd.pieces import (
    COMMODITY,
    gold_of,
    lot_message,
    lot_of,
    offer_message,
    offer_of,
    seat_of,
)
from arena.codecs.validation import many_of, no_kind, number_of
from arena.games.ahldarahd.v1 import ahldarahd_pb2
from arena.v1 import games_pb2
from engine.ahldarahd import actions
from engine.ahldarahd.actions import (
    BUY_PAYMENT,
    COMMODITY_OF,
    PAYMENT_OF,
    is_offer,
    kind_of,
    map_of,
    payments_of,
    route_of,
    second_route_of,
)
from engine.ahldarahd.board import ROUTES
from engine.game import UnreadableActionError

_PAYMENTS: Final = 2
"""Of a destruction (A26)."""


@lru_cache(maxsize=16384)
def action_bytes(action: int) -> bytes:
    """Return a serialised `arena.v1.Action`."""
    return games_pb2.Action(ahldarahd=_message(action)).SerializeToString()


def action_of(message: ahldarahd_pb2.Action) -> int:
    """Return the action. Raises UnreadableActionError, naming the wrong field."""
    kind = message.WhichOneof("kind")
    if kind is None:
        raise no_kind(_FROM_WIRE)
    return _FROM_WIRE[kind](getattr(message, kind))


def _message(action: int) -> ahldarahd_pb2.Action:
    if is_offer(action):
        return ahldarahd_pb2.Action(offer=offer_message(actions.offer_of(action)))
    kind = kind_of(action)
    if not 0 <= kind < len(_TO_WIRE):
        raise ValueError(f"{action:#x} is no action of Caravans of Ahldarahd")
    field, message = _TO_WIRE[kind](action)
    return ahldarahd_pb2.Action(**{field: message})


def _place(action: int) -> dict[str, int]:
    return {"on_map": map_of(action), "route": route_of(action)}


def _cards(payments: tuple[int, ...]) -> list[Any]:
    return [COMMODITY.value(COMMODITY_OF[payment]) for payment in payments if payment != BUY_PAYMENT]


_TO_WIRE: Final[list[Callable[[int], tuple[str, Any]]]] = [
    lambda action: (
        "setup_routes",
        ahldarahd_pb2.SetupRoutes(routes=(route_of(action), second_route_of(action))),
    ),
    lambda action: (
        "open_auction",
        ahldarahd_pb2.OpenAuction(lot=lot_message(actions.lot_of(action)), gold=actions.gold_of(action)),
    ),
    lambda action: ("bid", ahldarahd_pb2.Bid(gold=actions.gold_of(action))),
    lambda _action: ("pass_action", ahldarahd_pb2.Pass()),
    lambda action: ("give_shah", ahldarahd_pb2.GiveShah(to=actions.seat_of(action))),
    lambda action: (
        "claim",
        ahldarahd_pb2.Claim(**_place(action), card=_cards(payments_of(action)[1:])[0]),
    ),
    lambda action: ("buy", ahldarahd_pb2.Buy(**_place(action))),
    lambda action: ("destroy", ahldarahd_pb2.Destroy(**_place(action), cards=_cards(payments_of(action)))),
    lambda action: ("sell", ahldarahd_pb2.Sell(right=actions.seat_of(action))),
    lambda _action: ("done", ahldarahd_pb2.Done()),
    lambda _action: ("accept", ahldarahd_pb2.Accept()),
    lambda _action: ("decline", ahldarahd_pb2.Decline()),
    lambda _action: ("avert", ahldarahd_pb2.Avert()),
    lambda action: ("pledge", ahldarahd_pb2.Pledge(gold=actions.gold_of(action))),
    lambda action: ("lose_route", ahldarahd_pb2.LoseRoute(**_place(action))),
]
"""By kind of action: the field of the message, and what stands in it."""


def _routes(wire: ahldarahd_pb2.SetupRoutes) -> int:
    a, b = many_of("setup_routes.routes", wire.routes, _PAYMENTS)
    return actions.setup_routes(_route("setup_routes.routes", a), _route("setup_routes.routes", b))


def _route(field: str, route: int) -> int:
    return number_of(field, route, 1, ROUTES)


def _on_map(kind: str, wire: Any) -> tuple[int, int]:
    return seat_of(f"{kind}.on_map", wire.on_map), _route(f"{kind}.route", wire.route)


def _destroy(wire: ahldarahd_pb2.Destroy) -> int:
    if len(wire.cards) > _PAYMENTS:
        raise UnreadableActionError(
            f"The field destroy.cards has {len(wire.cards)} cards: there are two payments."
        )
    payments = [PAYMENT_OF[COMMODITY.member("destroy.cards", card)] for card in wire.cards]
    first, second = payments + [BUY_PAYMENT] * (_PAYMENTS - len(payments))
    return actions.destroy(*_on_map("destroy", wire), first, second)


_FROM_WIRE: Final[dict[str, Callable[[Any], int]]] = {
    "setup_routes": _routes,
    "open_auction": lambda wire: actions.open_auction(
        lot_of("open_auction.lot", wire.lot), gold_of("open_auction.gold", wire.gold)
    ),
    "bid": lambda wire: actions.raise_to(gold_of("bid.gold", wire.gold)),
    "pass_action": lambda _wire: actions.PASS_ACTION,
    "give_shah": lambda wire: actions.give_shah(seat_of("give_shah.to", wire.to)),
    "claim": lambda wire: actions.claim(*_on_map("claim", wire), COMMODITY.member("claim.card", wire.card)),
    "buy": lambda wire: actions.buy(*_on_map("buy", wire)),
    "destroy": _destroy,
    "sell": lambda wire: actions.sell(seat_of("sell.right", wire.right)),
    "done": lambda _wire: actions.DONE_ACTION,
    "offer": lambda wire: actions.make_offer(offer_of(wire)),
    "accept": lambda _wire: actions.ACCEPT_ACTION,
    "decline": lambda _wire: actions.DECLINE_ACTION,
    "avert": lambda _wire: actions.AVERT_ACTION,
    "pledge": lambda wire: actions.pledge(gold_of("pledge.gold", wire.gold)),
    "lose_route": lambda wire: actions.lose_route(*_on_map("lose_route", wire)),
}
"""By field of the message: the action."""
