"""Actions as text: the JSON of A48, with sorted keys and no white space (A49)."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from engine import json_notation
from engine.ahldarahd.actions import (
    ACCEPT_ACTION,
    AVERT_ACTION,
    BUY_PAYMENT,
    COMMODITY_OF,
    DECLINE_ACTION,
    DONE_ACTION,
    EYES,
    ITEM_LOT,
    KIND_NAMES,
    MOST_GOLD,
    PASS_ACTION,
    PAYMENT_OF,
    QUEEN,
    RIGHTS,
    SHAH,
    buy,
    card_lot,
    claim,
    destroy,
    give_shah,
    gold_of,
    is_offer,
    kind_of,
    lose_route,
    lot_of,
    map_of,
    open_auction,
    payments_of,
    pledge,
    raise_to,
    route_of,
    seat_of,
    second_route_of,
    sell,
    setup_routes,
)
from engine.ahldarahd.board import ALPHABETICAL, KINDS, NAMES, ROUTES
from engine.ahldarahd.offers import Offer, Side, make_offer, offer_of
from engine.ahldarahd.options import MAX_SEATS
from engine.game import UnreadableActionError
from engine.json_notation import Fields

_FAVOURS: Final = {"shah": SHAH, "eyes": EYES, "queen": QUEEN}
_MOST_OF_A_KIND: Final = MAX_SEATS
_EXAMPLE: Final = '{"bid":2,"type":"bid"}'
_MOST_TEXT: Final = 2000
"""Longer than any offer."""


def item_name(item: int) -> str:
    """Return the name of an item, for example "shah" or "right:0" (A11)."""
    return f"right:{item - RIGHTS}" if item >= RIGHTS else ("shah", "eyes", "queen")[item]


def card_name(commodity: int, colour: int) -> str:
    """Return the name of a card, for example "gems-2" (A4)."""
    return f"{NAMES[commodity]}-{colour}"


def lot_name(lot: int) -> str:
    """Return the name of a lot, for example "card:gems-2" or "right:0" (A11)."""
    return item_name(lot - ITEM_LOT) if lot >= ITEM_LOT else f"card:{card_name(lot % KINDS, lot // KINDS)}"


def format_action(action: int) -> str:
    """Return the canonical text, for example `{"bid":2,"lot":"eyes","type":"open_auction"}`."""
    fields = _offer_fields(offer_of(action)) if is_offer(action) else _fields(action)
    return json_notation.write(fields)


def side_fields(side: Side) -> Fields:
    """Return a side of an offer as A48 writes it."""
    cards = [NAMES[commodity] for commodity in ALPHABETICAL for _ in range(side.cards[commodity])]
    return {"cards": cards, "gold": side.gold, "items": sorted(map(item_name, side.items))}


def _offer_fields(offer: Offer) -> Fields:
    return {
        "type": "offer",
        "to": offer.to,
        "give": side_fields(offer.give),
        "want": side_fields(offer.want),
    }


def _fields(action: int) -> Fields:
    kind = kind_of(action)
    if not 0 <= kind < len(KIND_NAMES):
        return json_notation.unknown(action)
    name = KIND_NAMES[kind]
    first, second = payments_of(action)
    fields: dict[str, Fields] = {
        "setup_routes": {"routes": [route_of(action), second_route_of(action)]},
        "open_auction": {"lot": lot_name(lot_of(action)), "bid": gold_of(action)},
        "bid": {"bid": gold_of(action)},
        "pledge": {"gold": gold_of(action)},
        "give_shah": {"to": seat_of(action)},
        "sell": {"right": seat_of(action)},
        "claim": {**_place(action), "card": _payment_name(second)},
        "buy": _place(action),
        "destroy": {**_place(action), "pay": [_payment_name(first), _payment_name(second)]},
        "lose_route": _place(action),
    }
    return {"type": name, **fields.get(name, {})}


def _place(action: int) -> Fields:
    return {"map": map_of(action), "route": route_of(action)}


def _payment_name(payment: int) -> str:
    return "buy" if payment == BUY_PAYMENT else NAMES[COMMODITY_OF[min(payment, KINDS)]]


def parse_action(text: str) -> int:
    """Parse the text of `format_action`, keys in any order.

    Raises UnreadableActionError: the text is no action of this game; the message names the field.
    """
    kind, fields = json_notation.read(text, "Caravans of Ahldarahd", _EXAMPLE, _MOST_TEXT)
    if kind not in _READ:
        raise json_notation.unknown_type(kind, list(_READ))
    names, read = _READ[kind]
    json_notation.check_fields(kind, fields, names)
    return read(fields)


def _map(fields: Mapping[str, Any], name: str = "map") -> int:
    return json_notation.number_of(name, fields[name], 0, MAX_SEATS - 1)


def _route(fields: Mapping[str, Any]) -> int:
    return json_notation.number_of("route", fields["route"], 1, ROUTES)


def _gold(fields: Mapping[str, Any], name: str) -> int:
    return json_notation.number_of(name, fields[name], 0, MOST_GOLD)


def _commodity(text: object, field: str) -> int:
    return json_notation.name_of(field, text, NAMES, "a commodity")


def _payment(text: object) -> int:
    return BUY_PAYMENT if text == "buy" else PAYMENT_OF[_commodity(text, "pay")]


def _item(text: object, field: str) -> int:
    if isinstance(text, str):
        if text in _FAVOURS:
            return _FAVOURS[text]
        name, _, number = text.partition(":")
        if name == "right" and number in map(str, range(MAX_SEATS)):
            return RIGHTS + int(number)
    raise UnreadableActionError(f"The field {field} names shah, eyes, queen or right:MAP.")


def _lot(fields: Mapping[str, Any]) -> int:
    text = fields["lot"]
    if isinstance(text, str) and text.startswith("card:"):
        name, _, colour = text.removeprefix("card:").partition("-")
        if colour in map(str, range(MAX_SEATS)):
            return card_lot(_commodity(name, "lot"), int(colour))
        raise UnreadableActionError("The field lot names a card as card:COMMODITY-COLOUR.")
    return ITEM_LOT + _item(text, "lot")


def _routes(fields: Mapping[str, Any]) -> int:
    routes = json_notation.list_of("routes", fields["routes"])
    numbers = [json_notation.number_of("routes", route, 1, ROUTES) for route in routes]
    if len(numbers) != 2 or numbers[0] >= numbers[1]:
        raise UnreadableActionError("The field routes is two routes, the lower one first.")
    return setup_routes(numbers[0], numbers[1])


def _destroy(fields: Mapping[str, Any]) -> int:
    payments = [_payment(each) for each in json_notation.list_of("pay", fields["pay"])]
    if len(payments) != 2 or payments[0] > payments[1]:
        raise UnreadableActionError("The field pay is two payments in alphabetical order.")
    return destroy(_map(fields), _route(fields), payments[0], payments[1])


def _side(fields: Mapping[str, Any], name: str) -> Side:
    side = fields[name]
    if not isinstance(side, dict) or set(side) != {"cards", "gold", "items"}:
        raise UnreadableActionError(f"The field {name} has cards, gold and items, and nothing else.")
    named = [_commodity(card, f"{name}.cards") for card in json_notation.list_of("cards", side["cards"])]
    items = [_item(item, f"{name}.items") for item in json_notation.list_of("items", side["items"])]
    cards = tuple([named.count(commodity) for commodity in range(KINDS)])
    if max(cards) > _MOST_OF_A_KIND:
        raise UnreadableActionError(
            f"The field {name}.cards has at most {_MOST_OF_A_KIND} cards of a commodity."
        )
    if len(set(items)) != len(items):
        raise UnreadableActionError(f"The field {name}.items names each item once.")
    return Side(cards, _gold(side, "gold"), tuple(sorted(items)))


def _offer(fields: Mapping[str, Any]) -> int:
    return make_offer(Offer(_map(fields, "to"), _side(fields, "give"), _side(fields, "want")))


_READ: Final[dict[str, tuple[tuple[str, ...], Callable[[Mapping[str, Any]], int]]]] = {
    "setup_routes": (("routes",), _routes),
    "open_auction": (("lot", "bid"), lambda fields: open_auction(_lot(fields), _gold(fields, "bid"))),
    "bid": (("bid",), lambda fields: raise_to(_gold(fields, "bid"))),
    "pass": ((), lambda _fields: PASS_ACTION),
    "give_shah": (("to",), lambda fields: give_shah(_map(fields, "to"))),
    "claim": (
        ("map", "route", "card"),
        lambda fields: claim(_map(fields), _route(fields), _commodity(fields["card"], "card")),
    ),
    "buy": (("map", "route"), lambda fields: buy(_map(fields), _route(fields))),
    "destroy": (("map", "route", "pay"), _destroy),
    "sell": (("right",), lambda fields: sell(_map(fields, "right"))),
    "offer": (("to", "give", "want"), _offer),
    "done": ((), lambda _fields: DONE_ACTION),
    "accept": ((), lambda _fields: ACCEPT_ACTION),
    "decline": ((), lambda _fields: DECLINE_ACTION),
    "avert": ((), lambda _fields: AVERT_ACTION),
    "pledge": (("gold",), lambda fields: pledge(_gold(fields, "gold"))),
    "lose_route": (("map", "route"), lambda fields: lose_route(_map(fields), _route(fields))),
}
