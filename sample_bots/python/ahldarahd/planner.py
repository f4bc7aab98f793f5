"""Deals what it cannot see anew, and plays each promising action on from there.

Every deal is a full position that fits what the seat has seen, drawn uniformly (determinization: Ginsberg 2001). All
actions that are still in question are played on by the quick policy from the same deal with the same chance, so that
they are compared on equal terms; the worse half of them is dropped as time passes (sequential halving: Karnin, Koren
and Somekh 2013).
"""

import os
from collections.abc import Sequence
from typing import Final, Protocol

import arena.sdk
from arena.codecs.ahldarahd.codec import CODEC
from arena.sdk import ahldarahd
from engine.ahldarahd import AHLDARAHD
from engine.ahldarahd.observation import Observation
from engine.ahldarahd.quick.policy import play_on
from engine.ahldarahd.quick.worth import leads
from engine.randomness import SEED_BYTES, Stream
from sample_bots.python.ahldarahd.search.candidates import candidates
from sample_bots.python.budget import Budget, wish_ms
from sample_bots.python.expectation import send_leads

SHARE: Final = 0.15
"""Processor time of one decision, as a part of the wall time that the clock allows."""

HORIZON: Final = 2
"""So many turns ahead a position is played on before it is valued; this one counts."""


SCALE: Final = 20.0
"""A lead over another seat that makes the odds e to one."""


class Time(Protocol):
    """What there is to think."""

    def spent(self) -> float:
        """Return the share of the budget that is used up; 1 or above: answer now."""
        ...


class Search:
    """The actions in question, and what they have come to so far."""

    def __init__(self, seen: Observation, stream: Stream) -> None:
        """`stream`: of the deals."""
        self._seen, self._stream = seen, stream
        state = AHLDARAHD.from_observation(seen, stream)
        self.seat = state.seat_to_act
        self._until = state.turn + HORIZON
        self.actions = candidates(state)
        self._totals = [0.0] * len(self.actions)
        self._sums = [[0.0] * state.setup.seats for _ in self.actions]
        """By action and seat, of the leads in all deals."""
        self._tries = [0] * len(self.actions)
        self._left = list(range(len(self.actions)))
        """Places of the actions that are still in question."""
        self.deals = 0

    def grow(self, budget: Time) -> None:
        """Deal until the time is used up, halving what is in question in equal parts of it.

        A deal that the end of the time interrupts counts for no action; without any deal the first one is the best.
        """
        rounds = max(1, (len(self.actions) - 1).bit_length())
        for done in range(1, rounds + 1):
            while budget.spent() < done / rounds and len(self._left) > 1:
                self._deal(budget)
            self._left.sort(key=lambda place: -self._totals[place])
            self._left = self._left[: max(1, len(self._left) // 2)]

    def best(self) -> int:
        """Return the action that did best of those looked at to the end."""
        return self.actions[self._left[0]]

    def expected(self) -> list[float]:
        """Return the mean leads by seat after the best action; empty without any deal."""
        best = self._left[0]
        return [total / self._tries[best] for total in self._sums[best]] if self._tries[best] else []

    def _deal(self, budget: Time) -> None:
        dealt = AHLDARAHD.from_observation(self._seen, self._stream)
        seed = b"".join(self._stream.word().to_bytes(8, "big") for _ in range(SEED_BYTES // 8))
        found = []
        for place in self._left:
            if budget.spent() >= 1:
                return
            state = dealt.clone()
            state.apply(self.actions[place])
            play_on(state, Stream(seed), self._until)
            found.append(leads(state))
        for place, each in zip(self._left, found, strict=True):
            self._totals[place] += each[self.seat]
            self._sums[place] = [total + lead for total, lead in zip(self._sums[place], each, strict=True)]
            self._tries[place] += 1
        self.deals += 1


class Planner(ahldarahd.PackedBot):
    """Thinks about each decision by itself."""

    name = "planner"
    games = (arena.sdk.Plays("ahldarahd", (AHLDARAHD.spec.rules_version,)),)
    matches = 4

    def choose(
        self,
        observation: ahldarahd.Observation,
        legal_actions: Sequence[int],
        clock: arena.sdk.Clock,
    ) -> int:
        """Return the place of the action in the list."""
        if len(legal_actions) == 1:
            return 0
        budget = Budget(clock, wish_ms(clock, SHARE))
        seen = CODEC.observation_of(observation)
        search = Search(seen, Stream(os.urandom(SEED_BYTES)))
        search.grow(budget)
        self.debug(f"{search.deals} deals of {len(search.actions)} actions")
        how = f"deals: {search.deals}"
        send_leads(self, search.expected(), search.seat, scale=SCALE, how=how)
        return list(legal_actions).index(search.best())


if __name__ == "__main__":
    arena.sdk.run(Planner)
