"""A quick policy: the action of a greedy seat, found without a legal list, with a little chance in its bids."""

from typing import Final

from engine.ahldarahd.actions import (
    AVERT_ACTION,
    DONE_ACTION,
    PASS_ACTION,
    buy,
    claim,
    open_auction,
    pledge,
    raise_to,
)
from engine.ahldarahd.board import END_A, END_B, ROUTES
from engine.ahldarahd.legal import can_accept, lots, most_pledged
from engine.ahldarahd.position import (
    ASK_AVERT,
    ASK_BID,
    ASK_BUILD,
    ASK_OPENING,
    ASK_PLEDGE,
    ASK_REPLY,
    NOBODY,
    Position,
)
from engine.ahldarahd.quick.worth import CARD, lot_worth, route_worth
from engine.game import TERMINAL
from engine.randomness import Stream

_PLEDGE: Final = 2
_SPREAD: Final = 2
"""A bid goes up to the worth of the lot and by chance one chip further."""


def quick_action(state: Position, stream: Stream) -> int:
    """Return a legal action. Deterministic given state and stream."""
    decision, seat = state.decision, state.seat_to_act
    if decision == ASK_BUILD:
        action, _ = best_build(state, seat)
        return action
    if decision == ASK_BID:
        most = lot_worth(state, seat, state.lot) + stream.uniform(_SPREAD)
        return raise_to(state.bid + 1) if state.bid < most else PASS_ACTION
    if decision == ASK_OPENING:
        return _opening(state, seat, stream)
    if decision == ASK_AVERT:
        return AVERT_ACTION if state.hands[seat][state.night_city] else PASS_ACTION
    if decision == ASK_PLEDGE:
        return pledge(min(_PLEDGE, most_pledged(state, seat)))
    if decision == ASK_REPLY and can_accept(state) and not stream.uniform(2):
        return state.legal_actions()[0]
    return state.default_action()


def _opening(state: Position, seat: int, stream: Stream) -> int:
    open_lots = lots(state)
    worths = [lot_worth(state, seat, lot) for lot in open_lots]
    best = max(worths)
    lot = open_lots[worths.index(best)]
    most = 0 if state.flipped >> seat & 1 else state.gold[seat]
    return open_auction(lot, min(most, best // 2 + stream.uniform(_SPREAD)))


def best_build(state: Position, seat: int) -> tuple[int, int]:
    """Return the claim or purchase that leaves most of its worth, and how much; `done` and 0 if none leaves any."""
    best, best_left = DONE_ACTION, 0
    if not state.has_marker(seat):
        return best, best_left
    gold, hand = state.gold[seat], state.hands[seat]
    for map_ in range(state.setup.maps):
        if not state.may_act_on(seat, map_):
            continue
        owners = state.owners[map_]
        for route in range(1, ROUTES + 1):
            if owners[route] != NOBODY:
                continue
            a, b = END_A[route], END_B[route]
            claimable = (hand[a] or hand[b]) and gold >= state.claim_price(seat, route)
            buyable = gold >= state.buy_price(seat, route)
            if not (claimable or buyable):
                continue
            worth = route_worth(state, seat, map_, route)
            if claimable:
                left = worth - state.claim_price(seat, route) - CARD
                if left > best_left:
                    best, best_left = claim(map_, route, a if hand[a] >= hand[b] else b), left
            if buyable and worth - state.buy_price(seat, route) > best_left:
                best, best_left = buy(map_, route), worth - state.buy_price(seat, route)
    return best, best_left


def play_on(state: Position, stream: Stream, until_turn: int) -> None:
    """Play by the policy until that turn begins, or the match is over."""
    while state.seat_to_act != TERMINAL and state.turn < until_turn:
        state.apply(quick_action(state, stream))
    state.take_events()
