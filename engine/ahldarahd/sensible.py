"""A quick plausible action: small bids, mostly on cards, and cities taken where they can be."""

from collections.abc import Sequence
from typing import Final

from engine.ahldarahd.actions import (
    BUY,
    CLAIM,
    DESTROY,
    DONE_ACTION,
    ITEM_LOT,
    PASS_ACTION,
    gold_of,
    kind_of,
    lot_of,
    map_of,
    route_of,
)
from engine.ahldarahd.board import END_A, END_B, MAJORITY
from engine.ahldarahd.position import ASK_BID, ASK_BUILD, ASK_OPENING, Position
from engine.randomness import Stream

_SMALL_BID: Final = 2
_BUILD_IN_TEN: Final = 7
"""So often in ten a seat builds on where it takes no city."""


def sensible_action(state: Position, stream: Stream) -> int:
    """Return a legal action. Deterministic given state and stream."""
    listed = state.legal_actions()
    if state.decision == ASK_BUILD:
        return _building(state, listed, stream)
    if state.decision == ASK_BID:
        return listed[0] if not stream.uniform(3) else PASS_ACTION
    if state.decision == ASK_OPENING:
        return _opening(listed, stream)
    return listed[stream.uniform(len(listed))]


def _opening(listed: Sequence[int], stream: Stream) -> int:
    small = [action for action in listed if gold_of(action) <= _SMALL_BID]
    cards = [action for action in small if lot_of(action) < ITEM_LOT]
    chosen = cards if cards and stream.uniform(4) else small
    return chosen[stream.uniform(len(chosen))]


def _building(position: Position, listed: Sequence[int], stream: Stream) -> int:
    seat = position.seat_to_act
    placements = [action for action in listed if kind_of(action) in (CLAIM, BUY)]
    taking = [action for action in placements if _takes(position, seat, action)]
    if taking:
        return taking[stream.uniform(len(taking))]
    claims = [action for action in placements if kind_of(action) == CLAIM]
    if claims and stream.uniform(10) < _BUILD_IN_TEN:
        return claims[stream.uniform(len(claims))]
    if stream.uniform(10):
        return DONE_ACTION
    others = [action for action in listed if kind_of(action) in (BUY, DESTROY)]
    return others[stream.uniform(len(others))] if others else DONE_ACTION


def _takes(position: Position, seat: int, action: int) -> bool:
    """Return whether the placement takes a city (A23)."""
    map_, route = map_of(action), route_of(action)
    return any(
        position.cities[map_][city] != seat and position.routes_into(map_, city, seat) + 1 >= MAJORITY[city]
        for city in (END_A[route], END_B[route])
    )
