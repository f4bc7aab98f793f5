"""The policy of docs/bots/ahldarahd.md once more, written from that page alone, word by word and without any haste.

Both must choose the same in every position: so neither the page nor the bot can drift.
"""

from collections.abc import Callable, Iterator, Sequence

from arena.games.ahldarahd.v1 import ahldarahd_pb2 as ahldarahd
from engine.ahldarahd.board import (
    END_A,
    END_B,
    KINDS,
    MAJORITY,
    NUMBERS,
    PRICES,
    ROUTES,
    ROUTES_AT,
    SEA_ROUTE,
)

Listed = Sequence[ahldarahd.Action]
NOBODY = -1


class Reader:
    """What the page counts first, of the position of one decision."""

    def __init__(self, view: ahldarahd.Observation) -> None:
        self.view = view
        self.me = view.seat_to_act
        self.maps = range(len(view.maps))

    def owner(self, map_: int, route: int) -> int:
        return self.view.maps[map_].owners[route - 1]

    def controls(self, map_: int, city: int) -> bool:
        return self.view.maps[map_].cities[city] == self.me

    def builds_on(self) -> Iterator[int]:
        """Its own map, those whose Rights it holds, the neutral one."""
        for map_ in self.maps:
            if map_ == self.me or map_ >= len(self.view.seats) or self.view.holders.rights[map_] == self.me:
                yield map_

    def counts(self, map_: int, city: int) -> int:
        if map_ != self.me:
            return 4 if self.controls(self.me, city) else 1
        return 1 + 3 * len([other for other in self.maps if self.controls(other, city)])

    def missing(self, map_: int, city: int) -> int:
        own = [route for route in ROUTES_AT[city] if self.owner(map_, route) == self.me]
        return MAJORITY[city] - len(own)

    def city(self, map_: int, city: int) -> int:
        return NUMBERS[city] + 8 * self.counts(map_, city)

    def route(self, map_: int, route: int) -> int:
        total = 0
        for city in (END_A[route], END_B[route]):
            missing = self.missing(map_, city)
            if missing == 1:
                total += self.city(map_, city)
            elif missing > 1 and self.view.maps[map_].cities[city] == NOBODY:
                total += self.city(map_, city) // missing**2
        return total

    def free_routes_at(self, city: int) -> Iterator[tuple[int, int]]:
        """Return where it may build, by map."""
        for map_ in self.builds_on():
            for route in ROUTES_AT[city]:
                if self.owner(map_, route) == NOBODY:
                    yield map_, route

    def card(self, commodity: int) -> int:
        worths = [self.route(*place) for place in self.free_routes_at(commodity)]
        return min(4, 1 + max(worths, default=0) // 8)

    def lot(self, lot: ahldarahd.Lot) -> int:
        if lot.HasField("card"):
            return self.card(lot.card.commodity - ahldarahd.COMMODITY_PEARLS)
        if lot.item.HasField("right"):
            held = self.view.holders.rights[lot.item.right] == self.me
            return 0 if held or lot.item.right == self.me else 2
        favour = lot.item.favour - ahldarahd.FAVOUR_SHAH
        return 0 if self.view.holders.favours[favour] == self.me else 1

    def discount(self, route: int) -> int:
        _shah, eyes, queen = self.view.holders.favours
        return 1 if (queen if SEA_ROUTE[route] else eyes) == self.me else 0

    def gives_up(self, action: ahldarahd.Action) -> int | None:
        """Return what a claim or a purchase costs, the card of a claim included; None for everything else."""
        if action.HasField("claim"):
            return 1 - self.discount(action.claim.route) + 2
        if action.HasField("buy"):
            return PRICES[action.buy.route] - self.discount(action.buy.route)
        return None


def choice_by_the_page(view: ahldarahd.Observation, listed: Listed) -> ahldarahd.Action:
    """Return the action of the seat to act."""
    return ROWS[view.decision](Reader(view), listed)


def set_up(_reader: Reader, listed: Listed) -> ahldarahd.Action:
    return listed[0]


def open_auction(reader: Reader, listed: Listed) -> ahldarahd.Action:
    worths = [reader.lot(action.open_auction.lot) for action in listed]
    best = max(worths)
    lot = listed[worths.index(best)].open_auction.lot
    mine = reader.view.seats[reader.me]
    gold = 0 if mine.camel_flipped else min(best // 2, mine.gold)
    return ahldarahd.Action(open_auction=ahldarahd.OpenAuction(lot=lot, gold=gold))


def bid(reader: Reader, listed: Listed) -> ahldarahd.Action:
    auction = reader.view.auction
    if reader.lot(auction.lot) >= auction.gold + 1:
        return ahldarahd.Action(bid=ahldarahd.Bid(gold=auction.gold + 1))
    return the_only(listed, "pass_action")


def give_shah(reader: Reader, listed: Listed) -> ahldarahd.Action:
    return ahldarahd.Action(give_shah=ahldarahd.GiveShah(to=reader.me))


def build(reader: Reader, listed: Listed) -> ahldarahd.Action:
    offer = the_offer(reader)
    if offer is not None:
        return offer
    left = []
    for action in listed:
        paid = reader.gives_up(action)
        if paid is not None:
            place = action.claim if action.HasField("claim") else action.buy
            left.append((reader.route(place.on_map, place.route) - paid, action))
    most = max([worth for worth, _ in left], default=0)
    if most <= 0:
        return the_only(listed, "done")
    return next(action for worth, action in left if worth == most)


def the_offer(reader: Reader) -> ahldarahd.Action | None:
    mine = reader.view.seats[reader.me]
    first_of_this_chance = reader.view.offers_left == 2
    if not first_of_this_chance or mine.gold < 4:
        return None
    for commodity in range(KINDS):
        if mine.hand[commodity]:
            continue
        takes = [
            place
            for place in reader.free_routes_at(commodity)
            if 1 in [reader.missing(place[0], city) for city in (END_A[place[1]], END_B[place[1]])]
        ]
        for seat, view in enumerate(reader.view.seats):
            if takes and seat != reader.me and known(view, commodity):
                cards = [0] * KINDS
                cards[commodity] = 1
                give, want = ahldarahd.Side(gold=3), ahldarahd.Side(cards=cards)
                return ahldarahd.Action(offer=ahldarahd.Offer(to=seat, give=give, want=want))
    return None


def known(view: ahldarahd.Seat, commodity: int) -> int:
    """Cards that the seat is known to hold: what came less what went, and a start card that was seen."""
    return view.gained[commodity] + (commodity + ahldarahd.COMMODITY_PEARLS in view.shown)


def reply(reader: Reader, listed: Listed) -> ahldarahd.Action:
    offer = reader.view.offer
    accept = [action for action in listed if action.HasField("accept")]
    if accept and side(reader, offer.give) > side(reader, offer.want):
        return accept[0]
    return the_only(listed, "decline")


def side(reader: Reader, one: ahldarahd.Side) -> int:
    cards = [count * max(2, reader.card(commodity)) for commodity, count in enumerate(one.cards)]
    return one.gold + sum(cards) + 2 * len(one.items)


def avert(_reader: Reader, listed: Listed) -> ahldarahd.Action:
    able = [action for action in listed if action.HasField("avert")]
    return able[0] if able else the_only(listed, "pass_action")


def pledge(_reader: Reader, listed: Listed) -> ahldarahd.Action:
    gold = max(action.pledge.gold for action in listed if action.pledge.gold <= 2)
    return ahldarahd.Action(pledge=ahldarahd.Pledge(gold=gold))


def lose_route(reader: Reader, listed: Listed) -> ahldarahd.Action:
    def cities(action: ahldarahd.Action) -> int:
        map_, route = action.lose_route.on_map, action.lose_route.route
        assert 1 <= route <= ROUTES
        return [reader.controls(map_, city) for city in (END_A[route], END_B[route])].count(True)

    return min(listed, key=cities)


def the_only(listed: Listed, kind: str) -> ahldarahd.Action:
    (found,) = [action for action in listed if action.WhichOneof("kind") == kind]
    return found


ROWS: dict[int, Callable[[Reader, Listed], ahldarahd.Action]] = {
    ahldarahd.DECISION_SETUP_ROUTES: set_up,
    ahldarahd.DECISION_OPEN_AUCTION: open_auction,
    ahldarahd.DECISION_BID: bid,
    ahldarahd.DECISION_GIVE_SHAH: give_shah,
    ahldarahd.DECISION_BUILD: build,
    ahldarahd.DECISION_TRADE_REPLY: reply,
    ahldarahd.DECISION_AVERT: avert,
    ahldarahd.DECISION_PLEDGE: pledge,
    ahldarahd.DECISION_LOSE_ROUTE: lose_route,
}
