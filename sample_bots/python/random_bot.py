"""Plays any legal action of any game.

The smallest complete bot: copy it to begin your own (docs/bots/python.md).
"""

import random
from collections.abc import Sequence

import arena.sdk


class RandomBot(arena.sdk.Bot):
    """Chooses each legal action with the same chance."""

    name = "random"
    games = arena.sdk.GAMES
    matches = 4

    def choose(self, observation: object, legal_actions: Sequence[object], clock: arena.sdk.Clock) -> int:
        """Return any place in the list."""
        return random.randrange(len(legal_actions))


if __name__ == "__main__":
    arena.sdk.run(RandomBot)
