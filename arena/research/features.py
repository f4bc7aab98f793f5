"""The feature list of a game: what a seat sees as numbers, and what an action is in numbers; and how it is found.

A feature reads the game's own Observation, which is made for one viewer, and nothing else: what the viewer may not know
cannot be in it.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any, Final

LARGEST: Final = 2**31 - 1
"""The upper bound of a feature without a smaller one; features are 32-bit numbers."""

NONE: Final = -1
"""In features and fields of actions: nobody, nothing, not known."""


@dataclass(frozen=True, slots=True)
class Feature:
    """Some numbers that a seat sees."""

    name: str
    shape: tuple[int, ...]
    low: int
    """The least value."""
    high: int
    """The greatest value."""
    meaning: str
    """What the numbers are, by axis: one sentence."""
    read: Callable[[Any], Iterable[int]]
    """From the game's own Observation to the numbers, in the order of a C array of that shape."""


@dataclass(frozen=True, slots=True)
class Bits:
    """Where a number lies in a packed action."""

    lowest: int
    count: int


@dataclass(frozen=True, slots=True)
class ActionField:
    """One number of actions."""

    name: str
    meaning: str
    bits: Mapping[int, Bits]
    """By the kinds of actions that have it."""


class GameFeatures(ABC):
    """The feature list of one game."""

    kinds: Sequence[str]
    """The names of the kinds of actions, by number."""
    kind_shift: int
    """An action shifted right by so many bits is its kind."""
    fields: Sequence[ActionField]

    @abstractmethod
    def features(self, seats: int, options: Any) -> tuple[Feature, ...]:
        """Return the features for so many seats and the game's own Options; names and order depend on neither."""

    @abstractmethod
    def most_actions(self, seats: int, options: Any) -> int:
        """Return the size of the action space: how many legal actions a position lists at most."""


def one(name: str, low: int, high: int, meaning: str, read: Callable[[Any], int | None]) -> Feature:
    """Return a feature of one number. `read` may return None, which becomes NONE."""

    def read_one(view: Any) -> tuple[int]:
        value = read(view)
        return (NONE if value is None else value,)

    return Feature(name, (1,), low, high, meaning, read_one)


def per_seat(seats: int, name: str, low: int, high: int, meaning: str, read: Callable[[Any], int]) -> Feature:
    """Return a feature of one number for each seat. `read`: from what the Observation has of a seat to the number."""
    return Feature(name, (seats,), low, high, meaning, lambda view: [read(seat) for seat in view.seats])


def padded(values: Sequence[int], length: int) -> list[int]:
    """Return the values with NONE behind them, `length` numbers in all."""
    return [*values, *[NONE] * (length - len(values))]


def members(values: Iterable[int], size: int) -> list[int]:
    """Return by number from 0 to `size` - 1 how often it is among the values."""
    counts = [0] * size
    for value in values:
        counts[value] += 1
    return counts


@cache
def features_for(game: str) -> GameFeatures:
    """Return the features of a game: the FEATURES of `arena.research.<game id>.features`.

    Raises KeyError for a game without any.
    """
    try:
        module = import_module(f"arena.research.{game}.features")
    except ModuleNotFoundError as error:
        raise KeyError(game) from error
    features: GameFeatures = module.FEATURES
    return features
