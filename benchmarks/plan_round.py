"""How long it takes to plan one round of a tournament: `python -m benchmarks.plan_round`.

Plays tournaments whose results are drawn, plans each round from all rounds before it, and prints for each format the
processor time of the slowest round and of all. docs/formats.md has the figures.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from random import Random
from time import process_time

from arena.core.pairing.formats.formats import format_of
from arena.core.pairing.formats.matching import heaviest
from arena.core.pairing.formats.parameters import FormatParameters
from arena.core.pairing.formats.plan import History, PlayedPairing, PlayedRound, RoundPairing
from arena.core.tournaments import TournamentFormat

SEED = 20261127


@dataclass(frozen=True)
class Case:
    """One tournament to be measured."""

    kind: TournamentFormat
    bots: int
    seats: int
    parameters: FormatParameters
    drawn: int
    """Of a hundred pairs of a match, those that are drawn: the more, the larger are the score groups."""


CASES = (
    Case(TournamentFormat.SWISS, 1_000, 2, FormatParameters(rounds=10), 30),
    Case(TournamentFormat.SWISS, 1_001, 2, FormatParameters(rounds=10), 100),
    Case(TournamentFormat.SWISS, 1_000, 2, FormatParameters(rounds=40), 30),
    Case(TournamentFormat.SWISS, 1_000, 4, FormatParameters(rounds=10), 30),
    Case(TournamentFormat.SWISS, 64, 2, FormatParameters(rounds=60), 30),
    Case(TournamentFormat.KNOCKOUT, 1_000, 2, FormatParameters(best_of=3), 30),
    Case(TournamentFormat.DOUBLE_ELIMINATION, 1_000, 2, FormatParameters(best_of=3), 30),
)


def played(pairing: RoundPairing, random: Random, drawn: int) -> PlayedPairing:
    """Return the group with drawn results."""
    seats = len(pairing.bots)
    score = [0] * seats
    for one, other in combinations(range(seats), 2):
        for _ in range(seats):
            if random.randrange(100) < drawn:
                score[one] += 500
                score[other] += 500
            else:
                score[random.choice((one, other))] += 1_000
    return PlayedPairing(pairing, tuple(score), (seats * (seats - 1),) * seats, (False,) * seats)


def measured(case: Case) -> list[float]:
    """Return the processor time of planning each round, in seconds."""
    random = Random(SEED)
    form = format_of(case.kind, case.seats, case.parameters)
    history = History(tuple(f"bot{number}" for number in range(case.bots)))
    times: list[float] = []
    while True:
        begun = process_time()
        following = form.next_round(history)
        times.append(process_time() - begun)
        if not following.pairings:
            return times
        groups = tuple(played(each, random, case.drawn) for each in following.pairings)
        history = replace(history, rounds=(*history.rounds, PlayedRound(groups, following.byes)))


def report(cases: Sequence[Case]) -> None:
    """Print a line for each case."""
    print("| format | bots | seats | rounds | drawn | slowest round | median |")
    print("|---|---|---|---|---|---|---|")
    for case in cases:
        times = sorted(measured(case))
        name = case.kind.name.lower().replace("_", " ")
        line = f"| {name} | {case.bots:,} | {case.seats} | {len(times) - 1} | {case.drawn} %"
        print(f"{line} | {times[-1] * 1_000:.0f} ms | {times[len(times) // 2] * 1_000:.0f} ms |", flush=True)


if __name__ == "__main__":
    heaviest([(0, 1, 1)])  # imports networkx, which an arena does once
    report(CASES)
