"""Good turns, and what is made of them. Clauses: docs/rules/caravan.md."""

import pytest

from engine.caravan.quick.playouts import play_turn
from engine.caravan.quick.turns import candidate_turns, quick_turn
from tests.unit.engine.caravan.quick.positions import a_position


@pytest.mark.parametrize("plies", [0, 1, 5, 40, 90])
def test_every_candidate_turn_is_legal_to_its_end_and_found_once(plies: int) -> None:
    state = a_position(3, seats=3, plies=plies)
    turns = candidate_turns(state, width=3, most=6)
    assert 1 <= len(turns) <= 6
    assert len(set(turns)) == len(turns)
    assert quick_turn(state) in turns
    for turn in turns:
        after = state.clone()
        for action in turn:
            assert after.turn == state.turn
            after.apply(action)
        assert after.turn != state.turn or after.outcome() is not None


def test_a_turn_made_for_another_bag_is_played_to_its_end_all_the_same() -> None:
    state = a_position(3, plies=10)
    before = state.turn
    play_turn(state, (3 << 22 | 24 << 14,))  # There is no goods space in the middle of the board.
    assert state.turn == before + 1
