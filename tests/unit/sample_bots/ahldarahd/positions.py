"""Positions of every kind of decision, from all kinds of matches."""

from collections import Counter
from functools import cache
from random import Random

from engine.ahldarahd.position import ASK_REPLY
from engine.ahldarahd.state import AhldarahdState
from engine.game import TERMINAL
from tests.unit.engine.ahldarahd.choosing import TABLES, a_match, choose
from tests.unit.sample_bots.driver import a_seed

MOST_OF_A_KIND = 5


@cache
def some_of_each_kind() -> list[AhldarahdState]:
    """Return the first position, and up to MOST_OF_A_KIND of each kind of decision; they are not to be changed."""
    found: Counter[int] = Counter()
    kept = []
    for number, (seats, values) in enumerate(TABLES):
        state, dice = a_match(seats, values, a_seed(100 + number)), Random(number)
        taken: set[int] = set()
        while state.seat_to_act != TERMINAL:
            decision = state.decision
            rare = decision >= ASK_REPLY or dice.randrange(4) == 0
            if state.turn > 1 and rare and decision not in taken and found[decision] < MOST_OF_A_KIND:
                taken.add(decision)
                found[decision] += 1
                kept.append(state.clone())
            state.apply(choose(state, dice))
    return [a_match(), *kept]
