"""The feature list of Caravans of Ahldarahd: maps by route and city, cards as counts by commodity."""

from collections.abc import Iterable
from typing import Final

from arena.research.features import (
    LARGEST,
    NONE,
    ActionField,
    Bits,
    Feature,
    GameFeatures,
    members,
    one,
    padded,
    per_seat,
)
from engine.ahldarahd.actions import (
    BID,
    BUY,
    CLAIM,
    DESTROY,
    FIRST_SHIFT,
    GIVE_SHAH,
    ITEM_LOT,
    KIND_NAMES,
    KIND_SHIFT,
    LOSE_ROUTE,
    LOT_SHIFT,
    MAP_SHIFT,
    OPEN_AUCTION,
    PLEDGE,
    RIGHTS,
    ROUTE_SHIFT,
    SELL,
    SETUP_ROUTES,
)
from engine.ahldarahd.board import KINDS, MARKERS, ROUTES
from engine.ahldarahd.night import BLACK_CHIPS, CHIPS
from engine.ahldarahd.observation import Observation
from engine.ahldarahd.offers import EMPTY_SIDE, Side, offer_of
from engine.ahldarahd.options import Options
from engine.ahldarahd.position import ASK_LOSS, OFFERS, OVER

_ON_A_ROUTE: Final = (CLAIM, BUY, DESTROY, LOSE_ROUTE)
_MOST_ON_A_ROUTE: Final = 6
"""Actions on one route: a destruction has two payments of three kinds."""
_GOLD: Final = 64
"""The action space has room for bids of 0 to 63 on every lot (A12): hardly any match has half of that in one hand."""


class AhldarahdFeatures(GameFeatures):
    """What a seat sees of Caravans of Ahldarahd."""

    kinds = KIND_NAMES
    kind_shift = KIND_SHIFT
    fields = (
        ActionField(
            "map",
            "The map, by the seat whose it is.",
            {**dict.fromkeys(_ON_A_ROUTE, Bits(MAP_SHIFT, 3)), SELL: Bits(0, 3)},
        ),
        ActionField(
            "route",
            "The route, from 1; of setup_routes the lower one.",
            dict.fromkeys((SETUP_ROUTES, *_ON_A_ROUTE), Bits(ROUTE_SHIFT, 5)),
        ),
        ActionField("second_route", "The higher route.", {SETUP_ROUTES: Bits(0, 5)}),
        ActionField(
            "payment",
            "0: a purchase; else 1 + the place of the card's commodity in alphabetical order.",
            {CLAIM: Bits(0, 4), DESTROY: Bits(FIRST_SHIFT, 4)},
        ),
        ActionField("second_payment", "Likewise.", {DESTROY: Bits(0, 4)}),
        ActionField(
            "lot",
            "10 * colour + commodity for a card; 64 Shah, 65 Eyes, 66 Queen, 67 + map a Right.",
            {OPEN_AUCTION: Bits(LOT_SHIFT, 7)},
        ),
        ActionField(
            "gold", "The bid or the pledge.", dict.fromkeys((OPEN_AUCTION, BID, PLEDGE), Bits(0, 21))
        ),
        ActionField("seat", "The seat that gets the Shah.", {GIVE_SHAH: Bits(0, 3)}),
    )

    def features(self, seats: int, options: Options) -> tuple[Feature, ...]:
        """Return the features; the number of maps, one more with a neutral board, is an axis."""
        maps, items = _maps(seats, options), RIGHTS + seats
        return (
            *_of_the_turn(seats),
            *_of_the_seats(seats),
            *_of_the_table(seats, maps, items),
            *_of_the_auction(seats, items),
            *_of_the_offer(items),
            *_of_the_night(seats),
        )

    def most_actions(self, seats: int, options: Options) -> int:
        """Return the most of pairs of routes, of a building decision, and of openings with bids below `_GOLD`."""
        pairs = ROUTES * (ROUTES - 1) // 2
        building = _maps(seats, options) * ROUTES * _MOST_ON_A_ROUTE + seats + 1
        lots = seats + seats + RIGHTS
        return max(pairs, building, lots * _GOLD)


