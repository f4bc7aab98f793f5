"""Score differences and Elo differences, each from the other."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import brentq
from scipy.special import expit, logit

from arena.core.sequential.elo_difference import field_difference, field_elo, met_difference, met_elo

ELO = st.floats(-600, 600)
LEVEL = st.floats(0.05, 0.95)
UNIT = 400 / math.log(10)


@given(ELO)
def test_bots_that_meet_score_by_the_logistic_curve(elo: float) -> None:
    score = float(expit(elo / UNIT))
    assert met_difference(elo) == pytest.approx(score - (1 - score), abs=1e-12)
    assert met_elo(met_difference(elo)) == pytest.approx(elo, abs=1e-6)


@given(ELO, LEVEL)
def test_bots_in_a_field_are_so_far_apart_that_their_logits_are(elo: float, level: float) -> None:
    def too_far(half: float) -> float:
        return float(logit(level + half) - logit(level - half)) - elo / UNIT

    widest = min(level, 1 - level) * (1 - 1e-12)
    expected = 2 * brentq(too_far, -widest, widest, xtol=1e-14)
    assert float(field_difference(elo, level)) == pytest.approx(expected, abs=1e-9)


@given(ELO, LEVEL)
def test_the_elo_difference_in_a_field_is_found_again(elo: float, level: float) -> None:
    assert field_elo(float(field_difference(elo, level)), level) == pytest.approx(elo, abs=1e-4)


def test_without_a_loss_the_difference_is_infinite() -> None:
    assert met_elo(1.0) == math.inf
    assert met_elo(-1.0) == -math.inf
    assert field_elo(0.4, 0.8) == math.inf
    assert field_elo(-0.4, 0.2) == -math.inf


def test_where_both_win_or_lose_everything_nothing_is_expected_to_differ() -> None:
    assert [float(field_difference(50, level)) for level in (0.0, 1.0)] == [0.0, 0.0]
    assert [field_elo(0.0, level) for level in (0.0, 1.0)] == [0.0, 0.0]
