"""Payoffs, alpha-rank, cycles, and what no rating explains."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.research.intransitivity import Payoffs, alpha_rank, cycles, decompose, payoffs
from arena.research.setting import RefusedError
from tests.unit.research.result_tables import Played, results_of

NAMES = ("ant", "bee", "cat", "dog", "emu")

Strengths = st.lists(st.integers(-400, 400), min_size=3, max_size=5, unique=True)


def constructed(mean: np.ndarray, count: float = 1e6) -> Payoffs:
    """Return payoffs of so many results of each pair, with intervals that exclude all but the means."""
    size = len(mean)
    counts = np.full((size, size), count) * (1 - np.eye(size))
    return Payoffs(NAMES[:size], mean, mean - 1e-6, mean + 1e-6, counts.astype(np.int64), counts)


def elo(ratings: list[int]) -> np.ndarray:
    strengths = np.array(ratings, float)
    chances: np.ndarray = 1 / (1 + 10 ** ((strengths[None, :] - strengths[:, None]) / 400))
    return chances


ROCK_PAPER_SCISSORS = np.array([[0.5, 0.9, 0.1], [0.1, 0.5, 0.9], [0.9, 0.1, 0.5]])


@given(Strengths)
def test_transitive_payoffs_have_no_cycle_and_the_order_of_their_ratings(ratings: list[int]) -> None:
    made = constructed(elo(ratings), 1e9)
    found = cycles(made)
    assert (found.found, found.share) == ((), 0)
    assert found.triples == len(ratings) * (len(ratings) - 1) * (len(ratings) - 2) / 6
    explained = decompose(made, draws=1)
    assert explained.ratings == pytest.approx(np.array(ratings) - np.mean(ratings), abs=0.01)
    assert explained.cyclic_share < 1e-9
    ranks = alpha_rank(made, draws=1)
    assert ranks.mass.argmax() == np.argmax(ratings)


@given(st.permutations(range(3)), st.floats(0.1, 100))
def test_rock_paper_scissors_has_masses_of_a_third(order: list[int], alpha: float) -> None:
    made = constructed(ROCK_PAPER_SCISSORS[np.ix_(order, order)])
    assert alpha_rank(made, alpha=alpha, draws=1).mass == pytest.approx([1 / 3] * 3)
    (cycle,) = cycles(made).found
    assert cycle.is_clear
    assert cycle.weakest == pytest.approx(0.9)
    first, second, third = (NAMES.index(name) for name in cycle.players)
    assert min(made.mean[first, second], made.mean[second, third], made.mean[third, first]) > 0.5
    explained = decompose(made, draws=100)
    assert explained.ratings == pytest.approx([0, 0, 0], abs=1e-6)
    assert explained.cyclic_share == pytest.approx(1)
    assert explained.is_beyond_chance


def rounds(mean: np.ndarray, each: int, dice: np.random.Generator) -> list[Played]:
    """Return so many matches of every two players, won with the chance of the payoffs."""
    played = []
    for one in range(len(mean)):
        for other in range(one):
            for _ in range(each):
                placings = (1, 2) if dice.random() < mean[one, other] else (2, 1)
                played.append(Played((NAMES[one], NAMES[other]), placings))
    return played


@given(st.integers(0, 1000), st.randoms(use_true_random=False))
def test_order_of_rows_and_names_have_no_effect(seed: int, dice: random.Random) -> None:
    played = rounds(elo([0, 50, 100, 200]), 3, np.random.default_rng(seed))
    before = payoffs(results_of(played))
    shuffled = dice.sample(played, len(played))
    after = payoffs(results_of(shuffled))
    assert np.array_equal(before.mean, after.mean, equal_nan=True)
    assert np.array_equal(alpha_rank(before, draws=5).low, alpha_rank(after, draws=5).low)

    new = dict(zip(NAMES, dice.sample(NAMES, len(NAMES)), strict=True))
    renamed = payoffs(
        results_of([Played((new[one.bots[0]], new[one.bots[1]]), one.placings) for one in shuffled])
    )
    place = [renamed.players.index(new[player]) for player in before.players]
    assert alpha_rank(renamed, draws=1).mass[place] == pytest.approx(alpha_rank(before, draws=1).mass)
    assert decompose(renamed, draws=1).ratings[place] == pytest.approx(decompose(before, draws=1).ratings)
    assert cycles(renamed).share == cycles(before).share


def test_payoffs_are_the_scores_against_each_opponent() -> None:
    played = [Played(("ant", "bee", "cat"), (1, 2, 2)), Played(("bee", "ant"), (1, 2))]
    found = payoffs(results_of(played))
    assert found.players == ("ant", "bee", "cat")
    expected = [[np.nan, 0.5, 1], [0.5, np.nan, 0.5], [0, 0.5, np.nan]]
    assert np.array_equal(found.mean, expected, equal_nan=True)
    assert found.results.tolist() == [[0, 2, 1], [2, 0, 1], [1, 1, 0]]
    assert ((found.low <= found.mean) & (found.mean <= found.high) | np.isnan(found.mean)).all()


def test_versions_are_players_of_their_own() -> None:
    found = payoffs(results_of([Played(("ant", "ant"), (1, 2), versions=("2", "1"))]), by_version=True)
    assert found.players == ("ant 1", "ant 2")
    assert found.mean[1, 0] == 1


def test_a_few_matches_do_not_look_certain() -> None:
    played = [Played(("ant", "bee"), (1, 2)), Played(("bee", "cat"), (1, 2)), Played(("cat", "ant"), (1, 2))]
    found = payoffs(results_of(played))
    ranks = alpha_rank(found)
    assert (ranks.low < 0.05).all()
    assert (ranks.high > 0.9).all()
    assert ranks.first.sum() == pytest.approx(1)
    (cycle,) = cycles(found).found
    assert not cycle.is_clear
    assert not decompose(found).is_beyond_chance


@pytest.mark.parametrize("ratings", [[0, 40, 80, 200], [0, 0, 0, 0, 0]])
def test_chance_makes_no_finding_of_transitive_bots_more_often_than_promised(ratings: list[int]) -> None:
    """One in twenty is promised: of 20 ladders 4 or fewer with a chance of 99.7 %."""
    dice = np.random.default_rng(3)
    made = [decompose(payoffs(results_of(rounds(elo(ratings), 15, dice))), draws=60) for _ in range(20)]
    assert sum(each.is_beyond_chance for each in made) <= 4


def test_a_cycle_of_bots_is_found() -> None:
    dice = np.random.default_rng(4)
    found = payoffs(results_of(rounds(ROCK_PAPER_SCISSORS, 60, dice)))
    assert cycles(found).share == 1
    assert cycles(found).found[0].is_clear
    assert decompose(found).is_beyond_chance
    assert alpha_rank(found).mass == pytest.approx([1 / 3] * 3, abs=0.02)


def test_bots_that_have_not_met_are_left_unknown() -> None:
    played = [Played(("ant", "bee"), (1, 2))] * 30 + [Played(("cat", "dog"), (1, 2))] * 30
    found = payoffs(results_of(played))
    assert np.isnan(found.mean[0, 2])
    assert (found.low[0, 2], found.high[0, 2]) == (0, 1)
    assert cycles(found).triples == 0
    assert np.isnan(cycles(found).share)
    ratings = decompose(found).ratings
    assert ratings[0] + ratings[1] == pytest.approx(0)
    assert ratings[2] > 0 > ratings[3]
    ranks = alpha_rank(found)
    assert ranks.mass[0] == pytest.approx(ranks.mass[2])
    assert ranks.first[0] > 0.2 < ranks.first[2]


def test_what_is_out_of_range_is_refused() -> None:
    made = constructed(ROCK_PAPER_SCISSORS)
    for wrong in (
        {"alpha": 0.0},
        {"alpha": float("nan")},
        {"alpha": 2000.0},
        {"population": 1},
        {"draws": 0},
    ):
        with pytest.raises(RefusedError):
            alpha_rank(made, **wrong)
    with pytest.raises(RefusedError):
        decompose(made, draws=0)
    with pytest.raises(RefusedError, match="two players"):
        payoffs(results_of([Played(("ant", "ant"), (1, 2))]))
