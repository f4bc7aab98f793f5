"""A position as flat ints and lists, and what can be asked of it without knowing the rules of actions."""

from __future__ import annotations

from typing import Final

from engine.ahldarahd.actions import EYES, QUEEN, RIGHTS
from engine.ahldarahd.board import KINDS, MARKERS, ROUTES
from engine.ahldarahd.events import Ending
from engine.ahldarahd.options import Options
from engine.ahldarahd.tables import (
    AROUND,
    MAJORITY,
    PRICES,
    ROUTES_AT,
    SEA_ROUTE,
    MapActions,
    map_actions,
)
from engine.compiling import i64
from engine.game import State

SETUP: Final = 0
BIDDING: Final = 1
BUILDING: Final = 2
OVER: Final = 3
PHASE_NAMES: Final = ("setup", "bidding", "building", "over")

ASK_NOTHING: Final = 0
ASK_SETUP: Final = 1
ASK_OPENING: Final = 2
ASK_BID: Final = 3
ASK_SHAH: Final = 4
ASK_BUILD: Final = 5
ASK_REPLY: Final = 6
ASK_AVERT: Final = 7
ASK_PLEDGE: Final = 8
ASK_LOSS: Final = 9
DECISION_NAMES: Final = (
    "",
    "setup_routes",
    "open_auction",
    "bid",
    "give_shah",
    "build",
    "trade_reply",
    "avert",
    "pledge",
    "lose_route",
)
"""By kind of decision, as A48 calls them."""

NOBODY: Final = -1
NO_CUP: Final = -1
NO_CITY: Final = -1

START_CARDS: Final = 3
"""Of each seat, from the pile of its colour (A6)."""

START_GOLD: Final = 5
"""Of each seat (A7)."""

OFFERS: Final = 2
"""Of a building chance with trading (A43)."""

RANSOM: Final = 10
"""What buys a Night off (A41)."""


class Setup:
    """What never changes in a match, shared by all copies of its position."""

    __slots__ = ("actions", "maps", "options", "seats", "text")

    def __init__(self, seats: int, options: Options) -> None:
        """Set up a match of so many seats."""
        self.seats: int = seats
        self.options: Options = options
        self.maps: int = seats + 1 if options.neutral_board else seats
        """Map `seats` is the neutral one."""
        self.actions: list[MapActions] = [map_actions(map_) for map_ in range(self.maps)]
        """By map: pieces of legal lists."""
        self.text: bytes = " ".join(map(str, ("ahldarahd-state-v1", seats, *options, "\n"))).encode()
        """What a digest says of it."""


