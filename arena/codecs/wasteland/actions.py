"""Actions of Wasteland on the wire."""

from collections.abc import Callable
from typing import Final

from arena.codecs.action_table import ActionTable, Field, Kind, packed
from arena.codecs.record import Convert, wire_enum
from arena.codecs.validation import WireEnum
from arena.codecs.wasteland.pieces import (
    CARAVAN_CARD,
    EVENT_CARD,
    MISSION_ENUM,
    RESOURCE_ENUM,
    SPACE_ENUM,
    hit_values,
    hits_field,
    play_message,
    play_of,
)
from arena.games.wasteland.v1 import wasteland_pb2
from engine.wasteland import actions
from engine.wasteland.actions import KIND_SHIFT, field_of
from engine.wasteland.board import CITIES


def _one(name: str, pack: Callable[[int], int], field: str, enum: WireEnum[int]) -> Kind:
    """Return a kind with one field."""
    return packed(name, pack, Field(field, field_of, wire_enum(enum)))


def _paid(field: str, value: int) -> int:
    """Return the resource that is chosen, -1 for none."""
    return RESOURCE_ENUM.member(field, value) if value else -1


ACTIONS: Final = ActionTable(
    "Wasteland",
    wasteland_pb2.Action,
    KIND_SHIFT,
    [
        _one("start_city", actions.start_city, "city", WireEnum(range(CITIES))),
        Kind(
            "play",
            lambda action: play_message(actions.card_of(action), actions.target_of(action)),
            lambda wire: play_of("play", wire),
        ),
        _one("lose", actions.lose, "resource", RESOURCE_ENUM),
        packed(
            "step",
            lambda space, scouts: actions.scout(space) if scouts else actions.step(space),
            Field("to", actions.space_of, wire_enum(SPACE_ENUM)),
            Field("scout", actions.is_scout),
        ),
        packed(
            "pay",
            lambda resource: actions.pay_resource(resource) if resource >= 0 else actions.PAY_ACTION,
            Field("resource", lambda action: field_of(action) - 1, Convert(RESOURCE_ENUM.value, _paid)),
        ),
        _one("hit", actions.hit, "card", CARAVAN_CARD),
        _one("load", actions.load, "resource", RESOURCE_ENUM),
        _one("ditch", actions.ditch, "resource", RESOURCE_ENUM),
        _one("buy", actions.buy, "card", CARAVAN_CARD),
        _one("deliver", actions.deliver, "mission", MISSION_ENUM),
        packed("heal", actions.heal, Field("hits", field_of, Convert(hit_values, hits_field))),
        _one("discard", actions.discard, "card", EVENT_CARD),
    ],
)
