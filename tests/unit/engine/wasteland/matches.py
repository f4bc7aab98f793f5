"""Matches of Wasteland, played by chance."""

from random import Random

from engine.randomness import SEED_BYTES, Stream
from engine.wasteland import WASTELAND
from engine.wasteland.state import WastelandState


def a_match(seats: int = 3, number: int = 1, **values: str) -> WastelandState:
    """Return a match before its first question."""
    seed = number.to_bytes(SEED_BYTES, "big")
    return WASTELAND.new_match(seats, WASTELAND.options(seats, values), seed)


def played_on(match: WastelandState, dice: Random, plies: int) -> WastelandState:
    """Play plies up to the end at most, half of them sensible, half of them any."""
    for _ in range(plies):
        if match.outcome() is None:
            sensible = WASTELAND.sensible_action(match, Stream(dice.randbytes(SEED_BYTES)))
            match.apply(dice.choice((sensible, dice.choice(list(match.legal_actions())))))
    return match
