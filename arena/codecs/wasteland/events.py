"""Events of Wasteland on the wire, and in words."""

from collections.abc import Callable
from typing import Any, Final

from arena.codecs.event_table import EventTable
from arena.codecs.record import TUPLE, Convert, one_of, wire_enum
from arena.codecs.wasteland.pieces import (
    ATTACK_CARD,
    CARAVAN_CARD,
    EVENT_CARD,
    MISSION_ENUM,
    RESOURCE_ENUM,
    play_message,
    play_of,
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


def _played_of(field: str, wire: wasteland_pb2.Played) -> events.Played:
    action = play_of(f"{field}.play", wire.play)
    return events.Played(wire.seat, actions.card_of(action), actions.target_of(action))


def _played(event: events.Played) -> str:
    target = target_name(event.card, event.target)
    named = "" if target is None else f" ({', '.join([target] if isinstance(target, str) else target)})"
    return f"Seat {event.seat} plays {_event_card(event.card)}{named}."


def _event_card(card: int) -> str:
    """Return its name, in quotes: some names end with an exclamation mark."""
    return f'"{EVENT_NAMES[card]}"'


_AFTER_PAY: Final = {
    DISCARD: "is discarded",
    DISCARD_WITH_BOUNTY: "is discarded for its Bounty",
    SHUFFLE_BACK: "is shuffled back into the deck",
    WEAKEN: f"fights with Defense {WEAKENED_DEFENSE}",
}
"""The fate of an Attack card that is paid (W40)."""


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
    events.Shuffled: lambda e: f"The {e.deck.name.lower()} deck of {e.cards} cards is shuffled.",
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


EVENTS: Final = EventTable(
    "Wasteland",
    wasteland_pb2.Event,
    _SENTENCES,
    {
        "mission": wire_enum(MISSION_ENUM),
        "resource": wire_enum(RESOURCE_ENUM),
        (events.Dodged, "resource"): wire_enum(RESOURCE_ENUM)._replace(optional=True),
        "card": wire_enum(ATTACK_CARD),
        (events.Destroyed, "card"): wire_enum(CARAVAN_CARD),
        (events.EventDiscarded, "card"): wire_enum(EVENT_CARD),
        (events.EventDrawn, "card"): wire_enum(EVENT_CARD)._replace(optional=True),
        "deck": one_of(tuple(Deck)),
        "how": one_of(tuple(Dodge)),
        "side": one_of(tuple(Side)),
        "ending": one_of(tuple(Ending)),
        "dice": TUPLE,
    },
    whole={
        events.Played: Convert(
            lambda event: {"seat": event.seat, "play": play_message(event.card, event.target)}, _played_of
        )
    },
)
