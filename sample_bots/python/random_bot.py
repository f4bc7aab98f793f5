"""The smallest complete bot: it plays any legal action. Copy it to begin your own (docs/bots/python.md)."""

from __future__ import annotations

import random
from collections.abc import Sequence

import arena.sdk
from arena.games.caravan.v1 import caravan_pb2


class RandomBot(arena.sdk.Bot):
    """Chooses each legal action with the same chance."""

    name = "random"
    games = ("caravan",)
    matches = 4

    def choose(
        self,
        observation: caravan_pb2.Observation,
        legal_actions: Sequence[caravan_pb2.Action],
        clock: arena.sdk.Clock,
    ) -> int:
        """Any place in the list."""
        return random.randrange(len(legal_actions))


if __name__ == "__main__":
    arena.sdk.run(RandomBot)
