"""What happens by the rules, for the log (C23). Everybody sees everything."""

from dataclasses import dataclass
from enum import IntEnum

from engine.caravan.goods import Good
from engine.game import Event


class Ending(IntEnum):
    """Why a match ended; `name` is the rules' word."""

    FINAL_DELIVERY = 1
    """A delivery after the bag was empty (C17)."""
    NO_PROGRESS = 2
    """Too many idle turns in a row (C18)."""
    TURN_LIMIT = 3
    """The last turn that the options allow has ended (C18)."""


@dataclass(frozen=True, slots=True)
class TurnBegan(Event):
    """A turn began."""

    seat: int
    points: int


@dataclass(frozen=True, slots=True)
class Refill(Event):
    """Four markers and four goods were laid out (C15)."""

    marked: tuple[int, ...]
    """The squares that got a marker, by ascending number of the space."""
    drawn: tuple[tuple[int, Good], ...]
    """Square and good, in the order of drawing."""


@dataclass(frozen=True, slots=True)
class Delivered(Event):
    """A seat delivered a good (C14)."""

    seat: int
    good: Good


@dataclass(frozen=True, slots=True)
class EndArmed(Event):
    """The bag is empty: the next delivery ends the match (C17)."""


@dataclass(frozen=True, slots=True)
class Ended(Event):
    """The match ended."""

    ending: Ending
