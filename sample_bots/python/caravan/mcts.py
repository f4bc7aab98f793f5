"""Tries its turns out by Monte Carlo, for as long as its clock and ARENA_THINK_MS allow."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Final

import arena.sdk
from arena.games.caravan.v1 import caravan_pb2
from engine.caravan import CARAVAN
from engine.caravan.quick.turns import Turn
from sample_bots.python.budget import Budget
from sample_bots.python.caravan.search.halving import search
from sample_bots.python.caravan.search.positions import Deals

THINK_MS: Final = 60
"""Processor time of one decision, unless ARENA_THINK_MS says otherwise."""


class Mcts(arena.sdk.Bot):
    """Plays the first action of the turn that did best, and remembers the rest for its next decision."""

    name = "mcts"
    games = (arena.sdk.Plays("caravan", (CARAVAN.spec.rules_version,)),)
    matches = 4
    legal_actions = arena.sdk.LegalActions.PACKED

    plan: Turn = ()
    """What it meant to play next."""
    planned_turn = 0
    """The number of the turn that the plan is for."""

    def choose(
        self, observation: caravan_pb2.Observation, legal_actions: Sequence[int], clock: arena.sdk.Clock
    ) -> int:
        """The place of the action in the list."""
        budget = Budget(clock, float(os.environ.get("ARENA_THINK_MS", THINK_MS)))
        plan = self.plan if observation.turn == self.planned_turn else ()
        turn = search(Deals(observation).next, budget.spent, plan)
        self.plan, self.planned_turn = turn[1:], observation.turn
        return list(legal_actions).index(turn[0])


if __name__ == "__main__":
    arena.sdk.run(Mcts)
