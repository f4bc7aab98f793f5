"""A position as flat ints and lists, and what can be asked of it without knowing the rules of actions."""

from __future__ import annotations

from typing import Final

from engine.compiling import i64
from engine.game import TERMINAL, State
from engine.wasteland.attack_cards import ATTACKER_HEALTH
from engine.wasteland.board import NOWHERE
from engine.wasteland.caravan_cards import (
    ATTACK,
    CARD_BITS,
    CARDS,
    COST,
    DEFENSE,
    HEAD,
    HEALTH,
    MOST_DEFENSE,
    MOVEMENT,
    SLOTS,
)
from engine.wasteland.event_cards import EVENTS
from engine.wasteland.events import Ending
from engine.wasteland.options import Options
from engine.wasteland.resources import ANY, KINDS

ASK_NOTHING: Final = 0
ASK_CITY: Final = 1
ASK_EVENT: Final = 2
ASK_RESPOND: Final = 3
ASK_SPOIL: Final = 4
ASK_MOVE: Final = 5
ASK_DODGE: Final = 6
ASK_BOOST: Final = 7
ASK_REROLL: Final = 8
ASK_HIT: Final = 9
ASK_OVERFLOW: Final = 10
ASK_LOCATION: Final = 11
ASK_DISCARD: Final = 12
ASK_COOK: Final = 13
DECISION_NAMES: Final = (
    "over",
    "start_city",
    "event",
    "respond",
    "spoil",
    "move",
    "dodge",
    "boost",
    "reroll",
    "assign_hit",
    "overflow",
    "location",
    "end_discard",
    "cook",
)
"""By kind of decision, as W72 calls them."""

NOBODY: Final = -1
NO_CARD: Final = -1
NO_WINDOW: Final = -1
NOT_IN_PLAY: Final = -1

START_CASH: Final = 5
"""W15, W52."""

_GOALS: Final = (0, 0, 35, 30, 25)
"""By number of seats (W65)."""

_FACE_UP: Final = (0, 0, 4, 5, 6)
"""By number of seats: missions that lie face up (W14)."""


class Setup:
    """What never changes in a match, shared by all copies of its position."""

    __slots__ = ("deter", "face_up", "goal", "options", "rounds", "seats", "text")

    def __init__(self, seats: int, options: Options) -> None:
        """Set up a match of so many seats."""
        self.seats: int = seats
        self.options: Options = options
        self.deter: bool = options.check_rule == "deter"
        self.rounds: int = options.max_rounds
        self.goal: int = _GOALS[seats]
        self.face_up: int = _FACE_UP[seats]
        self.text: bytes = " ".join(map(str, ("wasteland-state-v1", seats, *options, "\n"))).encode()
        """What a digest says of it."""


