"""The policy for simulations: it finishes matches."""

import pytest

from engine.caravan import CARAVAN
from engine.caravan.state import CaravanState
from engine.game import IllegalActionError
from engine.randomness import Stream
from tests.unit.engine.caravan.positions import BAG_EMPTY, EIGHT_MEAT, SOME_LEFT, a_match, a_position
from tests.unit.engine.playing import play


def choice(state: CaravanState, seed: int = 1) -> str:
    return state.format_action(CARAVAN.sensible_action(state, Stream(bytes([seed] * 32))))


@pytest.mark.parametrize(
    ("camels", "goods", "action"),
    [
        ("10:ivory 3 20", EIGHT_MEAT, "MOVE_GOOD(10,ivory,3)"),  # it delivers
        ("12 20", {4: "meat", 1: "salt"}, "PICK_UP(12)"),
        ("24:ivory", EIGHT_MEAT, "PLACE(17)"),  # it lengthens the chain towards the city
        ("29:salt 30:hides", EIGHT_MEAT, "PLACE(30)"),  # a second camel on a city that a laden one blocks
        ("45:ivory 38 31 24 17", EIGHT_MEAT, "MOVE_GOOD(45,ivory,17)"),  # no camel is spare
        ("31:ivory 38 45 24 17", EIGHT_MEAT, "MOVE(45,10)"),  # from behind the good to the front
        ("", {3: "meat"}, "PLACE(8)"),  # it carries nothing
        ("20 21 22 23 24", {}, "PASS"),  # nothing is to be done
    ],
)
def test_it_does_what_brings_a_good_to_its_city(camels: str, goods: dict[int, str], action: str) -> None:
    assert choice(a_position(camels, "", goods=goods, bag=SOME_LEFT if goods else BAG_EMPTY)) == action


def test_it_goes_where_it_can_steal_when_no_good_lies_anywhere() -> None:
    assert choice(a_position("20", "9:meat", goods={}, bag=BAG_EMPTY)) in {"PLACE(9)", "MOVE(20,9)"}


def test_it_does_not_go_where_nothing_can_be_stolen() -> None:
    for good, theft, points in (("meat!", 1, 4), ("meat", 0, 4), ("meat", 1, 1)):
        state = a_position("20", f"9:{good}", goods={}, bag=BAG_EMPTY, theft=(theft, 1), points=points)
        assert choice(state) == "PASS"


def test_it_steals_now_and_then() -> None:
    state = a_position("9 20", "9:meat", goods={})
    chosen = {choice(state, seed) for seed in range(20)}
    assert "STEAL(9,1,meat)" in chosen
    assert len(chosen) > 1


def test_nothing_is_chosen_when_the_match_is_over() -> None:
    state = play(a_match(options={"turn_limit": "1"}), "PASS")
    with pytest.raises(IllegalActionError, match="the match is over"):
        choice(state)
