"""The actions that are worth a look, the most promising first."""

from collections.abc import Sequence
from typing import Final

from engine.ahldarahd.actions import (
    BUY,
    CLAIM,
    DESTROY,
    DONE_ACTION,
    PASS_ACTION,
    SELL,
    gold_of,
    kind_of,
    lot_of,
    map_of,
    payments_of,
    route_of,
    second_route_of,
)
from engine.ahldarahd.board import END_A, END_B, MAJORITY
from engine.ahldarahd.position import ASK_BID, ASK_BUILD, ASK_OPENING, ASK_SETUP
from engine.ahldarahd.quick.worth import CARD, city_worth, lot_worth, route_worth
from engine.ahldarahd.state import AhldarahdState

MOST: Final = 16
"""Actions that are looked at in any decision."""

_SETUPS: Final = 10
_LOTS: Final = 5
_PLACEMENTS: Final = 7
_SALES: Final = 2
_DESTRUCTIONS: Final = 3
_RAISES: Final = 3


def candidates(state: AhldarahdState) -> list[int]:
    """Return some of the listed actions, at least one, what one would play without a search first."""
    listed = list(state.legal_actions())
    if state.decision == ASK_BUILD:
        return _builds(state, listed)
    if state.decision == ASK_OPENING:
        return _openings(state, listed)
    if state.decision == ASK_BID:
        return [PASS_ACTION, *[action for action in listed if action != PASS_ACTION][:_RAISES]]
    if state.decision == ASK_SETUP:
        return _setups(listed)
    return _default_first(state, listed)[:MOST]


def _default_first(state: AhldarahdState, listed: Sequence[int]) -> list[int]:
    default = state.default_action()
    return [default, *[action for action in listed if action != default]]


def _builds(state: AhldarahdState, listed: Sequence[int]) -> list[int]:
    seat = state.seat_to_act
    left = {action: _left(state, seat, action) for action in listed if kind_of(action) in (CLAIM, BUY)}
    placed = sorted(left, key=lambda action: -left[action])[:_PLACEMENTS]
    good = [action for action in placed if left[action] > 0]
    destroyed = [action for action in listed if kind_of(action) == DESTROY]
    destroyed.sort(key=lambda action: -_harm(state, seat, action))
    sold = [action for action in listed if kind_of(action) == SELL]
    return [*good, DONE_ACTION, *placed[len(good) :], *destroyed[:_DESTRUCTIONS], *sold[:_SALES]]


def _left(state: AhldarahdState, seat: int, action: int) -> int:
    """Of the worth of a placement, once it is paid."""
    map_, route = map_of(action), route_of(action)
    if kind_of(action) == CLAIM:
        return route_worth(state, seat, map_, route) - state.claim_price(seat, route) - CARD
    return route_worth(state, seat, map_, route) - state.buy_price(seat, route)


def _harm(state: AhldarahdState, seat: int, action: int) -> int:
    """Return what the owner would lose, less what it costs."""
    map_, route = map_of(action), route_of(action)
    owner = state.owners[map_][route]
    loss = 0
    for city in (END_A[route], END_B[route]):
        if state.cities[map_][city] == owner:
            after = state.routes_into(map_, city, owner) - 1
            loss += city_worth(state, owner, map_, city) if after < MAJORITY[city] else 1
    first, second = payments_of(action)
    price = sum(
        state.claim_price(seat, route) + CARD if payment else state.buy_price(seat, route)
        for payment in (first, second)
    )
    return loss - price


def _openings(state: AhldarahdState, listed: Sequence[int]) -> list[int]:
    """Return the best lots, each for nothing, for half of its worth, and for all of it."""
    seat = state.seat_to_act
    lots = sorted({lot_of(action) for action in listed}, key=lambda lot: -lot_worth(state, seat, lot))
    chosen: list[int] = []
    for lot in lots[:_LOTS]:
        worth = lot_worth(state, seat, lot)
        bids = {0, worth // 2, worth}
        chosen += [action for action in listed if lot_of(action) == lot and gold_of(action) in bids]
    return chosen


def _setups(listed: Sequence[int]) -> list[int]:
    """Return pairs of routes that take a city come first, then those that share one."""
    return sorted(listed, key=lambda action: -_shared(action))[:_SETUPS]


def _shared(action: int) -> float:
    a, b = route_of(action), second_route_of(action)
    shared = {END_A[a], END_B[a]} & {END_A[b], END_B[b]}
    return sum(1 / MAJORITY[city] for city in shared)
