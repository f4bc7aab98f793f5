"""Actions of Wasteland on the wire."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

from arena.codecs.validation import member_of, no_kind
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
from arena.v1 import games_pb2
from engine.wasteland import actions
from engine.wasteland.actions import field_of, kind_of
from engine.wasteland.board import CITIES


@lru_cache(maxsize=8192)
def action_bytes(action: int) -> bytes:
    """Return a serialised `arena.v1.Action`."""
    return games_pb2.Action(wasteland=_message(action)).SerializeToString()


def action_of(message: wasteland_pb2.Action) -> int:
    """Return the action. Raises UnreadableActionError, naming the wrong field."""
    kind = message.WhichOneof("kind")
    if kind is None:
        raise no_kind(_FROM_WIRE)
    return _FROM_WIRE[kind](getattr(message, kind))


def _message(action: int) -> wasteland_pb2.Action:
    kind = kind_of(action)
    if not 0 <= kind < len(_TO_WIRE):
        raise ValueError(f"{action:#x} is no action of Wasteland")
    name, message = _TO_WIRE[kind]
    return wasteland_pb2.Action(**{name: message(action)})


_TO_WIRE: Final[list[tuple[str, Callable[[int], Any]]]] = [
    ("start_city", lambda action: wasteland_pb2.StartCity(city=SPACE_ENUM.value(field_of(action)))),
    ("pass_action", lambda _action: wasteland_pb2.Pass()),
    ("play", lambda action: play_message(actions.card_of(action), actions.target_of(action))),
    ("lose", lambda action: wasteland_pb2.Lose(resource=RESOURCE_ENUM.value(field_of(action)))),
    (
        "step",
        lambda action: wasteland_pb2.Step(
            to=SPACE_ENUM.value(actions.space_of(action)), scout=actions.is_scout(action)
        ),
    ),
    ("outrider", lambda _action: wasteland_pb2.Outrider()),
    ("stop", lambda _action: wasteland_pb2.Stop()),
    ("fight", lambda _action: wasteland_pb2.Engage()),
    ("pay", lambda action: wasteland_pb2.Pay(resource=RESOURCE_ENUM.value(field_of(action) - 1))),
    ("deter", lambda _action: wasteland_pb2.Deter()),
    ("boost", lambda _action: wasteland_pb2.Boost()),
    ("reroll", lambda _action: wasteland_pb2.Reroll()),
    ("hit", lambda action: wasteland_pb2.Hit(card=CARAVAN_CARD.value(field_of(action)))),
    ("load", lambda action: wasteland_pb2.Load(resource=RESOURCE_ENUM.value(field_of(action)))),
    ("ditch", lambda action: wasteland_pb2.Ditch(resource=RESOURCE_ENUM.value(field_of(action)))),
    ("buy", lambda action: wasteland_pb2.Buy(card=CARAVAN_CARD.value(field_of(action)))),
    ("deliver", lambda action: wasteland_pb2.Deliver(mission=MISSION_ENUM.value(field_of(action)))),
    ("heal", lambda action: wasteland_pb2.Heal(hits=hit_values(field_of(action)))),
    ("done", lambda _action: wasteland_pb2.Done()),
    ("keep", lambda _action: wasteland_pb2.Keep()),
    ("discard", lambda action: wasteland_pb2.Discard(card=EVENT_CARD.value(field_of(action)))),
    ("cook", lambda _action: wasteland_pb2.Cook()),
]
"""By kind of action: the field of the message, and what stands in it."""


def _pay_of(wire: wasteland_pb2.Pay) -> int:
    if not wire.resource:
        return actions.PAY_ACTION
    return actions.pay_resource(RESOURCE_ENUM.member("pay.resource", wire.resource))


_FROM_WIRE: Final[dict[str, Callable[[Any], int]]] = {
    "start_city": lambda wire: actions.start_city(member_of("start_city.city", wire.city, range(CITIES))),
    "pass_action": lambda _wire: actions.PASS_ACTION,
    "play": lambda wire: play_of("play", wire),
    "lose": lambda wire: actions.lose(RESOURCE_ENUM.member("lose.resource", wire.resource)),
    "step": lambda wire: (actions.scout if wire.scout else actions.step)(
        SPACE_ENUM.member("step.to", wire.to)
    ),
    "outrider": lambda _wire: actions.OUTRIDER_ACTION,
    "stop": lambda _wire: actions.STOP_ACTION,
    "fight": lambda _wire: actions.FIGHT_ACTION,
    "pay": _pay_of,
    "deter": lambda _wire: actions.DETER_ACTION,
    "boost": lambda _wire: actions.BOOST_ACTION,
    "reroll": lambda _wire: actions.REROLL_ACTION,
    "hit": lambda wire: actions.hit(CARAVAN_CARD.member("hit.card", wire.card)),
    "load": lambda wire: actions.load(RESOURCE_ENUM.member("load.resource", wire.resource)),
    "ditch": lambda wire: actions.ditch(RESOURCE_ENUM.member("ditch.resource", wire.resource)),
    "buy": lambda wire: actions.buy(CARAVAN_CARD.member("buy.card", wire.card)),
    "deliver": lambda wire: actions.deliver(MISSION_ENUM.member("deliver.mission", wire.mission)),
    "heal": lambda wire: actions.heal(hits_field("heal.hits", wire.hits)),
    "done": lambda _wire: actions.DONE_ACTION,
    "keep": lambda _wire: actions.KEEP_ACTION,
    "discard": lambda wire: actions.discard(EVENT_CARD.member("discard.card", wire.card)),
    "cook": lambda _wire: actions.COOK_ACTION,
}
"""By field of the message: the action."""
