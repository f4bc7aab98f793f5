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


SCALE: Final = 10.0
"""A lead over another seat that makes the odds e to one, in points."""


def best_turn(state: CaravanState, spent: Callable[[], float]) -> Turn:
    """Return the turn of `best_outlook`."""
    return best_outlook(state, spent)[0]


def best_outlook(state: CaravanState, spent: Callable[[], float]) -> tuple[Turn, list[float]]:
    """Return the candidate that leaves the seat to act farthest ahead, of those for which there is time.

    With it the leads of all seats after it. `spent` tells which share of the time is used up; without any time, it is
    what the quick policy plays, and there are no leads.
    """
    if spent() >= 1:
        return quick_turn(state), []
    seat = state.seat_to_act
    turns = candidate_turns(state, width=WIDTH, most=CANDIDATES)
    tried = [_outlook(state, turns[0])]
    for turn in turns[1:]:
        if spent() >= 1:
            break
        tried.append(_outlook(state, turn))
    own = [leads[seat] for leads in tried]
    best = own.index(max(own))
    return turns[best], tried[best]


def _outlook(state: CaravanState, turn: Turn) -> list[float]:
    after = state.clone()
    play_turn(after, turn)
    return play_on(after, ROUNDS * state.setup.seats)
