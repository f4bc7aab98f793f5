"""Tries its turns out by Monte Carlo, for a share of what its clock allows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import arena.sdk
from arena.games.caravan.v1 import caravan_pb2
from engine.caravan import CARAVAN
from engine.caravan.quick.turns import Turn
from sample_bots.python.budget import Budget, wish_ms
from sample_bots.python.caravan.search.halving import search
from sample_bots.python.caravan.search.positions import Deals

SHARE: Final = 0.15
"""Processor time of one decision, as a part of the wall time that the clock allows."""


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
        budget = Budget(clock, wish_ms(clock, SHARE))
        plan = self.plan if observation.turn == self.planned_turn else ()
        turn = search(Deals(observation).next, budget.spent, plan)
        self.plan, self.planned_turn = turn[1:], observation.turn
        return list(legal_actions).index(turn[0])


if __name__ == "__main__":
    arena.sdk.run(Mcts)
