"""Tries its turns out by Monte Carlo, for a share of what its clock allows."""

from collections.abc import Sequence
from typing import Final

import arena.sdk
from arena.sdk import caravan
from engine.caravan import CARAVAN
from engine.caravan.quick.turns import Turn
from sample_bots.python.budget import Budget, wish_ms
from sample_bots.python.caravan.search.halving import search
from sample_bots.python.caravan.search.outlook import SCALE
from sample_bots.python.caravan.search.positions import Deals
from sample_bots.python.expectation import send_leads

SHARE: Final = 0.15
"""Processor time of one decision, as a part of the wall time that the clock allows."""


class Mcts(caravan.PackedBot):
    """Plays the first action of the turn that did best, and remembers the rest for its next decision."""

    name = "mcts"
    games = (arena.sdk.Plays("caravan", (CARAVAN.spec.rules_version,)),)
    matches = 4

    plan: Turn = ()
    """What it meant to play next."""
    planned_for: tuple[int, int] = (0, 0)
    """The number of the turn that the plan is for, and how many goods were in the bag then."""

    def choose(
        self, observation: caravan.Observation, legal_actions: Sequence[int], clock: arena.sdk.Clock
    ) -> int:
        """Return the place of the action in the list.

        It thinks when a turn begins, when goods came from the bag, and when a plan from before that leads no further.
        """
        now, listed = (observation.turn, sum(observation.bag)), list(legal_actions)
        plan = self.plan if observation.turn == self.planned_for[0] else ()
        if not plan or now != self.planned_for or plan[0] not in listed:
            spent = Budget(clock, wish_ms(clock, SHARE)).spent
            found = search(Deals(observation).next, spent, plan)
            plan = found.turn
            how = f"tries: {found.tries}"
            send_leads(self, found.leads, observation.seat_to_act, scale=SCALE, how=how)
        self.plan, self.planned_for = plan[1:], now
        return listed.index(plan[0])


if __name__ == "__main__":
    arena.sdk.run(Mcts)
