"""The policy for simulations: it finishes matches."""

from __future__ import annotations

import pytest

from engine.caravan import CARAVAN
from engine.caravan.state import CaravanState
from engine.game import TERMINAL, IllegalActionError
from engine.randomness import Stream
from tests.unit.engine.caravan.positions import BAG_EMPTY, a_match, a_position, play, view


def choice(state: CaravanState, seed: int = 1) -> str:
    return state.format_action(CARAVAN.sensible_action(state, Stream(bytes([seed] * 32))))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_sensible_matches_end_by_a_final_delivery_after_some_hundred_actions(seats: int) -> None:
    plies, endings = [], []
    for number in range(10):
        match, stream, ply = a_match(seats, seed=bytes([number] * 32)), Stream(bytes([number + 1] * 32)), 0
        while match.seat_to_act != TERMINAL:
            match.apply(CARAVAN.sensible_action(match, stream))
            ply += 1
        outcome = match.outcome()
        assert outcome is not None
        plies.append(ply)
        endings.append(outcome.ending)
    assert endings.count("FINAL_DELIVERY") >= 9
    assert 120 <= sum(plies) / len(plies) <= 340


def test_it_delivers_what_can_be_delivered() -> None:
    assert choice(a_position("10:ivory 3 20", "")) == "MOVE_GOOD(10,ivory,3)"


def test_it_picks_up_what_lies_under_an_empty_camel() -> None:
    assert choice(a_position("12 20", "", goods={4: "meat", 1: "salt"})) == "PICK_UP(12)"


def test_it_lengthens_the_chain_towards_the_city() -> None:
    assert choice(a_position("24:ivory", "")) == "PLACE(17)"


def test_it_brings_a_second_camel_to_a_city_that_a_laden_one_blocks() -> None:
    assert choice(a_position("29:salt 30:hides", "")) == "PLACE(30)"


def test_it_moves_the_good_along_when_no_camel_is_spare() -> None:
    chain = "45:ivory 38 31 24 17"
    assert choice(a_position(chain, "")) == "MOVE_GOOD(45,ivory,17)"


def test_it_moves_a_camel_from_behind_the_good_to_the_front() -> None:
    assert choice(a_position("31:ivory 38 45 24 17", "")) == "MOVE(45,10)"


def test_it_brings_a_camel_to_a_good_when_it_carries_none() -> None:
    assert choice(a_position("", "", goods={3: "meat"})) == "PLACE(8)"


def test_it_goes_where_it_can_steal_when_no_good_lies_anywhere() -> None:
    assert choice(a_position("20", "9:meat", goods={}, bag=BAG_EMPTY)) in {"PLACE(9)", "MOVE(20,9)"}


def test_it_passes_when_there_is_nothing_to_do() -> None:
    assert choice(a_position("20 21 22 23 24", "", goods={}, bag=BAG_EMPTY)) == "PASS"


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
    assert view(state).points == 0
