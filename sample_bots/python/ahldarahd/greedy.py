"""Takes each city as soon as it can, works towards the nearest, bids what a lot is worth.

docs/bots/ahldarahd.md states its policy exactly. It needs nothing but the messages of the wire, and all of its
arithmetic is on integers.
"""

from collections.abc import Sequence
from typing import Final

import arena.sdk
from arena.sdk import ahldarahd

CITIES: Final = (3, 4, 4, 5, 4, 4, 6, 4, 5, 3)
"""By commodity: the city's number (A23)."""

ROUTES: Final = (
    (0, 1), (0, 4), (0, 3), (1, 4), (1, 3), (1, 2), (2, 3), (2, 5), (2, 8), (3, 6), (3, 5),
    (4, 6), (4, 7), (5, 6), (6, 7), (6, 9), (6, 8), (5, 8), (7, 9), (7, 8), (8, 9),
)  # fmt: skip
"""By route, from route 1 on: the commodities at its ends."""

LAST_SEA_ROUTE: Final = 9

NOBODY: Final = -1
EYES: Final = 1
QUEEN: Final = 2

WORTH_OF_POINT: Final = 8
"""In gold, as all worths."""
WORTH_OF_CARD: Final = 2
DEAREST_TRADE: Final = 3
"""What it offers for a card that takes a city."""


