"""The table of expected scores against Elo's formula, worked out here in floats: docs/ratings.md."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.core.pairing.matchmaker import expected_scores
from arena.core.rating.expected_score import expected_score


def formula(points: float) -> float:
    return 1 / (1 + 10 ** (-points / 400))


def test_each_entry_of_the_table_is_the_formula_rounded() -> None:
    every_fourth_point = range(0, 1601, 4)
    assert [expected_score(1000 * points) for points in every_fourth_point] == [
        round(1e6 * formula(points)) for points in every_fourth_point
    ]


@given(st.integers(-1_600_000, 1_600_000))
def test_between_the_entries_it_is_within_ten_millionths_of_the_formula(milli: int) -> None:
    assert abs(expected_score(milli) - 1e6 * formula(milli / 1000)) < 10


@given(st.integers(-5_000_000, 5_000_000))
def test_the_expectations_of_both_sides_add_up_to_exactly_one(milli: int) -> None:
    assert expected_score(milli) + expected_score(-milli) == 1_000_000


def test_it_never_falls_as_the_difference_grows() -> None:
    values = [expected_score(milli) for milli in range(-1_700_000, 1_700_000, 997)]
    assert all(low <= high for low, high in pairwise(values))


@pytest.mark.parametrize(
    ("milli", "expected"), [(1_600_000, 999_900), (9_000_000, 999_900), (-9_000_000, 100)]
)
def test_beyond_the_table_it_stays_as_at_its_end(milli: int, expected: int) -> None:
    assert expected_score(milli) == expected


def test_every_score_of_a_column_is_to_the_last_digit_the_score_by_itself() -> None:
    differences = [*range(0, 1_700_000, 37), 1_599_999, 1_600_000, 1_600_001, 10**12]
    found = expected_scores(np.array(differences, np.int64)).tolist()
    assert found == [expected_score(each) for each in differences]
