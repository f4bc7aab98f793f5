"""The gauntlet: a few challengers against a field, whose bots do not meet without a challenger."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import gcd

from arena.core.pairing.formats.plan import History, NextRound, PlanSize, RoundPairing
from arena.core.pairing.formats.single_round import check_enough, check_groups, fixed_size, ranking_by_share


@dataclass(frozen=True, slots=True)
class Gauntlet:
    """The first `challengers` entrants, each against the whole field, `times` times.

    With two seats a challenger meets each bot of the field once. With more seats it meets the field in tables that
    have no other challenger: the fewest in which each bot of the field sits equally often. All challengers get the
    same tables.
    """

    seats: int
    challengers: int = 1
    times: int = 1

    def check(self, entrants: Sequence[str]) -> None:
        """Check that a challenger finds enough opponents; see Format."""
        check_enough(
            len(entrants),
            self.challengers + self.seats - 1,
            f"A gauntlet of {self.challengers} against a field",
        )
        check_groups(self._groups(len(entrants)), self.seats)

    def expected_size(self, entrants: int) -> PlanSize:
        """Return the size; see Format."""
        return fixed_size(self._groups(entrants), self.seats)

    def next_round(self, history: History) -> NextRound:
        """Return the one round; see Format."""
        there = set(history.entered(1))
        challengers = [bot for bot in history.entrants[: self.challengers] if bot in there]
        field = [bot for bot in history.entrants[self.challengers :] if bot in there]
        if history.rounds or len(field) < self.seats - 1:
            return NextRound(())
        tables = [
            (challenger, *(field[place] for place in sorted(table)))
            for turn in range(self.times)
            for table in _tables(len(field), self.seats - 1, turn)
            for challenger in challengers
        ]
        return NextRound(
            tuple(RoundPairing(bots, table=number) for number, bots in enumerate(tables, start=1))
        )

    def ranking(self, history: History) -> tuple[tuple[str, ...], ...]:
        """Rank by score per pair, then by the direct encounter; see Format."""
        return ranking_by_share(history, history.entrants)

    def _groups(self, entrants: int) -> int:
        field = entrants - self.challengers
        return self.challengers * self.times * field // gcd(field, self.seats - 1)


def _tables(field: int, size: int, turn: int) -> Iterator[list[int]]:
    """Yield the fewest tables of `size` in which each of `field` places sits equally often.

    They are neighbours on a circle; in each turn of the field the circle is another one as long as there is another,
    so that the bots of the field meet more different ones.
    """
    strides = [stride for stride in range(1, max(2, field // 2 + 1)) if gcd(stride, field) == 1]
    stride = strides[turn % len(strides)]
    for table in range(field // gcd(field, size)):
        yield [(table * size + seat) * stride % field for seat in range(size)]
