"""Events of Ahldarahd on the wire, and in words."""

from collections.abc import Callable
from typing import Any, Final

from arena.codecs.ahldarahd.pieces import CARD, COMMODITY, LOT
from arena.codecs.event_table import EventTable
from arena.codecs.record import TUPLE, Convert, one_of, several, wire_enum
from arena.games.ahldarahd.v1 import ahldarahd_pb2
from engine.ahldarahd import events
from engine.ahldarahd.events import Card, Ending
from engine.ahldarahd.notation import card_name, lot_name
from engine.game import Event


def _card(card: Card) -> str:
    return card_name(card.commodity, card.colour)


def _turn_began(event: events.TurnBegan) -> str:
    cards = ", ".join(map(_card, event.revealed)) or "no card"
    return f"Turn {event.turn} begins; turned up: {cards}."


def _night(event: events.Night) -> str:
    chips = "a black chip" if event.black == 1 else f"{event.black} black chips"
    if event.card is None:
        return f"Seat {event.seat} draws {chips}, but the deck is empty: no Night comes."
    return f"Seat {event.seat} draws {chips}: the Night comes to {event.card.commodity.name.lower()}."


def _by_seat(values: tuple[int, ...]) -> str:
    return ", ".join(f"seat {seat} {value}" for seat, value in enumerate(values))


_SENTENCES: Final[dict[type[Event], Callable[[Any], str]]] = {
    events.TurnBegan: _turn_began,
    events.Won: lambda e: f"Seat {e.seat} wins {lot_name(e.lot)} for {e.bid} gold.",
    events.Control: lambda e: f"Seat {e.seat} takes {e.city.name.lower()} on map {e.map}: {e.gold} gold.",
    events.Removed: lambda e: f"Route {e.route} of seat {e.seat} on map {e.map} comes off.",
    events.Lost: lambda e: f"Seat {e.seat} loses {e.city.name.lower()} on map {e.map}.",
    events.Paid: lambda e: f"Seat {e.seat} pays {e.gold} gold.",
    events.Destroyed: lambda e: (
        f"Seat {e.seat} destroys route {e.route} of seat {e.owner} on map {e.map} for {e.gold} gold."
    ),
    events.Sold: lambda e: f"Seat {e.seat} gets {e.gold} gold for it.",
    events.Night: _night,
    events.Ransom: lambda e: f"The ransom is paid: {_by_seat(e.paid)}.",
    events.Stall: lambda e: f"Nobody has auctioned a card: {_card(e.card)} is discarded.",
    events.Ended: lambda e: f"The match ends ({e.ending.name}): {_by_seat(e.scores)}.",
}

EVENTS: Final = EventTable(
    "Caravans of Ahldarahd",
    ahldarahd_pb2.Event,
    _SENTENCES,
    {
        "city": wire_enum(COMMODITY),
        "lot": LOT,
        "card": CARD,
        (events.Night, "card"): CARD._replace(optional=True),
        "revealed": several(CARD),
        "paid": TUPLE,
        "scores": TUPLE,
        "placings": TUPLE,
        (events.Ended, "gold"): TUPLE,
        "map": Convert(name="on_map"),
        "bid": Convert(name="gold"),
        "ending": one_of(tuple(Ending)),
    },
)
