"""C13 and C14: goods along chains of camels, and deliveries."""

import pytest

from engine.caravan.goods import GOODS, Good
from engine.caravan.observation import EmptyCamels, LadenCamel
from tests.unit.engine.caravan.positions import a_position, score, view
from tests.unit.engine.playing import legal, play, refused

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


def test_c13_protected_and_not_protected_goods_of_one_kind_are_told_apart() -> None:
    state = a_position("8:meat 8:meat! 9", "")
    assert legal(state, "MOVE_GOOD") == ["MOVE_GOOD(8,meat,9)", "MOVE_GOOD(8,meat,protected,9)"]
    play(state, "MOVE_GOOD(8,meat,9)")
    assert view(state).seats[0].laden_camels == (
        LadenCamel(8, Good.MEAT, protected=True),
        LadenCamel(9, Good.MEAT, protected=False),
    )


def test_c13_goods_that_cannot_be_told_apart_are_moved_by_one_action() -> None:
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
