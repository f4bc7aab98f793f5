"""Whether the refit's intervals hold the truth as often as they say, in histories whose strengths are known.

Expected: 95 %. With so many intervals a share outside of what is asserted is a fault of the refit, not bad luck; the
seeds are fixed.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random

import pytest

from arena.core.finished_match import FinishedMatch
from arena.core.rating.refit import refit

POINTS = 400 / math.log(10)
PLAYERS = tuple("abcdef")


@dataclass(frozen=True)
class Nature:
    """How matches come out; all in points but `ties`."""

    seats: int
    advantage: Sequence[float]
    """By seat."""
    ties: float = 0.0
    """How likely a set of two is next, against that of one, between equals; Davidson's nu."""
    spread: float = 200.0
    """The standard deviation of the players' strengths."""
    mood: float = 0.0
    """The standard deviation of what a player's strength is off in a group: bots that remember."""


def a_history(
    random: Random, nature: Nature, strengths: dict[str, float], groups: int
) -> list[FinishedMatch]:
    history = []
    for group in range(groups):
        players = random.sample(PLAYERS, nature.seats)
        today = {player: strengths[player] + random.gauss(0, nature.mood) for player in players}
        for k in range(nature.seats):
            seated = tuple(players[k:] + players[:k])
            strong = [today[player] + nature.advantage[seat] for seat, player in enumerate(seated)]
            history.append(FinishedMatch(seated, placed(random, strong, nature.ties), group=group))
    return history


def placed(random: Random, points: Sequence[float], ties: float) -> tuple[int, ...]:
    """Placings drawn choice by choice: who is next, or which two are next together."""
    left, placings = list(range(len(points))), [0] * len(points)
    while left:
        sets = [(seat,) for seat in left] + (list(combinations(left, 2)) if ties else [])
        weights = [
            (ties if len(each) > 1 else 1) * math.exp(sum(points[seat] for seat in each) / len(each) / POINTS)
            for each in sets
        ]
        (chosen,) = random.choices(sets, weights)
        for seat in chosen:
            placings[seat] = 1 + len(points) - len(left)
        left = [seat for seat in left if seat not in chosen]
    return tuple(placings)


@dataclass
class Held:
    """How many intervals there were, and how many of them held the truth."""

    ratings: list[bool]
    seats: list[bool]
    pairs: list[bool]
    """One-sided: superiority above 0.975 for the weaker one would be a miss."""


def simulated(nature: Nature, *, histories: int, groups: int) -> Held:
    held = Held([], [], [])
    for seed in range(histories):
        random = Random(seed)
        strengths = {player: random.gauss(0, nature.spread) for player in PLAYERS}
        mean = sum(strengths.values()) / len(strengths)
        fitted = refit(a_history(random, nature, strengths, groups))
        for line in fitted.ratings:
            truth = 1000 * (1500 + strengths[line.player] - mean)
            held.ratings.append(line.low_milli <= truth <= line.high_milli)
        (seats,) = fitted.seat_advantages
        for truth, found, half in zip(
            nature.advantage, seats.advantage_milli, seats.uncertainty_milli, strict=True
        ):
            held.seats.append(abs(found - 1000 * truth) <= half)
        for one, other in combinations(PLAYERS, 2):
            weaker, stronger = sorted((one, other), key=lambda player: strengths[player])
            held.pairs.append(fitted.superiority(weaker, stronger) <= 0.975)
    return held


def share(held: Sequence[bool]) -> float:
    return sum(held) / len(held)


@pytest.mark.parametrize(
    "nature",
    [
        Nature(2, (30, -30)),
        Nature(2, (30, -30), ties=0.8),
        Nature(4, (60, 20, -20, -60)),
        Nature(4, (60, 20, -20, -60), ties=0.3),
    ],
    ids=["two seats", "two seats that often tie", "four seats", "four seats that often tie"],
)
def test_95_of_100_intervals_hold_the_truth(nature: Nature) -> None:
    held = simulated(nature, histories=40, groups=60)
    assert 0.915 <= share(held.ratings) <= 0.985
    assert 0.88 <= share(held.seats) <= 1
    assert share(held.pairs) >= 0.975


def test_matches_of_a_group_that_go_together_widen_the_intervals_so_far_that_they_still_hold() -> None:
    """Moods of 150 points that last for a group, between equals; taken for independent, 86 of 100 would hold."""
    held = simulated(Nature(4, (0, 0, 0, 0), spread=0, mood=150), histories=40, groups=60)
    assert 0.92 <= share(held.ratings) <= 0.985
