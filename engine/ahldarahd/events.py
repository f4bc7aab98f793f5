"""What happens by the rules, for the log (A53). Everybody sees everything. Gold is in whole chips."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from functools import cache, lru_cache
from typing import Final

from engine.ahldarahd.board import COMMODITIES, NUMBERS, Commodity
from engine.game import Event


class Ending(IntEnum):
    """Why a match ended; `name` is the rules' word."""

    DECK_EMPTY = 1
    """The building phase of the turn in which the deck became empty is over (A30)."""


@dataclass(frozen=True, slots=True)
class Card:
    """A card with its colour, as it lies in the deck or face up (A4)."""

    commodity: Commodity
    colour: int


@dataclass(frozen=True, slots=True)
class TurnBegan(Event):
    """A refresh (A9)."""

    turn: int
    revealed: tuple[Card, ...]
    """In the order in which they were turned up."""


@dataclass(frozen=True, slots=True)
class Won(Event):
    """An auction is over (A15)."""

    seat: int
    lot: int
    """As in `engine.ahldarahd.actions`."""
    bid: int


@dataclass(frozen=True, slots=True)
class Control(Event):
    """A seat took a city (A23)."""

    seat: int
    map: int
    city: Commodity
    gold: int
    """What it pays."""


@dataclass(frozen=True, slots=True)
class Removed(Event):
    """A route came off (A24 (4), A42)."""

    seat: int
    """Who owned it."""
    map: int
    route: int


@dataclass(frozen=True, slots=True)
class Lost(Event):
    """A seat lost control of a city (A24 (5))."""

    seat: int
    map: int
    city: Commodity


@dataclass(frozen=True, slots=True)
class Paid(Event):
    """What a seat has paid the bank for a claim or a purchase (A19-A21)."""

    seat: int
    gold: int


@dataclass(frozen=True, slots=True)
class Destroyed(Event):
    """A route was destroyed (A26)."""

    seat: int
    """Who destroyed it."""
    map: int
    route: int
    owner: int
    """Whose it was."""
    gold: int
    """Paid for it."""


@dataclass(frozen=True, slots=True)
class Sold(Event):
    """What a seat got for a Right (A27)."""

    seat: int
    gold: int


@dataclass(frozen=True, slots=True)
class Night(Event):
    """A draw held black chips (A38)."""

    seat: int
    """Who drew."""
    black: int
    """Chips in this draw."""
    card: Card | None
    """What names the city; None: the deck was empty, and nothing follows."""


@dataclass(frozen=True, slots=True)
class Ransom(Event):
    """The pledges reached the ransom and were paid (A41)."""

    paid: tuple[int, ...]
    """By seat."""


@dataclass(frozen=True, slots=True)
class Stall(Event):
    """Nobody auctioned a card: the oldest face-up card is discarded (A29)."""

    card: Card


@dataclass(frozen=True, slots=True)
class Ended(Event):
    """The match ended (A30, A33)."""

    ending: Ending
    scores: tuple[int, ...]
    gold: tuple[int, ...]
    placings: tuple[int, ...]


_KEPT: Final = 4096
"""Results of auctions that are made once; bids have no bound."""

won: Final[Callable[[int, int, int], Won]] = lru_cache(_KEPT)(Won)
"""An event of these fields, made once for all matches."""

removed: Final[Callable[[int, int, int], Removed]] = cache(Removed)
"""The same."""

paid: Final[Callable[[int, int], Paid]] = cache(Paid)
"""The same: gold is a price of the map."""


@cache
def control(seat: int, map_: int, city: int) -> Control:
    """Return the event that a seat took the city of that number, made once."""
    return Control(seat, map_, COMMODITIES[city], NUMBERS[city])


@cache
def lost(seat: int, map_: int, city: int) -> Lost:
    """Return the event that a seat lost the city of that number, made once."""
    return Lost(seat, map_, COMMODITIES[city])
