"""Spaces, cards, resources and missions of Wasteland on the wire: enums begin with 1, the engine's numbers with 0."""

from collections.abc import Sequence
from typing import Any, Final

from arena.codecs.record import Convert, wire_enum
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


_TARGETS: Final[dict[int, tuple[str, Convert]]] = {
    SPACE: ("space", wire_enum(SPACE_ENUM)),
    RESOURCE: ("resource", wire_enum(RESOURCE_ENUM)),
    MISSION: ("mission", wire_enum(MISSION_ENUM)),
    HITS: ("hits", Convert(hit_values, hits_field)),
}
"""By kind of target: the field that holds it."""


def play_message(card: int, target: int) -> wasteland_pb2.Play:
    """Return an Event card with its target (W8)."""
    fields: dict[str, Any] = {"card": EVENT_CARD.value(card)}
    if TARGET[card] in _TARGETS:
        name, convert = _TARGETS[TARGET[card]]
        fields[name] = convert.write(target)
    return wasteland_pb2.Play(**fields)


def play_of(field: str, wire: wasteland_pb2.Play) -> int:
    """Return the action. Raises UnreadableActionError, naming the field, also for the target of another card."""
    card, target = EVENT_CARD.member(f"{field}.card", wire.card), 0
    for kind, (name, convert) in _TARGETS.items():
        value = getattr(wire, name)
        if kind == TARGET[card]:
            target = convert.read(f"{field}.{name}", value)
        elif value:
            raise UnreadableActionError(f"The field {field}.{name} is set: {EVENT_IDS[card]} has no {name}.")
    return play(card, target)
