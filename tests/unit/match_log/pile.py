"""A game for tests of the log, with everything in it that a game can bring to one.

Seats take 1 to 3 tokens from a pile in turn; what each token is worth is drawn, and only the taker sees it. A seat
may bid instead: a wide, unlisted action that moves on and scores its low byte. The last token ends the match.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from arena.codecs.codec import Codec
from arena.games.caravan.v1 import caravan_pb2
from arena.v1 import games_pb2
from engine.game import (
    TERMINAL,
    Chance,
    Event,
    Game,
    GameSpec,
    IllegalActionError,
    InvalidOptionsError,
    Outcome,
    State,
)
from engine.randomness import Stream

BID = 1 << 40
TURN_OF_NOBODY = 99


@dataclass(frozen=True, slots=True)
class Piled(Event):
    tokens: int


@dataclass(frozen=True, slots=True)
class Drew(Event):
    seat: int
    worth: int

    def audience(self) -> frozenset[int] | None:
        return frozenset((self.seat,))


@dataclass(frozen=True, slots=True)
class PileOptions:
    tokens: int


class PileState(State):
    def __init__(self, seats: int, options: PileOptions, stream: Stream) -> None:
        self.seat_to_act = 0
        self._scores = [0] * seats
        self._left = options.tokens
        self._stream = stream
        self._events: list[Event] = [Piled(options.tokens)]

    def legal_actions(self) -> Sequence[int]:
        return memoryview(array("I", range(1, min(3, self._left) + 1)))

    def is_legal(self, action: int) -> bool:
        return self._left > 0 and (1 <= action <= min(3, self._left) or BID <= action < BID + 256)

    def apply(self, action: int) -> None:
        if not self.is_legal(action):
            raise IllegalActionError(f"{action} tokens cannot be taken from {self._left}.")
        if action >= BID:
            self._scores[self.seat_to_act] += action - BID
            self._left -= 1
        for _ in range(action if action < BID else 0):
            worth = self._stream.die(6)
            self._scores[self.seat_to_act] += worth
            self._events.append(Drew(self.seat_to_act, worth))
            self._left -= 1
        # A seat acts twice in a row where the pile is even: that makes room for plans.
        if self._left % 2:
            self.seat_to_act = (self.seat_to_act + 1) % len(self._scores)
        if not self._left:
            self.seat_to_act = TERMINAL

    def take_events(self) -> list[Event]:
        events, self._events = self._events, []
        return events

    def outcome(self) -> Outcome | None:
        if self._left:
            return None
        scores = tuple(self._scores)
        placings = tuple(1 + sum(other > score for other in scores) for score in scores)
        return Outcome(scores, placings, "PILE_EMPTY")

    def observe(self, viewer: int) -> object:
        return self._left

    def clone(self) -> PileState:
        other = PileState(len(self._scores), PileOptions(self._left), self._stream.clone())
        other.seat_to_act = self.seat_to_act
        other._scores = list(self._scores)
        other._events = []
        return other

    def digest(self) -> bytes:
        return sha256(
            repr((self.seat_to_act, self._scores, self._left, self._stream.words)).encode()
        ).digest()

    def default_action(self) -> int:
        return 1

    def format_action(self, action: int) -> str:
        return f"take:{action}" if action < BID else f"bid:{action - BID}"

    def parse_action(self, text: str) -> int:
        kind, number = text.split(":")
        return int(number) + (BID if kind == "bid" else 0)


class PileGame(Game):
    spec = GameSpec(
        "pile", "Pile", 3, 1, 4, (), Chance.HIDDEN, hidden_information=True, secret_decisions=False
    )

    def options(self, seats: int, values: Mapping[str, str]) -> object:
        return PileOptions(int(values.get("tokens", "60")))

    def option_values(self, options: object) -> dict[str, str]:
        assert isinstance(options, PileOptions)
        return {"tokens": str(options.tokens)}

    def max_plies(self, seats: int, options: object) -> int:
        assert isinstance(options, PileOptions)
        return options.tokens

    def new_match(self, seats: int, options: object, seed: bytes) -> State:
        assert isinstance(options, PileOptions)
        return PileState(seats, options, Stream(seed))

    def from_observation(self, observation: object, stream: Stream) -> State:
        raise NotImplementedError

    def sensible_action(self, state: State, stream: Stream) -> int:
        legal = state.legal_actions()
        return legal[stream.uniform(len(legal))]


def _fail(*_: object) -> Any:
    raise NotImplementedError


_UNUSED: Any = _fail
"""In place of what no log needs."""


class PileCodec(Codec):
    """Borrows Caravan's messages: the wire has no game for tests."""

    game = PileGame()

    def encode_options(self, options: object) -> games_pb2.GameOptions:
        return games_pb2.GameOptions(caravan=self.options_message(options))

    def decode_options(self, message: games_pb2.GameOptions, seats: int) -> object:
        return self.options_of(message.caravan, seats)

    def encode_event(self, event: Event) -> bytes:
        seat, number = (event.seat, event.worth) if isinstance(event, Drew) else (TURN_OF_NOBODY, 0)
        if isinstance(event, Piled):
            number = event.tokens
        turn = caravan_pb2.TurnBegan(seat=seat, points=number)
        return games_pb2.GameEvent(caravan=caravan_pb2.Event(turn=turn)).SerializeToString()

    def decode_event(self, message: games_pb2.GameEvent) -> Event:
        turn = message.caravan.turn
        return Piled(turn.points) if turn.seat == TURN_OF_NOBODY else Drew(turn.seat, turn.points)

    def options_message(self, options: object) -> caravan_pb2.Options:
        assert isinstance(options, PileOptions)
        return caravan_pb2.Options(turn_limit=options.tokens)

    def options_of(self, wire: caravan_pb2.Options, seats: int) -> object:
        if not wire.turn_limit or not 1 <= seats <= 4:
            raise InvalidOptionsError("A pile has at least one token and one seat.")
        return PileOptions(wire.turn_limit)

    observation_bytes = observation_of = encode_action = actions_of = _UNUSED

    def describe_event(self, event: Event) -> str:
        if isinstance(event, Drew):
            return f"Seat {event.seat} drew a token worth {event.worth}."
        assert isinstance(event, Piled)
        return f"{event.tokens} tokens are piled up."


CODEC = PileCodec()


def codecs(game: str) -> Codec:
    """Knows this game alone."""
    if game != "pile":
        raise KeyError(game)
    return CODEC
