"""Events of Wasteland on the wire, and in words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from enum import IntEnum
from typing import Any, Final

from arena.codecs.reading import member_of, unknown_event
from arena.codecs.wasteland_pieces import (
    attack_card_of,
    attack_card_value,
    caravan_card_of,
    caravan_card_value,
    event_card_of,
    event_card_value,
    mission_of,
    mission_value,
    play_message,
    play_of,
    resource_of,
    resource_value,
)
from arena.games.wasteland.v1 import wasteland_pb2
from engine.game import Event
from engine.wasteland import actions, events
from engine.wasteland.attack_cards import (
    ATTACKER_NAMES,
    DISCARD,
    DISCARD_WITH_BOUNTY,
    PAY_DOES,
    SHUFFLE_BACK,
    WEAKEN,
    WEAKENED_DEFENSE,
)
from engine.wasteland.caravan_cards import CARD_NAMES
from engine.wasteland.event_cards import EVENT_NAMES
from engine.wasteland.events import Deck, Dodge, Ending, Side
from engine.wasteland.missions import MISSION_IDS
from engine.wasteland.notation import target_name
from engine.wasteland.resources import NAMES

_KINDS: Final[dict[type[Event], tuple[str, Any]]] = {
    events.MissionShown: ("mission_shown", wasteland_pb2.MissionShown),
    events.StartDie: ("start_die", wasteland_pb2.StartDie),
    events.TurnBegan: ("turn_began", wasteland_pb2.TurnBegan),
    events.LostResource: ("lost_resource", wasteland_pb2.LostResource),
    events.AttackDrawn: ("attack_drawn", wasteland_pb2.AttackDrawn),
    events.FightBegan: ("fight_began", wasteland_pb2.FightBegan),
    events.Dodged: ("dodged", wasteland_pb2.Dodged),
    events.Rolled: ("rolled", wasteland_pb2.Rolled),
    events.AttackDefeated: ("attack_defeated", wasteland_pb2.AttackDefeated),
    events.AttackGone: ("attack_gone", wasteland_pb2.AttackGone),
    events.Destroyed: ("destroyed", wasteland_pb2.Destroyed),
    events.Defeated: ("defeated", wasteland_pb2.Defeated),
    events.Delivered: ("delivered", wasteland_pb2.Delivered),
    events.EventDiscarded: ("event_discarded", wasteland_pb2.EventDiscarded),
    events.EventDrawn: ("event_drawn", wasteland_pb2.EventDrawn),
    events.Rebuilt: ("rebuilt", wasteland_pb2.Rebuilt),
    events.GoalReached: ("goal_reached", wasteland_pb2.GoalReached),
    events.Ended: ("ended", wasteland_pb2.Ended),
}
"""Every event whose fields are those of its message: its field in the message `Event`, and its own message."""

_EVENTS: Final = {field: kind for kind, (field, _) in _KINDS.items()}

_NOTHING: Final = -1

_OF_CARAVANS: Final = (events.Destroyed,)
_OF_EVENTS: Final = (events.EventDiscarded, events.EventDrawn)


def event_message(event: Event) -> wasteland_pb2.Event:
    """The event as a message."""
    if isinstance(event, events.Played):
        played = wasteland_pb2.Played(seat=event.seat, play=play_message(event.card, event.target))
        return wasteland_pb2.Event(played=played)
    if type(event) not in _KINDS:
        raise TypeError(f"{type(event).__name__} is no event of Wasteland")
    name, message = _KINDS[type(event)]
    values = {
        each.name: _to_wire(type(event), each.name, getattr(event, each.name)) for each in fields(event)
    }
    return wasteland_pb2.Event(**{name: message(**values)})


def _to_wire(kind: type[Event], name: str, value: Any) -> Any:
    if name == "mission":
        return mission_value(value)
    if name == "resource":
        return resource_value(_NOTHING if value is None else value)
    if name == "card":
        if kind in _OF_CARAVANS:
            return caravan_card_value(value)
        if kind in _OF_EVENTS:
            return event_card_value(_NOTHING if value is None else value)
        return attack_card_value(value)
    return int(value) if isinstance(value, IntEnum) else value


def event_of(message: wasteland_pb2.Event) -> Event:
    """The event again. Raises UnreadableActionError for one that is not known here."""
    name = message.WhichOneof("kind")
    if name == "played":
        action = play_of("played.play", message.played.play)
        return events.Played(message.played.seat, actions.card_of(action), actions.target_of(action))
    if name is None:
        raise unknown_event()
    kind, wire = _EVENTS[name], getattr(message, name)
    return kind(**{each.name: _from_wire(kind, each.name, getattr(wire, each.name)) for each in fields(kind)})


def _from_wire(kind: type[Event], name: str, value: Any) -> Any:
    if name == "mission":
        return mission_of(name, value)
    if name == "resource":
        return None if kind is events.Dodged and not value else resource_of(name, value)
    if name == "card":
        if kind in _OF_CARAVANS:
            return caravan_card_of(name, value)
        if kind in _OF_EVENTS:
            return None if kind is events.EventDrawn and not value else event_card_of(name, value)
        return attack_card_of(name, value)
    if name in _ENUMS:
        return member_of(name, value, tuple(_ENUMS[name]))
    return tuple(value) if name == "dice" else value


_ENUMS: Final[dict[str, type[IntEnum]]] = {"deck": Deck, "how": Dodge, "side": Side, "ending": Ending}


def describe(event: Event) -> str:
    """One sentence."""
    sentence = _SENTENCES.get(type(event))
    if sentence is None:
        raise TypeError(f"{type(event).__name__} is no event of Wasteland")
    return sentence(event)


def _played(event: events.Played) -> str:
    target = target_name(event.card, event.target)
    named = "" if target is None else f" ({', '.join([target] if isinstance(target, str) else target)})"
    return f"Seat {event.seat} plays {_event_card(event.card)}{named}."


def _event_card(card: int) -> str:
    """Its name, in quotes: some names end with an exclamation mark."""
    return f'"{EVENT_NAMES[card]}"'


_AFTER_PAY: Final = {
    DISCARD: "is discarded",
    DISCARD_WITH_BOUNTY: "is discarded for its Bounty",
    SHUFFLE_BACK: "is shuffled back into the deck",
    WEAKEN: f"fights with Defense {WEAKENED_DEFENSE}",
}
"""What becomes of an Attack card that is paid (W40)."""


def _dodged(event: events.Dodged) -> str:
    if event.how is Dodge.DETER:
        return f"The card {ATTACKER_NAMES[event.card]} is turned away."
    paid = "" if event.resource is None else f" with {NAMES[event.resource]}"
    return f"The card {ATTACKER_NAMES[event.card]} is paid{paid}, and {_AFTER_PAY[PAY_DOES[event.card]]}."


def _rolled(event: events.Rolled) -> str:
    dice = ", ".join(map(str, event.dice))
    who = {Side.CARAVAN: "The caravan rolls", Side.REROLL: "The misses are rolled again:"}
    return f"{who.get(event.side, 'The Attack card rolls')} {dice}."


def _drawn(event: events.AttackDrawn) -> str:
    comes = "which engages" if event.engages else "which does not engage and is discarded"
    return f"Attack card drawn: {ATTACKER_NAMES[event.card]}, {comes}."


def _event_drawn(event: events.EventDrawn) -> str:
    card = "an Event card" if event.card is None else f"the Event card {_event_card(event.card)}"
    return f"Seat {event.seat} draws {card}."


_SENTENCES: Final[dict[type[Event], Callable[[Any], str]]] = {
    events.MissionShown: lambda e: f"Mission {MISSION_IDS[e.mission]} lies face up on place {e.place}.",
    events.StartDie: lambda e: f"Seat {e.seat} rolls a {e.die} for the first turn.",
    events.TurnBegan: lambda e: f"Round {e.round}: the turn of seat {e.seat} begins.",
    events.Played: _played,
    events.LostResource: lambda e: f"Seat {e.seat} loses {e.number} {NAMES[e.resource]}.",
    events.AttackDrawn: _drawn,
    events.FightBegan: lambda e: f"The fight against {ATTACKER_NAMES[e.card]} begins.",
    events.Dodged: _dodged,
    events.Rolled: _rolled,
    events.AttackDefeated: lambda e: f"The card {ATTACKER_NAMES[e.card]} is defeated: {e.bounty} Cash.",
    events.AttackGone: lambda e: f"The card {ATTACKER_NAMES[e.card]} is gone after the last round.",
    events.Destroyed: lambda e: f"Seat {e.seat} loses {CARD_NAMES[e.card]}.",
    events.Defeated: lambda e: f"The caravan of seat {e.seat} is defeated, and begins anew.",
    events.Delivered: lambda e: f"Seat {e.seat} delivers mission {MISSION_IDS[e.mission]}: {e.cash} Cash.",
    events.EventDiscarded: lambda e: f"Seat {e.seat} discards the Event card {_event_card(e.card)}.",
    events.EventDrawn: _event_drawn,
    events.Rebuilt: lambda e: f"The {e.deck.name.lower()} deck is rebuilt from its discards and shuffled.",
    events.GoalReached: lambda e: f"Seat {e.seat} reaches the Cash goal: the match ends with this round.",
    events.Ended: lambda e: f"The match ends ({e.ending.name}).",
}
