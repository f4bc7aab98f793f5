"""C8 and C9: placing and moving camels."""

from __future__ import annotations

from engine.caravan.observation import EmptyCamels
from tests.unit.engine.caravan.positions import a_position, legal, may, play, view


def test_c8_a_camel_goes_from_the_supply_onto_any_free_square_for_1_point() -> None:
    state = a_position("", "")
    assert legal(state, "PLACE") == [f"PLACE({square})" for square in range(49)]
    play(state, "PLACE(48)")
    seen = view(state)
    assert seen.points == 3
    assert seen.seats[0].supply == 4
    assert seen.seats[0].empty_camels == (EmptyCamels(48, 1),)


def test_c8_distance_does_not_matter_to_a_move() -> None:
    state = play(a_position("0", ""), "MOVE(0,48)")
    assert view(state).points == 3
    assert view(state).seats[0].empty_camels == (EmptyCamels(48, 1),)


def test_c8_a_target_with_any_camel_costs_2_points_example_4() -> None:
    own = a_position("0 1", "")
    other = a_position("0", "1 1 1")
    for state in (own, other):
        play(state, "MOVE(0,1)")
        assert view(state).points == 2


def test_c8_with_1_point_left_only_free_squares_can_be_reached_example_4() -> None:
    state = a_position("0 1", "2 2 2", points=1)
    assert legal(state, "MOVE") == [f"MOVE({at},{to})" for at in (0, 1) for to in range(3, 49)]
    assert legal(state, "PLACE") == [f"PLACE({to})" for to in range(3, 49)]


def test_c8_the_square_left_behind_is_free_again() -> None:
    state = play(a_position("0", "", points=2), "MOVE(0,5)")
    assert may(state, "PLACE(0)")
    play(state, "PLACE(0)")
    assert state.seat_to_act == 1


def test_c8_the_square_left_behind_is_not_free_while_a_laden_camel_stays() -> None:
    state = play(a_position("0 0:meat", "", points=2), "MOVE(0,5)")
    assert not may(state, "PLACE(0)")


def test_c8_any_number_of_camels_may_share_a_square() -> None:
    state = play(a_position("7 7", "7 7 7"), "PLACE(7)", "PLACE(7)")
    assert view(state).seats[0].empty_camels == (EmptyCamels(7, 4),)


def test_c8_a_camel_does_not_move_onto_its_own_square() -> None:
    assert not may(a_position("0 0", ""), "MOVE(0,0)")


def test_c8_nothing_is_placed_from_an_empty_supply() -> None:
    state = a_position("0 1 2 3 4", "")
    assert legal(state, "PLACE") == []
    assert not may(state, "PLACE(9)")


def test_c8_camels_that_cannot_be_told_apart_are_listed_once() -> None:
    assert len(legal(a_position("0 0 0", ""), "MOVE")) == 48


def test_c8_other_seats_camels_are_not_moved() -> None:
    assert not may(a_position("", "9"), "MOVE(9,10)")


def test_c9_a_laden_camel_never_moves() -> None:
    state = a_position("0:meat", "")
    assert legal(state, "MOVE") == []
    assert not may(state, "MOVE(0,1)")


def test_c9_a_laden_camel_takes_no_second_good() -> None:
    state = a_position("0:meat", "0:salt", goods={1: "gems"})
    assert not may(state, "PICK_UP(0)")
    assert not may(state, "STEAL(0,1,salt)")
