"""Positions of every kind of decision, from all kinds of matches."""

from functools import cache
from random import Random

from engine.ahldarahd.position import ASK_REPLY
from engine.ahldarahd.state import AhldarahdState
from tests.unit.engine.ahldarahd.choosing import TABLES, a_match, choose
from tests.unit.sample_bots import driver


@cache
def some_of_each_kind() -> list[AhldarahdState]:
    """Return the first position, and up to five of each kind of decision; they are not to be changed."""

    def is_kept(state: AhldarahdState, dice: Random) -> bool:
        rare = state.decision >= ASK_REPLY or dice.randrange(4) == 0
        return rare and state.turn > 1

    matches = [
        (a_match(seats, values, driver.a_seed(100 + number)), Random(number))
        for number, (seats, values) in enumerate(TABLES)
    ]
    return [a_match(), *driver.some_of_each_kind(matches, choose, is_kept, 5)]
