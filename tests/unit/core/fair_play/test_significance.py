"""Against printed tables and worked examples."""

import math

import pytest

from arena.core.fair_play.significance import (
    fisher_tail,
    holm,
    normal_tail,
    student_quantile,
    student_tail,
    wilson,
)


@pytest.mark.parametrize(
    ("freedom", "tail", "t"),
    [(1, 0.025, 12.706), (4, 0.005, 4.604), (10, 0.025, 2.228), (30, 0.05, 1.697), (120, 0.001, 3.160)],
)
def test_students_t_is_that_of_the_printed_tables(freedom: int, tail: float, t: float) -> None:
    assert student_tail(t, freedom) == pytest.approx(tail, rel=2e-3)
    assert student_quantile(tail, freedom) == pytest.approx(t, abs=6e-4)
    assert student_tail(-t, freedom) == pytest.approx(1 - tail, rel=1e-4)


def test_student_with_one_degree_of_freedom_is_cauchy() -> None:
    for t in (0.0, 0.3, 1.0, 5.0, 400.0):
        assert student_tail(t, 1) == pytest.approx(0.5 - math.atan(t) / math.pi, rel=1e-9)


def test_the_normal_tail() -> None:
    assert normal_tail(1.959964) == pytest.approx(0.025, rel=1e-5)


def test_the_lady_tasting_tea() -> None:
    """Fisher, *The Design of Experiments* (1935), chapter 2: 1 of 70, and 17 of 70."""
    assert fisher_tail(4, 4, 0, 4) == pytest.approx(1 / 70)
    assert fisher_tail(3, 4, 1, 4) == pytest.approx(17 / 70)
    assert fisher_tail(0, 4, 3, 9) == 1


def test_wilsons_interval_of_all_and_of_nothing() -> None:
    assert wilson(10, 10)[1] == pytest.approx(1)
    assert wilson(10, 10)[0] == pytest.approx(10 / (10 + 1.959964**2))
    assert wilson(0, 0) == (0, 1)


def test_holm_multiplies_by_how_many_are_left_and_never_falls() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.9, 0.8]) == [1, 1]
    assert holm([]) == []
