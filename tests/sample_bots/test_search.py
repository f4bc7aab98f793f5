"""The parts of the search bots. Clauses: docs/rules/caravan.md."""

from __future__ import annotations

from itertools import count

import pytest
from caravan_search.jobs import camels_of, carried, free, job_for, paths, stealable
from caravan_search.playouts import play_turn
from caravan_search.positions import Deals
from caravan_search.tree import search
from caravan_search.turns import candidate_turns, quick_turn
from caravan_search.worth import leads
from mcts import budget_ms

from arena.codecs.caravan import CODEC
from arena.games.caravan.v1 import caravan_pb2
from arena.sdk import Clock
from arena.v1 import games_pb2
from engine.caravan import CARAVAN
from engine.caravan.state import CaravanState
from engine.randomness import Stream
from tests.sample_bots.driver import a_seed


def a_position(seed: int = 1, *, seats: int = 2, plies: int = 0) -> CaravanState:
    """The position after so many sensible actions."""
    state = CARAVAN.new_match(seats, CARAVAN.options(seats, {}), a_seed(seed))
    stream = Stream(a_seed(seed))
    for _ in range(plies):
        state.apply(CARAVAN.sensible_action(state, stream))
    return state


def seen(state: CaravanState) -> caravan_pb2.Observation:
    data = CODEC.encode_observation(state.observe(state.seat_to_act))
    return games_pb2.Observation.FromString(data).caravan


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


def test_deals_differ_only_in_the_order_of_the_bag() -> None:
    state = a_position(5, plies=30)
    deals = Deals(seen(state))
    one, other = deals.next(), deals.next()
    assert one.bag != other.bag
    assert seen(one) == seen(other) == seen(state)


def test_leads_of_two_seats_are_opposite_and_winning_is_worth_more_than_its_points() -> None:
    state = a_position(6, plies=50)
    assert sum(leads(state)) == pytest.approx(0)
    while state.outcome() is None:
        play_turn(state, quick_turn(state))
    best = state.score(0) - state.score(1)
    assert abs(leads(state)[0]) > abs(best) > 0


def test_a_search_without_time_still_tries_every_candidate_once() -> None:
    state = a_position(7, seats=3, plies=20)
    calls = count()
    turn = search(Deals(seen(state)).next, lambda: next(calls) < 0)
    assert turn in candidate_turns(Deals(seen(state)).next(), width=6, most=12)
    assert next(calls) == 1


def test_a_search_with_time_ends_when_the_time_does() -> None:
    calls = count()
    state = a_position(7, plies=20)
    search(Deals(seen(state)).next, lambda: next(calls) < 12)
    assert next(calls) == 13


@pytest.mark.parametrize(
    ("clock", "think_ms", "expected"),
    [
        ((1000, 10_000, 11_000), 40, 40),
        ((20, 0, 20), 40, 10),
        ((1000, 10_000, 11_000), 5000, 700),
        ((1000, 10_000, 100), 5000, 50),
    ],
)
def test_mcts_thinks_for_less_than_its_clock_allows(
    clock: tuple[int, int, int], think_ms: int, expected: float
) -> None:
    per_decision, bank, left = clock
    assert budget_ms(Clock(per_decision, bank, 0, left, 0.0), think_ms) == expected
