"""The contract's part that plays: one position, what may be done in it and what follows.

`engine.game` has the rest of the contract and gives this out with it: `from engine.game import State`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from array import array
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from engine.compiling import mypyc_attr

if TYPE_CHECKING:
    from engine.game import Event, Outcome
    from engine.randomness import Stream

TERMINAL: Final = -1
"""`State.seat_to_act` once the match is over."""

COMPILED: Final = not __file__.endswith(".py")
"""Whether the engine runs compiled; all of it does, or none."""

BUILD: Final = "compiled" if COMPILED else "plain Python"
"""The same in words."""


_NO_ACTIONS: Final = memoryview(b"").cast("I")


def packed(actions: Iterable[int]) -> memoryview:
    """Return the actions, ascending, as the read-only uint32 buffer that a legal list is."""
    listed = array("I", actions).tobytes()
    return memoryview(listed).cast("I") if listed else _NO_ACTIONS


@mypyc_attr(allow_interpreted_subclasses=True)
class State(ABC):
    """One position. Mutable, owned by one match, cheap to clone.

    `legal_actions` is ascending and holds each action once; it is empty iff the match is over.
    """

    seat_to_act: int
    """The seat that decides now, or TERMINAL."""

    events: list[Event]
    """What has happened since `take_events`; a clone has none."""

    @abstractmethod
    def legal_actions(self) -> Sequence[int]:
        """Return the listed legal actions, ascending: a uint32 buffer as `packed` makes it, not to be changed."""

    def is_legal(self, action: int) -> bool:
        """Return whether the action may be played now, also where it is legal but never listed."""
        return action in self.legal_actions()

    @abstractmethod
    def apply(self, action: int) -> None:
        """Play one action of `seat_to_act`.

        Raises IllegalActionError: the action may not be played; the state is untouched.
        """

    def take_events(self) -> list[Event]:
        """Return what has happened since the last call, in order; the set-up's events come with the first call."""
        events = self.events
        self.events = []
        return events

    @abstractmethod
    def outcome(self) -> Outcome | None:
        """Return the result, or None while the match runs."""

    @abstractmethod
    def observe(self, viewer: int) -> object:
        """Return the position as a viewer (a seat, or SPECTATOR) may see it: the game's own frozen Observation."""

    def action_seen_by(self, action: int, viewer: int) -> int | None:
        """Return how a viewer sees an action that is about to be played; None if it sees nothing of it.

        Asked before `apply`. Games with secret actions override it. A form that tells less is an int that is never
        legal; notation, codec and drawing know it all the same, since it is sent, read and told like any other.
        """
        return action

    @property
    def asks_in_secret(self) -> bool:
        """Whether nobody but `seat_to_act` may know that it is asked now."""
        return False

    @property
    def secret_offers(self) -> int:
        """How many secret questions are settled so far: answered, or not asked since they left their seat no choice.

        Games with secret decisions count them, so that the arena can let both kinds take the same time. No part of the
        position: neither digest nor observation has it.
        """
        return 0

    @abstractmethod
    def clone(self) -> State:
        """Return an independent copy with no events waiting."""

    @abstractmethod
    def digest(self) -> bytes:
        """SHA-256 of the full state, hidden parts and the stream's place included: equal iff the states are equal."""

    @abstractmethod
    def default_action(self) -> int:
        """Return the action played for a seat that gives no valid answer; always legal."""

    @abstractmethod
    def format_action(self, action: int) -> str:
        """Return the canonical notation, one word without spaces at its ends.

        An action has the same notation in all positions of all matches with the same seats and options.
        """

    @abstractmethod
    def parse_action(self, text: str) -> int:
        """Parse the text of `format_action`.

        Raises UnreadableActionError: the text is no action of this game.
        """

    def playout_action(self, stream: Stream) -> int:
        """Return what a playout plays here, a legal action: any of the list, each with the same chance.

        A game whose matches would hardly end so has its sensible actions instead. Deterministic given state and stream.
        """
        listed = self.legal_actions()
        return listed[stream.uniform(len(listed))]

    def playout(self, stream: Stream, limit: int) -> int:
        """Play on by `playout_action` until the match is over, at most `limit` plies; return their number.

        For search: all choices come from `stream`, and no events are waiting afterwards, older ones included.
        """
        plies = 0
        while plies < limit and self.seat_to_act != TERMINAL:
            self.apply(self.playout_action(stream))
            plies += 1
        self.take_events()
        return plies
