"""Searches its whole turn on the engine's rules, and plays each good turn out."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Final

import arena.sdk
from arena.games.caravan.v1 import caravan_pb2
from engine.caravan import CARAVAN
from engine.caravan.quick.playouts import play_on, play_turn
from engine.caravan.quick.turns import Turn, candidate_turns, quick_turn
from engine.caravan.state import CaravanState
from sample_bots.python.budget import Budget
from sample_bots.python.caravan.search.positions import Deals

WIDTH: Final = 4
CANDIDATES: Final = 8
ROUNDS: Final = 2
"""Each candidate is played on for so many turns of every seat."""


def best_turn(state: CaravanState, spent: Callable[[], float]) -> Turn:
    """The candidate that leaves the seat to act farthest ahead, of those for which there is time.

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


class Planner(arena.sdk.Bot):
    """Plays the first action of the best turn it finds; given time, the same whenever the position is the same."""

    name = "planner"
    games = (arena.sdk.Plays("caravan", (CARAVAN.spec.rules_version,)),)
    matches = 4
    legal_actions = arena.sdk.LegalActions.PACKED

    def choose(
        self, observation: caravan_pb2.Observation, legal_actions: Sequence[int], clock: arena.sdk.Clock
    ) -> int:
        """The place of the action in the list."""
        spent = Budget(clock, math.inf).spent
        return list(legal_actions).index(best_turn(Deals(observation).next(), spent)[0])


if __name__ == "__main__":
    arena.sdk.run(Planner)
