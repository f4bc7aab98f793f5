"""Why an action may not be played: the rules of single actions, and their sentences for people."""

from typing import Final

from engine.ahldarahd.actions import (
    ACCEPT,
    AVERT,
    BID,
    BUY,
    BUY_PAYMENT,
    CLAIM,
    COMMODITY_OF,
    DECLINE,
    DESTROY,
    DONE,
    FIELDS,
    GIVE_SHAH,
    KIND_NAMES,
    KIND_SHIFT,
    LOSE_ROUTE,
    OPEN_AUCTION,
    PASS,
    PLEDGE,
    RIGHTS,
    SELL,
    SETUP_ROUTES,
    gold_of,
    is_offer,
    lot_of,
    map_of,
    payments_of,
    route_of,
    seat_of,
    second_route_of,
)
from engine.ahldarahd.board import KINDS, NAMES, ROUTES
from engine.ahldarahd.legal import can_accept, lots, most_pledged
from engine.ahldarahd.notation import item_name, lot_name
from engine.ahldarahd.offers import EMPTY_SIDE, Offer, offer_of
from engine.ahldarahd.position import (
    ASK_AVERT,
    ASK_BID,
    ASK_BUILD,
    ASK_LOSS,
    ASK_NOTHING,
    ASK_OPENING,
    ASK_PLEDGE,
    ASK_REPLY,
    ASK_SETUP,
    ASK_SHAH,
    DECISION_NAMES,
    NOBODY,
    Position,
)
from engine.ahldarahd.tables import ENDS
from engine.game import TERMINAL

_NO_CARD: Final = -1
_KINDS: Final = len(KIND_NAMES)
_FOREIGN_BITS: Final = [(1 << KIND_SHIFT) - 1 & ~fields for fields in FIELDS]
"""By kind, the bits that none of its fields takes."""

_ANSWERS: Final[dict[int, tuple[int, ...]]] = {
    ASK_NOTHING: (),
    ASK_SETUP: (SETUP_ROUTES,),
    ASK_OPENING: (OPEN_AUCTION,),
    ASK_BID: (BID, PASS),
    ASK_SHAH: (GIVE_SHAH,),
    ASK_BUILD: (CLAIM, BUY, DESTROY, SELL, DONE),
    ASK_REPLY: (ACCEPT, DECLINE),
    ASK_AVERT: (AVERT, PASS),
    ASK_PLEDGE: (PLEDGE,),
    ASK_LOSS: (LOSE_ROUTE,),
}
_ANSWER_SETS: Final = [sum([1 << kind for kind in _ANSWERS[decision]]) for decision in sorted(_ANSWERS)]
"""By kind of decision, the set of the kinds of actions (A48)."""


def objection(position: Position, action: int) -> str:
    """Return why the action may not be played now, a sentence part with its clause; empty if it may."""
    if position.seat_to_act == TERMINAL:
        return "the match is over"
    if is_offer(action):
        return _to_offer(position, action)
    kind = action >> KIND_SHIFT
    if not 0 <= kind < _KINDS or action & _FOREIGN_BITS[kind]:
        return "it is no action of Caravans of Ahldarahd"
    if not _ANSWER_SETS[position.decision] >> kind & 1:
        return f"the decision is {DECISION_NAMES[position.decision]} (A48)"
    if kind in (CLAIM, BUY, DESTROY, LOSE_ROUTE):
        return _to_route(position, kind, action)
    if kind in (DONE, PASS):
        return ""
    return _to_small(position, kind, action)


def _to_small(position: Position, kind: int, action: int) -> str:
    """Return the objection to an action that names no route of a map."""
    seat = position.seat_to_act
    if kind == OPEN_AUCTION:
        return _to_opening(position, seat, action)
    if kind == BID:
        return _to_bid(position, seat, gold_of(action))
    if kind == PLEDGE:
        most = most_pledged(position, seat)
        return "" if gold_of(action) <= most else f"you may pledge {most} gold at most (A41)"
    if kind == SELL:
        return _to_sale(position, seat, seat_of(action))
    return _to_answer(position, seat, kind, action)


def _to_answer(position: Position, seat: int, kind: int, action: int) -> str:
    if kind == GIVE_SHAH:
        last = position.setup.seats - 1
        return "" if seat_of(action) <= last else f"the match has seats 0 to {last}"
    if kind == ACCEPT:
        return "" if can_accept(position) else "the cards that it wants are not in your hand (A45)"
    if kind == AVERT:
        city = position.night_city
        return "" if position.hands[seat][city] else f"you hold no {NAMES[city]} card (A40)"
    if kind == SETUP_ROUTES and not 1 <= route_of(action) < second_route_of(action) <= ROUTES:
        return f"it takes two different routes of 1 to {ROUTES}, the lower one first (A8)"
    return ""


def _to_opening(position: Position, seat: int, action: int) -> str:
    lot, bid = lot_of(action), gold_of(action)
    if lot in position.auctioned:
        return f"the lot {lot_name(lot)} was auctioned in this turn (A11)"
    if lot not in lots(position):
        return "there is no such lot (A11)"
    if bid and position.flipped >> seat & 1:
        return "with a flipped camel the opening bid is 0 (A12)"
    return "" if bid <= position.gold[seat] else f"you have {position.gold[seat]} gold (A12)"


