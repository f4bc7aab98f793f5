"""C23: what is reported, in the order in which it happens."""

from engine.caravan.events import Delivered, EndArmed, Ended, Ending, Refill, TurnBegan
from engine.caravan.goods import Good
from tests.unit.engine.caravan.positions import BAG_EMPTY, a_match, a_position
from tests.unit.engine.playing import play

FIVE = {1: "meat", 2: "salt", 3: "gems", 5: "ivory", 8: "paper"}
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
