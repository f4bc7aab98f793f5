"""C6, C7 and C21: action points, and when a turn ends."""

import pytest

from tests.unit.engine.caravan.positions import a_match, a_position, view
from tests.unit.engine.playing import may, play, refused


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
