"""The legal list of a position, ascending."""

from typing import Final

from engine.game import TERMINAL, packed
from engine.wasteland import combat, location, movement, windows
from engine.wasteland.actions import COOK_ACTION, KEEP_ACTION, PASS_ACTION, discard, lose, play, start_city
from engine.wasteland.board import CITIES
from engine.wasteland.event_cards import ESCORT, EVENTS
from engine.wasteland.position import (
    ASK_BOOST,
    ASK_CITY,
    ASK_COOK,
    ASK_DISCARD,
    ASK_DODGE,
    ASK_EVENT,
    ASK_HIT,
    ASK_LOCATION,
    ASK_MOVE,
    ASK_OVERFLOW,
    ASK_REROLL,
    ASK_RESPOND,
    ASK_SPOIL,
    Position,
)
from engine.wasteland.resources import MEDICINE, RATIONS

_ALL_CITIES: Final = [start_city(city) for city in range(CITIES)]


def legal_actions(position: Position) -> memoryview:
    """Return all legal actions, ascending, as a read-only uint32 buffer; empty iff the match is over."""
    return packed(() if position.seat_to_act == TERMINAL else sorted(_listed(position)))


def _listed(position: Position) -> list[int]:
    decision, seat = position.decision, position.seat_to_act
    if decision == ASK_EVENT:
        return [PASS_ACTION, *windows.playable(position, seat)]
    if decision == ASK_MOVE:
        return movement.moves(position)
    if decision == ASK_LOCATION:
        return location.choices(position)
    if decision == ASK_DISCARD:
        hand = position.hands[seat]
        return [KEEP_ACTION, *[discard(card) for card in range(EVENTS) if hand[card]]]
    if decision == ASK_COOK:
        return [PASS_ACTION, COOK_ACTION]
    if decision == ASK_RESPOND:
        return [PASS_ACTION, play(ESCORT)] if position.hands[seat][ESCORT] else [PASS_ACTION]
    if decision == ASK_SPOIL:
        return [lose(kind) for kind in (RATIONS, MEDICINE) if position.stores[seat][kind]]
    return _in_a_fight(position)


def _in_a_fight(position: Position) -> list[int]:
    decision = position.decision
    if decision == ASK_HIT:
        return combat.targets(position)
    if decision == ASK_DODGE:
        return combat.dodges(position)
    if decision == ASK_BOOST:
        return combat.boosts()
    if decision == ASK_REROLL:
        return combat.rerolls()
    if decision == ASK_OVERFLOW:
        return combat.overflows(position)
    assert decision == ASK_CITY
    return _ALL_CITIES
