"""What to do in Location: estimates, no rules."""

from typing import Final

from engine.wasteland.actions import (
    BUY,
    DELIVER,
    DITCH,
    DONE,
    DONE_ACTION,
    HEAL,
    LOAD,
    buy,
    field_of,
    hits_of,
    kind_of,
)
from engine.wasteland.caravan_cards import (
    FIELD_HOSPITAL,
    GUN_TRUCK,
    HEAD,
    HEALTH,
    MOBILE_GARRISON,
    OUTRIDER_BIKES,
)
from engine.wasteland.missions import REWARD
from engine.wasteland.position import (
    Position,
)
from engine.wasteland.quick.worth import Buyer, needs_of
from engine.wasteland.resources import FUEL, KINDS, MEDICINE, MUNITIONS, fits

_HANDY: Final = 2
"""Units that an ability has use for."""


def stay(state: Position, *, buys: bool = True) -> int:
    """Deliveries, healing, purchases if wanted, then what is worth loading."""
    seat = state.current
    by_kind: list[list[int]] = [[] for _ in range(DONE + 1)]
    for action in state.legal_actions():
        by_kind[kind_of(action)].append(action)
    if by_kind[DELIVER]:
        return _dearest(by_kind[DELIVER])
    if by_kind[HEAL]:
        return _healing(state, seat, by_kind[HEAL])
    if buys and by_kind[BUY]:
        card, _ = Buyer(state, seat).best()
        if card != HEAD:
            return buy(card)
    return _loading(state, seat, by_kind[LOAD], by_kind[DITCH])


def _dearest(deliveries: list[int]) -> int:
    best, paid = DONE_ACTION, -1
    for action in deliveries:
        if REWARD[field_of(action)] > paid:
            best, paid = action, REWARD[field_of(action)]
    return best


def _healing(state: Position, seat: int, heals: list[int]) -> int:
    best, urgency = DONE_ACTION, -1
    for action in heals:
        more = healing_worth(state, seat, field_of(action))
        if more > urgency:
            best, urgency = action, more
    return best


def healing_worth(state: Position, seat: int, hits_field: int) -> int:
    """Return how much a choice of Hits to remove helps: the more Hits on a card, the more, and the Head before all."""
    weight = 0
    for card in hits_of(hits_field):
        weight += 10 + 4 * state.hits[seat][card] - HEALTH[card] + (5 if card == HEAD else 0)
    return weight


def _loading(state: Position, seat: int, loads: list[int], ditches: list[int]) -> int:
    """For the best mission first, making room for it; then whatever leaves room for it."""
    stored, needs = state.stores[seat], needs_of(state, seat)
    for action in loads:
        if stored[field_of(action)] < needs[field_of(action)]:
            return action
    slots = state.slots(seat)
    wanted = [max(stored[kind], needs[kind]) for kind in range(KINDS)]
    if not fits(wanted, slots):
        for action in ditches:
            if stored[field_of(action)] > needs[field_of(action)]:
                return action
    best, best_want = DONE_ACTION, 0
    for action in loads:
        kind = field_of(action)
        wanted[kind] += 1 if stored[kind] >= needs[kind] else 0
        if fits(wanted, slots):
            want = _want(state, seat, kind)
            if want > best_want:
                best, best_want = action, want
        wanted[kind] -= 1 if stored[kind] >= needs[kind] else 0
    return best


def _want(state: Position, seat: int, kind: int) -> int:
    """How welcome one more unit is: for abilities first, then for missions to come, of which most need two kinds."""
    stored = state.stores[seat][kind]
    armed = state.has_card(seat, GUN_TRUCK) or state.has_card(seat, MOBILE_GARRISON)
    if kind == MUNITIONS and stored < _HANDY and armed:
        return 30 - stored
    if kind == MEDICINE and stored < _HANDY and state.has_card(seat, FIELD_HOSPITAL):
        return 20 - stored
    if kind == FUEL and not stored and state.has_card(seat, OUTRIDER_BIKES):
        return 15
    return 10 - stored
