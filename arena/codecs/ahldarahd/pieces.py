"""Commodities, cards, items, lots and offers as messages, and back."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from arena.codecs.validation import WireEnum, many_of, number_of
from arena.games.ahldarahd.v1 import ahldarahd_pb2
from engine.ahldarahd.actions import EMPTY_SIDE, ITEM_LOT, MOST_GOLD, RIGHTS, Offer, Side, card_lot
from engine.ahldarahd.board import COMMODITIES, KINDS
from engine.ahldarahd.events import Card
from engine.ahldarahd.options import MAX_SEATS
from engine.game import UnreadableActionError

MOST_OF_A_KIND = MAX_SEATS
"""There is a card of each commodity in each colour."""


COMMODITY: Final = WireEnum(COMMODITIES, "a commodity")


def gold_of(field: str, gold: int) -> int:
    """Return the number of chips. Raises UnreadableActionError, naming the field."""
    return number_of(field, gold, 0, MOST_GOLD)


def seat_of(field: str, seat: int) -> int:
    """Return a seat or map number; the rules check its range. Raises UnreadableActionError."""
    return number_of(field, seat, 0, MAX_SEATS - 1)


def card_message(card: Card) -> ahldarahd_pb2.Card:
    """Return the card as a message."""
    return ahldarahd_pb2.Card(commodity=COMMODITY.value(card.commodity), colour=card.colour)


def card_of(field: str, wire: ahldarahd_pb2.Card) -> Card:
    """Return the card of a message. Raises UnreadableActionError, naming the field."""
    commodity = COMMODITY.member(f"{field}.commodity", wire.commodity)
    return Card(commodity, seat_of(f"{field}.colour", wire.colour))


def item_message(item: int) -> ahldarahd_pb2.Item:
    """Return the item as a message."""
    if item >= RIGHTS:
        return ahldarahd_pb2.Item(right=item - RIGHTS)
    return ahldarahd_pb2.Item(favour=ahldarahd_pb2.Favour.ValueType(item + 1))


def item_of(field: str, wire: ahldarahd_pb2.Item) -> int:
    """Return the item of a message. Raises UnreadableActionError, naming the field."""
    kind = wire.WhichOneof("kind")
    if kind is None:
        raise UnreadableActionError(f"The field {field} is empty: set favour or right.")
    if kind == "right":
        return RIGHTS + seat_of(f"{field}.right", wire.right)
    return number_of(f"{field}.favour", wire.favour, 1, RIGHTS) - 1


@lru_cache(maxsize=256)
def lot_message(lot: int) -> ahldarahd_pb2.Lot:
    """Return the lot as a message; not to be changed."""
    if lot >= ITEM_LOT:
        return ahldarahd_pb2.Lot(item=item_message(lot - ITEM_LOT))
    return ahldarahd_pb2.Lot(card=card_message(Card(COMMODITIES[lot % KINDS], lot // KINDS)))


def lot_of(field: str, wire: ahldarahd_pb2.Lot) -> int:
    """Return the lot of a message. Raises UnreadableActionError, naming the field."""
    kind = wire.WhichOneof("kind")
    if kind is None:
        raise UnreadableActionError(f"The field {field} is empty: set card or item.")
    if kind == "item":
        return ITEM_LOT + item_of(f"{field}.item", wire.item)
    card = card_of(f"{field}.card", wire.card)
    return card_lot(card.commodity, card.colour)


def offer_message(offer: Offer) -> ahldarahd_pb2.Offer:
    """Return the offer as a message."""
    return ahldarahd_pb2.Offer(to=offer.to, give=_side_message(offer.give), want=_side_message(offer.want))


def offer_of(wire: ahldarahd_pb2.Offer) -> Offer:
    """Return the offer of a message. Raises UnreadableActionError, naming the field."""
    return Offer(
        seat_of("offer.to", wire.to), _side_of("offer.give", wire.give), _side_of("offer.want", wire.want)
    )


def _side_message(side: Side) -> ahldarahd_pb2.Side:
    cards = side.cards if any(side.cards) else ()
    return ahldarahd_pb2.Side(cards=cards, gold=side.gold, items=map(item_message, side.items))


def _side_of(field: str, wire: ahldarahd_pb2.Side) -> Side:
    items = [item_of(f"{field}.items", item) for item in wire.items[: 2 * MAX_SEATS]]
    if len(set(items)) != len(wire.items):
        raise UnreadableActionError(f"The field {field}.items names an item twice.")
    return Side(
        _cards_of(f"{field}.cards", wire.cards), gold_of(f"{field}.gold", wire.gold), tuple(sorted(items))
    )


def _cards_of(field: str, wire: Iterable[int]) -> tuple[int, ...]:
    if not (counts := tuple(wire)):
        return EMPTY_SIDE.cards
    return tuple([number_of(field, count, 0, MOST_OF_A_KIND) for count in many_of(field, counts, KINDS)])
