"""Commodities, cards, items, lots and offers as messages, and back."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from arena.codecs.record import Convert, Record, number, wire_enum
from arena.codecs.validation import WireEnum, many_of, number_of
from arena.games.ahldarahd.v1 import ahldarahd_pb2
from engine.ahldarahd.actions import ITEM_LOT, MOST_GOLD, RIGHTS, card_lot
from engine.ahldarahd.board import COMMODITIES, KINDS
from engine.ahldarahd.events import Card
from engine.ahldarahd.offers import EMPTY_SIDE, Offer, Side
from engine.ahldarahd.options import MAX_SEATS
from engine.game import UnreadableActionError

MOST_OF_A_KIND = MAX_SEATS
"""There is a card of each commodity in each colour."""


COMMODITY: Final = WireEnum(COMMODITIES, "a commodity")


SEAT: Final = number(0, MAX_SEATS - 1)
"""A seat or map number; the rules check its range."""

GOLD: Final = number(0, MOST_GOLD)
CARD: Final = Record(Card, ahldarahd_pb2.Card, {"commodity": wire_enum(COMMODITY), "colour": SEAT}).part()


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
        return RIGHTS + number_of(f"{field}.right", wire.right, 0, MAX_SEATS - 1)
    return number_of(f"{field}.favour", wire.favour, 1, RIGHTS) - 1


@lru_cache(maxsize=256)
def lot_message(lot: int) -> ahldarahd_pb2.Lot:
    """Return the lot as a message; not to be changed."""
    if lot >= ITEM_LOT:
        return ahldarahd_pb2.Lot(item=item_message(lot - ITEM_LOT))
    return ahldarahd_pb2.Lot(card=CARD.write(Card(COMMODITIES[lot % KINDS], lot // KINDS)))


def lot_of(field: str, wire: ahldarahd_pb2.Lot) -> int:
    """Return the lot of a message. Raises UnreadableActionError, naming the field."""
    kind = wire.WhichOneof("kind")
    if kind is None:
        raise UnreadableActionError(f"The field {field} is empty: set card or item.")
    if kind == "item":
        return ITEM_LOT + item_of(f"{field}.item", wire.item)
    card: Card = CARD.read(f"{field}.card", wire.card)
    return card_lot(card.commodity, card.colour)


LOT: Final = Convert(lot_message, lot_of)


def _items_of(field: str, wire: Sequence[ahldarahd_pb2.Item]) -> tuple[int, ...]:
    items = [item_of(field, item) for item in wire[: 2 * MAX_SEATS]]
    if len(set(items)) != len(wire):
        raise UnreadableActionError(f"The field {field} names an item twice.")
    return tuple(sorted(items))


def _cards_of(field: str, wire: Iterable[int]) -> tuple[int, ...]:
    return tuple([number_of(field, count, 0, MOST_OF_A_KIND) for count in many_of(field, wire, KINDS)])


_SIDE: Final = Record(
    Side,
    ahldarahd_pb2.Side,
    {
        "cards": Convert(read=_cards_of, optional=True, unset=EMPTY_SIDE.cards),
        "gold": GOLD,
        "items": Convert(lambda items: map(item_message, items), _items_of),
    },
).part()

OFFER: Final = Record(Offer, ahldarahd_pb2.Offer, {"to": SEAT, "give": _SIDE, "want": _SIDE}).part()
