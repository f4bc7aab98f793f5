"""Whole ladders of bots whose strength is known: do the ratings find it, and as closely as they say?

A match is drawn from the model that Elo assumes: each performance is a strength plus Gumbel noise, so that every pair
of a match has the logistic expectation. Groups are made by the matchmaking itself.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from random import Random
from statistics import fmean

import pytest

from arena.core.finished_match import FinishedMatch
from arena.core.match import SeedPolicy
from arena.core.pairing.groups import plan_group
from arena.core.pairing.matchmaker import Candidate, Matchmaker, PairingRules
from arena.core.rating.elo import rate_group
from arena.core.rating.rating import INITIAL
from arena.core.seeds import pairing_stream
from tests.unit.core.rating.histories import a_match

RULES = PairingRules((2, 3, 4), same_owner=True)
POINTS_PER_UNIT = 400 / math.log(10)


@dataclass(frozen=True)
class Played:
    """A bot after a simulated ladder, in points."""

    strength: float
    """Above the mean of all bots."""
    rating: float
    """Above the mean of all bots."""
    uncertainty: float


def simulated(strengths: Mapping[str, float], groups: int, seed: int) -> dict[str, Played]:
    """Return the ladder after `groups` groups; `strengths` in points."""
    random, secret = Random(seed), sha256(b"%d" % seed).digest()
    ratings = dict.fromkeys(strengths, INITIAL)
    last = dict.fromkeys(strengths, 0)
    recent: list[tuple[str, ...]] = []
    for number in range(1, groups + 1):
        candidates = [
            Candidate(bot, bot, rating.rating_milli, rating.uncertainty_milli, number - 1 - last[bot], 1, 0)
            for bot, rating in ratings.items()
        ]
        bots = Matchmaker(candidates, recent, RULES).choose_group(pairing_stream(secret, "main", number))
        assert bots is not None
        recent.insert(0, bots)
        last |= dict.fromkeys(bots, number)
        plans = plan_group(secret, number, bots, SeedPolicy.DERIVED)
        matches = [drawn(random, k, plan.bots, strengths) for k, plan in enumerate(plans)]
        ratings |= {change.bot: change.after for change in rate_group(ratings, matches)}
    strength = fmean(strengths.values())
    mean = fmean(rating.rating_milli for rating in ratings.values())
    return {
        bot: Played(
            strengths[bot] - strength, (rating.rating_milli - mean) / 1000, rating.uncertainty_milli / 1000
        )
        for bot, rating in ratings.items()
    }


def drawn(random: Random, match: int, bots: tuple[str, ...], strengths: Mapping[str, float]) -> FinishedMatch:
    performance = {
        bot: strengths[bot] / POINTS_PER_UNIT - math.log(-math.log(random.random())) for bot in bots
    }
    order = sorted(bots, key=lambda bot: -performance[bot])
    return a_match(match, *bots, placed=[1 + order.index(bot) for bot in bots])


@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_strengths_that_differ_clearly_is_found(seed: int) -> None:
    found = simulated({"ant": 0, "bee": 200, "cat": 400, "dog": 600}, 120, seed)
    assert sorted(found, key=lambda bot: found[bot].rating) == ["ant", "bee", "cat", "dog"]


def test_the_interval_holds_the_strength_about_as_often_as_it_says() -> None:
    bots: list[Played] = []
    for seed in range(10):
        random = Random(1000 + seed)
        strengths = {f"bot-{i}": random.gauss(0, 200) for i in range(6)}
        bots += simulated(strengths, 100, seed).values()
    held = sum(abs(bot.rating - bot.strength) < bot.uncertainty for bot in bots) / len(bots)
    assert held >= 0.88
    error = math.sqrt(sum((bot.rating - bot.strength) ** 2 for bot in bots) / len(bots))
    mean_uncertainty = sum(bot.uncertainty for bot in bots) / len(bots)
    assert 0.5 < 1.96 * error / mean_uncertainty < 1.2


def test_equal_bots_stay_near_each_other() -> None:
    found = simulated(dict.fromkeys(("ant", "bee", "cat", "dog", "elk"), 0.0), 150, 7)
    assert all(abs(bot.rating) < bot.uncertainty < 100 for bot in found.values())
