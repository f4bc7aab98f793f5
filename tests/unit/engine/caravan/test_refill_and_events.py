"""C15, C16 and C23: the refill, and what is reported, in the order in which it happens."""

from typing import Any

import pytest

from engine.caravan import CARAVAN
from engine.caravan.events import Delivered, EndArmed, Ended, Ending, Refill, TurnBegan
from engine.caravan.goods import Good
from engine.game import TERMINAL
from engine.randomness import Stream
from tests.unit.engine.caravan.positions import BAG_EMPTY, a_match, a_position, view
from tests.unit.engine.playing import may, play

FIVE = {1: "meat", 2: "salt", 3: "gems", 5: "ivory", 8: "paper"}


def test_c15_the_pick_up_that_leaves_four_goods_brings_a_refill_at_once_example_5() -> None:
    state = a_position("6", "", goods=FIVE, markers={1: 2, 2: 1}, points=2)
    play(state, "PICK_UP(6)")
    seen = view(state)
    assert seen.points == 1
    assert seen.seat_to_act == 0
    assert all(space.good is not None for space in seen.goods_spaces)
    assert [space.demand_markers for space in seen.goods_spaces] == [3, 0, 1, 0, 1, 0, 0, 1]
    assert sum(seen.bag) == 16 - 4


def test_c15_the_picker_may_use_the_new_goods_with_the_points_left_example_5() -> None:
    state = play(a_position("6 12", "", goods=FIVE, points=2), "PICK_UP(6)")
    assert may(state, "PICK_UP(12)")


def test_c15_the_goods_are_drawn_onto_the_empty_spaces_in_ascending_number() -> None:
    state = a_position("6", "", goods=FIVE)
    order = list(state.bag)
    state.take_events()
    play(state, "PICK_UP(6)")
    (refill,) = state.take_events()
    assert isinstance(refill, Refill)
    assert refill.marked == (0, 8, 36, 48)
    assert [square for square, _ in refill.drawn] == [6, 12, 40, 42]
    assert [good for _, good in refill.drawn] == order[:4]


@pytest.mark.parametrize(
    ("seats", "more", "lying"),
    [
        (
            ("6 12:meat", "40:salt 42"),
            {},
            8,
        ),  # neither camels on the spaces matter nor goods that are carried
        (("6", ""), {"goods": FIVE | {4: "meat"}}, 5),  # six goods bring no refill
        (("6", ""), {"bag": BAG_EMPTY}, 4),  # nor does an empty bag
        (("6", ""), {"points": 1}, 8),  # the turn ends after the refill
    ],
)
def test_c15_when_a_pick_up_brings_a_refill(seats: tuple[str, str], more: dict[str, Any], lying: int) -> None:
    state = play(a_position(*seats, **{"goods": FIVE, **more}), "PICK_UP(6)")
    assert sum(space.good is not None for space in view(state).goods_spaces) == lying
    markers = [space.demand_markers for space in view(state).goods_spaces]
    assert markers == ([1, 0, 1, 0, 1, 0, 0, 1] if lying == 8 else [0] * 8)
    assert state.seat_to_act == ("points" in more)


@pytest.mark.parametrize(("goods", "refills", "markers"), [("FULL", 10, 40), ("SHORT", 6, 24)])
def test_c16_the_refills_of_a_match_empty_the_bag(goods: str, refills: int, markers: int) -> None:
    match, stream = a_match(options={"goods": goods}), Stream(bytes(32))
    seen: list[Refill] = []
    while match.seat_to_act != TERMINAL:
        match.apply(CARAVAN.sensible_action(match, stream))
        seen += [event for event in match.take_events() if isinstance(event, Refill)]
    assert len(seen) == refills
    assert sum(len(refill.marked) for refill in seen) == markers


LAST_FOUR = (1, 1, 1, 1, 0, 0, 0, 0)


def test_c23_the_first_turn_is_reported_with_the_set_up() -> None:
    assert a_match().take_events() == [TurnBegan(0, 1)]


def test_c23_every_turn_is_reported_with_its_seat_and_points() -> None:
    match = a_match(3)
    match.take_events()
    play(match, "PASS", "PASS", "PASS", "PASS")
    assert match.take_events() == [TurnBegan(1, 2), TurnBegan(2, 3), TurnBegan(0, 4), TurnBegan(1, 4)]


def test_c23_the_last_refill_is_reported_before_the_armed_end_and_the_next_turn() -> None:
    state = a_position("6", "", goods=FIVE, bag=LAST_FOUR, points=1)
    order = [Good(number) for number in state.bag]
    play(state, "PICK_UP(6)")
    assert state.take_events() == [
        Refill((0, 8, 36, 48), tuple(zip((6, 12, 40, 42), order, strict=True))),
        EndArmed(),
        TurnBegan(1, 4),
    ]


def test_c23_a_delivery_is_reported_with_its_seat_and_good_and_the_end_with_its_reason() -> None:
    state = a_position("10:ivory 3", "", points=1)
    assert play(state, "MOVE_GOOD(10,ivory,3)").take_events() == [Delivered(0, Good.IVORY), TurnBegan(1, 4)]
    state = a_position("10:ivory 3", "", bag=BAG_EMPTY)
    last = [Delivered(0, Good.IVORY), Ended(Ending.FINAL_DELIVERY)]
    assert play(state, "MOVE_GOOD(10,ivory,3)").take_events() == last


def test_c23_an_action_without_consequence_is_not_reported() -> None:
    state = play(a_position("0 6", ""), "MOVE(0,20)", "PICK_UP(6)")
    assert state.take_events() == []