def _maps(seats: int, options: Options) -> int:
    return seats + 1 if options.neutral_board else seats


def _of_the_turn(seats: int) -> tuple[Feature, ...]:
    return (
        one("viewer", NONE, seats - 1, "The seat that sees this.", lambda view: view.viewer),
        one("to_act", NONE, seats - 1, "The seat that decides.", lambda view: view.seat_to_act),
        one(
            "decision",
            0,
            ASK_LOSS,
            "What it is asked: 1 setup_routes, 2 open_auction, 3 bid, 4 give_shah, 5 build, 6 trade_reply, 7 avert,"
            " 8 pledge, 9 lose_route, 0 nothing.",
            lambda view: view.decision,
        ),
        one("phase", 0, OVER, "0 set-up, 1 bidding, 2 building, 3 over.", lambda view: view.phase),
        one("turn", 0, LARGEST, "The turn, 0 at set-up.", lambda view: view.turn),
        Feature(
            "order",
            (seats,),
            NONE,
            seats - 1,
            "The seats in the order in which they set up, start auctions or build in this phase.",
            lambda view: padded(view.order, seats),
        ),
        one("at", 0, seats, "The place in this order of the seat whose turn it is.", lambda view: view.at),
    )


def _of_the_seats(seats: int) -> tuple[Feature, ...]:
    return (
        per_seat(seats, "gold", 0, LARGEST, "By seat: gold.", lambda seat: seat.gold),
        per_seat(seats, "tired", 0, 1, "By seat: 1 if its camel is tired.", lambda seat: seat.flipped),
        per_seat(seats, "cards", 0, LARGEST, "By seat: cards in hand.", lambda seat: seat.cards),
        Feature(
            "hand",
            (KINDS,),
            NONE,
            LARGEST,
            "By commodity: cards in the viewer's own hand.",
            _own_hand,
        ),
        Feature(
            "gained",
            (seats, KINDS),
            -LARGEST,
            LARGEST,
            "By seat and commodity: cards that came into the hand since the set-up, less those that left it.",
            lambda view: [count for seat in view.seats for count in seat.gained],
        ),
        Feature(
            "shown",
            (seats, KINDS),
            0,
            1,
            "By seat and commodity: 1 if this start card has been seen.",
            lambda view: [count for seat in view.seats for count in members(seat.shown, KINDS)],
        ),
        per_seat(
            seats, "markers", 0, MARKERS, "By seat: markers not on the maps.", lambda seat: seat.markers
        ),
        per_seat(
            seats, "score", 0, LARGEST, "By seat: points if the match ended now.", lambda seat: seat.score
        ),
    )


def _of_the_table(seats: int, maps: int, items: int) -> tuple[Feature, ...]:
    return (
        Feature(
            "owners",
            (maps, ROUTES),
            NONE,
            seats - 1,
            "By map and route, from route 1: the seat whose marker is there.",
            lambda view: [owner for seen in view.maps for owner in seen.owners],
        ),
        Feature(
            "cities",
            (maps, KINDS),
            NONE,
            seats - 1,
            "By map and city: the seat in control.",
            lambda view: [seat for seen in view.maps for seat in seen.cities],
        ),
        Feature(
            "holders",
            (items,),
            NONE,
            seats - 1,
            "By item (Shah, Eyes, Queen, then the Rights by map): the seat that holds it.",
            lambda view: view.holders,
        ),
        Feature(
            "row",
            (seats, 2),
            NONE,
            max(KINDS, seats) - 1,
            "The face-up cards from the oldest: commodity and colour.",
            lambda view: padded(
                [number for card in view.row for number in (card.commodity, card.colour)], 2 * seats
            ),
        ),
        one("deck", 0, KINDS * seats, "Cards in the deck.", lambda view: view.deck),
        Feature(
            "blocks",
            (seats,),
            0,
            seats - 1,
            "The colours in the order in which they lie in the deck, the first on top.",
            lambda view: view.blocks,
        ),
        Feature(
            "revealed",
            (seats, KINDS),
            0,
            1,
            "By colour and commodity: 1 if the deck has shown this card.",
            lambda view: [count for shown in view.revealed for count in members(shown, KINDS)],
        ),
        Feature("discards", (KINDS,), 0, LARGEST, "By commodity: spent cards.", lambda view: view.discards),
    )


