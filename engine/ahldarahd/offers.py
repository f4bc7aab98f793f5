"""Offers of a trade (A44), and how they are packed as actions (`engine.ahldarahd.actions`)."""

from typing import Final, NamedTuple

from engine.ahldarahd.actions import GIVE_SHIFT, GOLD_MASK, LOT_SHIFT, MAP_MASK, OFFER, TARGET_SHIFT
from engine.ahldarahd.board import ALPHABETICAL, KINDS

_SIDE_MASK: Final = (1 << GIVE_SHIFT) - 1
_CARD_BITS: Final = 3
_CARD_MASK: Final = (1 << _CARD_BITS) - 1
_GOLD_SHIFT: Final = _CARD_BITS * KINDS
_ITEM_SHIFT: Final = _GOLD_SHIFT + LOT_SHIFT
_ITEM_BITS: Final = GIVE_SHIFT - _ITEM_SHIFT


class Side(NamedTuple):
    """What one side of an offer holds (A44)."""

    cards: tuple[int, ...]
    """By commodity, how many."""
    gold: int
    items: tuple[int, ...]
    """Ascending, each once."""


EMPTY_SIDE: Final = Side((0,) * KINDS, 0, ())


class Offer(NamedTuple):
    """A trade that one seat offers to another (A44)."""

    to: int
    give: Side
    want: Side


def make_offer(offer: Offer) -> int:
    """Return the offer as an action."""
    sides = _pack_side(offer.give) << GIVE_SHIFT | _pack_side(offer.want)
    return OFFER | offer.to << TARGET_SHIFT | sides


def offer_of(action: int) -> Offer:
    """Return the offer that an action is."""
    return Offer(
        action >> TARGET_SHIFT & MAP_MASK,
        _side(action >> GIVE_SHIFT & _SIDE_MASK),
        _side(action & _SIDE_MASK),
    )


def _pack_side(side: Side) -> int:
    packed = side.gold << _GOLD_SHIFT
    for place, commodity in enumerate(ALPHABETICAL):
        packed |= side.cards[commodity] << _CARD_BITS * place
    for item in side.items:
        packed |= 1 << _ITEM_SHIFT + item
    return packed


def _side(packed: int) -> Side:
    cards = [0] * KINDS
    for place, commodity in enumerate(ALPHABETICAL):
        cards[commodity] = packed >> _CARD_BITS * place & _CARD_MASK
    items = tuple([item for item in range(_ITEM_BITS) if packed >> _ITEM_SHIFT + item & 1])
    return Side(tuple(cards), packed >> _GOLD_SHIFT & GOLD_MASK, items)
