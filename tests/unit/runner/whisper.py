"""A game full of secrets: two seats in turn whisper (1 or 2), which nobody else notices, or speak aloud (3)."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence

from engine.game import Event, Game, Outcome, State
from engine.randomness import Stream

ALOUD = 3


class WhisperState(State):
    """`seat_to_act` is itself a secret; the public knows how often somebody has spoken aloud."""

    def __init__(self) -> None:
        self.seat_to_act = 0
        self.spoken: list[int] = []

    def legal_actions(self) -> Sequence[int]:
        return memoryview(array("I", (1, 2, ALOUD)))

    def apply(self, action: int) -> None:
        self.spoken.append(action)
        self.seat_to_act = 1 - self.seat_to_act

    def take_events(self) -> list[Event]:
        return []

    def outcome(self) -> Outcome | None:
        return None

    def observe(self, viewer: int) -> object:
        return self.spoken.count(ALOUD)

    def action_seen_by(self, action: int, viewer: int) -> int | None:
        return action if action == ALOUD or viewer == self.seat_to_act else None

    def clone(self) -> State:
        raise NotImplementedError

    def digest(self) -> bytes:
        return bytes(self.spoken)

    def default_action(self) -> int:
        return 1

    def format_action(self, action: int) -> str:
        return str(action)

    def parse_action(self, text: str) -> int:
        return int(text)


class WhisperGame(Game):
    """Its matches never end; a test stops when it has seen enough."""

    def options(self, seats: int, values: Mapping[str, str]) -> object:
        return None

    def option_values(self, options: object) -> dict[str, str]:
        return {}

    def max_plies(self, seats: int, options: object) -> int:
        return 1_000

    def new_match(self, seats: int, options: object, seed: bytes) -> State:
        return WhisperState()

    def from_observation(self, observation: object, stream: Stream) -> State:
        raise NotImplementedError

    def sensible_action(self, state: State, stream: Stream) -> int:
        return 1
