"""C17 and C18: how a match ends."""

import pytest

from engine.caravan.events import EndArmed
from engine.caravan.state import CaravanState
from engine.game import TERMINAL
from tests.unit.engine.caravan.positions import BAG_EMPTY, SOME_LEFT, a_match, a_position, view
from tests.unit.engine.playing import check_refused, legal, may, play

FIVE = {1: "meat", 2: "salt", 3: "gems", 5: "ivory", 8: "paper"}
LAST_FOUR = (4, 0, 0, 0, 0, 0, 0, 0)


def passes(state: CaravanState, count: int) -> CaravanState:
    return play(state, *["PASS"] * count)


def ending(state: CaravanState) -> str | None:
    outcome = state.outcome()
    return outcome.ending if outcome else None


def test_c17_the_refill_that_empties_the_bag_arms_the_end_and_ends_nothing() -> None:
    state = play(a_position("6 10:ivory 3", "", goods=FIVE, bag=LAST_FOUR), "PICK_UP(6)")
    assert view(state).end_armed
    assert isinstance(state.take_events()[-1], EndArmed)
    assert state.outcome() is None
    assert may(state, "MOVE(3,11)")
    assert may(state, "MOVE_GOOD(10,ivory,3)")


def test_c17_the_next_delivery_ends_the_match_mid_turn_and_counts_example_7() -> None:
    """Of any seat; before the end is armed it ends nothing."""
    state = play(a_position("10:ivory 3", "", bag=BAG_EMPTY), "MOVE_GOOD(10,ivory,3)")
    assert (state.seat_to_act, view(state).points) == (TERMINAL, 0)
    outcome = state.outcome()
    assert outcome is not None
    assert (outcome.scores, outcome.ending) == ((6, 0), "FINAL_DELIVERY")
    for bag, expected in ((BAG_EMPTY, "FINAL_DELIVERY"), (SOME_LEFT, None)):
        state = a_position("", "10:ivory 3", bag=bag, points=1)
        assert ending(play(state, "PASS", "MOVE_GOOD(10,ivory,3)")) == expected


def test_c17_a_steal_or_a_move_of_goods_does_not_end_the_match_when_armed() -> None:
    state = a_position("3 4", "3:ivory", bag=BAG_EMPTY)
    play(state, "STEAL(3,1,ivory)", "MOVE_GOOD(3,ivory,protected,4)")
    assert state.outcome() is None


@pytest.mark.parametrize(("seats", "turns"), [(2, 40), (3, 60), (4, 80)])
def test_c18_20_idle_turns_per_seat_in_a_row_end_the_match_example_10(seats: int, turns: int) -> None:
    state = passes(a_match(seats), turns - 1)
    assert state.outcome() is None
    assert (view(state).turn, view(state).idle_turns) == (turns, turns - 1)
    passes(state, 1)
    assert ending(state) == "NO_PROGRESS"
    assert (view(state).turn, view(state).seat_to_act) == (turns, (turns - 1) % seats)


def test_c18_a_pick_up_in_turn_40_puts_the_end_off_to_turn_80_example_10() -> None:
    state = passes(a_match(), 39)
    play(state, "PLACE(0)", "PICK_UP(0)", "PASS")
    passes(state, 39)
    assert (view(state).turn, state.outcome()) == (80, None)
    passes(state, 1)
    assert ending(state) == "NO_PROGRESS"


@pytest.mark.parametrize(
    ("camels", "action", "idle"),
    [
        (("0", ""), "PICK_UP(0)", False),
        (("3", "3:ivory"), "STEAL(3,1,ivory)", False),
        (("3 10:ivory", ""), "MOVE_GOOD(10,ivory,3)", False),
        (("9 10:ivory", ""), "MOVE_GOOD(10,ivory,9)", True),
        (("9", ""), "MOVE(9,10)", True),
        (("9", ""), "PLACE(10)", True),
    ],
)
def test_c18_only_a_pick_up_a_steal_or_a_delivery_is_progress(
    camels: tuple[str, str], action: str, idle: bool
) -> None:
    state = play(a_position(*camels, idle_turns=7), action)
    assert view(state).idle is idle
    passes(state, 1)
    assert view(state).idle_turns == (8 if idle else 0)


def test_c18_progress_in_the_last_possible_idle_turn_goes_on() -> None:
    state = play(a_position("0", "", idle_turns=39, points=1), "PICK_UP(0)")
    assert state.outcome() is None


def test_c18_the_turn_limit_ends_the_match_when_its_turn_ends() -> None:
    state = play(a_match(options={"turn_limit": "3"}), "PASS", "PASS", "PLACE(0)", "PLACE(1)")
    assert state.outcome() is None
    play(state, "PLACE(2)")
    assert ending(state) == "TURN_LIMIT"
    assert view(state).turn == 3


def test_c18_no_progress_comes_before_the_turn_limit_and_one_turn_is_the_least_limit() -> None:
    assert ending(passes(a_match(options={"turn_limit": "5", "no_progress_turns": "5"}), 5)) == "NO_PROGRESS"
    assert ending(passes(a_match(options={"no_progress_turns": "1"}), 1)) == "NO_PROGRESS"
    state = passes(a_match(options={"turn_limit": "1"}), 1)
    assert (ending(state), legal(state)) == ("TURN_LIMIT", [])
    check_refused(state, state.parse_action("PASS"), "over")


def test_c18_the_default_turn_limit_is_1000() -> None:
    state = a_position("", "", turn=1000, idle_turns=3)
    assert ending(passes(state, 1)) == "TURN_LIMIT"
    assert ending(passes(a_position("", "", turn=999, idle_turns=3), 1)) is None
