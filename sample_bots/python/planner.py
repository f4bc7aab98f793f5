"""A bot for Caravan that searches its whole turn on the engine's rules and plays each good turn out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from caravan_search.playouts import play_on, play_turn
from caravan_search.positions import Deals
from caravan_search.turns import Turn, candidate_turns

import arena.sdk
from arena.games.caravan.v1 import caravan_pb2
from engine.caravan import CARAVAN
from engine.caravan.state import CaravanState

WIDTH: Final = 4
CANDIDATES: Final = 8
ROUNDS: Final = 2
"""Each candidate is played on for so many turns of every seat."""


def best_turn(state: CaravanState) -> Turn:
    """The candidate that leaves the seat to act farthest ahead."""
    seat = state.seat_to_act
    turns = candidate_turns(state, width=WIDTH, most=CANDIDATES)
    return max(turns, key=lambda turn: _outlook(state, turn)[seat])


def _outlook(state: CaravanState, turn: Turn) -> list[float]:
    after = state.clone()
    play_turn(after, turn)
    return play_on(after, ROUNDS * state.setup.seats)


class Planner(arena.sdk.Bot):
    """Plays the first action of the best turn it finds; the same whenever the position is the same."""

    name = "planner"
    games = (arena.sdk.Plays("caravan", (CARAVAN.spec.rules_version,)),)
    matches = 4
    legal_actions = arena.sdk.LegalActions.PACKED

    def choose(
        self, observation: caravan_pb2.Observation, legal_actions: Sequence[int], clock: arena.sdk.Clock
    ) -> int:
        """The place of the action in the list."""
        return list(legal_actions).index(best_turn(Deals(observation).next())[0])


if __name__ == "__main__":
    arena.sdk.run(Planner)