class Table:
    """The position of one decision, as the policy needs it."""

    def __init__(self, view: ahldarahd.Observation) -> None:
        """Nothing is computed yet."""
        self.view = view
        self.seat = view.seat_to_act
        self.own = view.seats[self.seat]

    def missing(self, board: int, city: int) -> int:
        """Return the number of routes that the seat still lacks to control the city; 0 if it does (A23)."""
        owners = self.view.maps[board].owners
        held = sum(owners[place] == self.seat for place, ends in enumerate(ROUTES) if city in ends)
        return max(0, CITIES[city] // 2 + 1 - held)

    def points(self, board: int, city: int) -> int:
        """Return what control of the city would count (A32)."""
        foreign = board != self.seat
        at_home = self.view.maps[self.seat].cities[city] == self.seat
        if foreign:
            return 4 if at_home else 1
        elsewhere = sum(other.cities[city] == self.seat for other in self.view.maps)
        return 1 + 3 * elsewhere

    def price(self, route: int, *, card: bool) -> int:
        """Return the gold for a claim or a purchase (A19 to A21)."""
        favour = QUEEN if route <= LAST_SEA_ROUTE else EYES
        discount = int(self.view.holders.favours[favour] == self.seat)
        a, b = ROUTES[route - 1]
        return (1 if card else CITIES[a] + CITIES[b]) - discount

    def may_build_on(self, board: int) -> bool:
        """Return whether the map is open to the seat (A18, A35)."""
        rights = self.view.holders.rights
        return board == self.seat or board == len(rights) or rights[board] == self.seat


def worth_of_route(table: Table, board: int, route: int) -> int:
    """Return what a marker there would be worth: cities taken, and steps towards others."""
    worth = 0
    for city in ROUTES[route - 1]:
        missing = table.missing(board, city)
        if missing == 1:
            worth += CITIES[city] + WORTH_OF_POINT * table.points(board, city)
        elif missing > 1 and table.view.maps[board].cities[city] == NOBODY:
            worth += (CITIES[city] + WORTH_OF_POINT * table.points(board, city)) // (missing * missing)
    return worth


def worth_of_build(table: Table, action: ahldarahd.Action) -> int:
    """Return what is left of the worth when gold and card are paid; above 0 it is built."""
    kind = action.WhichOneof("kind")
    if kind == "claim":
        claim = action.claim
        paid = table.price(claim.route, card=True) + WORTH_OF_CARD
        return worth_of_route(table, claim.on_map, claim.route) - paid
    if kind == "buy":
        return worth_of_route(table, action.buy.on_map, action.buy.route) - table.price(
            action.buy.route, card=False
        )
    return 0


def worth_of_card(table: Table, commodity: int) -> int:
    """Return the best claim that the card would make, at most a few chips."""
    best = 0
    for board in range(len(table.view.maps)):
        if not table.may_build_on(board):
            continue
        for place, ends in enumerate(ROUTES):
            if commodity in ends and table.view.maps[board].owners[place] == NOBODY:
                best = max(best, worth_of_route(table, board, place + 1))
    return min(4, 1 + best // WORTH_OF_POINT)


def worth_of_lot(table: Table, lot: ahldarahd.Lot) -> int:
    """Return the worth of a lot, in gold."""
    if lot.WhichOneof("kind") == "card":
        return worth_of_card(table, lot.card.commodity - 1)
    if lot.item.WhichOneof("kind") == "right":
        right = lot.item.right
        if right == table.seat or table.view.holders.rights[right] == table.seat:
            return 0
        return 2
    favour = lot.item.favour - 1
    return 0 if table.view.holders.favours[favour] == table.seat else 1


class Greedy(ahldarahd.Bot):
    """Remembers nothing: everything follows from the decision."""

    name = "greedy"
    matches = 16

    def choose(
        self,
        observation: ahldarahd.Observation,
        legal_actions: Sequence[ahldarahd.Action],
        clock: arena.sdk.Clock,
    ) -> int | ahldarahd.Action:
        """Return the place of the action in the list, or an offer."""
        table = Table(observation)
        match observation.decision:
            case ahldarahd.DECISION_OPEN_AUCTION:
                return opening(table, legal_actions)
            case ahldarahd.DECISION_BID:
                return bid(table, legal_actions)
            case ahldarahd.DECISION_BUILD:
                offer = wanted_trade(table) if observation.offers_left else None
                return build(table, legal_actions) if offer is None else offer
            case ahldarahd.DECISION_TRADE_REPLY:
                return reply(table, legal_actions)
            case _:
                return answer(table, legal_actions)


def opening(table: Table, listed: Sequence[ahldarahd.Action]) -> int:
    """Return the lot worth most, for half of its worth and no more than it has; of equals the first."""
    best, best_worth = 0, -1
    for place, action in enumerate(listed):
        worth = worth_of_lot(table, action.open_auction.lot)
        most = 0 if table.own.camel_flipped else table.own.gold
        if action.open_auction.gold == min(worth // 2, most) and worth > best_worth:
            best, best_worth = place, worth
    return best


def bid(table: Table, listed: Sequence[ahldarahd.Action]) -> int:
    """Return one more than the standing bid, if the lot is worth it; else a pass."""
    worth = worth_of_lot(table, table.view.auction.lot)
    for place, action in enumerate(listed):
        if action.WhichOneof("kind") == "bid" and action.bid.gold == table.view.auction.gold + 1 <= worth:
            return place
    return _place_of(listed, "pass_action")


def build(table: Table, listed: Sequence[ahldarahd.Action]) -> int:
    """Return the claim or purchase that leaves most of its worth, if any is left; of equals the first. Else `done`."""
    best, best_worth = _place_of(listed, "done"), 0
    for place, action in enumerate(listed):
        worth = worth_of_build(table, action)
        if worth > best_worth:
            best, best_worth = place, worth
    return best


def wanted_trade(table: Table) -> ahldarahd.Action | None:
    """Return the gold for a card that takes a city, offered to the seat that is known to hold it; once in a chance."""
    if table.view.offers_left < 2 or table.own.gold < DEAREST_TRADE + 1:
        return None
    for commodity in range(len(CITIES)):
        if table.own.hand[commodity] or not takes_a_city(table, commodity):
            continue
        for seat, view in enumerate(table.view.seats):
            if seat != table.seat and known_to_hold(view, commodity):
                cards = [int(each == commodity) for each in range(len(CITIES))]
                give, want = ahldarahd.Side(gold=DEAREST_TRADE), ahldarahd.Side(cards=cards)
                return ahldarahd.Action(offer=ahldarahd.Offer(to=seat, give=give, want=want))
    return None


def known_to_hold(view: ahldarahd.Seat, commodity: int) -> int:
    """Return so many such cards: what came into the hand less what left it, and a start card that was seen."""
    return view.gained[commodity] + (commodity + 1 in view.shown)


def takes_a_city(table: Table, commodity: int) -> bool:
    """Return whether a claim with such a card would take a city."""
    return any(
        commodity in ends
        and table.view.maps[board].owners[place] == NOBODY
        and any(table.missing(board, city) == 1 for city in ends)
        for board in range(len(table.view.maps))
        if table.may_build_on(board)
        for place, ends in enumerate(ROUTES)
    )


def reply(table: Table, listed: Sequence[ahldarahd.Action]) -> int:
    """Accept what is worth more than what it gives away."""
    offer = table.view.offer
    if worth_of_side(table, offer.give) > worth_of_side(table, offer.want):
        return _place_of(listed, "accept", otherwise="decline")
    return _place_of(listed, "decline")


def worth_of_side(table: Table, side: ahldarahd.Side) -> int:
    """Gold, cards and items, by what they are worth to the seat asked."""
    cards = sum(
        count * max(WORTH_OF_CARD, worth_of_card(table, each)) for each, count in enumerate(side.cards)
    )
    return side.gold + cards + 2 * len(side.items)


def answer(table: Table, listed: Sequence[ahldarahd.Action]) -> int:
    """Return the set-up's first routes, the Shah kept, a Night averted, a pledge of 2, or the cheapest loss."""
    match table.view.decision:
        case ahldarahd.DECISION_GIVE_SHAH:
            return next(place for place, action in enumerate(listed) if action.give_shah.to == table.seat)
        case ahldarahd.DECISION_AVERT:
            return _place_of(listed, "avert", otherwise="pass_action")
        case ahldarahd.DECISION_PLEDGE:
            return min(2, len(listed) - 1)
        case ahldarahd.DECISION_LOSE_ROUTE:
            worths = [held_by(table, action.lose_route) for action in listed]
            return worths.index(min(worths))
        case _:
            return 0


def held_by(table: Table, loss: ahldarahd.LoseRoute) -> int:
    """Return how many controlled cities are at the route's ends."""
    cities = table.view.maps[loss.on_map].cities
    return sum(cities[city] == table.seat for city in ROUTES[loss.route - 1])


def _place_of(listed: Sequence[ahldarahd.Action], kind: str, *, otherwise: str = "") -> int:
    kinds = [str(action.WhichOneof("kind")) for action in listed]
    return kinds.index(kind) if kind in kinds else kinds.index(otherwise)


if __name__ == "__main__":
    arena.sdk.run(Greedy)