def _of_the_auction(seats: int, items: int) -> tuple[Feature, ...]:
    return (
        Feature(
            "auctioned_cards",
            (seats, KINDS),
            0,
            1,
            "By colour and commodity: 1 if this card was a lot in this turn.",
            lambda view: members([lot for lot in view.auctioned if lot < ITEM_LOT], KINDS * seats),
        ),
        Feature(
            "auctioned_items",
            (items,),
            0,
            1,
            "By item: 1 if it was a lot in this turn.",
            lambda view: members([lot - ITEM_LOT for lot in view.auctioned if lot >= ITEM_LOT], items),
        ),
        Feature(
            "auction",
            (3,),
            NONE,
            LARGEST,
            "The auction that runs: lot (as in actions), standing bid, high bidder.",
            lambda view: (NONE, NONE, NONE) if view.auction is None else view.auction[:3],
        ),
        Feature(
            "passed",
            (seats,),
            0,
            1,
            "By seat: 1 if it has passed in this auction.",
            lambda view: members(() if view.auction is None else view.auction.passed, seats),
        ),
    )


def _of_the_offer(items: int) -> tuple[Feature, ...]:
    size = KINDS + 1 + items
    return (
        one("offers_left", 0, OFFERS, "Offers left in this building chance.", lambda view: view.offers_left),
        Feature(
            "offer",
            (2, size),
            0,
            LARGEST,
            "The offer that waits for a reply: given, then wanted; of each the cards by commodity, the gold, and 1 for"
            " each item.",
            lambda view: _offer(view, items),
        ),
    )


def _of_the_night(seats: int) -> tuple[Feature, ...]:
    return (
        Feature(
            "cup",
            (2,),
            NONE,
            max(CHIPS, BLACK_CHIPS) * 2,
            "Gold and black chips in the cup.",
            lambda view: (NONE, NONE) if view.cup is None else view.cup,
        ),
        Feature(
            "night",
            (2,),
            NONE,
            max(KINDS, seats) - 1,
            "The Night that waits: its city, and the seat that drew it.",
            lambda view: (NONE, NONE) if view.night is None else view.night[:2],
        ),
        Feature(
            "waiting",
            (seats,),
            NONE,
            seats - 1,
            "The seats still to answer in this step of the Night, the next one first.",
            lambda view: padded(() if view.night is None else view.night.waiting, seats),
        ),
        Feature(
            "pledged",
            (seats,),
            0,
            LARGEST,
            "By seat: gold pledged.",
            lambda view: (0,) * seats if view.night is None else view.night.pledged,
        ),
    )


def _own_hand(view: Observation) -> Iterable[int]:
    hand = view.seats[view.viewer].hand if view.viewer >= 0 else None
    return (NONE,) * KINDS if hand is None else hand


def _offer(view: Observation, items: int) -> list[int]:
    if not view.offer:
        return [*_side(EMPTY_SIDE, items), *_side(EMPTY_SIDE, items)]
    offer = offer_of(view.offer)
    return [*_side(offer.give, items), *_side(offer.want, items)]


def _side(side: Side, items: int) -> list[int]:
    return [*side.cards, side.gold, *members(side.items, items)]


FEATURES = AhldarahdFeatures()
