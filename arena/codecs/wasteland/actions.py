"""Actions of Wasteland on the wire."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

from arena.codecs.validation import member_of, no_kind
from arena.codecs.wasteland.pieces import (
    caravan_card_of,
    caravan_card_value,
    event_card_of,
    event_card_value,
    hit_values,
    hits_field,
    mission_of,
    mission_value,
    play_message,
    play_of,
    resource_of,
    resource_value,
    space_of,
    space_value,
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


def _step(action: int) -> wasteland_pb2.Step:
    return wasteland_pb2.Step(to=space_value(actions.space_of(action)), scout=actions.is_scout(action))


_TO_WIRE: Final[list[tuple[str, Callable[[int], Any]]]] = [
    ("start_city", lambda action: wasteland_pb2.StartCity(city=space_value(field_of(action)))),
    ("pass_action", lambda _action: wasteland_pb2.Pass()),
    ("play", lambda action: play_message(actions.card_of(action), actions.target_of(action))),
    ("lose", lambda action: wasteland_pb2.Lose(resource=resource_value(field_of(action)))),
    ("step", _step),
    ("outrider", lambda _action: wasteland_pb2.Outrider()),
    ("stop", lambda _action: wasteland_pb2.Stop()),
    ("fight", lambda _action: wasteland_pb2.Engage()),
    ("pay", lambda action: wasteland_pb2.Pay(resource=resource_value(field_of(action) - 1))),
    ("deter", lambda _action: wasteland_pb2.Deter()),
    ("boost", lambda _action: wasteland_pb2.Boost()),
    ("reroll", lambda _action: wasteland_pb2.Reroll()),
    ("hit", lambda action: wasteland_pb2.Hit(card=caravan_card_value(field_of(action)))),
    ("load", lambda action: wasteland_pb2.Load(resource=resource_value(field_of(action)))),
    ("ditch", lambda action: wasteland_pb2.Ditch(resource=resource_value(field_of(action)))),
    ("buy", lambda action: wasteland_pb2.Buy(card=caravan_card_value(field_of(action)))),
    ("deliver", lambda action: wasteland_pb2.Deliver(mission=mission_value(field_of(action)))),
    ("heal", lambda action: wasteland_pb2.Heal(hits=hit_values(field_of(action)))),
    ("done", lambda _action: wasteland_pb2.Done()),
    ("keep", lambda _action: wasteland_pb2.Keep()),
    ("discard", lambda action: wasteland_pb2.Discard(card=event_card_value(field_of(action)))),
    ("cook", lambda _action: wasteland_pb2.Cook()),
]
"""By kind of action: the field of the message, and what stands in it."""


def _step_of(wire: wasteland_pb2.Step) -> int:
    space = space_of("step.to", wire.to)
    return actions.scout(space) if wire.scout else actions.step(space)


def _pay_of(wire: wasteland_pb2.Pay) -> int:
    if not wire.resource:
        return actions.PAY_ACTION
    return actions.pay_resource(resource_of("pay.resource", wire.resource))


_FROM_WIRE: Final[dict[str, Callable[[Any], int]]] = {
    "start_city": lambda wire: actions.start_city(member_of("start_city.city", wire.city, range(CITIES))),
    "pass_action": lambda _wire: actions.PASS_ACTION,
    "play": lambda wire: play_of("play", wire),
    "lose": lambda wire: actions.lose(resource_of("lose.resource", wire.resource)),
    "step": _step_of,
    "outrider": lambda _wire: actions.OUTRIDER_ACTION,
    "stop": lambda _wire: actions.STOP_ACTION,
    "fight": lambda _wire: actions.FIGHT_ACTION,
    "pay": _pay_of,
    "deter": lambda _wire: actions.DETER_ACTION,
    "boost": lambda _wire: actions.BOOST_ACTION,
    "reroll": lambda _wire: actions.REROLL_ACTION,
    "hit": lambda wire: actions.hit(caravan_card_of("hit.card", wire.card)),
    "load": lambda wire: actions.load(resource_of("load.resource", wire.resource)),
    "ditch": lambda wire: actions.ditch(resource_of("ditch.resource", wire.resource)),
    "buy": lambda wire: actions.buy(caravan_card_of("buy.card", wire.card)),
    "deliver": lambda wire: actions.deliver(mission_of("deliver.mission", wire.mission)),
    "heal": lambda wire: actions.heal(hits_field("heal.hits", wire.hits)),
    "done": lambda _wire: actions.DONE_ACTION,
    "keep": lambda _wire: actions.KEEP_ACTION,
    "discard": lambda wire: actions.discard(event_card_of("discard.card", wire.card)),
    "cook": lambda _wire: actions.COOK_ACTION,
}
"""By field of the message: the action."""
