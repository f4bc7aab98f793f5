"""The analysis of a seat: a first look at each decision, then more and more at fewer of them."""

import hashlib
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from arena.analysis.decisions import SeatDecision
from arena.analysis.judging import Judges
from arena.analysis.trial import Loss, Trial

FIRST_DEALS: Final = 2
"""Deals of the first look at each decision."""

LEAST_DEALS: Final = 8
"""Of those at the end, whatever the budget."""

_HALVING: Final = 0.5
"""The part of what is left after the first look that finds the finalists."""
_CHOICE: Final = 0.3
"""The part of the rest that chooses the alternative of each finalist."""

_FINALISTS: Final = 2
"""So many for each decision that is to be named."""
_LEAST_FINALISTS: Final = 6


@dataclass(slots=True)
class Budget:
    """How much may be tried: a number of playouts, or seconds. Work that has begun is completed.

    With a number of playouts, the result follows from log and seed.
    """

    playouts: int | None = None
    seconds: float | None = None
    clock: Callable[[], float] = time.monotonic
    done: int = 0
    _began: float = field(init=False, default=0.0)

    def begin(self) -> None:
        """Start the clock."""
        self._began = self.clock()

    @property
    def used_seconds(self) -> float:
        """The time since the beginning."""
        return self.clock() - self._began

    def left(self) -> int:
        """Return how many playouts are left, at the present rate if the budget is a time."""
        if self.playouts is not None:
            return max(0, self.playouts - self.done)
        seconds, used = self.seconds or 0.0, self.used_seconds
        return int(max(0.0, seconds - used) * self.done / max(used, 1e-3))


@dataclass(slots=True)
class Analysis:
    """An analysis, complete or interrupted."""

    game: str
    decisions: Sequence[SeatDecision]
    """All of the seat."""
    seed: int
    top: int
    """How many decisions are to be named."""
    judges: Judges
    budget: Budget
    on_progress: Callable[[float], None] = lambda _share: None
    """Called with the share of the work that is done, 0 to 1."""
    trials: list[Trial] = field(default_factory=list)
    """Of the decisions with a choice."""
    alive: list[Trial] = field(default_factory=list)
    """Of them those that have not been dropped as cheap: at last the finalists."""
    is_complete: bool = False

    def run(self) -> None:
        """Judge the decisions. An exception, such as an interrupt, leaves what was found so far."""
        self.budget.begin()
        self.trials = [
            Trial(self.game, decision, self._seed_of(decision))
            for decision in self.decisions
            if decision.has_choice
        ]
        self.alive = self.trials
        self._try(self.trials, FIRST_DEALS)
        self.alive = [each for each in self.trials if each.has_alternative]
        self._halve(self.budget.left())
        self._choose()
        self._compare()
        self.is_complete = True
        self.on_progress(1.0)

    def costliest(self) -> list[Trial]:
        """Return the decisions that cost most, at most `top`, the costliest first; none that cost nothing."""
        costly = [each for each in self.alive if each.loss().mean > 0]
        return sorted(costly, key=lambda each: (-each.loss().mean, each.decision.ply))[: self.top]

    def _seed_of(self, decision: SeatDecision) -> bytes:
        """Return a seed that follows from what the seat knew and played, and from nothing else of the match."""
        known = hashlib.sha256(f"analysis {self.seed} {decision.played}".encode())
        known.update(decision.observation)
        return known.digest()

    def _try(self, trials: Sequence[Trial], deals: int) -> None:
        """Try the moves of the decisions on so many further deals."""
        for place, reply in self.judges.ask([each.request(deals) for each in trials]):
            before = trials[place].playouts
            trials[place].take(reply)
            self.budget.done += trials[place].playouts - before
            self._report()

    def _spend(self, trials: Sequence[Trial], playouts: float) -> None:
        """Try the moves on as many deals as that many playouts give."""
        moves = sum(len(each.moves) for each in trials)
        if moves:
            self._try(trials, max(LEAST_DEALS, int(playouts / moves)))

    def _report(self) -> None:
        budget = self.budget
        if budget.playouts is not None:
            share = budget.done / max(1, budget.playouts)
        else:
            share = budget.used_seconds / max(1e-3, budget.seconds or 0.0)
        self.on_progress(min(0.99, share))

    def _halve(self, left: int) -> None:
        """Drop the cheaper half of the decisions again and again, until the finalists are left."""
        most = max(_LEAST_FINALISTS, _FINALISTS * self.top)
        rounds = max(0, math.ceil(math.log2(max(1, len(self.alive)) / most)))
        for _ in range(rounds):
            self._drop(max(most, math.ceil(len(self.alive) / 2)))
            for each in self.alive:
                each.keep(played=2, others=4)
            self._spend(self.alive, _HALVING * left / rounds)
        self._drop(most)

    def _drop(self, kept: int) -> None:
        """Keep so many decisions, those that may have cost most."""
        self.alive = sorted(self.alive, key=lambda each: (-_hope(each.loss()), each.decision.ply))[:kept]

    def _choose(self) -> None:
        """Ask the sample bot about the finalists, and choose the best alternative of each."""
        for each in self.alive:
            each.keep(played=2, others=3)
        for place, reply in self.judges.ask([each.advice_request() for each in self.alive]):
            self.alive[place].take_advice(reply)
        self._spend(self.alive, _CHOICE * self.budget.left())
        for each in self.alive:
            each.keep(played=1, others=1)

    def _compare(self) -> None:
        """Compare what was played with the alternative on fresh deals, more often where it cost most."""
        for each in self.alive:
            each.start_anew()
        self._spend(self.alive, self.budget.left() / 2)
        costly = sorted(self.alive, key=lambda each: (-each.loss().mean, each.decision.ply))
        self._spend(costly[: self.top + 1], self.budget.left())


def _hope(loss: Loss) -> float:
    """Return what a decision may have cost if it was judged too kindly: one standard error more."""
    return loss.mean + loss.error
