"""A bot for Caravan that searches a Monte Carlo tree of turns for as long as its clock and ARENA_THINK_MS allow."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from typing import Final

from caravan_search.positions import Deals
from caravan_search.tree import search

import arena.sdk
from arena.games.caravan.v1 import caravan_pb2
from engine.caravan import CARAVAN

THINK_MS: Final = 40
"""Thinking time of one decision, unless ARENA_THINK_MS says otherwise."""


def budget_ms(clock: arena.sdk.Clock, think_ms: int) -> float:
    """How long to think: `think_ms`, but at most half of the free time and a fiftieth of the bank."""
    return min(think_ms, clock.per_decision_ms / 2 + clock.bank_ms / 50, clock.time_left_ms / 2)


class Mcts(arena.sdk.Bot):
    """Plays the first action of the turn it has tried most often."""

    name = "mcts"
    games = (arena.sdk.Plays("caravan", (CARAVAN.spec.rules_version,)),)
    matches = 4
    legal_actions = arena.sdk.LegalActions.PACKED

    def choose(
        self, observation: caravan_pb2.Observation, legal_actions: Sequence[int], clock: arena.sdk.Clock
    ) -> int:
        """The place of the action in the list."""
        think_ms = int(os.environ.get("ARENA_THINK_MS", THINK_MS))
        ready = clock.deadline - (clock.time_left_ms - budget_ms(clock, think_ms)) / 1000
        turn = search(Deals(observation).next, lambda: time.monotonic() < ready)
        return list(legal_actions).index(turn[0])


if __name__ == "__main__":
    arena.sdk.run(Mcts)
