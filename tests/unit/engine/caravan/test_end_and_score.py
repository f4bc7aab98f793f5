"""C17 to C20: how a match ends, scores and placings."""

import pytest

from engine.caravan import CARAVAN
from engine.caravan.events import EndArmed
from engine.caravan.state import CaravanState
from engine.game import TERMINAL, Outcome
from engine.randomness import Stream
from tests.unit.engine.caravan.positions import (
    BAG_EMPTY,
    SOME_LEFT,
    ZERO_SEED,
    a_match,
    a_position,
    score,
    view,
)
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


def test_c18_progress_in_the_last_possible_idle_turn_continues_the_match() -> None:
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


@pytest.mark.parametrize(
    ("carried", "points"), [(0, 0), (1, 0), (2, -1), (3, -3), (4, -6), (5, -10)], ids=str
)
def test_c19_carried_goods_cost_more_and_more_protected_ones_too(carried: int, points: int) -> None:
    camels = " ".join(f"{square}:meat{'!' if square % 2 else ''}" for square in range(carried))
    assert score(a_position(f"{camels} 40", "", options={"camels": "6"}), 0) == points


@pytest.mark.parametrize(("good", "points"), [("gems", 6), ("hides", 3)])
def test_c19_a_delivered_good_is_worth_6_or_3(good: str, points: int) -> None:
    city = {"gems": 27, "hides": 32}[good]
    assert (
        score(play(a_position(f"{city}:{good} {city}", ""), f"MOVE_GOOD({city},{good},{city})"), 0) == points
    )


def test_c19_a_demand_marker_is_worth_1() -> None:
    assert score(play(a_position("0", "", markers={1: 4}), "PICK_UP(0)"), 0) == 4


def ended_with(*delivered_and_markers: tuple[tuple[int, ...], int]) -> Outcome:
    """Return the outcome of a match that ends with these goods delivered and markers held, by seat."""
    state = a_position(*[""] * len(delivered_and_markers), options={"turn_limit": "1000"}, turn=1000)
    seats = tuple(
        seat._replace(delivered=delivered, demand_markers=markers)
        for seat, (delivered, markers) in zip(view(state).seats, delivered_and_markers, strict=True)
    )
    state = CARAVAN.from_observation(view(state)._replace(seats=seats), Stream(ZERO_SEED))
    play(state, "PASS")
    outcome = state.outcome()
    assert outcome is not None
    return outcome


NINE = (5, 0, 0, 0, 4, 0, 0, 0)  # 39 points
EIGHT = (4, 0, 0, 0, 4, 0, 0, 0)  # 36 points


def test_c20_equal_scores_go_to_more_delivered_goods_and_else_share_the_placing_example_8() -> None:
    """A placing is one more than the seats ahead."""
    outcome = ended_with((NINE, 2), (EIGHT, 5))
    assert (outcome.scores, outcome.placings) == ((41, 41), (1, 2))
    assert ended_with((EIGHT, 0), (NINE, 2), (EIGHT, 5), (NINE, 2)).placings == (4, 1, 3, 1)


def test_c20_the_number_of_goods_counts_not_their_value() -> None:
    two_common, one_rare = (2, 0, 0, 0, 0, 0, 0, 0), (0, 0, 0, 0, 1, 0, 0, 0)
    outcome = ended_with((one_rare, 0), (two_common, 0))
    assert (outcome.scores, outcome.placings) == ((6, 6), (2, 1))


def test_c19_a_score_may_be_negative() -> None:
    outcome = play(a_position("0:meat 1:meat 2:meat", "", turn=1000), "PASS").outcome()
    assert outcome is not None
    assert (outcome.scores, outcome.placings) == ((-3, 0), (2, 1))
