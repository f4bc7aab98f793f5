"""The contract between a game's rules and everything that plays them.

Words: a *seat* is a 0-based place at the table; an *action* is an int, a packing of its fields that the game documents;
a *ply* is one action applied. A game that implements this file is played, logged, verified and rated by the arena
without a line of code elsewhere but its messages, codec, drawing and registry line (docs/adding_a_game.md).

Errors::

    GameError
    +-- IllegalActionError      an action that may not be played now
    +-- UnreadableActionError   text or fields that are no action at all
    +-- InvalidOptionsError     options that the game does not have, or not for this many seats
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final, TypeVar

from engine.randomness import Stream
from engine.state import TERMINAL, State, packed

__all__ = [
    "EVERYBODY",
    "SPECTATOR",
    "TERMINAL",
    "Chance",
    "Event",
    "Exchange",
    "Game",
    "GameError",
    "GameSpec",
    "IllegalActionError",
    "InvalidOptionsError",
    "OptionSpec",
    "Outcome",
    "State",
    "UnreadableActionError",
    "outcome_of",
    "own",
    "packed",
]

SPECTATOR: Final = -1
"""The viewer who sees what is public."""

EVERYBODY: Final = None
"""The audience of what all seats and spectators see."""

_T = TypeVar("_T")


class GameError(Exception):
    """Something that the rules of a game refuse. The message is one sentence for people."""


class IllegalActionError(GameError):
    """The action may not be played in this position. The position is unchanged."""


class UnreadableActionError(GameError):
    """What was given is no action of this game; the message names the field."""


class InvalidOptionsError(GameError):
    """The options are not possible; the message names the option and what is allowed."""

    def __init__(self, message: str, option: str = "") -> None:
        """`option`: the name of the option whose value is not possible; empty if it is not one value."""
        super().__init__(message)
        self.option = option


class Chance(Enum):
    """Where chance comes into a game."""

    NONE = "none"
    """Nowhere."""
    OPEN = "open"
    """All of it lies open after the set-up: nobody gains by having seen another match with the same seed."""
    HIDDEN = "hidden"
    """Some of it stays hidden after the set-up."""


@dataclass(frozen=True, slots=True)
class OptionSpec:
    """One option of a game, as people see it."""

    name: str
    description: str
    """One sentence."""
    default: str
    """In words, since it may depend on the number of seats."""
    allowed: str
    """In words."""


@dataclass(frozen=True, slots=True)
class GameSpec:
    """What is the same for all matches of a game."""

    id: str
    """1 to 24 of a-z and 0-9, beginning with a letter: it names modules, messages and resources."""
    title: str
    rules_version: int
    """Rises with every change that could alter a match."""
    min_seats: int
    max_seats: int
    options: tuple[OptionSpec, ...]
    chance: Chance
    hidden_information: bool
    """True if seats see different things."""
    secret_decisions: bool
    """True if it is secret who is asked; other seats' clocks and defaults are then hidden too."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that follows from the rules: a draw, a refill, a delivery. Games subclass it with their fields."""

    def audience(self) -> frozenset[int] | None:
        """Return the seats that see the event in full, or EVERYBODY."""
        return EVERYBODY

    def seen_by(self, viewer: int) -> Event | None:
        """Return the event as a viewer (a seat, or SPECTATOR) may see it, perhaps redacted; None if it sees nothing."""
        audience = self.audience()
        return self if audience is None or viewer in audience else None


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result by the rules. Tuples are by seat."""

    scores: tuple[int, ...]
    """Never below 0 with one seat: a forfeited solo match counts 0, and is not to be better than one played."""
    placings: tuple[int, ...]
    """1 is best; seats that tie share the better placing (1, 1, 3)."""
    ending: str
    """Why the match ended, in the rules' own word, for example FINAL_DELIVERY."""


def outcome_of(keys: Sequence[tuple[int, ...]], ending: str) -> Outcome:
    """Return the result where more is better. `keys`: by seat its score, then what breaks ties, in order."""
    placings = tuple([1 + sum([other > key for other in keys]) for key in keys])
    return Outcome(tuple([key[0] for key in keys]), placings, ending)


@dataclass(frozen=True, slots=True)
class Exchange:
    """An offer of one seat to another, and what came of it: what an organiser looks at who suspects a collusion.

    `gave` and `got` say how much of what, in words of the game's notation, for example `{"gold": 3}`; nothing is there
    with 0. They are what would have changed hands where the offer was declined.
    """

    turn: int
    """As the game counts them."""
    proposer: int
    target: int
    gave: Mapping[str, int]
    """What the proposer gives the target."""
    got: Mapping[str, int]
    """What the target gives for it."""
    accepted: bool


class Game(ABC):
    """The rules of one game; stateless, one object per game."""

    spec: GameSpec

    @abstractmethod
    def options(self, seats: int, values: Mapping[str, str]) -> object:
        """Return the game's own frozen Options for so many seats: `values` by name as text, defaults for the rest.

        Raises InvalidOptionsError: an unknown name, a value that is not allowed, or a wrong number of seats.
        """

    @abstractmethod
    def option_values(self, options: object) -> dict[str, str]:
        """Return all options by name as text; `options` reads them back."""

    @abstractmethod
    def max_plies(self, seats: int, options: object) -> int:
        """Return a bound that no match exceeds."""

    def long_match(self, seats: int, options: object) -> int:
        """Return about how many decisions one seat has in a long match of sensible play, at most `max_plies`.

        Measured, no bound: what a clock has to last for. A game whose proven bound is far beyond it overrides this.
        """
        return self.max_plies(seats, options)

    def level(self, score: int) -> str:
        """Return the rules' word for a score in a match of one seat, where nobody is compared with; or ""."""
        return ""

    def exchange(self, state: State, action: int) -> Exchange | None:
        """Return the offer that this action answers, a legal one that is about to be played; None if it answers none.

        Asked before `apply`. Games in which a seat can give something to another override it.
        """
        return None

    @abstractmethod
    def new_match(self, seats: int, options: object, seed: bytes) -> State:
        """Return the position after set-up; every draw comes from the stream of the 32-byte seed."""

    @abstractmethod
    def from_observation(self, observation: object, stream: Stream) -> State:
        """Return a full position drawn uniformly from those that fit the observation; `stream` gives all chance.

        For search bots, which never hold the real position, and for whatever reads what a viewer, SPECTATOR too, was
        sent. What the viewer sees of it equals the observation. The position may keep the stream for draws to come.
        """

    def sensible_action(self, state: State, stream: Stream) -> int:
        """Return a quick legal action that makes for a plausible match: for simulations, playouts and tests.

        What a playout plays, unless the game has something more sensible, but slower. Deterministic given state and
        stream.
        """
        return state.playout_action(stream)


def own(value: object, kind: type[_T]) -> _T:
    """Return the value, known to be of this kind: a game's own Options, Observation, State or Event.

    Raises TypeError for what belongs to another game.
    """
    if not isinstance(value, kind):
        raise TypeError(f"{kind.__module__}.{kind.__name__} is needed, not {type(value).__name__}")
    return value
