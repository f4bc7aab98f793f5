"""Searches its whole turn on the engine's rules, and plays each good turn out."""

import math
from collections.abc import Sequence

import arena.sdk
from arena.sdk import caravan
from engine.caravan import CARAVAN
from sample_bots.python.budget import Budget
from sample_bots.python.caravan.search.outlook import SCALE, best_outlook
from sample_bots.python.caravan.search.positions import Deals
from sample_bots.python.expectation import send_leads


class Planner(caravan.PackedBot):
    """Plays the first action of the best turn it finds; given time, the same whenever the position is the same."""

    name = "planner"
    games = (arena.sdk.Plays("caravan", (CARAVAN.spec.rules_version,)),)
    matches = 4

    def choose(
        self, observation: caravan.Observation, legal_actions: Sequence[int], clock: arena.sdk.Clock
    ) -> int:
        """Return the place of the action in the list."""
        spent = Budget(clock, math.inf).spent
        turn, leads = best_outlook(Deals(observation).next(), spent)
        send_leads(self, leads, observation.seat_to_act, scale=SCALE, how="")
        return list(legal_actions).index(turn[0])


if __name__ == "__main__":
    arena.sdk.run(Planner)
