"""A game of secret decisions: two seats in turn act in secret (1 or 2), or in public (3)."""

from array import array
from collections.abc import Mapping, Sequence

from engine.game import Event, Game, Outcome, State
from engine.randomness import Stream

PUBLIC = 3


class SecretState(State):
    """`seat_to_act` is itself a secret; the public knows how many public actions there were."""

    def __init__(self) -> None:
        self.seat_to_act = 0
        self.taken: list[int] = []

    def legal_actions(self) -> Sequence[int]:
        return memoryview(array("I", (1, 2, PUBLIC)))

    def apply(self, action: int) -> None:
        self.taken.append(action)
        self.seat_to_act = 1 - self.seat_to_act

    def take_events(self) -> list[Event]:
        return []

    def outcome(self) -> Outcome | None:
        return None

    def observe(self, viewer: int) -> object:
        return self.taken.count(PUBLIC)

    def action_seen_by(self, action: int, viewer: int) -> int | None:
        return action if action == PUBLIC or viewer == self.seat_to_act else None

    def clone(self) -> State:
        raise NotImplementedError

    def digest(self) -> bytes:
        return bytes(self.taken)

    def default_action(self) -> int:
        return 1

    def format_action(self, action: int) -> str:
        return str(action)

    def parse_action(self, text: str) -> int:
        return int(text)


class SecretGame(Game):
    """Its matches never end; a test stops when it has seen enough."""

    def options(self, seats: int, values: Mapping[str, str]) -> object:
        return None

    def option_values(self, options: object) -> dict[str, str]:
        return {}

    def max_plies(self, seats: int, options: object) -> int:
        return 1_000

    def new_match(self, seats: int, options: object, seed: bytes) -> State:
        return SecretState()

    def from_observation(self, observation: object, stream: Stream) -> State:
        raise NotImplementedError

    def sensible_action(self, state: State, stream: Stream) -> int:
        return 1
