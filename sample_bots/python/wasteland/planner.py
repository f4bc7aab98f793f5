"""Deals what it cannot see anew, and plays promising ways on by the quick policy.

Every deal is a full position that fits what the seat has seen, drawn uniformly (determinization: Ginsberg 2001). All
candidates that are still in question are played on from the same deal with the same dice to come, so that they are
compared on equal terms; the worse half of them is dropped as time passes (sequential halving: Karnin, Koren and Somekh
2013). An estimate counts as much as a few deals.
"""

import os
from collections.abc import Sequence
from typing import Final, Protocol

import arena.sdk
from arena.codecs.wasteland.codec import CODEC
from arena.sdk import wasteland
from engine.randomness import SEED_BYTES, Stream
from engine.wasteland import WASTELAND
from engine.wasteland.observation import Observation
from engine.wasteland.quick.policy import play_on, turn_number
from engine.wasteland.quick.worth import leads
from engine.wasteland.state import WastelandState
from sample_bots.python.budget import Budget, wish_ms
from sample_bots.python.expectation import send_leads
from sample_bots.python.wasteland.search.candidates import Candidate, candidates

SHARE: Final = 0.25
"""Processor time of one decision, as a part of the wall time that the clock allows."""

HORIZON: Final = 2
"""So many turns of each seat a position is played on before it is valued; this one counts."""

BELIEF: Final = 4.0
"""The estimate of a candidate counts as much as so many deals."""


SCALE: Final = 20.0
"""A lead over another seat that makes the odds e to one."""


class Time(Protocol):
    """What there is to think."""

    def spent(self) -> float:
        """Return the share of the budget that is used up; 1 or above: answer now."""
        ...


class Search:
    """The candidates in question, and what they have come to so far."""

    def __init__(self, seen: Observation, stream: Stream) -> None:
        """`stream`: of the deals."""
        self._seen, self._stream = seen, stream
        state = WASTELAND.from_observation(seen, stream)
        self.seat = state.seat_to_act
        self._until = turn_number(state) + HORIZON * state.setup.seats
        self.candidates = candidates(state)
        self._totals = [BELIEF * candidate.worth for candidate in self.candidates]
        self._sums = [[0.0] * state.setup.seats for _ in self.candidates]
        """By candidate and seat, of the leads in all deals."""
        self._tries = [0] * len(self.candidates)
        self._left = list(range(len(self.candidates)))
        """Places of the candidates that are still in question."""
        self.deals = 0

    def grow(self, budget: Time) -> None:
        """Deal until the time is used up, halving what is in question in equal parts of it.

        A deal that the end of the time interrupts counts for no candidate.
        """
        rounds = max(1, (len(self.candidates) - 1).bit_length())
        for done in range(1, rounds + 1):
            while budget.spent() < done / rounds and len(self._left) > 1:
                self._deal(budget)
            self._left.sort(key=lambda place: -self._totals[place])
            self._left = self._left[: max(1, len(self._left) // 2)]

    def best(self) -> Candidate:
        """Return the candidate that did best of those looked at to the end."""
        return self.candidates[self._left[0]]

    def expected(self) -> list[float]:
        """Return the mean leads by seat after the best candidate; empty without any deal."""
        best = self._left[0]
        return [total / self._tries[best] for total in self._sums[best]] if self._tries[best] else []

    def _deal(self, budget: Time) -> None:
        dealt = WASTELAND.from_observation(self._seen, self._stream)
        found = []
        for place in self._left:
            if budget.spent() >= 1:
                return
            state = dealt.clone()
            follow(state, self.candidates[place])
            play_on(state, self._until)
            found.append(leads(state))
        for place, each in zip(self._left, found, strict=True):
            self._totals[place] += each[self.seat]
            self._sums[place] = [total + lead for total, lead in zip(self._sums[place], each, strict=True)]
            self._tries[place] += 1
        self.deals += 1


def follow(state: WastelandState, candidate: Candidate) -> None:
    """Play the candidate, as far as it is asked for."""
    for action in candidate.actions:
        if action not in state.legal_actions():
            return
        state.apply(action)


class Planner(wasteland.PackedBot):
    """Thinks about Movements, purchases, Event cards and the ways out of a fight; plays the rest by the policy."""

    name = "planner"
    games = (arena.sdk.Plays("wasteland", (WASTELAND.spec.rules_version,)),)
    matches = 4

    plan: tuple[int, ...] = ()
    """What it meant to play next."""
    planned_for: tuple[int, int] = (0, 0)
    """The round and the kind of decision that the plan is for."""

    def choose(
        self,
        observation: wasteland.Observation,
        legal_actions: Sequence[int],
        clock: arena.sdk.Clock,
    ) -> int:
        """Return the place of the action in the list."""
        now, listed = (observation.round, int(observation.decision)), list(legal_actions)
        plan = self.plan if now == self.planned_for else ()
        if not plan or plan[0] not in listed:
            budget = Budget(clock, wish_ms(clock, SHARE))
            seen = CODEC.observation_of(observation)
            search = Search(seen, Stream(os.urandom(SEED_BYTES)))
            search.grow(budget)
            self.debug(f"{search.deals} deals of {len(search.candidates)} candidates")
            how = f"deals: {search.deals}"
            send_leads(self, search.expected(), search.seat, scale=SCALE, how=how)
            plan = search.best().actions
        self.plan, self.planned_for = plan[1:], now
        return listed.index(plan[0])


if __name__ == "__main__":
    arena.sdk.run(Planner)