def _to_bid(position: Position, seat: int, bid: int) -> str:
    if bid <= position.bid:
        return f"a bid is above the standing one of {position.bid} (A13)"
    return "" if bid <= position.gold[seat] else f"you have {position.gold[seat]} gold (A13)"


def _to_sale(position: Position, seat: int, map_: int) -> str:
    if map_ >= position.setup.seats or position.holders[RIGHTS + map_] != seat:
        return f"you do not hold the Right of map {map_} (A27)"
    return "" if position.controlled(map_) else f"nobody controls a city on map {map_} (A27)"


def _to_route(position: Position, kind: int, action: int) -> str:
    seat, map_, route = position.seat_to_act, map_of(action), route_of(action)
    if map_ >= position.setup.maps:
        return f"the match has maps 0 to {position.setup.maps - 1}"
    if not 1 <= route <= ROUTES:
        return f"a map has routes 1 to {ROUTES}"
    if kind == LOSE_ROUTE:
        touches = (map_, route) in position.routes_in_reach(seat, position.night_city)
        return "" if touches else f"it is no route of yours at {NAMES[position.night_city]} (A42)"
    if not position.may_act_on(seat, map_):
        return f"you do not hold the Right of map {map_} (A18)"
    if kind == DESTROY:
        return _to_destruction(position, seat, action)
    return _to_placement(position, seat, kind, action)


def _to_placement(position: Position, seat: int, kind: int, action: int) -> str:
    map_, route = map_of(action), route_of(action)
    if position.owners[map_][route] != NOBODY:
        return f"route {route} of map {map_} is not free (A19, A20)"
    if not position.has_marker(seat):
        return "all your markers are on the maps (A22)"
    payment = payments_of(action)[1] if kind == CLAIM else BUY_PAYMENT
    if kind == CLAIM and payment == BUY_PAYMENT:
        return "a claim takes a card (A19)"
    return _to_payments(position, seat, route, [payment])


def _to_destruction(position: Position, seat: int, action: int) -> str:
    map_, route = map_of(action), route_of(action)
    owner = position.owners[map_][route]
    if owner in (NOBODY, seat):
        return f"route {route} of map {map_} is no other seat's (A26)"
    first, second = payments_of(action)
    if first > second:
        return "payments stand in alphabetical order (A48)"
    return _to_payments(position, seat, route, [first, second])


def _to_payments(position: Position, seat: int, route: int, payments: list[int]) -> str:
    price, hand, spent = 0, position.hands[seat], _NO_CARD
    for payment in payments:
        if payment > KINDS:
            return "there is no such card"
        if payment == BUY_PAYMENT:
            price += position.buy_price(seat, route)
            continue
        price += position.claim_price(seat, route)
        city = COMMODITY_OF[payment]
        if not ENDS[route] >> city & 1:
            return f"{NAMES[city]} is no end of route {route} (A19)"
        if hand[city] <= (1 if city == spent else 0):
            return f"you do not hold that many {NAMES[city]} cards (A19, A26)"
        spent = city
    return "" if price <= position.gold[seat] else f"it costs {price} gold and you have {position.gold[seat]}"


def _to_offer(position: Position, action: int) -> str:
    """Return the objection to an offer (A43, A44)."""
    if position.decision != ASK_BUILD:
        return "offers are made in one's own building chance (A43)"
    if not position.offers_left:
        return "no offer is left in this building chance (A43)"
    offer = offer_of(action)
    seat, seats = position.seat_to_act, position.setup.seats
    if offer.to >= seats or offer.to == seat:
        return "an offer is made to one other seat (A44)"
    give, want = offer.give, offer.want
    if give == EMPTY_SIDE and want == EMPTY_SIDE:
        return "one side of an offer holds something (A44)"
    if give.gold and want.gold:
        return "gold is on one side of an offer at most (A44)"
    if any(mine and theirs for mine, theirs in zip(give.cards, want.cards, strict=True)):
        return "no commodity is on both sides of an offer (A44)"
    return _to_give(position, seat, offer) or _to_want(position, offer)


def _to_give(position: Position, seat: int, offer: Offer) -> str:
    give, hand = offer.give, position.hands[seat]
    if give.gold > position.gold[seat]:
        return f"you have {position.gold[seat]} gold (A44)"
    for commodity, count in enumerate(give.cards):
        if count > hand[commodity]:
            return f"you do not hold that many {NAMES[commodity]} cards (A44)"
    return _to_items(position, seat, give.items)


def _to_want(position: Position, offer: Offer) -> str:
    want, target = offer.want, offer.to
    if want.gold > position.gold[target]:
        return f"seat {target} has {position.gold[target]} gold (A44)"
    if sum(want.cards) > position.cards(target):
        return f"seat {target} has {position.cards(target)} cards in hand (A44)"
    if max(want.cards) > position.setup.seats:
        return f"there are {position.setup.seats} cards of a commodity (A44)"
    return _to_items(position, target, want.items)


def _to_items(position: Position, seat: int, items: tuple[int, ...]) -> str:
    for item in items:
        if item >= len(position.holders) or position.holders[item] != seat:
            return f"seat {seat} does not hold {item_name(item)} (A44)"
    return ""
