"""Searches a tree of whole turns, and plays the match out from each new position."""

from collections.abc import Sequence
from typing import Final

import arena.sdk
from arena.codecs.caravanserai.codec import CODEC
from arena.sdk import caravanserai
from engine.caravanserai import CARAVANSERAI
from engine.caravanserai.observation import Decision
from engine.caravanserai.quick.paths import Paths
from engine.caravanserai.quick.playouts import quick_answer
from engine.randomness import SEED_BYTES, Stream
from sample_bots.python.budget import Budget, wish_ms
from sample_bots.python.caravanserai.search.judgement import SCALE, SETTINGS, CaravanseraiJudgement
from sample_bots.python.expectation import send_leads
from sample_bots.python.search.tree import Move, Tree

SHARE: Final = 0.25
"""Processor time of one turn, as a part of the wall time that the clock allows."""

_NOTHING_HIDDEN: Final = bytes(SEED_BYTES)


class Mcts(caravanserai.PackedBot):
    """Thinks about a turn as a whole, and answers its steps one by one."""

    name = "mcts"
    games = (arena.sdk.Plays("caravanserai", (CARAVANSERAI.spec.rules_version,)),)
    matches = 4

    paths: Paths | None = None
    """Of the board of the match."""
    plan: Move = ()
    """The steps of its turn that are still to come."""

    def choose(
        self,
        observation: caravanserai.Observation,
        legal_actions: Sequence[int],
        clock: arena.sdk.Clock,
    ) -> int:
        """Return the place of the action in the list."""
        budget = Budget(clock, wish_ms(clock, SHARE))
        seen = CODEC.observation_of(observation)
        state = CARAVANSERAI.from_observation(seen, Stream(_NOTHING_HIDDEN))
        listed = list(legal_actions)
        if state.decision in (Decision.STEAL_FROM, Decision.SEED_GOOD):
            return listed.index(quick_answer(state))
        if not state.laid:
            paths = self.paths = self.paths or Paths(state.setup)
            tree = Tree(state.clone, CaravanseraiJudgement(paths), SETTINGS)
            tree.grow(budget.spent)
            self.plan = tree.best()
            self.debug(f"{tree.simulations} simulations")
            how = f"simulations: {tree.simulations}"
            send_leads(self, tree.expected(), state.seat_to_act, scale=SCALE, how=how)
        if not self.plan or self.plan[0] not in listed:
            return 0  # a placement that another program has begun is brought to its end
        action, self.plan = self.plan[0], self.plan[1:]
        return listed.index(action)


if __name__ == "__main__":
    arena.sdk.run(Mcts)
