"""Alpha-rank is that of OpenSpiel, which is written independently."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from open_spiel.python.egt import alpharank

from arena.research.intransitivity import Payoffs, alpha_rank


@given(
    st.lists(st.integers(0, 100), min_size=10, max_size=10),
    st.integers(3, 5),
    st.floats(0.05, 0.5),
    st.integers(2, 25),
)
def test_masses_are_those_of_openspiel(percent: list[int], size: int, alpha: float, population: int) -> None:
    mean = np.full((size, size), 0.5)
    rows, columns = np.triu_indices(size, 1)
    mean[rows, columns] = np.array(percent[: len(rows)]) / 100
    mean[columns, rows] = 1 - mean[rows, columns]
    count = 1 - np.eye(size)
    made = Payoffs(tuple("abcde"[:size]), mean, mean, mean, count.astype(np.int64), count)
    found = alpha_rank(made, alpha=alpha, population=population, draws=1)
    # Larger leads make states that are hardly ever left, whose eigenvalues OpenSpiel does not tell apart.
    _, _, expected, _, _ = alpharank.compute([mean], m=population, alpha=alpha)
    assert found.mass == pytest.approx(np.ravel(expected), rel=1e-6, abs=1e-8)
