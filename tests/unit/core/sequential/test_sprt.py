"""The sequential test: what it estimates, when it stops, how often it is wrong."""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import solve_bvp
from scipy.stats import norm

from arena.core.pairing.comparison import ComparisonPlan
from arena.core.sequential.sprt import GroupScore, Hypotheses, SequentialTest, Verdict, exit_time
from benchmarks.sequential_errors import Case, outcomes
from tests.unit.core.sequential.published import ELO, PublishedElo, scores

NEVER = Hypotheses(0, 1e-6, 1e-12, 1e-12)
"""Bounds so far apart that nothing reaches them."""

GROUP = st.integers(0, 4).map(lambda points: GroupScore(points, 4 - points, 4))
FIELD_GROUP = st.builds(GroupScore, st.integers(0, 8), st.integers(0, 8), st.just(8))


def after(groups: list[GroupScore], hypotheses: Hypotheses, *, field: bool) -> SequentialTest:
    test = SequentialTest(hypotheses, field=field)
    test.extend(groups)
    return test


@pytest.mark.parametrize("published", ELO.values(), ids=ELO)
def test_difference_interval_and_superiority_are_those_of_fastchess(published: PublishedElo) -> None:
    found = after(scores(published.pairs), NEVER, field=False).estimate()
    assert found.elo is not None
    assert found.low is not None
    assert found.high is not None
    assert found.superiority is not None
    assert round(found.elo, 2) == published.elo
    assert round((found.high - found.low) / 2, 2) == published.error
    assert round(100 * found.superiority, 2) == published.superiority


@given(st.lists(FIELD_GROUP, min_size=2, max_size=60))
def test_the_likelihood_of_superiority_is_that_of_a_normal_mean(groups: list[GroupScore]) -> None:
    found = after(groups, NEVER, field=True).estimate()
    differences = np.array([group.difference for group in groups])
    if differences.std() == 0:
        assert (found.low, found.high, found.superiority) == (None, None, None)
    else:
        standard = differences.mean() / (differences.std() / math.sqrt(len(groups)))
        assert found.superiority == pytest.approx(norm.cdf(standard), abs=1e-12)


@pytest.mark.parametrize(("alpha", "beta"), [(0.05, 0.05), (0.01, 0.2), (0.1, 0.001)])
def test_the_bounds_are_those_of_wald(alpha: float, beta: float) -> None:
    test = Hypotheses(0, 20, alpha, beta)
    assert math.exp(test.upper) == pytest.approx((1 - beta) / alpha)
    assert math.exp(test.lower) == pytest.approx(beta / (1 - alpha))


@given(st.lists(FIELD_GROUP, max_size=80), st.lists(st.integers(0, 79), max_size=5), st.booleans())
def test_groups_in_several_pieces_count_as_at_once(
    groups: list[GroupScore], cuts: list[int], field: bool
) -> None:
    hypotheses = Hypotheses(0, 60)
    whole, pieces = after(groups, hypotheses, field=field), SequentialTest(hypotheses, field=field)
    ends = sorted({0, *cuts, len(groups)})
    for start, end in pairwise(ends):
        pieces.extend(groups[start:end])
    assert pieces.verdict is whole.verdict
    assert pieces.ratios == pytest.approx(whole.ratios, abs=1e-6)
    assert pieces.estimate().elo == whole.estimate().elo


def test_it_stops_at_the_first_group_beyond_a_bound() -> None:
    test = after([GroupScore(4, 0, 4)] * 500, Hypotheses(0, 100), field=False)
    assert test.verdict is Verdict.BETTER
    assert test.ratios[-1] >= test.hypotheses.upper > test.ratios[-2]
    assert test.estimate().groups == len(test.ratios) < 50
    before = list(test.ratios)
    test.extend([GroupScore(0, 4, 4)] * 500)
    assert test.ratios == before


def test_bots_that_play_alike_are_not_better() -> None:
    test = after([GroupScore(2, 2, 4)] * 500, Hypotheses(0, 20), field=False)
    assert test.verdict is Verdict.NOT_BETTER


def test_a_field_that_beats_both_decides_nothing() -> None:
    test = after([GroupScore(0, 0, 8)] * 500, Hypotheses(0, 20), field=True)
    assert (test.verdict, test.ratios[-1]) == (Verdict.UNDECIDED, 0.0)


def test_before_the_first_group_nothing_is_known() -> None:
    found = SequentialTest(Hypotheses(0, 20), field=False).estimate()
    assert (found.groups, found.elo, found.superiority, found.ratio) == (0, None, None, 0.0)


@pytest.mark.parametrize("drift", [-0.4, -0.02, 0.0, 0.01, 0.3])
def test_the_time_to_a_bound_solves_its_differential_equation(drift: float) -> None:
    variance, below, above = 0.5, -2.0, 3.0  # drift u' + variance / 2 u'' = -1, and u = 0 at both bounds
    found = solve_bvp(
        lambda _x, u: np.vstack([u[1], (-1 - drift * u[1]) * 2 / variance]),
        lambda left, right: np.array([left[0], right[0]]),
        np.linspace(below, above, 200),
        np.zeros((2, 200)),
    )
    assert exit_time(drift, variance, below, above) == pytest.approx(float(found.sol(0.0)[0]), rel=1e-3)


@pytest.mark.parametrize("drift", [-5.0, 5.0])
def test_far_from_a_bound_the_time_is_the_way_over_the_speed(drift: float) -> None:
    assert exit_time(drift, 0.01, -300, 300) == pytest.approx(60)


@pytest.mark.parametrize("plan", [ComparisonPlan(2), ComparisonPlan(4), ComparisonPlan(2, 1)], ids=str)
def test_it_is_wrong_no_more_often_than_promised(plan: ComparisonPlan) -> None:
    runs = 600
    case = Case("", plan, Hypotheses(0, 150))
    found = {truth: outcome for _, truth, _, outcome in outcomes([case], runs, 3_000, seed=5)}
    # 5 % are promised; then more than 8 % of 600 runs are wrong with a chance of less than 1 in 1,000.
    assert found["H0"].better / runs <= 0.08
    assert found["H1"].not_better / runs <= 0.08
    assert found["H0"].not_better + found["H0"].better == runs
    assert 0.35 < found["between"].better / runs < 0.65
    assert found["between"].mean_groups > max(found["H0"].mean_groups, found["H1"].mean_groups)


@pytest.mark.parametrize("elo1", [20, 50])
@pytest.mark.parametrize("is_worse", [False, True])
def test_the_groups_that_are_left_are_foretold_where_the_difference_is_far_beyond_both_hypotheses(
    elo1: float, is_worse: bool
) -> None:
    scores = [GroupScore(new, 4 - new, 4) for new in (2, 3, 4, 2, 3, 4, 3, 1)]
    scores = [GroupScore(each.old, each.new, 4) if is_worse else each for each in scores]
    test = SequentialTest(Hypotheses(0, elo1, 0.05, 0.05), field=True)
    foretold = []
    while test.verdict is Verdict.UNDECIDED:
        test.extend(scores)
        foretold.append(test.estimate().groups_left)
    last = len(test.ratios)
    for rounds, left in enumerate(foretold[:-2], start=1):
        assert left == pytest.approx(last - rounds * len(scores), rel=0.35, abs=4)
