"""C19 and C20: scores and placings."""

from dataclasses import replace

import pytest

from engine.caravan import CARAVAN
from engine.game import Outcome
from engine.randomness import Stream
from tests.unit.engine.caravan.positions import ZERO_SEED, a_position, score, view
from tests.unit.engine.playing import play


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
    state = CARAVAN.from_observation(replace(view(state), seats=seats), Stream(ZERO_SEED))
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
