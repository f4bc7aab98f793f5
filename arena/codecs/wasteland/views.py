"""Options and observations of Wasteland on the wire."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from arena.codecs.validation import many_of, member_of, number_of
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
from engine.wasteland.board import NOWHERE
from engine.wasteland.caravan_cards import CARDS
from engine.wasteland.event_cards import EVENTS, WINDOW_NAMES
from engine.wasteland.events import Ending
from engine.wasteland.observation import FightView, Observation, SeatView, TurnView, WindowView
from engine.wasteland.options import CHECK_RULES, MAX_SEATS, MIN_SEATS, MOST_ROUNDS, Options
from engine.wasteland.position import ASK_NOTHING, DECISION_NAMES, NOT_IN_PLAY
from engine.wasteland.resources import KINDS

_UNSET: Final = 0


def options_message(options: Options) -> wasteland_pb2.Options:
    """Return the options as a message."""
    rule = wasteland_pb2.CheckRule.ValueType(CHECK_RULES.index(options.check_rule) + 1)
    return wasteland_pb2.Options(check_rule=rule, max_rounds=options.max_rounds)


def option_texts(wire: wasteland_pb2.Options) -> dict[str, str]:
    """Return the fields that are set as text by name; the rules refuse numbers that no option has."""
    texts = {}
    if wire.check_rule:
        known = 1 <= wire.check_rule <= len(CHECK_RULES)
        texts["check_rule"] = CHECK_RULES[wire.check_rule - 1] if known else str(wire.check_rule)
    if wire.max_rounds:
        texts["max_rounds"] = str(wire.max_rounds)
    return texts


def observation_message(seen: Observation) -> wasteland_pb2.Observation:
    """Return the position as its viewer may see it."""
    event, attack, mission = seen.discards
    message = wasteland_pb2.Observation(
        options=options_message(seen.options),
        decision=wasteland_pb2.Decision.ValueType(seen.decision or ASK_NOTHING),
        seat_to_act=seen.seat_to_act,
        round=seen.round,
        first=seen.first,
        current=seen.current,
        goal_reached=seen.goal_reached,
        seats=map(_seat_message, seen.seats),
        missions=map(MISSION_ENUM.value, seen.missions),
        decks=wasteland_pb2.DeckSizes(event=seen.decks[0], attack=seen.decks[1], mission=seen.decks[2]),
        discards=wasteland_pb2.Discards(
            event=map(EVENT_CARD.value, event),
            attack=map(ATTACK_CARD.value, attack),
            mission=map(MISSION_ENUM.value, mission),
        ),
        queue=[
            wasteland_pb2.Attacker(card=ATTACK_CARD.value(card), surprise=surprise)
            for card, surprise in seen.queue
        ],
        ending=wasteland_pb2.Ending.ValueType(seen.ending or _UNSET),
        viewer=None if seen.viewer == SPECTATOR else seen.viewer,
    )
    if seen.turn is not None:
        message.turn.CopyFrom(_turn_message(seen.turn))
    if seen.window is not None:
        message.window.CopyFrom(_window_message(seen.window))
    if seen.fight is not None:
        message.fight.CopyFrom(_fight_message(seen.fight))
    return message


def observation_of(wire: wasteland_pb2.Observation) -> Observation:
    """Return the observation of a message. Raises UnreadableActionError, naming the wrong field."""
    number_of("seats", len(wire.seats), MIN_SEATS, MAX_SEATS)
    ending = member_of("ending", wire.ending, tuple(Ending)) if wire.ending else None
    number_of("decision", wire.decision, 0, len(DECISION_NAMES) - 1)
    return Observation(
        options=_options_of(wire.options),
        decision=wire.decision if wire.decision or ending else None,
        seat_to_act=wire.seat_to_act if wire.HasField("seat_to_act") else None,
        round=wire.round,
        first=wire.first if wire.HasField("first") else None,
        current=wire.current if wire.HasField("current") else None,
        goal_reached=wire.goal_reached,
        ending=ending,
        seats=tuple([_seat_of(seat) for seat in wire.seats]),
        missions=_missions_of("missions", wire.missions),
        decks=(wire.decks.event, wire.decks.attack, wire.decks.mission),
        discards=(
            tuple([EVENT_CARD.member("discards.event", card) for card in wire.discards.event]),
            tuple([ATTACK_CARD.member("discards.attack", card) for card in wire.discards.attack]),
            _missions_of("discards.mission", wire.discards.mission),
        ),
        turn=_turn_of(wire.turn) if wire.HasField("turn") else None,
        window=_window_of(wire.window) if wire.HasField("window") else None,
        queue=tuple([(ATTACK_CARD.member("queue.card", each.card), each.surprise) for each in wire.queue]),
        fight=_fight_of(wire.fight) if wire.HasField("fight") else None,
        viewer=wire.viewer if wire.HasField("viewer") else SPECTATOR,
    )


def _options_of(wire: wasteland_pb2.Options) -> Options:
    rule = member_of("options.check_rule", wire.check_rule, CHECK_RULES)
    return Options(rule, number_of("options.max_rounds", wire.max_rounds, 1, MOST_ROUNDS))


def _missions_of(field: str, wire: Iterable[int]) -> tuple[int, ...]:
    return tuple([MISSION_ENUM.member(field, value) for value in wire])


@lru_cache(maxsize=4096)
def _seat_message(view: SeatView) -> wasteland_pb2.Seat:
    hand = [] if view.hand is None else [card for card in range(EVENTS) for _ in range(view.hand[card])]
    return wasteland_pb2.Seat(
        space=SPACE_ENUM.value(view.space),
        cash=view.cash,
        caravan=[
            wasteland_pb2.InPlay(card=CARAVAN_CARD.value(card), hits=hits)
            for card, hits in enumerate(view.hits)
            if hits != NOT_IN_PLAY
        ],
        resources=view.stores,
        cards=view.cards,
        hand=map(EVENT_CARD.value, hand),
        score=view.score,
        hand_shown=view.hand is not None,
    )


def _seat_of(wire: wasteland_pb2.Seat) -> SeatView:
    hits = [NOT_IN_PLAY] * CARDS
    for each in wire.caravan:
        hits[CARAVAN_CARD.member("seats.caravan.card", each.card)] = each.hits
    hand = [0] * EVENTS
    for card in wire.hand:
        hand[EVENT_CARD.member("seats.hand", card)] += 1
    return SeatView(
        space=SPACE_ENUM.member("seats.space", wire.space) if wire.space else NOWHERE,
        cash=wire.cash,
        hits=tuple(hits),
        stores=many_of("seats.resources", wire.resources, KINDS),
        cards=wire.cards,
        hand=tuple(hand) if wire.hand_shown else None,
        score=wire.score,
    )


def _turn_message(turn: TurnView) -> wasteland_pb2.Turn:
    return wasteland_pb2.Turn(
        steps=turn.steps,
        tailwinds=turn.tailwinds,
        flat_tires=turn.flat_tires,
        outrider=turn.outrider,
        sandstorm=turn.sandstorm,
        road_blocks=map(SPACE_ENUM.value, turn.road_blocks),
        wilds=[
            wasteland_pb2.RequiredCards(space=SPACE_ENUM.value(space), cards=cards)
            for space, cards in turn.wilds
        ],
        attackers=turn.attackers,
        dry=map(RESOURCE_ENUM.value, turn.dry),
        bargain=turn.bargain,
        bonus=turn.bonus,
        ditched=map(RESOURCE_ENUM.value, turn.ditched),
        healed=turn.healed,
        actions=turn.actions,
    )


def _turn_of(wire: wasteland_pb2.Turn) -> TurnView:
    return TurnView(
        steps=wire.steps,
        tailwinds=wire.tailwinds,
        flat_tires=wire.flat_tires,
        outrider=wire.outrider,
        sandstorm=wire.sandstorm,
        road_blocks=tuple([SPACE_ENUM.member("turn.road_blocks", space) for space in wire.road_blocks]),
        wilds=tuple([(SPACE_ENUM.member("turn.wilds.space", each.space), each.cards) for each in wire.wilds]),
        attackers=tuple(wire.attackers),
        dry=tuple([RESOURCE_ENUM.member("turn.dry", resource) for resource in wire.dry]),
        bargain=wire.bargain,
        bonus=wire.bonus,
        ditched=tuple([RESOURCE_ENUM.member("turn.ditched", resource) for resource in wire.ditched]),
        healed=wire.healed,
        actions=wire.actions,
    )


def _window_message(window: WindowView) -> wasteland_pb2.OpenWindow:
    message = wasteland_pb2.OpenWindow(
        window=wasteland_pb2.Window.ValueType(window.name + 1), asked=window.asked, passes=window.passes
    )
    if window.responding_to is not None:
        message.responding_to = EVENT_CARD.value(window.responding_to)
    return message


def _window_of(wire: wasteland_pb2.OpenWindow) -> WindowView:
    return WindowView(
        member_of("window.window", wire.window, range(len(WINDOW_NAMES))),
        wire.asked if wire.HasField("asked") else None,
        wire.passes if wire.HasField("passes") else None,
        EVENT_CARD.member("window.responding_to", wire.responding_to) if wire.responding_to else None,
    )


def _fight_message(fight: FightView) -> wasteland_pb2.Fight:
    return wasteland_pb2.Fight(
        card=ATTACK_CARD.value(fight.card),
        surprise=fight.surprise,
        defense=fight.defense,
        hits=fight.hits,
        round=fight.round,
        rerolled=fight.rerolled,
        dice=fight.dice,
        to_assign=fight.to_assign,
    )


def _fight_of(wire: wasteland_pb2.Fight) -> FightView:
    return FightView(
        ATTACK_CARD.member("fight.card", wire.card),
        wire.surprise,
        wire.defense,
        wire.hits,
        wire.round,
        wire.rerolled,
        tuple(wire.dice),
        wire.to_assign,
    )
