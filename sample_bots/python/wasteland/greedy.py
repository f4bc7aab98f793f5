"""Weighs fights by their dice, missions by their steps, cards by what they will bring.

docs/bots/wasteland.md says how. The policy is `engine.wasteland.quick.policy`, by which the search bot of the game
plays positions on as well, with more Wilds on the way.
"""

from collections.abc import Sequence
from typing import Final

import arena.sdk
from arena.codecs.wasteland.codec import CODEC
from arena.sdk import wasteland
from arena.v1 import games_pb2
from engine.randomness import SEED_BYTES, Stream
from engine.wasteland import WASTELAND
from engine.wasteland.quick.policy import quick_action

_DEAL: Final = bytes(SEED_BYTES)
"""What is hidden is dealt from this seed, and not looked at."""


WILDS: Final = 1
"""It enters no more in one Movement, however well they pay."""


class Greedy(wasteland.PackedBot):
    """Remembers nothing: everything follows from the decision."""

    name = "greedy"
    games = (arena.sdk.Plays("wasteland", (WASTELAND.spec.rules_version,)),)
    matches = 16

    def choose(
        self,
        observation: wasteland.Observation,
        legal_actions: Sequence[int],
        clock: arena.sdk.Clock,
    ) -> int:
        """Return the place of the action in the list."""
        seen = CODEC.decode_observation(games_pb2.Observation(wasteland=observation))
        state = WASTELAND.from_observation(seen, Stream(_DEAL))
        return list(legal_actions).index(quick_action(state, WILDS))


if __name__ == "__main__":
    arena.sdk.run(Greedy)
