"""The legal list of a position, ascending; offers are never in it (A43)."""

from typing import Final

from engine.ahldarahd.actions import (
    ACCEPT_ACTION,
    AVERT_ACTION,
    BUY_PAYMENT,
    DECLINE_ACTION,
    DONE_ACTION,
    ITEM_LOT,
    PASS_ACTION,
    PAYMENT_OF,
    RIGHTS,
    buy,
    claim,
    destroy,
    give_shah,
    lose_route,
    offer_of,
    open_auction,
    pledge,
    raise_to,
    sell,
    setup_routes,
)
from engine.ahldarahd.board import ALPHABETICAL, ROUTES
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
    holds_an_end,
)
from engine.game import TERMINAL, packed

_ANY_TWO_ROUTES: Final = [setup_routes(a, b) for a in range(1, ROUTES + 1) for b in range(a + 1, ROUTES + 1)]


def legal_actions(position: Position) -> memoryview:
    """Return all listed legal actions, ascending, as a read-only uint32 buffer; empty iff the match is over."""
    return packed(() if position.seat_to_act == TERMINAL else _listed(position))


def _listed(position: Position) -> list[int]:
    decision, seat = position.decision, position.seat_to_act
    if decision == ASK_BUILD:
        return _building(position, seat)
    if decision == ASK_BID:
        raises = range(position.bid + 1, position.gold[seat] + 1)
        return [*[raise_to(gold) for gold in raises], PASS_ACTION]
    if decision == ASK_OPENING:
        return _openings(position, seat)
    if decision == ASK_SETUP:
        return _ANY_TWO_ROUTES
    return _answers(position, seat)


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


def _openings(position: Position, seat: int) -> list[int]:
    most = 0 if position.flipped >> seat & 1 else position.gold[seat]
    return [open_auction(lot, bid) for lot in sorted(lots(position)) for bid in range(most + 1)]


def _building(position: Position, seat: int) -> list[int]:
    claims: list[int] = []
    buys: list[int] = []
    destructions: list[int] = []
    gold, hand = position.gold[seat], position.hands[seat]
    may_place = position.has_marker(seat)
    for map_ in range(position.setup.maps):
        if not position.may_act_on(seat, map_):
            continue
        owners = position.owners[map_]
        for route in range(1, ROUTES + 1):
            owner = owners[route]
            if owner == NOBODY:
                if may_place:
                    if gold >= position.claim_price(seat, route):
                        claims += _claims(hand, map_, route)
                    if gold >= position.buy_price(seat, route):
                        buys.append(buy(map_, route))
            elif owner != seat:
                destructions += _destructions(position, seat, map_, route)
    return [*claims, *buys, *destructions, *_sales(position, seat), DONE_ACTION]


def _claims(hand: list[int], map_: int, route: int) -> list[int]:
    return sorted([claim(map_, route, city) for city in holds_an_end(hand, route)])


def _destructions(position: Position, seat: int, map_: int, route: int) -> list[int]:
    gold, hand = position.gold[seat], position.hands[seat]
    claimed, bought = position.claim_price(seat, route), position.buy_price(seat, route)
    if gold < 2 * claimed:
        return []
    ends = holds_an_end(hand, route)
    cards = [PAYMENT_OF[city] for city in ALPHABETICAL if city in ends]
    found: list[int] = []
    if gold >= 2 * bought:
        found.append(destroy(map_, route, BUY_PAYMENT, BUY_PAYMENT))
    if gold >= bought + claimed:
        found += [destroy(map_, route, BUY_PAYMENT, card) for card in cards]
    found += [destroy(map_, route, PAYMENT_OF[city], PAYMENT_OF[city]) for city in ends if hand[city] > 1]
    if len(cards) == 2:
        found.append(destroy(map_, route, cards[0], cards[1]))
    return sorted(found)


def _sales(position: Position, seat: int) -> list[int]:
    return [
        sell(map_)
        for map_ in range(position.setup.seats)
        if position.holders[RIGHTS + map_] == seat and position.controlled(map_)
    ]
