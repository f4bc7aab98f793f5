"""C6 to C9 and C21: action points, when a turn ends, placing and moving camels."""

import pytest

from engine.caravan.observation import EmptyCamels
from tests.unit.engine.caravan.positions import a_match, a_position, view
from tests.unit.engine.playing import legal, may, play, refused


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_c6_the_turns_give_1_2_3_4_4_4_points_around_the_table_example_1(seats: int) -> None:
    match, turns = a_match(seats), []
    for _ in range(6):
        turns.append((match.observe(0).turn, match.seat_to_act, match.observe(0).points))
        play(match, "PASS")
    assert turns == [(t, (t - 1) % seats, min(t, 4)) for t in range(1, 7)]


def test_c7_a_turn_ends_when_the_last_point_is_spent() -> None:
    match = play(a_match(), "PLACE(0)")
    assert (match.seat_to_act, view(match).points) == (1, 2)
    play(match, "PLACE(1)")
    assert (match.seat_to_act, view(match).points) == (1, 1)
    play(match, "PLACE(2)")
    assert (match.seat_to_act, view(match).points) == (0, 3)


def test_c7_passing_gives_up_the_points_that_are_left() -> None:
    match = play(a_match(), "PASS", "PASS", "PLACE(0)", "PASS")
    assert (match.seat_to_act, view(match).points) == (1, 4)


@pytest.mark.parametrize("points", [1, 2, 3, 4])
def test_c7_passing_is_always_legal(points: int) -> None:
    assert may(a_position("3:ivory", "4", points=points), "PASS")


def test_c7_an_action_is_legal_only_if_its_whole_cost_can_be_paid() -> None:
    state = a_position("", "10", points=1)
    refused(state, "PLACE(10)", "C7 C8 costs 2 1 left")


def test_c21_the_default_action_is_to_pass() -> None:
    match = a_match()
    assert match.format_action(match.default_action()) == "PASS"


def test_c8_a_camel_goes_from_the_supply_onto_any_free_square_for_1_point() -> None:
    state = a_position("", "")
    assert legal(state, "PLACE") == [f"PLACE({square})" for square in range(49)]
    play(state, "PLACE(48)")
    seen = view(state)
    assert seen.points == 3
    assert seen.seats[0].supply == 4
    assert seen.seats[0].empty_camels == (EmptyCamels(48, 1),)


@pytest.mark.parametrize(
    ("seats", "action", "points"),
    [
        (("0", ""), "MOVE(0,48)", 3),  # distance does not matter
        (("0 1", ""), "MOVE(0,1)", 2),  # a target with any camel costs 2 points
        (("0", "1 1 1"), "MOVE(0,1)", 2),
        (("7 7", "7 7 7"), "PLACE(7)", 2),  # any number of camels may share a square
    ],
)
def test_c8_what_it_costs_to_go_to_a_square_example_4(
    seats: tuple[str, str], action: str, points: int
) -> None:
    assert view(play(a_position(*seats), action)).points == points


def test_c8_with_1_point_left_only_free_squares_can_be_reached_example_4() -> None:
    state = a_position("0 1", "2 2 2", points=1)
    assert legal(state, "MOVE") == [f"MOVE({at},{to})" for at in (0, 1) for to in range(3, 49)]
    assert legal(state, "PLACE") == [f"PLACE({to})" for to in range(3, 49)]


def test_c8_the_square_left_behind_is_free_again_unless_a_laden_camel_stays() -> None:
    state = play(a_position("0", "", points=2), "MOVE(0,5)", "PLACE(0)")
    assert state.seat_to_act == 1
    refused(play(a_position("0 0:meat", "", points=2), "MOVE(0,5)"), "PLACE(0)", "C8 costs 2")


def test_c8_indistinguishable_camels_are_listed_once() -> None:
    assert len(legal(a_position("0 0 0", ""), "MOVE")) == 48


@pytest.mark.parametrize(
    ("seats", "action", "words"),
    [
        (("0 0", ""), "MOVE(0,0)", "C8 another"),
        (("0 1 2 3 4", ""), "PLACE(9)", "C8 supply"),
        (("", "9"), "MOVE(9,10)", "C8 empty yours 9"),
        (("0:meat", ""), "MOVE(0,1)", "C8 empty yours 0"),
        (("0:meat", "0:salt"), "STEAL(0,1,salt)", "C11 empty yours 0"),
        (("0:meat 7", ""), "PICK_UP(0)", "C10 empty yours 0"),
    ],
)
def test_c8_c9_what_camels_may_not_do(seats: tuple[str, str], action: str, words: str) -> None:
    """C9: a laden camel neither moves nor takes a second good."""
    refused(a_position(*seats), action, words)
