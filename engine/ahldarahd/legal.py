"""The legal list of a position, ascending; offers are never in it (A43)."""

from typing import Final

from engine.ahldarahd.actions import (
    ACCEPT_ACTION,
    AVERT_ACTION,
    DECLINE_ACTION,
    DONE_ACTION,
    EYES,
    ITEM_LOT,
    PASS_ACTION,
    QUEEN,
    RIGHTS,
    give_shah,
    lose_route,
    pledge,
    setup_routes,
)
from engine.ahldarahd.board import ROUTES
from engine.ahldarahd.offers import offer_of
from engine.ahldarahd.position import (
    ASK_AVERT,
    ASK_BID,
    ASK_BUILD,
    ASK_LOSS,
    ASK_OPENING,
    ASK_PLEDGE,
    ASK_REPLY,
    ASK_SETUP,
    ASK_SHAH,
    NOBODY,
    RANSOM,
    Position,
)
from engine.ahldarahd.tables import (
    FIRST_END,
    HOLDINGS,
    PRICES,
    SEA_ROUTE,
    SECOND_END,
    openings,
    packed_bytes,
    raises,
)
from engine.compiling import i64
from engine.game import TERMINAL, packed

_ANY_TWO_ROUTES: Final = packed(
    [setup_routes(a, b) for a in range(1, ROUTES + 1) for b in range(a + 1, ROUTES + 1)]
)
_NOTHING: Final = packed(())
_PASS: Final = packed_bytes([PASS_ACTION])
_DONE: Final = packed_bytes([DONE_ACTION])

_view: Final = memoryview
"""Bound once: compiled code looks up a name of the builtins each time."""


def legal_actions(position: Position) -> memoryview:
    """Return all listed legal actions, ascending, as a read-only uint32 buffer; empty iff the match is over."""
    decision, seat = position.decision, position.seat_to_act
    if decision == ASK_BUILD:
        return _view(_building(position, seat)).cast("I")
    if decision == ASK_BID:
        return _view(raises(position.bid, position.gold[seat]) + _PASS).cast("I")
    if decision == ASK_OPENING:
        return _view(_openings(position, seat)).cast("I")
    if decision == ASK_SETUP:
        return _ANY_TWO_ROUTES
    return _NOTHING if seat == TERMINAL else packed(_answers(position, seat))


def _answers(position: Position, seat: int) -> list[int]:
    decision = position.decision
    if decision == ASK_SHAH:
        return [give_shah(to) for to in range(position.setup.seats)]
    if decision == ASK_REPLY:
        return [ACCEPT_ACTION, DECLINE_ACTION] if can_accept(position) else [DECLINE_ACTION]
    if decision == ASK_AVERT:
        can = position.hands[seat][position.night_city]
        return [PASS_ACTION, AVERT_ACTION] if can else [PASS_ACTION]
    if decision == ASK_PLEDGE:
        return [pledge(gold) for gold in range(most_pledged(position, seat) + 1)]
    assert decision == ASK_LOSS
    return [lose_route(*place) for place in position.routes_in_reach(seat, position.night_city)]


def can_accept(position: Position) -> bool:
    """Return whether the cards that the waiting offer wants are in the hand of the seat asked (A45)."""
    hand = position.hands[position.seat_to_act]
    wanted = offer_of(position.offer).want.cards
    return all(have >= want for have, want in zip(hand, wanted, strict=True))


def most_pledged(position: Position, seat: int) -> int:
    """Return what the seat may pledge at most: its gold, and no more than is missing (A41)."""
    return min(position.gold[seat], RANSOM - sum(position.pledged))


def lots(position: Position) -> list[int]:
    """Return the lots open in this turn, in the order of the default: cards from the oldest, Rights, favours (A48)."""
    items = [*range(RIGHTS, RIGHTS + position.setup.seats), *range(RIGHTS)]
    every = [*position.row, *[ITEM_LOT + item for item in items]]
    return [lot for lot in every if lot not in position.auctioned]


def _openings(position: Position, seat: int) -> bytes:
    most = 0 if position.flipped >> seat & 1 else position.gold[seat]
    return b"".join([openings(lot, most) for lot in sorted(lots(position))])


def _building(position: Position, seat: int) -> bytes:
    """Return claims (A19), purchases (A20), destructions (A26), sales (A27), each by map and route, and `done`."""
    gold: i64 = position.gold[seat]
    held = [min(cards, 2) for cards in position.hands[seat]]
    holders, setup = position.holders, position.setup
    may_place = position.has_marker(seat)
    spared_on_land: i64 = 1 if holders[EYES] == seat else 0
    spared_at_sea: i64 = 1 if holders[QUEEN] == seat else 0
    whose: i64 = seat
    claims: list[bytes] = []
    buys: list[bytes] = []
    destructions: list[bytes] = []
    sales: list[bytes] = []
    for map_ in range(setup.maps):
        if not position.may_act_on(seat, map_):
            continue
        owners, actions = position.owners[map_], setup.actions[map_]
        for route in range(1, ROUTES + 1):
            owner: i64 = owners[route]
            if owner == whose or (owner == NOBODY and not may_place):
                continue
            spared = spared_at_sea if SEA_ROUTE[route] else spared_on_land
            claimed: i64 = 1 - spared
            bought: i64 = PRICES[route] - spared
            if gold < claimed:
                continue
            first: i64 = held[FIRST_END[route]]
            second: i64 = held[SECOND_END[route]]
            holding = HOLDINGS * route + 3 * first + second
            if owner == NOBODY:
                if first or second:
                    claims.append(actions.claims[holding])
                if gold >= bought:
                    buys.append(actions.buys[route])
            elif gold >= 2 * claimed:
                purchases = 2 if gold >= 2 * bought else 1 if gold >= bought + claimed else 0
                destructions.append(actions.destructions[purchases][holding])
        if map_ < setup.seats and holders[RIGHTS + map_] == seat and position.controlled(map_):
            sales.append(actions.sale)
    return b"".join([*claims, *buys, *destructions, *sales, _DONE])
