"""C10 to C14: picking up and stealing, goods along chains of camels, deliveries."""

import pytest

from engine.caravan.goods import GOODS, Good
from engine.caravan.observation import EmptyCamels, GoodsSpace, LadenCamel
from tests.unit.engine.caravan.positions import a_position, score, view
from tests.unit.engine.playing import legal, may, play, refused


def test_c10_a_pick_up_takes_the_good_and_every_demand_marker_of_its_space() -> None:
    state = play(a_position("6 8", "6", goods={2: "ivory", 3: "meat"}, markers={2: 3, 3: 1}), "PICK_UP(6)")
    seen = view(state)
    assert seen.points == 3
    assert seen.seats[0].laden_camels == (LadenCamel(6, Good.IVORY, protected=False),)
    assert seen.seats[0].demand_markers == 3
    assert seen.goods_spaces[1] == GoodsSpace(None, 0)
    assert seen.goods_spaces[2] == GoodsSpace(Good.MEAT, 1)


def test_c10_other_camels_on_the_goods_space_do_not_matter() -> None:
    assert may(a_position("0", "0 0:salt"), "PICK_UP(0)")


def test_c11_a_steal_takes_the_good_pays_a_theft_marker_and_protects_the_good() -> None:
    """There is no limit on theft markers, and the robbed camel is empty afterwards."""
    state = play(a_position("3", "3:ivory", theft=(1, 3), points=2), "STEAL(3,1,ivory)")
    seen = view(state)
    assert seen.points == 1
    assert seen.seats[0].laden_camels == (LadenCamel(3, Good.IVORY, protected=True),)
    assert seen.seats[1].laden_camels == ()
    assert [seat.theft_markers for seat in seen.seats] == [0, 4]
    assert may(play(state, "PASS"), "MOVE(3,4)")


def test_c11_the_robbed_seat_steals_back_once_the_good_was_moved_example_6() -> None:
    state = play(a_position("3:ivory", "3 10", to_act=1, points=1), "STEAL(3,0,ivory)")
    assert [seat.theft_markers for seat in view(state).seats] == [2, 0]
    refused(state, "STEAL(3,1,ivory)", "C11 protected")
    play(state, "PASS", "MOVE_GOOD(3,ivory,protected,10)", "PASS")
    assert not may(state, "STEAL(10,1,ivory)")
    play(state, "MOVE(3,10)")
    assert may(state, "STEAL(10,1,ivory)")


@pytest.mark.parametrize(
    ("seats", "action", "words"),
    [
        (("0 3", "6"), "PICK_UP(0)", "C10 no good 0"),
        (("0 3", "6"), "PICK_UP(6)", "C10 empty yours 6"),
        (("3 3:gems", "9:ivory"), "STEAL(3,0,gems)", "C11 no other seat 0"),
        (("3 3:gems", "9:ivory"), "STEAL(3,1,gems)", "C11 seat 1 no gems"),
        (("3 3:gems", "9:ivory"), "STEAL(3,1,ivory)", "C11 seat 1 no ivory"),
        (("3 3:gems", "9:ivory"), "STEAL(9,1,ivory)", "C11 empty yours 9"),
        (("0:meat 1:meat 2:meat 3:meat 6", "6:salt"), "PICK_UP(6)", "C12 one without"),
        (("0:meat 1:meat 2:meat 3:meat 6", "6:salt"), "STEAL(6,1,salt)", "C12 one without"),
    ],
)
def test_c10_c11_c12_what_may_not_be_taken_example_2(seats: tuple[str, str], action: str, words: str) -> None:
    refused(a_position(*seats, goods={2: "ivory"}), action, words)


def test_c11_without_a_theft_marker_nothing_is_stolen() -> None:
    refused(a_position("3", "3:ivory", theft=(0, 1)), "STEAL(3,1,ivory)", "C11 theft marker")


def test_c11_demand_markers_are_not_stolen() -> None:
    state = a_position("3", "0", markers={1: 5}, to_act=1, points=1)
    play(state, "PICK_UP(0)", "MOVE(3,0)", "STEAL(0,1,meat)")
    assert [seat.demand_markers for seat in view(state).seats] == [0, 5]


def test_c12_one_camel_stays_without_a_good_example_2() -> None:
    assert may(a_position("0:meat 1:meat 2:meat 6", ""), "PICK_UP(6)")
    four = "0:meat 1:meat 2:meat 3:meat 6"
    assert may(a_position(four, "", options={"camels": "6"}), "PICK_UP(6)")
    assert may(a_position(four, "6:salt", options={"camels": "6"}), "STEAL(6,1,salt)")
    four_and_one_in_the_supply = a_position("0:meat 1:meat 2:meat 3:meat", "6:salt")
    assert legal(four_and_one_in_the_supply, "PICK_UP") == legal(four_and_one_in_the_supply, "STEAL") == []