class Position(State):
    """All that a match consists of at one moment. Lists by seat unless said otherwise; a set is a bit mask.

    Copies share tuples, and the rows of lists of lists: a row is replaced, never changed.
    """

    __slots__ = (
        "actions",
        "asked",
        "attack_deck",
        "attack_discards",
        "attackers",
        "bargain",
        "bonus",
        "cash",
        "current",
        "decision",
        "dice",
        "ditched",
        "dry",
        "ending",
        "event_deck",
        "event_discards",
        "events",
        "fight",
        "fight_defense",
        "fight_hits",
        "fight_round",
        "fight_surprise",
        "first",
        "flat_tires",
        "goal_reached",
        "hands",
        "healed",
        "hits",
        "legal",
        "mission_deck",
        "mission_discards",
        "missions",
        "offers",
        "outrider",
        "passes",
        "queue",
        "rerolled",
        "responding_to",
        "road_blocks",
        "round",
        "sandstorm",
        "seat_to_act",
        "seed",
        "setup",
        "spaces",
        "steps",
        "stores",
        "tailwinds",
        "to_assign",
        "wilds",
        "window",
        "words",
    )

    setup: Setup
    decision: int
    """ASK_NOTHING ... ASK_COOK."""
    seat_to_act: int
    round: int
    """0 in the set-up (W71)."""
    first: int
    """The first player (W16), or NOBODY in the set-up."""
    current: int
    """The current player, or NOBODY in the set-up and at the end."""
    goal_reached: bool
    ending: Ending | None
    spaces: list[int]
    """Where each seat is, or NOWHERE."""
    cash: list[int]
    hits: list[list[int]]
    """By seat and Caravan card: Hits on it, or NOT_IN_PLAY."""
    stores: list[list[int]]
    """By seat and resource."""
    hands: list[list[int]]
    """By seat and Event card: how many."""
    missions: tuple[int, ...]
    """Face up, by place."""
    event_deck: tuple[int, ...]
    """The top first, as all decks; of discards the oldest first (W9)."""
    event_discards: tuple[int, ...]
    attack_deck: tuple[int, ...]
    attack_discards: tuple[int, ...]
    mission_deck: tuple[int, ...]
    mission_discards: tuple[int, ...]

    steps: int
    """Of this turn, like all to `actions`: steps made."""
    tailwinds: int
    flat_tires: int
    outrider: bool
    """Whether Outrider Bikes was used (W33)."""
    sandstorm: bool
    road_blocks: tuple[int, ...]
    """Spaces named, in order."""
    wilds: tuple[tuple[int, int], ...]
    """(space, required Attack cards), in order (W34)."""
    attackers: tuple[int, ...]
    """Seats that have played an Attack!-type card, in order (W28)."""
    dry: tuple[int, ...]
    """Resources named by Dry Market, in order."""
    bargain: bool
    """Still to be used."""
    bonus: bool
    ditched: tuple[int, ...]
    """Resources, each once, in order (W55)."""
    healed: bool
    actions: int
    """In Location (W60)."""

    window: int
    """The Event window that is open, or NO_WINDOW."""
    asked: int
    """The seat whose offer it is, or comes next after a `respond` or `spoil`; NOBODY without a window."""
    passes: int
    """In a row."""
    offers: int
    """Offers of a window, and answers to an attack, that are settled; no part of the position."""
    responding_to: int
    """The Event card that `respond` is about, or NO_CARD."""
    queue: tuple[tuple[int, int], ...]
    """(Attack card, 1 if drawn for a Surprise Attack!), the next one first."""

    fight: int
    """The Attack card that is fought, or NO_CARD."""
    fight_surprise: bool
    fight_defense: int
    fight_hits: int
    """On the card."""
    fight_round: int
    """0 before the first one (W40)."""
    rerolled: bool
    dice: tuple[int, ...]
    """The caravan's, in this round."""
    to_assign: int
    """Hits still to be placed (W47)."""

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
        """Give every seat its Head and its first Cash, nowhere; empty all decks (W15)."""
        seats = self.setup.seats
        self.decision, self.seat_to_act = ASK_NOTHING, TERMINAL
        self.round, self.first, self.current = 0, NOBODY, NOBODY
        self.goal_reached, self.ending = False, None
        self.spaces = [NOWHERE] * seats
        self.cash = [START_CASH] * seats
        self.hits = [bare_head() for _ in range(seats)]
        self.stores = [[0] * KINDS for _ in range(seats)]
        self.hands = [[0] * EVENTS for _ in range(seats)]
        self.missions = ()
        self.event_deck, self.event_discards = (), ()
        self.attack_deck, self.attack_discards = (), ()
        self.mission_deck, self.mission_discards = (), ()
        self.clear_turn()
        self.window, self.asked, self.passes, self.responding_to = NO_WINDOW, NOBODY, 0, NO_CARD
        self.offers = 0
        self.queue = ()
        self.clear_fight()
        self.seed, self.words = bytes(32), 0
        self.events = []
        self.legal = None

    def clear_turn(self) -> None:
        """Clear all effects of a turn (W23)."""
        self.steps, self.tailwinds, self.flat_tires = 0, 0, 0
        self.outrider, self.sandstorm, self.bargain = False, False, False
        self.bonus, self.healed = False, False
        self.road_blocks, self.wilds, self.attackers = (), (), ()
        self.dry, self.ditched = (), ()
        self.actions = 0

    def clear_fight(self) -> None:
        """Clear the fight."""
        self.fight, self.fight_surprise, self.fight_defense = NO_CARD, False, 0
        self.fight_hits, self.fight_round, self.rerolled = 0, 0, False
        self.dice, self.to_assign = (), 0

    def copy_from(self, other: Position) -> None:
        """Become an independent copy of `other`, of the same setup, with no events waiting."""
        self.decision, self.seat_to_act = other.decision, other.seat_to_act
        self.round, self.first, self.current = other.round, other.first, other.current
        self.goal_reached, self.ending = other.goal_reached, other.ending
        self.spaces, self.cash = other.spaces[:], other.cash[:]
        self.hits, self.stores, self.hands = other.hits[:], other.stores[:], other.hands[:]
        self.missions = other.missions
        self.event_deck, self.event_discards = other.event_deck, other.event_discards
        self.attack_deck, self.attack_discards = other.attack_deck, other.attack_discards
        self.mission_deck, self.mission_discards = other.mission_deck, other.mission_discards
        self.steps, self.tailwinds, self.flat_tires = other.steps, other.tailwinds, other.flat_tires
        self.outrider, self.sandstorm, self.bargain = other.outrider, other.sandstorm, other.bargain
        self.bonus, self.healed, self.actions = other.bonus, other.healed, other.actions
        self.road_blocks, self.wilds = other.road_blocks, other.wilds
        self.attackers, self.dry, self.ditched = other.attackers, other.dry, other.ditched
        self.window, self.asked, self.passes = other.window, other.asked, other.passes
        self.responding_to, self.queue = other.responding_to, other.queue
        self.offers = other.offers
        self.fight, self.fight_surprise = other.fight, other.fight_surprise
        self.fight_defense, self.fight_hits = other.fight_defense, other.fight_hits
        self.fight_round, self.rerolled = other.fight_round, other.rerolled
        self.dice, self.to_assign = other.dice, other.to_assign
        self.seed, self.words = other.seed, other.words
        self.events = []
        self.legal = other.legal

    # Rows that are replaced, since copies share them

    def set_hits(self, seat: int, card: int, hits: int) -> None:
        """Let a Caravan card of the seat have so many Hits, or be NOT_IN_PLAY."""
        row = self.hits[seat][:]
        row[card] = hits
        self.hits[seat] = row

    def add_units(self, seat: int, resource: int, units: int) -> None:
        """Store so many units more, or fewer if the number is negative."""
        row = self.stores[seat][:]
        row[resource] += units
        self.stores[seat] = row

    def add_events(self, seat: int, card: int, copies: int) -> None:
        """Put so many copies of an Event card into the hand, or take them from it if the number is negative."""
        row = self.hands[seat][:]
        row[card] += copies
        self.hands[seat] = row

    # Caravans

    def attack(self, seat: int) -> int:
        """Return the number of dice of the seat's caravan (W17)."""
        return _sum_of(ATTACK, self.hits[seat])

    def defense(self, seat: int) -> int:
        """Return the Defense of the seat's caravan, at most 5 (W18)."""
        total = _sum_of(DEFENSE, self.hits[seat])
        return min(MOST_DEFENSE, total)

    def movement(self, seat: int) -> int:
        """Return the Movement of the seat's caravan (W17)."""
        return _sum_of(MOVEMENT, self.hits[seat])

    def total_health(self, seat: int) -> int:
        """Return the printed Health, for a Check (W19)."""
        return _sum_of(HEALTH, self.hits[seat])

    def total_hits(self, seat: int) -> int:
        """Return the Hits on the seat's cards."""
        total = 0
        for hits in self.hits[seat]:
            if hits > 0:
                total += hits
        return total

    def slots(self, seat: int) -> list[int]:
        """Return the slots of all cards in play, not to be changed: by resource, then for any kind (W20)."""
        hits = self.hits[seat]
        in_play: i64 = 0
        for card in range(CARDS):
            if hits[card] != NOT_IN_PLAY:
                in_play |= CARD_BITS[card]
        found = _SLOTS_OF.get(in_play)
        if found is None:
            found = _SLOTS_OF[in_play] = _slots_of(in_play)
        return found

    def has_card(self, seat: int, card: int) -> bool:
        """Return whether the Caravan card is in play."""
        return self.hits[seat][card] != NOT_IN_PLAY

    def hand_size(self, seat: int) -> int:
        """Event cards in hand."""
        return sum(self.hands[seat])

    def price(self, card: int) -> int:
        """Return what a Caravan card costs the current player now (W57)."""
        cost = COST[card]
        if not self.bargain:
            return cost
        return cost - 2 if cost > 2 else 1

    def allowance(self) -> int:
        """Return the steps that the current player may use in this Movement (W31)."""
        total = self.movement(self.current) + 2 * self.tailwinds - 2 * self.flat_tires
        if self.outrider:
            total += 1
        return max(1, total)

    def is_beaten(self) -> bool:
        """Return whether the card that is fought is defeated, though Hits are still to be placed (W46)."""
        return self.fight_hits >= ATTACKER_HEALTH[self.fight]

    def score(self, seat: int) -> int:
        """Return the Cash and half the cost of each card in play (W68)."""
        total, hits = self.cash[seat], self.hits[seat]
        for card in range(CARDS):
            if hits[card] != NOT_IN_PLAY:
                total += COST[card] // 2
        return total

    def health_left(self, seat: int) -> int:
        """Return what breaks ties (W69)."""
        return self.total_health(seat) - self.total_hits(seat)


def changed(numbers: tuple[int, ...], place: int, number: int) -> tuple[int, ...]:
    """Return the numbers with another one in that place."""
    copy = list(numbers)
    copy[place] = number
    return tuple(copy)


def bare_head() -> list[int]:
    """Return hits by Caravan card of a seat that has its undamaged Head alone."""
    return [0 if card == HEAD else NOT_IN_PLAY for card in range(CARDS)]


def _sum_of(numbers: list[int], hits: list[int]) -> int:
    total: i64 = 0
    for card in range(CARDS):
        if hits[card] != NOT_IN_PLAY:
            total += numbers[card]
    return total


def _slots_of(in_play: int) -> list[int]:
    cards = [card for card in range(CARDS) if in_play >> card & 1]
    return [sum([SLOTS[card][kind] for card in cards]) for kind in range(ANY + 1)]


_SLOTS_OF: Final[dict[int, list[int]]] = {}
"""By set of Caravan cards in play: their slots, computed once."""
