"""How well the judges of `arena match analyse` predict results: `python -m benchmarks.analysis_scale`.

Planner plays against itself in this process. Positions of these matches are played on and valued as the judge of the
game does it, and its expected scores are compared with the placings in the end. The command prints for each third of
the matches by which factor the judge's spread should be multiplied (1: it is right), and how often a predicted score
came true. The constants of `sample_bots/python/<game>/search/judge.py` are fitted with it; docs/results/analysis.md
has the numbers.
"""

import argparse
import math
import os
import random
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, Final

from benchmarks.analyse_blunders import Asked, play
from engine.game import State
from engine.randomness import SEED_BYTES, Stream
from engine.registry import GAMES
from sample_bots.python.analysis.judge import judge_of

EVERY: Final = 4
"""One decision of so many is looked at."""

THIRDS: Final = ("first third", "second third", "last third")

_FACTORS: Final = [2 ** (step / 8) for step in range(-24, 25)]
_MOST: Final = 1 - 1e-6


@dataclass(frozen=True, slots=True)
class Prediction:
    """One pair of seats in a position."""

    third: int
    lead: float
    """In spreads."""
    result: float
    """1, a half or 0."""


def predictions(game: str, seats: int, chance: random.Random) -> list[Prediction]:
    """Play a match, and return what the judge says on the way."""
    rules, judge = GAMES[game], judge_of(game)
    asked: list[Asked] = []
    end = play(
        game, seats, rules.new_match(seats, rules.options(seats, {}), chance.randbytes(SEED_BYTES)), asked
    )
    found = []
    for place, each in enumerate(asked):
        if place % EVERY:
            continue
        root = rules.from_observation(each.before.observe(each.seat), Stream(chance.randbytes(SEED_BYTES)))
        after = root.clone()
        judge.play_on(after, root, Stream(chance.randbytes(SEED_BYTES)))
        found += _pairs(judge, after, end, 3 * place // len(asked))
    return found


def _pairs(judge: Any, state: State, end: State, third: int) -> list[Prediction]:
    if state.outcome() is not None:
        return []  # its result is known, and not predicted
    points, spread = judge.points(state), judge.spread(state)
    outcome = end.outcome()
    assert outcome is not None
    seats = range(len(points))
    return [
        Prediction(
            third,
            (points[one] - points[other]) / spread,
            _result(outcome.placings[one], outcome.placings[other]),
        )
        for one in seats
        for other in seats
        if one < other
    ]


def _result(own: int, other: int) -> float:
    return (1 + (own < other) - (own > other)) / 2


def surprise(known: Sequence[Prediction], factor: float) -> float:
    """Return the mean logarithmic loss if the spread is multiplied by the factor."""
    return fmean(_surprise(each, factor) for each in known)


def _surprise(each: Prediction, factor: float) -> float:
    chance = min(_MOST, max(1 - _MOST, 1 / (1 + math.exp(-max(-40.0, min(40.0, each.lead / factor))))))
    return -each.result * math.log(chance) - (1 - each.result) * math.log(1 - chance)


def main() -> None:
    """Play, fit and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("games", nargs="*", default=[*GAMES], help="Default: all.")
    parser.add_argument("--matches", type=int, default=30, help="For each game.")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    wanted = parser.parse_args()
    os.environ["ARENA_THINK_MS"] = "10"
    for game in wanted.games:
        chance = random.Random(f"{game} {wanted.seed}")
        known = [each for _ in range(wanted.matches) for each in predictions(game, wanted.seats, chance)]
        for number, third in enumerate(THIRDS):
            part = [each for each in known if each.third == number]
            best = min(_FACTORS, key=lambda factor: surprise(part, factor))
            print(
                f"{game}, {third}: {len(part)} positions, factor {best:.2f}, surprise {surprise(part, best):.3f}, "
                f"as it is {surprise(part, 1.0):.3f}",
                flush=True,
            )
        for low in range(0, 10, 2):
            part = [each for each in known if low <= 9.999 / (1 + math.exp(-each.lead)) < low + 2]
            if part:
                result = fmean(each.result for each in part)
                print(
                    f"{game}, predicted {low / 10:.1f} to {low / 10 + 0.2:.1f}: {len(part)} times, result {result:.2f}"
                )


if __name__ == "__main__":
    main()
