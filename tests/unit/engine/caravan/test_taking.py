"""C10, C11 and C12: picking up and stealing."""

from __future__ import annotations

import pytest

from engine.caravan.goods import Good
from engine.caravan.observation import GoodsSpace, LadenCamel
from engine.game import IllegalActionError
from tests.unit.engine.caravan.positions import a_position, legal, may, play, view


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


def test_c10_nothing_is_picked_up_where_no_good_lies_or_no_own_empty_camel_stands() -> None:
    state = a_position("0 3", "6", goods={2: "meat"})
    assert legal(state, "PICK_UP") == []
    for square, reason in (
        (0, "no good lies on square 0"),
        (6, "no empty camel of yours stands on square 6"),
    ):
        with pytest.raises(IllegalActionError, match=reason):
            play(state, f"PICK_UP({square})")


def test_c11_a_steal_takes_the_good_pays_a_theft_marker_and_protects_the_good() -> None:
    state = play(a_position("3", "3:ivory"), "STEAL(3,1,ivory)")
    seen = view(state)
    assert seen.points == 3
    assert seen.seats[0].laden_camels == (LadenCamel(3, Good.IVORY, protected=True),)
    assert seen.seats[1].laden_camels == ()
    assert [seat.theft_markers for seat in seen.seats] == [0, 2]


def test_c11_the_robbed_camel_is_empty_afterwards() -> None:
    state = play(a_position("3", "3:ivory", points=1), "STEAL(3,1,ivory)")
    assert may(state, "MOVE(3,4)")


def test_c11_without_a_theft_marker_nothing_is_stolen() -> None:
    state = a_position("3", "3:ivory", theft=(0, 1))
    assert legal(state, "STEAL") == []
    assert not may(state, "STEAL(3,1,ivory)")


def test_c11_the_robbed_seat_steals_back_once_the_good_was_moved_example_6() -> None:
    state = play(a_position("3:ivory", "3 10", to_act=1, points=1), "STEAL(3,0,ivory)")
    assert [seat.theft_markers for seat in view(state).seats] == [2, 0]
    with pytest.raises(IllegalActionError, match=r"protected \(C11\)"):
        play(state, "STEAL(3,1,ivory)")
    play(state, "PASS", "MOVE_GOOD(3,ivory,protected,10)", "PASS")
    assert not may(state, "STEAL(10,1,ivory)")
    play(state, "MOVE(3,10)")
    assert may(state, "STEAL(10,1,ivory)")


@pytest.mark.parametrize(
    "action", ["STEAL(3,0,gems)", "STEAL(3,1,gems)", "STEAL(3,1,ivory)", "STEAL(9,1,ivory)"]
)
def test_c11_only_a_good_of_another_seat_on_the_square_is_stolen(action: str) -> None:
    assert not may(a_position("3 3:gems", "9:ivory"), action)


def test_c11_there_is_no_limit_on_theft_markers() -> None:
    state = play(a_position("3", "3:ivory", theft=(1, 3)), "STEAL(3,1,ivory)")
    assert view(state).seats[1].theft_markers == 4


def test_c11_demand_markers_are_not_stolen() -> None:
    state = a_position("3", "0", markers={1: 5}, to_act=1, points=1)
    play(state, "PICK_UP(0)", "MOVE(3,0)", "STEAL(0,1,meat)")
    assert [seat.demand_markers for seat in view(state).seats] == [0, 5]


@pytest.mark.parametrize("fifth", ["", "6"], ids=["in the supply", "on a goods space"])
def test_c12_the_last_camel_never_takes_a_good_example_2(fifth: str) -> None:
    state = a_position(f"0:meat 1:meat 2:meat 3:meat {fifth}", "6:salt")
    assert legal(state, "PICK_UP") == legal(state, "STEAL") == []
    if fifth:
        with pytest.raises(IllegalActionError, match="must stay without a good"):
            play(state, "PICK_UP(6)")
        assert not may(state, "STEAL(6,1,salt)")


def test_c12_three_carried_goods_leave_room_for_a_fourth_example_2() -> None:
    assert may(a_position("0:meat 1:meat 2:meat 6", ""), "PICK_UP(6)")


def test_c12_a_sixth_camel_leaves_room_for_a_fifth_good_example_2() -> None:
    four = "0:meat 1:meat 2:meat 3:meat 6"
    assert may(a_position(four, "", options={"camels": "6"}), "PICK_UP(6)")
    assert may(a_position(four, "6:salt", options={"camels": "6"}), "STEAL(6,1,salt)")
