"""The turn that planner plays: the best of a few candidates, each played on for two rounds."""

from collections.abc import Callable
from typing import Final

from engine.caravan.quick.playouts import play_on, play_turn
from engine.caravan.quick.turns import Turn, candidate_turns, quick_turn
from engine.caravan.state import CaravanState

WIDTH: Final = 4
CANDIDATES: Final = 8
ROUNDS: Final = 2
"""Each candidate is played on for so many turns of every seat."""


def best_turn(state: CaravanState, spent: Callable[[], float]) -> Turn:
    """Return the candidate that leaves the seat to act farthest ahead, of those for which there is time.

    `spent` tells which share of the time is used up; without any time, what the quick policy plays.
    """
    if spent() >= 1:
        return quick_turn(state)
    seat = state.seat_to_act
    turns = candidate_turns(state, width=WIDTH, most=CANDIDATES)
    tried = [_outlook(state, turns[0])[seat]]
    for turn in turns[1:]:
        if spent() >= 1:
            break
        tried.append(_outlook(state, turn)[seat])
    return turns[tried.index(max(tried))]


def _outlook(state: CaravanState, turn: Turn) -> list[float]:
    after = state.clone()
    play_turn(after, turn)
    return play_on(after, ROUNDS * state.setup.seats)
