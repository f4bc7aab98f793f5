"""How often the sequential test of `arena compare` is wrong, and how long it takes: simulated comparisons.

    python -m benchmarks.sequential_errors
    python -m benchmarks.sequential_errors --runs 1000 --seed 7

Placings follow from performances with Gumbel noise (R. D. Luce and R. L. Plackett; see *Applied Statistics* 24 (1975),
193-202), to which the seat and the set-up add what they give to whoever plays there, the same in all matches of a
group. Near ones are ties. Groups are drawn from 100,000 that were simulated between equals, with weights exp(c x) for a
difference of x (the distribution closest to the one between equals that has a given mean), c being such that the Elo
difference is exactly the one to be tested.
The numbers of docs/results/sequential_errors.md are from this program; they are the same on every machine.
"""

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from arena.core.pairing.comparison import NEW, OLD, ComparisonPlan
from arena.core.sequential.elo_difference import field_difference, met_difference
from arena.core.sequential.sprt import Hypotheses, exit_time, likelihood_ratios

Floats = NDArray[np.floating[Any]]
Ints = NDArray[np.int64]

_POOL: Final = 100_000
_SEAT_GAIN: Final = 0.5
"""What seat 0 has over the last one, in units of the noise's scale."""
_SET_UP_SPREAD: Final = 0.7
"""The standard deviation of what a set-up gives to a seat."""
_TIE_WIDTH: Final = 0.25
"""Performances in the same interval of this width are a tie."""
_TILT_STEPS: Final = 80
_MOST_TILT: Final = 20.0


@dataclass(frozen=True, slots=True)
class Groups:
    """The groups that can come, and how likely each is. Arrays have one entry for each kind of group."""

    new: Floats
    """The mean score of the new bot."""
    old: Floats
    chance: Floats

    def tilted(self, elo: float, *, field: bool) -> "Groups":
        """Return the groups between bots with this Elo difference."""
        difference = self.new - self.old
        low, high = -_MOST_TILT, _MOST_TILT
        for _ in range(_TILT_STEPS):
            middle = (low + high) / 2
            tilted = self._weighted(middle)
            level = float(((self.new + self.old) / 2 * tilted).sum())
            wanted = float(field_difference(elo, level)) if field else met_difference(elo)
            low, high = (middle, high) if float((difference * tilted).sum()) < wanted else (low, middle)
        return Groups(self.new, self.old, self._weighted((low + high) / 2))

    def _weighted(self, tilt: float) -> Floats:
        weights = self.chance * np.exp(tilt * (self.new - self.old))
        return np.asarray(weights / weights.sum())


@dataclass(frozen=True, slots=True)
class Outcome:
    """How many simulated comparisons came out how."""

    runs: int
    better: int
    not_better: int
    mean_groups: float
    expected_groups: float
    """By the formula with which `arena compare` tells how many are left, asked at the beginning."""


def groups_between_equals(plan: ComparisonPlan, pool: int, random: np.random.Generator) -> Groups:
    """Return the groups of a plan if all bots are equally strong, from so many simulated ones."""
    seats = plan.seats
    gain = np.linspace(_SEAT_GAIN, 0, seats) + random.normal(0, _SET_UP_SPREAD, (pool, seats))
    scores = np.zeros((2, pool))
    counts = np.zeros(2)
    for match in plan.group(0):
        performance = np.floor((gain + random.gumbel(size=(pool, seats))) / _TIE_WIDTH)
        for seat, entrant in enumerate(match.entrants):
            if entrant not in (NEW, OLD):
                continue
            for other, who in enumerate(match.entrants):
                if who != entrant:
                    ahead = np.sign(performance[:, seat] - performance[:, other])
                    scores[entrant] += (1 + ahead) / 2
                    counts[entrant] += 1
    kinds, chance = np.unique(np.round(scores / counts[:, None], 12), axis=1, return_counts=True)
    return Groups(kinds[NEW], kinds[OLD], chance / pool)


