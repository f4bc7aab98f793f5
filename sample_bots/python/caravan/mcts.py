"""Searches a tree of whole turns by Monte Carlo, the bag dealt anew for each simulation."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Final

import arena.sdk
from arena.games.caravan.v1 import caravan_pb2
from engine.caravan import CARAVAN
from sample_bots.python.budget import Budget
from sample_bots.python.caravan.search.judgement import SETTINGS, CaravanJudgement
from sample_bots.python.caravan.search.positions import Deals
from sample_bots.python.search.tree import Move, Tree

THINK_MS: Final = 200
"""Processor time of one turn, unless ARENA_THINK_MS says otherwise."""


class Mcts(arena.sdk.Bot):
    """Thinks about a turn as a whole and answers its actions one by one; anew if the bag brought other goods."""

    name = "mcts"
    games = (arena.sdk.Plays("caravan", (CARAVAN.spec.rules_version,)),)
    matches = 4
    legal_actions = arena.sdk.LegalActions.PACKED

    plan: Move = ()
    """The actions of its turn that are still to come."""
    planned_for: tuple[int, ...] = ()
    """The number of that turn, and what the bag held then."""

    def choose(
        self, observation: caravan_pb2.Observation, legal_actions: Sequence[int], clock: arena.sdk.Clock
    ) -> int:
        """The place of the action in the list."""
        budget = Budget(clock, float(os.environ.get("ARENA_THINK_MS", THINK_MS)))
        listed = list(legal_actions)
        now = observation.turn, *observation.bag
        if now != self.planned_for or not self.plan or self.plan[0] not in listed:
            tree = Tree(Deals(observation).next, CaravanJudgement(), SETTINGS)
            tree.grow(budget.spent)
            self.plan, self.planned_for = tree.best(), now
            self.debug(f"{tree.simulations} simulations")
        action, self.plan = self.plan[0], self.plan[1:]
        return listed.index(action)


if __name__ == "__main__":
    arena.sdk.run(Mcts)
