"""What a decision has cost: means, intervals, and which deals count."""

import math
from statistics import NormalDist, fmean

import pytest

from arena.analysis.decisions import SeatDecision
from arena.analysis.judging import Reply
from arena.analysis.trial import NO_LOSS, Trial, loss_of
from arena.core.match import Cause

PLAYED, GOOD, BAD = (1,), (2,), (3,)


def a_trial() -> Trial:
    return Trial("pile", SeatDecision(0, 1, b"seen", PLAYED, Cause.CHOSEN, 3), bytes(32))


def a_reply(*scores: tuple[float, ...]) -> Reply:
    """Return the scores of PLAYED, GOOD and BAD by deal."""
    return Reply((PLAYED, GOOD, BAD), (True, False, False), scores)


@pytest.mark.parametrize(
    ("count", "quantile"), [(2, 12.706), (3, 4.303), (4, 3.182), (6, 2.571), (16, 2.131), (121, 1.980)]
)
def test_an_interval_has_the_quantile_of_student(count: int, quantile: float) -> None:
    differences = [0.0] * (count - 1) + [1.0]
    mean = 1 / count
    deviation = math.sqrt(sum((each - mean) ** 2 for each in differences) / (count - 1))

    loss = loss_of(differences)

    assert loss.mean == pytest.approx(mean)
    assert loss.high - loss.mean == pytest.approx(quantile * deviation / math.sqrt(count), rel=0.01)
    assert loss.mean - loss.low == pytest.approx(loss.high - loss.mean)


def test_ninety_five_of_a_hundred_intervals_contain_the_true_loss() -> None:
    draws = NormalDist(0.1, 0.5).samples(2000 * 10, seed=1)
    intervals = [loss_of(draws[start : start + 10]) for start in range(0, len(draws), 10)]
    assert 0.94 < fmean(each.low <= 0.1 <= each.high for each in intervals) < 0.96


def test_a_loss_is_the_mean_difference_of_the_same_deals() -> None:
    trial = a_trial()
    trial.take(a_reply((0.5, 0.7, 0.1), (0.9, 1.0, 0.0)))
    assert trial.better() == GOOD
    assert trial.loss().mean == pytest.approx(0.15)
    assert trial.loss().deals == 2


def test_luck_that_all_moves_have_does_not_widen_an_interval() -> None:
    trial = a_trial()
    trial.take(a_reply((0.0, 0.1, 0.0), (0.9, 1.0, 0.0), (0.4, 0.5, 0.0)))
    assert trial.loss().high - trial.loss().low == pytest.approx(0.0, abs=1e-9)


def test_only_deals_after_a_new_start_count() -> None:
    trial = a_trial()
    trial.take(a_reply((0.0, 1.0, 0.0), (0.0, 1.0, 0.0)))
    trial.start_anew()
    assert trial.loss().mean == pytest.approx(1.0)  # until there are others
    assert trial.request(3).first == 2
    trial.take(a_reply((0.5, 0.6, 0.0), (0.5, 0.6, 0.0)))
    assert trial.loss().mean == pytest.approx(0.1)
    assert trial.loss().deals == 2


def test_the_best_moves_are_kept_and_one_way_to_complete_what_was_played() -> None:
    trial = a_trial()
    trial.take(a_reply((0.5, 0.7, 0.1)))
    trial.keep(played=1, others=1)
    assert trial.moves == [PLAYED, GOOD]
    assert trial.request(1).moves == (PLAYED, GOOD)


def test_an_advice_that_is_new_is_tried_with_the_others_and_what_was_counted_is_forgotten_then() -> None:
    trial, advice = a_trial(), (9, 9)
    trial.take(a_reply((0.5, 0.7, 0.1)))
    trial.take_advice(Reply((PLAYED, GOOD), (True, False), ()))
    assert trial.request(1).moves == (PLAYED, GOOD, BAD)
    trial.take_advice(Reply((PLAYED, GOOD, advice), (True, False, False), ()))
    assert trial.request(1).moves == (PLAYED, GOOD, BAD, advice)
    assert trial.loss().deals == 1
    trial.take(Reply((PLAYED, GOOD, BAD, advice), (True, False, False, False), ((0.0, 0.1, 0.0, 0.3),)))
    assert trial.better() == advice
    assert trial.loss().mean == pytest.approx(0.3)


def test_without_an_alternative_nothing_was_lost() -> None:
    trial = a_trial()
    trial.take(Reply(((1, 2), (1, 3)), (True, True), ((0.5, 0.6),)))
    assert not trial.has_alternative
    assert trial.loss() == NO_LOSS
