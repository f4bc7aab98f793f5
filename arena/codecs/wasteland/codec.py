"""Wasteland on the wire."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

from arena.codecs.codec import Codec
from arena.codecs.record import (
    OPTIONAL,
    SAME,
    TUPLE,
    Convert,
    Record,
    number,
    one_of,
    several,
    tuple_of,
    wire_enum,
)
from arena.codecs.validation import WireEnum, many_of, number_of
from arena.codecs.wasteland.actions import ACTIONS
from arena.codecs.wasteland.events import EVENTS
from arena.codecs.wasteland.pieces import (
    ATTACK_CARD,
    CARAVAN_CARD,
    EVENT_CARD,
    MISSION_ENUM,
    RESOURCE_ENUM,
    SPACE_ENUM,
)
from arena.games.wasteland.v1 import wasteland_pb2
from engine.game import SPECTATOR
from engine.wasteland import WASTELAND, event_cards
from engine.wasteland.board import NOWHERE
from engine.wasteland.caravan_cards import CARDS
from engine.wasteland.events import Ending
from engine.wasteland.observation import FightView, Observation, SeatView, TurnView, WindowView
from engine.wasteland.options import CHECK_RULES, MAX_SEATS, MIN_SEATS, MOST_ROUNDS, Options
from engine.wasteland.position import ASK_NOTHING, DECISION_NAMES, NOT_IN_PLAY
from engine.wasteland.resources import KINDS

_OPTIONS: Final = Record(
    Options, wasteland_pb2.Options, {"check_rule": one_of(CHECK_RULES), "max_rounds": number(1, MOST_ROUNDS)}
)


@lru_cache(maxsize=4096)
def _seat_message(view: SeatView) -> wasteland_pb2.Seat:
    message: wasteland_pb2.Seat = _SEAT.message_of(view)
    message.hand_shown = view.hand is not None
    return message


def _seat_of(field: str, wire: wasteland_pb2.Seat) -> SeatView:
    view = _SEAT.value_of(wire, f"{field}.")
    return view if wire.hand_shown else view._replace(hand=None)


def _in_play(hits: Sequence[int]) -> list[wasteland_pb2.InPlay]:
    return [
        wasteland_pb2.InPlay(card=CARAVAN_CARD.value(card), hits=on_it)
        for card, on_it in enumerate(hits)
        if on_it != NOT_IN_PLAY
    ]


def _hits_of(field: str, wire: Sequence[wasteland_pb2.InPlay]) -> tuple[int, ...]:
    hits = [NOT_IN_PLAY] * CARDS
    for each in wire:
        hits[CARAVAN_CARD.member(f"{field}.card", each.card)] = each.hits
    return tuple(hits)


def _cards(hand: Sequence[int] | None) -> list[int]:
    return [EVENT_CARD.value(card) for card, held in enumerate(hand or ()) for _ in range(held)]


def _hand_of(field: str, wire: Sequence[int]) -> tuple[int, ...]:
    hand = [0] * event_cards.EVENTS
    for card in wire:
        hand[EVENT_CARD.member(field, card)] += 1
    return tuple(hand)


_SPACE: Final = wire_enum(SPACE_ENUM)
_ATTACK: Final = wire_enum(ATTACK_CARD)
_MISSIONS: Final = several(wire_enum(MISSION_ENUM))
_RESOURCES: Final = several(wire_enum(RESOURCE_ENUM))

_SEAT: Final = Record(
    SeatView,
    wasteland_pb2.Seat,
    {
        "space": _SPACE._replace(optional=True, unset=NOWHERE),
        "hits": Convert(_in_play, _hits_of, "caravan"),
        "stores": Convert(read=lambda field, wire: many_of(field, wire, KINDS), name="resources"),
        "hand": Convert(_cards, _hand_of),
    },
)

_TURN: Final = Record(
    TurnView,
    wasteland_pb2.Turn,
    {
        "road_blocks": several(_SPACE),
        "wilds": several(tuple_of(wasteland_pb2.RequiredCards, space=_SPACE, cards=SAME)),
        "attackers": TUPLE,
        "dry": _RESOURCES,
        "ditched": _RESOURCES,
    },
)

_WINDOW: Final = Record(
    WindowView,
    wasteland_pb2.OpenWindow,
    {
        "name": wire_enum(WireEnum(range(len(event_cards.WINDOW_NAMES))))._replace(name="window"),
        "asked": OPTIONAL,
        "passes": OPTIONAL,
        "responding_to": wire_enum(EVENT_CARD)._replace(optional=True),
    },
)

_FIGHT: Final = Record(FightView, wasteland_pb2.Fight, {"card": _ATTACK, "dice": TUPLE})


_OBSERVATION: Final = Record(
    Observation,
    wasteland_pb2.Observation,
    {
        "options": _OPTIONS.part(cached=64),
        "decision": number(0, len(DECISION_NAMES) - 1)._replace(optional=True),
        "seat_to_act": OPTIONAL,
        "first": OPTIONAL,
        "current": OPTIONAL,
        "ending": one_of(tuple(Ending))._replace(optional=True),
        "seats": several(Convert(_seat_message, _seat_of)),
        "missions": _MISSIONS,
        "decks": tuple_of(wasteland_pb2.DeckSizes, event=SAME, attack=SAME, mission=SAME),
        "discards": tuple_of(
            wasteland_pb2.Discards,
            event=several(wire_enum(EVENT_CARD)),
            attack=several(_ATTACK),
            mission=_MISSIONS,
        ),
        "turn": _TURN.part(cached=1024)._replace(optional=True),
        "window": _WINDOW.part(cached=1024)._replace(optional=True),
        "queue": several(tuple_of(wasteland_pb2.Attacker, card=_ATTACK, surprise=SAME)),
        "fight": _FIGHT.part()._replace(optional=True),
        "viewer": Convert(optional=True, unset=SPECTATOR),
    },
)


class WastelandCodec(Codec):
    """Wasteland's ints and dataclasses as messages, and back."""

    game = WASTELAND
    events = EVENTS
    options = _OPTIONS
    observation = _OBSERVATION
    actions = ACTIONS

    def options_of(self, wire: wasteland_pb2.Options, seats: int) -> Options:
        """Return the options for so many seats; fields not set have their default. Raises InvalidOptionsError."""
        texts = {}
        if wire.check_rule:  # the rules refuse numbers that no option has
            known = 1 <= wire.check_rule <= len(CHECK_RULES)
            texts["check_rule"] = CHECK_RULES[wire.check_rule - 1] if known else str(wire.check_rule)
        if wire.max_rounds:
            texts["max_rounds"] = str(wire.max_rounds)
        return WASTELAND.options(seats, texts)

    def observation_of(self, wire: wasteland_pb2.Observation) -> Observation:
        """Return the observation. Raises UnreadableActionError, naming the wrong field."""
        number_of("seats", len(wire.seats), MIN_SEATS, MAX_SEATS)
        seen = _OBSERVATION.value_of(wire)
        return seen if seen.ending is None else replace(seen, decision=seen.decision or ASK_NOTHING)


CODEC: Final = WastelandCodec()
