"""The log-likelihood ratio is that of the likeliest distributions, by another method and as published."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from arena.core.sequential.likelihood import LEAST_WEIGHT, log_likelihood_ratio
from arena.core.sequential.sprt import Hypotheses, likelihood_ratios
from tests.unit.core.sequential.published import RATIOS, PublishedRatio

COUNTS = st.lists(st.integers(0, 300), min_size=5, max_size=5).filter(any)
MEANS = st.floats(-0.6, 0.6)
VALUES = np.array([-1.0, -0.5, 0.0, 0.5, 1.0])


def likeliest(values: np.ndarray, counts: np.ndarray, mean: float) -> float:
    """Return the largest log-likelihood of these counts under a distribution with that mean, by SLSQP."""
    weights = counts / counts.sum()
    found = minimize(
        lambda p: -(weights * np.log(p)).sum(),
        np.full(len(values), 1 / len(values)),
        jac=lambda p: -weights / p,
        bounds=[(1e-12, 1)] * len(values),
        constraints=[
            {"type": "eq", "fun": lambda p: p.sum() - 1, "jac": np.ones_like},
            {"type": "eq", "fun": lambda p: (p * values).sum() - mean, "jac": lambda _: values},
        ],
        method="SLSQP",
        options={"maxiter": 500, "ftol": 1e-14},
    )
    assert found.success, found
    return float(-found.fun * counts.sum())


@pytest.mark.parametrize("published", RATIOS.values(), ids=RATIOS)
def test_the_ratio_is_that_of_fastchess(published: PublishedRatio) -> None:
    test = Hypotheses(published.elo0, published.elo1)
    assert (
        round(float(likelihood_ratios(test, VALUES, np.array(published.pairs), None)), 2) == published.ratio
    )


@pytest.mark.parametrize("seed", range(12))
def test_the_ratio_is_that_of_the_likeliest_distributions(seed: int) -> None:
    random = np.random.default_rng(seed)
    size = int(random.integers(3, 9))
    values = np.array([-1.0, *np.sort(random.uniform(-1, 1, size - 2)), 1.0])
    counts = random.integers(5, 60, size).astype(float)
    mean0, mean1 = np.sort(random.uniform(-0.4, 0.4, 2))
    expected = likeliest(values, counts, mean1) - likeliest(values, counts, mean0)
    assert float(log_likelihood_ratio(values, counts, mean0, mean1)) == pytest.approx(expected, abs=1e-3)


@given(COUNTS, MEANS, MEANS)
def test_the_other_way_round_the_ratio_has_the_other_sign(
    counts: list[int], one: float, other: float
) -> None:
    there = log_likelihood_ratio(VALUES, np.array(counts), one, other)
    assert float(log_likelihood_ratio(VALUES, np.array(counts), other, one)) == -float(there)


@given(COUNTS, MEANS, MEANS)
def test_for_the_opponent_the_ratio_is_the_same(counts: list[int], one: float, other: float) -> None:
    there = float(log_likelihood_ratio(VALUES, np.array(counts), one, other))
    assert float(log_likelihood_ratio(VALUES, np.array(counts[::-1]), -one, -other)) == pytest.approx(
        there, abs=1e-6
    )


@given(COUNTS, MEANS)
def test_the_observed_mean_is_likelier_than_any_other(counts: list[int], mean: float) -> None:
    weights = np.array(counts, dtype=float)
    weights[[0, -1]] = np.maximum(weights[[0, -1]], LEAST_WEIGHT)
    observed = float((weights * VALUES).sum() / weights.sum())
    assert float(log_likelihood_ratio(VALUES, np.array(counts), mean, observed)) >= -1e-9


def test_rows_are_independent_of_each_other() -> None:
    random = np.random.default_rng(3)
    rows = random.integers(0, 50, (40, 5)).astype(float)
    means = random.uniform(-0.3, 0.3, (2, 40))
    together = log_likelihood_ratio(VALUES, rows, means[0], means[1])
    alone = [
        float(log_likelihood_ratio(VALUES, row, low, high))
        for row, low, high in zip(rows, *means, strict=True)
    ]
    assert together == pytest.approx(alone, abs=1e-6)


def test_equal_groups_alone_decide_as_a_chance_that_was_never_used() -> None:
    nothing = np.array([0, 0, 50, 0, 0])
    # With a mean of m a group is won with the chance m at least, so each one that is not counts log(1 - m).
    assert float(log_likelihood_ratio(VALUES, nothing, 0.0, 0.1)) == pytest.approx(50 * np.log(0.9), abs=0.02)