def simulate(
    hypotheses: Hypotheses, groups: Groups, runs: int, most: int, random: np.random.Generator, *, field: bool
) -> Outcome:
    """Run so many tests of at most so many groups side by side."""
    differences = np.round(groups.new - groups.old, 12)
    values, column = np.unique(np.concatenate([differences, [-1.0, 1.0]]), return_inverse=True)
    chances = groups.chance.cumsum()
    counts, levels = np.zeros((runs, len(values))), np.zeros(runs)
    better = not_better = 0
    lengths = 0
    for number in range(1, most + 1):
        drawn = np.searchsorted(chances, random.random(len(counts)) * chances[-1], side="right")
        counts[np.arange(len(counts)), column[drawn]] += 1
        levels += (groups.new[drawn] + groups.old[drawn]) / 2
        ratios = likelihood_ratios(hypotheses, values, counts, levels / number if field else None)
        accepted, rejected = ratios >= hypotheses.upper, ratios <= hypotheses.lower
        going = ~(accepted | rejected)
        better, not_better = better + int(accepted.sum()), not_better + int(rejected.sum())
        lengths += len(counts)
        counts, levels = counts[going], levels[going]
        if not len(counts):
            break
    return Outcome(runs, better, not_better, lengths / runs, _expected(hypotheses, groups, field=field))


def _expected(hypotheses: Hypotheses, groups: Groups, *, field: bool) -> float:
    difference, level = groups.new - groups.old, float(((groups.new + groups.old) / 2 * groups.chance).sum())
    mean = float((difference * groups.chance).sum())
    variance = float(((difference - mean) ** 2 * groups.chance).sum())
    low, high = (
        float(field_difference(elo, level)) if field else met_difference(elo)
        for elo in (hypotheses.elo0, hypotheses.elo1)
    )
    scale = (high - low) / variance
    return exit_time(
        scale * (mean - (low + high) / 2), scale**2 * variance, hypotheses.lower, hypotheses.upper
    )


@dataclass(frozen=True, slots=True)
class Case:
    """One row of the results."""

    title: str
    plan: ComparisonPlan
    hypotheses: Hypotheses


CASES: Final = (
    Case("2 seats, against each other", ComparisonPlan(2), Hypotheses(0, 20)),
    Case("2 seats, against one opponent", ComparisonPlan(2, 1), Hypotheses(0, 20)),
    Case("4 seats, against each other", ComparisonPlan(4), Hypotheses(0, 20)),
    Case("4 seats, against three opponents", ComparisonPlan(4, 3), Hypotheses(0, 20)),
    Case("2 seats, against each other, wide bounds", ComparisonPlan(2), Hypotheses(0, 100)),
    Case("4 seats, against each other, wide bounds", ComparisonPlan(4), Hypotheses(0, 100)),
)

TRUTHS: Final = (("H0", 0.0), ("between", 0.5), ("H1", 1.0))
"""Where the truth is between the two hypotheses."""


def outcomes(
    cases: Sequence[Case], runs: int, most: int, seed: int
) -> Iterator[tuple[Case, str, float, Outcome]]:
    """Yield the case, the name of the truth, its Elo difference, and what came out."""
    for number, case in enumerate(cases):
        random = np.random.default_rng([seed, number])
        field = case.plan.opponents > 0
        equals = groups_between_equals(case.plan, _POOL, random)
        test = case.hypotheses
        for name, share in TRUTHS:
            elo = test.elo0 + share * (test.elo1 - test.elo0)
            yield (
                case,
                name,
                elo,
                simulate(test, equals.tilted(elo, field=field), runs, most, random, field=field),
            )


def main() -> None:
    """Print the table of docs/results/sequential_errors.md."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=10_000, help="simulated comparisons in each row")
    parser.add_argument("--most", type=int, default=20_000, help="groups of a comparison")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    print("| matches | bounds | truth | better | not better | undecided | mean groups | expected | matches |")
    print("|---|---|---|---|---|---|---|---|---|")
    for case, name, elo, found in outcomes(CASES, arguments.runs, arguments.most, arguments.seed):
        test = case.hypotheses
        undecided = found.runs - found.better - found.not_better
        shares = [
            f"{100 * count / found.runs:.2f} %" for count in (found.better, found.not_better, undecided)
        ]
        matches = round(found.mean_groups * case.plan.group_size)
        print(
            f"| {case.title} | {test.elo0:g}, {test.elo1:g} | {name} ({elo:g}) | {' | '.join(shares)} | "
            f"{found.mean_groups:.0f} | {found.expected_groups:.0f} | {matches} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
