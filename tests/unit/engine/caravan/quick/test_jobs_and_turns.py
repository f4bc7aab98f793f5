"""Jobs and their price, good turns and what is made of them. Clauses: docs/rules/caravan.md."""

import pytest

from engine.caravan.quick.jobs import camels_of, carried, free, job_for, paths, stealable
from engine.caravan.quick.playouts import play_turn
from engine.caravan.quick.turns import candidate_turns, quick_turn
from tests.unit.engine.caravan.quick.positions import a_position


def squares(path: int) -> list[int]:
    return [square for square in range(49) if path >> square & 1]


def test_the_paths_are_all_shortest_ones_with_at_most_two_corners() -> None:
    found = [squares(path) for path in paths(0, 16, 7)]
    assert sorted(found) == [[1, 2, 9, 16], [1, 8, 15, 16], [7, 8, 9, 16], [7, 14, 15, 16]]


def test_a_good_on_its_own_city_has_only_that_square_to_go_to() -> None:
    assert paths(16, 16, 7) == (1 << 16,)


def test_an_empty_board_makes_a_job_cost_one_point_a_square_and_two_for_the_good() -> None:
    """C8, C10 and C13: ivory from the corner to its city takes four camels, a pick-up and one move of the good."""
    state = a_position()
    state.space_goods[0] = 4
    task = next(task for task in free(state, 0) if task.square == 0)
    job = job_for(state.setup.board, camels_of(state, 0), task)
    assert (job.city, job.cost, squares(job.missing)) == (3, 4 + 1 + 1, [1, 2, 3])


def test_a_square_with_any_camel_costs_two_points() -> None:
    """C8."""
    state = a_position()
    state.space_goods[0] = 4
    state.occupied[1] = 1 << 2
    task = next(task for task in free(state, 0) if task.square == 0)
    assert job_for(state.setup.board, camels_of(state, 0), task).cost == 4 + 1 + 1 + 1


def test_nothing_can_be_taken_when_all_camels_but_one_carry() -> None:
    """C12."""
    state = a_position()
    state.laden[0] = (0, 1 << 14, 2 << 14, 3 << 14)
    state.laden[1] = (4 << 14,)
    assert (free(state, 0), stealable(state, 0)) == ((), [])
    assert len(carried(state, 0)) == 4


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
