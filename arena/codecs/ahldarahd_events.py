"""Events of Ahldarahd on the wire, and in words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any, Final

from arena.codecs.ahldarahd_pieces import (
    card_message,
    card_of,
    commodity_number,
    commodity_of,
    lot_message,
    lot_of,
)
from arena.codecs.reading import member_of, unknown_event
from arena.games.ahldarahd.v1 import ahldarahd_pb2
from engine.ahldarahd import events
from engine.ahldarahd.events import Card, Ending, TurnBegan
from engine.ahldarahd.notation import card_name, lot_name
from engine.game import Event

_KINDS: Final[dict[type[Event], tuple[str, Any]]] = {
    events.TurnBegan: ("turn_began", ahldarahd_pb2.TurnBegan),
    events.Won: ("won", ahldarahd_pb2.Won),
    events.Control: ("control", ahldarahd_pb2.Control),
    events.Removed: ("removed", ahldarahd_pb2.Removed),
    events.Lost: ("lost", ahldarahd_pb2.Lost),
    events.Paid: ("paid", ahldarahd_pb2.Paid),
    events.Destroyed: ("destroyed", ahldarahd_pb2.Destroyed),
    events.Sold: ("sold", ahldarahd_pb2.Sold),
    events.Night: ("night", ahldarahd_pb2.NightCame),
    events.Ransom: ("ransom", ahldarahd_pb2.Ransom),
    events.Stall: ("stall", ahldarahd_pb2.Stall),
    events.Ended: ("ended", ahldarahd_pb2.Ended),
}
"""Every event there is: its field in the message `Event`, and its own message."""

_EVENTS: Final = {field: kind for kind, (field, _) in _KINDS.items()}

_WIRE_NAMES: Final = {"map": "on_map", "bid": "gold"}
"""By field of an event, where the wire has another name for it."""

_TO_WIRE: Final[dict[str, Callable[[Any], Any]]] = {
    "city": commodity_number,
    "lot": lot_message,
    "card": lambda card: None if card is None else card_message(card),
    "revealed": lambda cards: [card_message(card) for card in cards],
    "ending": int,
}
"""By field; all others are the same on the wire."""


_FROM_WIRE: Final[dict[str, Callable[[Any], Any]]] = {
    "city": lambda number: commodity_of("city", number),
    "lot": lambda wire: lot_of("lot", wire),
    "card": lambda wire: card_of("card", wire),
    "revealed": lambda cards: tuple([card_of("revealed", card) for card in cards]),
    "paid": tuple,
    "scores": tuple,
    "placings": tuple,
    "ending": lambda number: member_of("ending", number, tuple(Ending)),
}


def event_message(event: Event) -> ahldarahd_pb2.Event:
    """The event as a message."""
    field, message = _kind(event)
    values = {
        _WIRE_NAMES.get(each.name, each.name): _TO_WIRE.get(each.name, _same)(getattr(event, each.name))
        for each in fields(event)
    }
    return ahldarahd_pb2.Event(**{field: message(**values)})


def event_of(message: ahldarahd_pb2.Event) -> Event:
    """The event again. Raises UnreadableActionError for one that is not known here."""
    field = message.WhichOneof("kind")
    if field is None:
        raise unknown_event()
    kind, wire = _EVENTS[field], getattr(message, field)
    return kind(**{each.name: _value(kind, each.name, wire) for each in fields(kind)})


def _value(kind: type[Event], name: str, wire: Any) -> Any:
    wire_name = _WIRE_NAMES.get(name, name)
    if kind is events.Night and name == "card" and not wire.HasField("card"):
        return None
    if kind is events.Ended and name == "gold":
        return tuple(wire.gold)
    return _FROM_WIRE.get(name, _same)(getattr(wire, wire_name))


def _same(value: Any) -> Any:
    return value


def _kind(event: Event) -> tuple[str, Any]:
    if type(event) not in _KINDS:
        raise TypeError(f"{type(event).__name__} is no event of Caravans of Ahldarahd")
    return _KINDS[type(event)]


def _card(card: Card) -> str:
    return card_name(card.commodity, card.colour)


def describe(event: Event) -> str:
    """One sentence."""
    _kind(event)
    if isinstance(event, TurnBegan):
        cards = ", ".join(map(_card, event.revealed)) or "no card"
        return f"Turn {event.turn} begins; turned up: {cards}."
    return _SENTENCES[type(event)](event)


def _night(event: events.Night) -> str:
    chips = "a black chip" if event.black == 1 else f"{event.black} black chips"
    if event.card is None:
        return f"Seat {event.seat} draws {chips}, but the deck is empty: no Night comes."
    return f"Seat {event.seat} draws {chips}: the Night comes to {event.card.commodity.name.lower()}."


def _by_seat(values: tuple[int, ...]) -> str:
    return ", ".join(f"seat {seat} {value}" for seat, value in enumerate(values))


_SENTENCES: Final[dict[type[Event], Callable[[Any], str]]] = {
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
