"""Spaces, cards, resources and missions of Wasteland on the wire: enums begin with 1, the engine's numbers with 0."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from arena.codecs.validation import member_of
from arena.games.wasteland.v1 import wasteland_pb2
from engine.game import UnreadableActionError
from engine.wasteland.actions import hits_of, one_hit, play, two_hits
from engine.wasteland.attack_cards import ATTACKERS
from engine.wasteland.board import SPACES
from engine.wasteland.caravan_cards import CARDS
from engine.wasteland.event_cards import EVENT_IDS, EVENTS, HITS, MISSION, RESOURCE, SPACE, TARGET
from engine.wasteland.missions import MISSIONS
from engine.wasteland.resources import KINDS

_MOST_HITS: Final = 2


def space_of(field: str, value: int) -> int:
    """Return a space. Raises UnreadableActionError, naming the field, as all that follow."""
    return member_of(field, value, range(SPACES))


def resource_of(field: str, value: int) -> int:
    """Return a resource."""
    return member_of(field, value, range(KINDS))


def caravan_card_of(field: str, value: int) -> int:
    """Return a Caravan card."""
    return member_of(field, value, range(CARDS))


def attack_card_of(field: str, value: int) -> int:
    """Return an Attack card."""
    return member_of(field, value, range(ATTACKERS))


def event_card_of(field: str, value: int) -> int:
    """Return an Event card."""
    return member_of(field, value, range(EVENTS))


def mission_of(field: str, value: int) -> int:
    """Return a mission."""
    return member_of(field, value, range(MISSIONS))


def space_value(space: int) -> wasteland_pb2.Space.ValueType:
    """Return the space on the wire; -1 is not set."""
    return wasteland_pb2.Space.ValueType(space + 1)


def resource_value(resource: int) -> wasteland_pb2.Resource.ValueType:
    """Return the resource on the wire; -1 is not set."""
    return wasteland_pb2.Resource.ValueType(resource + 1)


def caravan_card_value(card: int) -> wasteland_pb2.CaravanCard.ValueType:
    """Return the Caravan card on the wire."""
    return wasteland_pb2.CaravanCard.ValueType(card + 1)


def attack_card_value(card: int) -> wasteland_pb2.AttackCard.ValueType:
    """Return the Attack card on the wire."""
    return wasteland_pb2.AttackCard.ValueType(card + 1)


def event_card_value(card: int) -> wasteland_pb2.EventCard.ValueType:
    """Return the Event card on the wire; -1 is not set."""
    return wasteland_pb2.EventCard.ValueType(card + 1)


def mission_value(mission: int) -> wasteland_pb2.Mission.ValueType:
    """Return the mission on the wire."""
    return wasteland_pb2.Mission.ValueType(mission + 1)


def hit_values(hits: int) -> list[wasteland_pb2.CaravanCard.ValueType]:
    """Return the cards of a Hits field of an action (W59)."""
    return [caravan_card_value(card) for card in hits_of(hits)]


def hits_field(field: str, wire: Sequence[int]) -> int:
    """Return the Hits field of these cards, in any order. Raises UnreadableActionError, naming the field."""
    if not 1 <= len(wire) <= _MOST_HITS:
        raise UnreadableActionError(f"The field {field} has {len(wire)} cards: one or two Hits are removed.")
    cards = [caravan_card_of(field, value) for value in wire]
    return two_hits(cards[0], cards[1]) if len(cards) == _MOST_HITS else one_hit(cards[0])


def play_message(card: int, target: int) -> wasteland_pb2.Play:
    """Return an Event card with its target (W8)."""
    message = wasteland_pb2.Play(card=event_card_value(card))
    kind = TARGET[card]
    if kind == SPACE:
        message.space = space_value(target)
    elif kind == RESOURCE:
        message.resource = resource_value(target)
    elif kind == MISSION:
        message.mission = mission_value(target)
    elif kind == HITS:
        message.hits.extend(hit_values(target))
    return message


def play_of(field: str, wire: wasteland_pb2.Play) -> int:
    """Return the action. Raises UnreadableActionError, naming the field, also for the target of another card."""
    card = event_card_of(f"{field}.card", wire.card)
    kind = TARGET[card]
    given = {"space": wire.space, "resource": wire.resource, "mission": wire.mission, "hits": wire.hits}
    wanted = {SPACE: "space", RESOURCE: "resource", MISSION: "mission", HITS: "hits"}.get(kind)
    for name, value in given.items():
        if value and name != wanted:
            raise UnreadableActionError(f"The field {field}.{name} is set: {EVENT_IDS[card]} has no {name}.")
    if kind == SPACE:
        return play(card, space_of(f"{field}.space", wire.space))
    if kind == RESOURCE:
        return play(card, resource_of(f"{field}.resource", wire.resource))
    if kind == MISSION:
        return play(card, mission_of(f"{field}.mission", wire.mission))
    return play(card, hits_field(f"{field}.hits", wire.hits)) if kind == HITS else play(card)
