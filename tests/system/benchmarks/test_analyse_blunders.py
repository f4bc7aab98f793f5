"""The measurement of the analysis, on two matches of a bot that always plays the same."""

import pytest

from benchmarks.analyse_blunders import COST, one_match


@pytest.mark.parametrize("seed", [1])
def test_the_decision_in_which_a_bot_was_made_to_blunder_is_named(seed: int) -> None:
    blunder = one_match("ahldarahd", 2, seed, budget=3000, bot="greedy")
    assert blunder is not None
    assert blunder.cost >= COST
    assert blunder.rank in {1, 2, 3}
    assert len(blunder.losses) == 3
    assert blunder.losses[blunder.rank - 1] == blunder.own_loss
