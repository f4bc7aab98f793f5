"""Copies, digests, observations, and positions from observations."""

from collections import Counter

from engine.caravan import CARAVAN
from engine.randomness import Stream
from tests.unit.engine.caravan.positions import a_match, a_position, view
from tests.unit.engine.playing import check_refused, may, play


def a_stream(number: int) -> Stream:
    return Stream(number.to_bytes(32, "big"))


def test_positions_reached_in_different_ways_are_equal() -> None:
    one = play(a_match(), "PLACE(0)", "PLACE(9)", "PLACE(10)")
    other = play(a_match(), "PLACE(0)", "PLACE(10)", "PLACE(9)")
    assert one.digest() == other.digest()
    assert one.observe(0) == other.observe(0)


def test_an_unchanged_seat_is_shown_by_the_same_object() -> None:
    match = play(a_match(), "PLACE(0)")
    before = view(match).seats
    after = view(play(match, "PLACE(1)")).seats
    assert after[0] is before[0]
    assert after[1] != before[1]


def test_a_finished_match_is_seen_with_its_last_turn_and_its_ending() -> None:
    seen = view(play(a_match(3, options={"turn_limit": "2"}), "PASS", "PASS"))
    assert (seen.turn, seen.seat_to_act, seen.points) == (2, 1, 0)
    assert seen.ending is not None


def test_the_rest_of_the_bag_is_drawn_uniformly() -> None:
    # Two goods of each of two kinds: six orders, each with a chance of 1 in 6.
    seen = view(a_position("", "", bag=(2, 2, 0, 0, 0, 0, 0, 0)))
    draws = 1200
    orders = Counter(CARAVAN.from_observation(seen, a_stream(number)).bag for number in range(draws))
    assert len(orders) == 6
    chi_squared = sum((count - draws / 6) ** 2 / (draws / 6) for count in orders.values())
    assert chi_squared < 20.5  # 5 degrees of freedom, 1 in 1000


def test_what_was_listed_before_another_action_is_judged_anew() -> None:
    match = a_position("3 4:meat", "")
    listed = match.legal_actions()
    move_good = match.parse_action("MOVE_GOOD(4,meat,3)")
    assert move_good in listed
    play(match, "MOVE(3,40)")
    check_refused(match, move_good, "C13 empty yours 3")


def test_a_copy_judges_by_its_own_list() -> None:
    match = a_position("3 4:meat", "")
    assert match.legal_actions()
    copy = play(match.clone(), "MOVE(3,40)")
    assert not may(copy, "MOVE_GOOD(4,meat,3)")
    play(match, "MOVE_GOOD(4,meat,3)")
