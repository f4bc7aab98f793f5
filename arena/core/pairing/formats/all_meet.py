"""A round-robin as a format: every choice of bots meets, in one round."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb

from arena.core.pairing.formats.plan import History, NextRound, PlanSize, RoundPairing
from arena.core.pairing.formats.single_round import check_enough, check_groups, fixed_size, ranking_by_share
from arena.core.pairing.round_robin import round_robin


@dataclass(frozen=True, slots=True)
class RoundRobin:
    """Every choice of `seats` bots, `times` times, in the order of arena.core.pairing.round_robin."""

    seats: int
    times: int = 1

    def check(self, entrants: Sequence[str]) -> None:
        """Check that every bot can meet every other; see Format."""
        check_enough(len(entrants), self.seats, f"A round-robin of {self.seats} seats")
        check_groups(comb(len(entrants), self.seats) * self.times, self.seats)

    def expected_size(self, entrants: int) -> PlanSize:
        """Return the size; see Format."""
        return fixed_size(comb(entrants, self.seats) * self.times, self.seats)

    def next_round(self, history: History) -> NextRound:
        """Return the one round; see Format."""
        bots = history.entered(1)
        if history.rounds or len(bots) < self.seats:
            return NextRound(())
        plan = round_robin(bots, seats=self.seats, rounds=self.times)
        return NextRound(tuple(RoundPairing(each.bots, table=each.number) for each in plan))

    def ranking(self, history: History) -> tuple[tuple[str, ...], ...]:
        """Rank by score per pair, then by the direct encounter; see Format."""
        return ranking_by_share(history, history.entrants)
