"""A game small enough to referee by hand: seats take turns, each adds 1 to 3, the match ends after a number of rounds.

An action is the number added; the default is 1. The score is the sum, more is better.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from hashlib import sha256

from engine.game import TERMINAL, Event, IllegalActionError, Outcome, State, UnreadableActionError


class ToyState(State):
    """`moves_each`: actions that a seat plays in a row."""

    def __init__(self, seats: int = 2, rounds: int = 3, moves_each: int = 1) -> None:
        self.seats = seats
        self.left = seats * rounds * moves_each
        self.moves_each = moves_each
        self.sums = [0] * seats
        self.plies = 0
        self.seat_to_act = 0

    def legal_actions(self) -> Sequence[int]:
        return memoryview(array("I", [1, 2, 3] if self.left else []))

    def apply(self, action: int) -> None:
        if action not in (1, 2, 3) or not self.left:
            raise IllegalActionError(f"{action} is not from 1 to 3.")
        self.sums[self.seat_to_act] += action
        self.left -= 1
        self.plies += 1
        self.seat_to_act = (self.plies // self.moves_each) % self.seats if self.left else TERMINAL

    def take_events(self) -> list[Event]:
        return []

    def outcome(self) -> Outcome | None:
        if self.left:
            return None
        placings = tuple(1 + sum(other > mine for other in self.sums) for mine in self.sums)
        return Outcome(tuple(self.sums), placings, "COUNTED_OUT")

    def observe(self, viewer: int) -> object:
        return tuple(self.sums)

    def clone(self) -> ToyState:
        copy = ToyState(self.seats, 1, self.moves_each)
        copy.left, copy.sums, copy.plies, copy.seat_to_act = (
            self.left,
            list(self.sums),
            self.plies,
            self.seat_to_act,
        )
        return copy

    def digest(self) -> bytes:
        return sha256(repr((self.left, self.sums, self.seat_to_act)).encode()).digest()

    def default_action(self) -> int:
        return 1

    def format_action(self, action: int) -> str:
        return f"+{action}"

    def parse_action(self, text: str) -> int:
        try:
            return int(text)
        except ValueError as error:
            raise UnreadableActionError(f"{text!r} is no number.") from error
