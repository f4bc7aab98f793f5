"""Leagues of made-up bots, whose choices and results follow from a seed."""

import math
from collections.abc import Callable, Mapping
from itertools import combinations
from random import Random

from arena.core.fair_play.choice import Choice
from arena.core.finished_match import FinishedMatch

Policy = Callable[[Random, int, int], int]
"""A source of chance, the situation, how many actions are legal -> the place of the chosen one."""


def dice(source: Random, situation: int, legal: int) -> int:
    """Any legal action."""
    return source.randrange(legal)


def taste(name: str, slips: float = 0.0, sound: float = 0.3) -> Policy:
    """Return the same action in the same situation; in a part of them, for every taste, the sound first one."""

    def policy(source: Random, situation: int, legal: int) -> int:
        if source.random() < slips:
            return source.randrange(legal)
        if Random(f"sound/{situation}").random() < sound:
            return 0
        return Random(f"{name}/{situation}").randrange(legal)

    return policy


def a_league(
    policies: Mapping[str, Policy], seed: int, *, groups: int = 6, situations: int = 200, choices: int = 20
) -> list[Choice]:
    """Every pair meets in so many match groups of two matches; situations come again at random."""
    source, found, group, match = Random(seed), [], 0, 0
    for _ in range(groups):
        for pair in combinations(policies, 2):
            group += 1
            for _ in range(2):
                match += 1
                for bot in pair:
                    for _ in range(choices):
                        situation = source.randrange(situations)
                        legal = 2 + situation % 7
                        answer = policies[bot](source, situation, legal)
                        found.append(Choice(bot, match, group, situation, answer, 1 / legal))
    return found


def results(
    strengths: Mapping[str, float],
    seed: int,
    *,
    groups: int = 8,
    seats: int = 2,
    gives: tuple[str, str] | None = None,
) -> list[FinishedMatch]:
    """Every line-up meets in so many match groups; placings by chance and strength, in logarithms of the odds.

    `gives`: the first of these bots is always placed below the second.
    """
    source = Random(seed)
    found: list[FinishedMatch] = []
    for _ in range(groups):
        for bots in combinations(strengths, seats):
            order = sorted(bots, key=lambda bot: -strengths[bot] - _gumbel(source))
            if gives is not None and set(gives) <= set(order):
                order.remove(gives[0])
                order.append(gives[0])
            number = len(found) + 1
            placings = tuple(order.index(bot) + 1 for bot in bots)
            found.append(
                FinishedMatch(
                    *(bots, placings, (False,) * seats, number, number),
                    started_us=number * 100,
                    ended_us=number * 100 + 90,
                )
            )
    return found


def _gumbel(source: Random) -> float:
    """Draw from the Gumbel distribution: orders by such numbers follow Plackett and Luce."""
    return -math.log(source.expovariate(1))
