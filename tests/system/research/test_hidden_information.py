"""A seat is given the same arrays all the way in matches that differ in what it may not know.

As on the wire (tests/system/contract/test_hidden_information.py): a match is played, what is hidden from one seat up
to some ply is dealt anew, and the same actions are played again.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

import numpy as np
import pytest

from arena.research.setting import Ints
from engine.game import TERMINAL, State
from engine.randomness import Stream
from tests.unit.contract.cases import CASES, Case
from tests.unit.contract.hidden import HIDDEN
from tests.unit.research.settings import setting_of

SECRETIVE = [case for case in CASES if case.rules.spec.hidden_information]
PARTS = 6


@dataclass
class Played:
    """A match, as one seat is concerned with it."""

    case: Case
    seat: int
    positions: list[State]
    """Before each action."""
    actions: list[int]

    def is_secret(self, state: State) -> bool:
        """Whether somebody else is asked in secret."""
        return state.asks_in_secret and state.seat_to_act != self.seat

    def given(self, state: State) -> Ints:
        """Return all that the seat is given, as one row of numbers."""
        given = setting_of(self.case).observe(state, self.seat)
        arrays: tuple[np.ndarray, ...] = (
            *given["observation"].values(),
            given["action_mask"],
            given["actions"],
        )
        return np.concatenate([array.ravel() for array in arrays])

    def replayed(self, start: State, until: int) -> Iterator[Ints]:
        """Play the first actions again; yield what the seat is given before each that is no secret.

        A seat asked in secret plays what was played there, or passes.
        """
        played = [*zip(self.positions[:until], self.actions[:until], strict=True)]
        public = [action for state, action in played if not self.is_secret(state)]
        hidden = {state.secret_offers: action for state, action in played if self.is_secret(state)}
        offers, state = self.positions[until].secret_offers, start.clone()
        while state.seat_to_act != TERMINAL:
            if self.is_secret(state):
                if state.secret_offers >= offers:
                    break
                state.apply(hidden.get(state.secret_offers, state.default_action()))
            elif public:
                yield self.given(state)
                state.apply(public.pop(0))
            else:
                break
        assert not public


def a_match(case: Case, seat: int, dice: Random) -> Played:
    """Return a match of actions of all kinds."""
    state, positions, actions = case.new_match(), [], []
    while state.seat_to_act != TERMINAL:
        positions.append(state.clone())
        actions.append(HIDDEN[case.game].choose(state, dice))
        state.apply(actions[-1])
    return Played(case, seat, positions, actions)


@pytest.mark.parametrize("case", SECRETIVE, ids=str)
def test_what_a_seat_may_not_know_changes_nothing_that_it_is_given(case: Case) -> None:
    """A51, W70."""
    differing = 0
    for seat in range(case.seats):
        dice = Random(f"{case} {seat}")
        match = a_match(case, seat, dice)
        for part in range(1, PARTS):
            until = part * len(match.positions) // PARTS
            start = HIDDEN[case.game].deal_anew(
                match.positions[: until + 1], seat, Stream(dice.randbytes(32))
            )
            differing += start.digest() != match.positions[0].digest()
            expected = [*match.replayed(match.positions[0], until)]
            found = [*match.replayed(start, until)]
            assert len(found) == len(expected)
            assert all(np.array_equal(one, other) for one, other in zip(found, expected, strict=True))
    assert differing