MARRAKESH = 3


def test_c13_a_good_goes_to_an_empty_camel_of_its_group_for_1_point() -> None:
    state = play(a_position("0:ivory 1 2", ""), "MOVE_GOOD(0,ivory,2)")
    seen = view(state)
    assert seen.points == 3
    assert seen.seats[0].laden_camels == (LadenCamel(2, Good.IVORY, protected=False),)
    assert seen.seats[0].empty_camels == (EmptyCamels(0, 1), EmptyCamels(1, 1))


def test_c13_the_path_may_run_through_laden_camels_example_3() -> None:
    state = play(a_position("3 10:salt 9:ivory", ""), "MOVE_GOOD(9,ivory,3)")
    assert score(state, 0) == 6


@pytest.mark.parametrize(
    ("seats", "action", "words"),
    [
        (("3 9:ivory", "10"), "MOVE_GOOD(9,ivory,3)", "link 9 3"),  # diagonal neighbours
        (("6:meat 7", ""), "MOVE_GOOD(6,meat,7)", "link 6 7"),  # the edges of the board
        (("7:meat 6", ""), "MOVE_GOOD(7,meat,6)", "link 7 6"),
        (("0:meat 2", "1"), "MOVE_GOOD(0,meat,2)", "link 0 2"),  # another seat's camel between them
        (("8:meat 9:salt 10", ""), "MOVE_GOOD(8,meat,9)", "empty 9"),
        (("8:meat 9:salt 10", ""), "MOVE_GOOD(8,meat,1)", "empty 1"),
        (("8:meat 9:salt 10", ""), "MOVE_GOOD(8,salt,10)", "carries 8"),
        (("3:ivory", ""), "MOVE_GOOD(3,ivory,3)", "empty 3"),  # it is on its city already
    ],
)
def test_c13_c14_what_goods_may_not_do_example_3(seats: tuple[str, str], action: str, words: str) -> None:
    refused(a_position(*seats), action, f"C13 {words}")


def test_c13_two_camels_on_one_square_are_linked_and_a_moved_good_is_no_longer_protected() -> None:
    state = play(a_position("8:meat! 8", ""), "MOVE_GOOD(8,meat,protected,8)")
    assert view(state).seats[0].laden_camels == (LadenCamel(8, Good.MEAT, protected=False),)
    assert view(state).points == 3


def test_c13_protected_and_unprotected_goods_of_one_kind_are_distinguished() -> None:
    state = a_position("8:meat 8:meat! 9", "")
    assert legal(state, "MOVE_GOOD") == ["MOVE_GOOD(8,meat,9)", "MOVE_GOOD(8,meat,protected,9)"]
    play(state, "MOVE_GOOD(8,meat,9)")
    assert view(state).seats[0].laden_camels == (
        LadenCamel(8, Good.MEAT, protected=True),
        LadenCamel(9, Good.MEAT, protected=False),
    )


def test_c13_indistinguishable_goods_are_moved_by_one_action() -> None:
    state = a_position("8:meat 8:meat 9", "")
    assert legal(state, "MOVE_GOOD") == ["MOVE_GOOD(8,meat,9)"]
    seat = view(play(state, "MOVE_GOOD(8,meat,9)")).seats[0]
    assert [camel.square for camel in seat.laden_camels] == [8, 9]


def test_c14_a_good_that_reaches_its_city_is_delivered_and_the_camel_stays_empty() -> None:
    state = play(a_position("10:ivory 3", ""), "MOVE_GOOD(10,ivory,3)")
    seat = view(state).seats[0]
    assert seat.delivered == (0, 0, 0, 0, 1, 0, 0, 0)
    assert seat.laden_camels == ()
    assert seat.empty_camels == (EmptyCamels(3, 1), EmptyCamels(10, 1))


def test_c14_every_good_has_its_city() -> None:
    for good, square in zip(GOODS, (16, 18, 30, 32, 3, 21, 27, 45), strict=True):
        name = good.name.lower()
        state = play(a_position(f"{square}:{name} {square}", ""), f"MOVE_GOOD({square},{name},{square})")
        assert view(state).seats[0].delivered[good] == 1


def test_c14_a_good_that_passes_through_its_city_is_not_delivered_example_9() -> None:
    state = play(a_position("15:meat 16 17", ""), "MOVE_GOOD(15,meat,17)")
    assert score(state, 0) == 0
    assert view(state).seats[0].laden_camels == (LadenCamel(17, Good.MEAT, protected=False),)


def test_c14_a_steal_never_delivers_but_a_second_camel_there_does_example_9() -> None:
    state = play(a_position("3:ivory", "3 3", to_act=1), f"STEAL({MARRAKESH},0,ivory)")
    assert score(state, 1) == 0
    play(state, f"MOVE_GOOD({MARRAKESH},ivory,protected,{MARRAKESH})")
    assert score(state, 1) == 6
