"""Spaces, cards, resources and missions of Wasteland on the wire: enums begin with 1, the engine's numbers with 0."""

from collections.abc import Sequence
from typing import Any, Final

from arena.codecs.validation import WireEnum
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
_TARGETS: Final = {SPACE: "space", RESOURCE: "resource", MISSION: "mission", HITS: "hits"}


SPACE_ENUM: Final = WireEnum(range(SPACES))
RESOURCE_ENUM: Final = WireEnum(range(KINDS))
CARAVAN_CARD: Final = WireEnum(range(CARDS))
ATTACK_CARD: Final = WireEnum(range(ATTACKERS))
EVENT_CARD: Final = WireEnum(range(EVENTS))
MISSION_ENUM: Final = WireEnum(range(MISSIONS))


def hit_values(hits: int) -> list[Any]:
    """Return the cards of a Hits field of an action (W59)."""
    return [CARAVAN_CARD.value(card) for card in hits_of(hits)]


def hits_field(field: str, wire: Sequence[int]) -> int:
    """Return the Hits field of these cards, in any order. Raises UnreadableActionError, naming the field."""
    if not 1 <= len(wire) <= _MOST_HITS:
        raise UnreadableActionError(f"The field {field} has {len(wire)} cards: one or two Hits are removed.")
    cards = [CARAVAN_CARD.member(field, value) for value in wire]
    return two_hits(cards[0], cards[1]) if len(cards) == _MOST_HITS else one_hit(cards[0])


def play_message(card: int, target: int) -> wasteland_pb2.Play:
    """Return an Event card with its target (W8)."""
    message = wasteland_pb2.Play(card=EVENT_CARD.value(card))
    kind = TARGET[card]
    if kind == SPACE:
        message.space = SPACE_ENUM.value(target)
    elif kind == RESOURCE:
        message.resource = RESOURCE_ENUM.value(target)
    elif kind == MISSION:
        message.mission = MISSION_ENUM.value(target)
    elif kind == HITS:
        message.hits.extend(hit_values(target))
    return message


def play_of(field: str, wire: wasteland_pb2.Play) -> int:
    """Return the action. Raises UnreadableActionError, naming the field, also for the target of another card."""
    card = EVENT_CARD.member(f"{field}.card", wire.card)
    kind = TARGET[card]
    given = {SPACE: wire.space, RESOURCE: wire.resource, MISSION: wire.mission, HITS: wire.hits}
    for target, value in given.items():
        if value and target != kind:
            name = _TARGETS[target]
            raise UnreadableActionError(f"The field {field}.{name} is set: {EVENT_IDS[card]} has no {name}.")
    if kind == SPACE:
        return play(card, SPACE_ENUM.member(f"{field}.space", wire.space))
    if kind == RESOURCE:
        return play(card, RESOURCE_ENUM.member(f"{field}.resource", wire.resource))
    if kind == MISSION:
        return play(card, MISSION_ENUM.member(f"{field}.mission", wire.mission))
    return play(card, hits_field(f"{field}.hits", wire.hits)) if kind == HITS else play(card)
