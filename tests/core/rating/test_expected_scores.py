"""Expected scores by the column are those of one at a time."""

from __future__ import annotations

import numpy as np

from arena.core.pairing.matchmaker import expected_scores
from arena.core.rating.expected_score import expected_score


def test_every_score_of_a_column_is_to_the_last_digit_the_score_by_itself() -> None:
    differences = [*range(0, 1_700_000, 37), 1_599_999, 1_600_000, 1_600_001, 10**12]
    found = expected_scores(np.array(differences, np.int64)).tolist()
    assert found == [expected_score(each) for each in differences]