class Position(State):
    """All that a match consists of at one moment. By seat unless said otherwise; a set of seats is a bit mask.

    Copies share tuples, and the rows of lists of lists: a row is replaced, never changed.
    """

    __slots__ = (
        "at",
        "auctioned",
        "bid",
        "cities",
        "cup_black",
        "cup_gold",
        "decision",
        "deck",
        "discards",
        "drawer",
        "ending",
        "events",
        "flipped",
        "gained",
        "gold",
        "hands",
        "high",
        "holders",
        "legal",
        "lot",
        "night_city",
        "offer",
        "offers_left",
        "order",
        "owners",
        "passed",
        "phase",
        "placed",
        "pledged",
        "revealed",
        "row",
        "seat_to_act",
        "seed",
        "setup",
        "shown",
        "top",
        "turn",
        "waiting",
        "words",
    )

    setup: Setup
    turn: int
    """0 at set-up (A9)."""
    phase: int
    """SETUP ... OVER."""
    decision: int
    """ASK_NOTHING ... ASK_LOSS."""
    seat_to_act: int
    order: tuple[int, ...]
    """In which seats set up, start auctions or build in this phase; empty when the match is over."""
    at: int
    """The index in it of the one whose turn it is."""
    gold: list[int]
    flipped: int
    """The seats whose camels are flipped."""
    holders: list[int]
    """By item: the seat that holds it, or NOBODY: it lies in the middle."""
    hands: list[list[int]]
    """By seat and commodity: cards."""
    gained: list[list[int]]
    """By seat and commodity: cards that came into the hand since the set-up, less those that left it. Public."""
    shown: tuple[int, ...]
    """By seat: the set of start cards that were seen: more left the hand, or were offered, than had come into it."""
    revealed: tuple[int, ...]
    """By colour: the set of commodities that the deck has shown."""
    discards: tuple[int, ...]
    """By commodity."""
    deck: list[int]
    """All cards that were in it at set-up, the first on top; a card is 10 * colour + commodity."""
    top: int
    """So many of them have left it."""
    row: tuple[int, ...]
    """Face-up cards, the oldest first."""
    owners: list[list[int]]
    """By map and route: the owner, or NOBODY."""
    cities: list[list[int]]
    """By map and city: the seat in control, or NOBODY."""
    placed: list[int]
    """Markers on the maps."""
    auctioned: tuple[int, ...]
    """Lots opened in this turn, in order."""
    lot: int
    """Of the auction that runs; what follows is of it, too."""
    bid: int
    high: int
    """The high bidder."""
    passed: int
    """The seats that have passed."""
    offers_left: int
    offer: int
    """The offer that waits for a reply, as an action; 0: none."""
    cup_gold: int
    """NO_CUP without the Night and at set-up."""
    cup_black: int
    night_city: int
    """The city that the Night has named, while it waits for a decision; else NO_CITY."""
    drawer: int
    """Who has brought it."""
    waiting: tuple[int, ...]
    """The seats still to go through the present step of it, in order, the one asked first."""
    pledged: tuple[int, ...]
    ending: Ending | None
    seed: bytes
    """Of the match's stream, 32 bytes."""
    words: int
    """Words of the stream that were used."""
    legal: memoryview | None
    """The legal list, once it was asked for."""

    def __init__(self, setup: Setup) -> None:
        """Make a position of which only the setup is known: `clear` or `copy_from` comes next."""
        self.setup = setup

    def clear(self) -> None:
        """Clear the maps, the deck, and what every seat has."""
        seats, maps = self.setup.seats, self.setup.maps
        self.turn, self.phase, self.decision, self.seat_to_act = 0, SETUP, ASK_NOTHING, 0
        self.order, self.at = (), 0
        self.gold = [START_GOLD] * seats
        self.flipped = 0
        self.holders = [NOBODY] * (RIGHTS + seats)
        self.hands = [[0] * KINDS for _ in range(seats)]
        self.gained = [[0] * KINDS for _ in range(seats)]
        self.shown = (0,) * seats
        self.revealed = (0,) * seats
        self.discards = (0,) * KINDS
        self.deck, self.top, self.row = [], 0, ()
        self.owners = [[NOBODY] * (ROUTES + 1) for _ in range(maps)]
        self.cities = [[NOBODY] * KINDS for _ in range(maps)]
        self.placed = [0] * seats
        self.auctioned = ()
        self.lot, self.bid, self.high, self.passed = 0, 0, NOBODY, 0
        self.offers_left, self.offer = 0, 0
        self.cup_gold, self.cup_black = NO_CUP, 0
        self.night_city, self.drawer, self.waiting, self.pledged = NO_CITY, NOBODY, (), (0,) * seats
        self.ending = None
        self.seed, self.words = bytes(32), 0
        self.events = []
        self.legal = None

    def copy_from(self, other: Position) -> None:
        """Become an independent copy of `other`, of the same setup, with no events waiting."""
        self.turn, self.phase, self.decision = other.turn, other.phase, other.decision
        self.seat_to_act, self.order, self.at = other.seat_to_act, other.order, other.at
        self.gold, self.flipped, self.holders = other.gold[:], other.flipped, other.holders[:]
        self.hands, self.gained = other.hands[:], other.gained[:]
        self.shown, self.revealed, self.discards = other.shown, other.revealed, other.discards
        self.deck, self.top, self.row = other.deck, other.top, other.row
        self.owners, self.cities = other.owners[:], other.cities[:]
        self.placed, self.auctioned = other.placed[:], other.auctioned
        self.lot, self.bid, self.high, self.passed = other.lot, other.bid, other.high, other.passed
        self.offers_left, self.offer = other.offers_left, other.offer
        self.cup_gold, self.cup_black = other.cup_gold, other.cup_black
        self.night_city, self.drawer = other.night_city, other.drawer
        self.waiting, self.pledged = other.waiting, other.pledged
        self.ending, self.seed, self.words = other.ending, other.seed, other.words
        self.events = []
        self.legal = other.legal

    @property
    def deck_size(self) -> int:
        """Cards in the deck."""
        return len(self.deck) - self.top

    def turn_up(self) -> int:
        """Turn up the top card of the deck."""
        card = self.deck[self.top]
        self.top += 1
        self.revealed = changed(
            self.revealed, card // KINDS, self.revealed[card // KINDS] | 1 << card % KINDS
        )
        return card

    def add_cards(self, seat: int, commodity: int, count: int) -> None:
        """Put so many cards into the hand, or take them from it if `count` is negative."""
        hand, gained = self.hands[seat][:], self.gained[seat][:]
        hand[commodity] += count
        gained[commodity] += count
        self.hands[seat], self.gained[seat] = hand, gained

    def spend(self, commodity: int) -> None:
        """Count a card among the spent ones."""
        self.discards = changed(self.discards, commodity, self.discards[commodity] + 1)

    def cards(self, seat: int) -> int:
        """Return the number of cards in the seat's hand."""
        return sum(self.hands[seat])

    def around(self, seat: int) -> tuple[int, ...]:
        """Return the seats clockwise from the seat, it first (A1)."""
        return AROUND[self.setup.seats][seat]

    def may_act_on(self, seat: int, map_: int) -> bool:
        """Whether the seat may build there: its own map, one whose Right it holds, the neutral one (A18, A35)."""
        return map_ in (seat, self.setup.seats) or self.holders[RIGHTS + map_] == seat

    def discount(self, seat: int, route: int) -> int:
        """Return what the Eyes or the Queen spare the seat on that route (A21)."""
        return 1 if self.holders[QUEEN if SEA_ROUTE[route] else EYES] == seat else 0

    def claim_price(self, seat: int, route: int) -> int:
        """Return the gold for a claim, beside the card (A19, A21)."""
        return 1 - self.discount(seat, route)

    def buy_price(self, seat: int, route: int) -> int:
        """Return the gold for a purchase (A20, A21)."""
        return PRICES[route] - self.discount(seat, route)

    def has_marker(self, seat: int) -> bool:
        """Return whether the seat has one left (A22)."""
        return self.placed[seat] < MARKERS

    def routes_into(self, map_: int, city: int, seat: int) -> int:
        """Return how many of the city's routes the seat owns."""
        owners = self.owners[map_]
        whose: i64 = seat
        count: i64 = 0
        for route in ROUTES_AT[city]:
            if owners[route] == whose:
                count += 1
        return count

    def has_majority(self, map_: int, city: int, seat: int) -> bool:
        """Return whether the seat owns strictly more than half of the city's routes (A23)."""
        return self.routes_into(map_, city, seat) >= MAJORITY[city]

    def controlled(self, map_: int) -> int:
        """Return the number of cities of the map that anyone controls (A27)."""
        return KINDS - self.cities[map_].count(NOBODY)

    def bidders(self) -> int:
        """Return the other seats than the high bidder that have not passed and can raise (A13, A14)."""
        found = 0
        for seat in range(self.setup.seats):
            if seat != self.high and not self.passed >> seat & 1 and self.can_raise(seat):
                found |= 1 << seat
        return found

    def can_raise(self, seat: int) -> bool:
        """Return whether its camel and its gold let the seat go above the standing bid (A14)."""
        return not self.flipped >> seat & 1 and self.gold[seat] > self.bid

    def routes_in_reach(self, seat: int, city: int) -> list[tuple[int, int]]:
        """Return the seat's own routes that touch the city, by map and route (A39, A42)."""
        return [
            (map_, route)
            for map_ in range(self.setup.maps)
            for route in ROUTES_AT[city]
            if self.owners[map_][route] == seat
        ]

    def is_hit(self, seat: int) -> bool:
        """Return whether the Night hits the seat (A39)."""
        return self.holders[EYES] != seat and bool(self.routes_in_reach(seat, self.night_city))

    def score(self, seat: int) -> int:
        """Return the points if the match ended now (A32)."""
        own = self.cities[seat]
        points = 0
        for map_, cities in enumerate(self.cities):
            for city in range(KINDS):
                if cities[city] == seat:
                    points += 4 if map_ != seat and own[city] == seat else 1
        return points


def changed(numbers: tuple[int, ...], place: int, number: int) -> tuple[int, ...]:
    """Return the numbers with another one in that place."""
    copy = list(numbers)
    copy[place] = number
    return tuple(copy)
