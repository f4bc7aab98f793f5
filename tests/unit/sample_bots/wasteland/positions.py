"""Positions of every kind of decision, from matches in which good, plausible and odd actions are mixed."""

from functools import cache
from random import Random

from engine.randomness import Stream
from engine.wasteland import WASTELAND
from engine.wasteland.quick.policy import quick_action
from engine.wasteland.state import WastelandState
from tests.unit.sample_bots import driver


def a_match(seats: int = 2, *, seed: int = 0, rule: str = "engage") -> WastelandState:
    """Return the position after W13 and W14."""
    return WASTELAND.new_match(seats, WASTELAND.options(seats, {"check_rule": rule}), driver.a_seed(seed))


def choose(state: WastelandState, dice: Random) -> int:
    """Return mostly what pays, so that caravans grow, and sometimes anything."""
    chance = dice.random()
    if chance < 0.6:
        return quick_action(state)
    if chance < 0.8:
        return WASTELAND.sensible_action(state, Stream(dice.randbytes(32)))
    return dice.choice(list(state.legal_actions()))


@cache
def some_of_each_kind() -> list[WastelandState]:
    """Return up to four positions of each kind of decision, all different; they are not to be changed."""
    matches = [
        (a_match(2 + number % 3, seed=number, rule=("engage", "deter")[number % 2]), Random(number))
        for number in range(24)
    ]
    return driver.some_of_each_kind(matches, choose, lambda _state, dice: dice.randrange(3) == 0, 4)
