"""Positions in the midst of matches."""

from hashlib import sha256

from engine.caravan import CARAVAN
from engine.caravan.state import CaravanState
from engine.randomness import Stream


def a_seed(number: int) -> bytes:
    return sha256(b"quick %d" % number).digest()


def a_position(seed: int = 1, *, seats: int = 2, plies: int = 0) -> CaravanState:
    """Return the position after so many sensible actions."""
    state = CARAVAN.new_match(seats, CARAVAN.options(seats, {}), a_seed(seed))
    stream = Stream(a_seed(seed))
    for _ in range(plies):
        state.apply(CARAVAN.sensible_action(state, stream))
    return state
