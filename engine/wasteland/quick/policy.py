"""A quick policy: every decision by an estimate of its worth, nothing by chance.

It looks at what the seat to act may see: what is public, and its own hand.
"""

from typing import Final

from engine.game import TERMINAL
from engine.wasteland.actions import (
    COOK_ACTION,
    KEEP_ACTION,
    OUTRIDER_ACTION,
    PASS_ACTION,
    STOP_ACTION,
    discard,
    field_of,
    start_city,
    step,
)
from engine.wasteland.board import CITIES, NOWHERE
from engine.wasteland.caravan_cards import (
    HEAD,
    HEALTH,
    OUTRIDER_BIKES,
)
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
    ASK_REROLL,
    ASK_RESPOND,
    NOBODY,
    Position,
)
from engine.wasteland.quick.aims import MOST_WILDS, best_aim, path_of
from engine.wasteland.quick.combat import fight
from engine.wasteland.quick.events import choose_event, least_event, parries
from engine.wasteland.quick.stays import stay
from engine.wasteland.quick.worth import Errands, needs_of
from engine.wasteland.resources import KINDS, RATIONS

_RIDE: Final = 1.0
"""What Outrider Bikes must bring for their Fuel."""


def quick_action(state: Position, most_wilds: int = MOST_WILDS) -> int:
    """Return a legal action for the seat to act, which aims at no more Wilds in a Movement than so many."""
    decision = state.decision
    if decision == ASK_EVENT:
        action = choose_event(state)
    elif decision == ASK_MOVE:
        action = _move(state, most_wilds)
    elif decision == ASK_LOCATION:
        action = stay(state)
    elif decision in (ASK_DODGE, ASK_HIT, ASK_BOOST, ASK_REROLL):
        action = fight(state)
    elif decision == ASK_DISCARD:
        card = least_event(state)
        action = KEEP_ACTION if card < 0 else discard(card)
    elif decision == ASK_RESPOND:
        action = state.legal_actions()[-1] if parries(state) else PASS_ACTION
    elif decision == ASK_CITY:
        action = _city(state)
    elif decision == ASK_COOK:
        action = _cook(state)
    else:
        action = _give_up(state)
    return action


def _cook(state: Position) -> int:
    seat = state.seat_to_act
    spare = state.stores[seat][RATIONS] > needs_of(state, seat)[RATIONS]
    return COOK_ACTION if spare else PASS_ACTION


def _give_up(state: Position) -> int:
    """Return the resource of which most is left beside what the best mission needs."""
    seat = state.seat_to_act
    needs = needs_of(state, seat)
    best, most = -1, -KINDS * HEALTH[HEAD]
    for action in state.legal_actions():
        spare = state.stores[seat][field_of(action)] - needs[field_of(action)]
        if spare > most:
            best, most = action, spare
    return best


def _city(state: Position) -> int:
    """Return the City from which a mission pays most."""
    errands = Errands(state, state.seat_to_act)
    best, best_worth = 0, -1.0
    for city in range(CITIES):
        worth = errands.best(city)[1]
        if worth > best_worth:
            best, best_worth = city, worth
    return start_city(best)


def _move(state: Position, most_wilds: int = MOST_WILDS) -> int:
    seat = state.current
    left = state.allowance() - state.steps
    aim = best_aim(state, left, most_wilds)
    if state.steps == 0 and not state.outrider and state.has_card(seat, OUTRIDER_BIKES):
        can_ride = OUTRIDER_ACTION in state.legal_actions()
        if can_ride and best_aim(state, left + 1, most_wilds).worth > aim.worth + _RIDE:
            return OUTRIDER_ACTION
    return STOP_ACTION if aim.first == NOWHERE else step(aim.first)


def turn_number(state: Position) -> int:
    """Return the number of turns begun before this one, of all seats; 0 in the set-up too."""
    if state.round == 0 or state.current == NOBODY:
        return 0
    seats = state.setup.seats
    return (state.round - 1) * seats + (state.current - state.first) % seats


def play_on(state: Position, until_turn: int) -> None:
    """Play by the policy until that turn begins, or the match is over."""
    while state.seat_to_act != TERMINAL and turn_number(state) < until_turn:
        if state.decision == ASK_MOVE:
            _walk(state)
        else:
            state.apply(quick_action(state))
    state.take_events()


def _walk(state: Position) -> None:
    """Walk a whole Movement."""
    action = _move(state)
    if action == OUTRIDER_ACTION:
        state.apply(action)
    left = state.allowance() - state.steps
    aim = best_aim(state, left)
    seat = state.current
    for space in path_of(state, aim, left):
        state.apply(step(space))
    if state.decision == ASK_MOVE and state.current == seat:
        state.apply(STOP_ACTION)
