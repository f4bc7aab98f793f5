"""A29-A34: stalling, the last turn, scores and placings."""

import pytest

from engine.ahldarahd.state import AhldarahdState
from engine.game import TERMINAL, Outcome
from tests.unit.engine.ahldarahd import do
from tests.unit.engine.ahldarahd.choosing import a_match
from tests.unit.engine.ahldarahd.positions import (
    NEUTRAL,
    a_position,
    asked,
    form,
    legal,
    play,
    refused,
    told,
)
from tests.unit.engine.naive import Json


def a_turn(state: AhldarahdState, *lots: str) -> list[Json]:
    """Two seats without gold auction the lots; nobody builds."""
    return play(state, *map(do.opening, lots), do.DONE, do.DONE)


def test_a29_a_card_as_a_lot_is_enough_but_not_one_of_an_earlier_turn() -> None:
    state = a_position(bidding=True, gold=0, row="gems-0 salt-0", deck="dates-1 gems-1")
    for lots, stall in ((("eyes", "card:salt-0"), False), (("eyes", "queen"), True)):
        assert ("stall" in [event["event"] for event in a_turn(state, *lots)]) == stall


def test_a30_the_match_ends_after_the_turn_in_which_the_deck_became_empty() -> None:
    state = a_position(bidding=True, gold=0, row="gems-0 salt-0", deck="dates-1")
    a_turn(state, "card:gems-0", "queen")
    assert (form(state)["deck"], asked(state)) == ([], ("open_auction", 0))
    events = a_turn(state, "eyes", "queen")
    assert [event["event"] for event in events[-2:]] == ["done", "end"]
    fields = form(state)
    assert (fields["phase"], fields["ending"], fields["order"], fields["at"]) == ("over", "DECK_EMPTY", [], 0)
    assert (asked(state), state.seat_to_act, fields["row"]) == ((None, None), TERMINAL, ["salt-0", "dates-1"])
    assert legal(state) == []
    refused(state, do.DONE, "over")
    refused(state, do.buy(0, 1), "over")


@pytest.mark.parametrize("seats", range(2, 6))
def test_a31_never_a_card_as_a_lot_makes_the_longest_match(seats: int) -> None:
    state = a_match(seats)
    while state.seat_to_act != TERMINAL:
        action = state.default_action()
        if state.decision == 2:
            action = max(state.legal_actions(), key=lambda each: (each >> 21 & 127, -each))
        state.apply(action)
    assert form(state)["turn"] == 6 * seats + 1


@pytest.mark.parametrize(
    ("routes", "scores"),
    [
        ({0: {0: [1, 2]}, 1: {0: [1, 2, 19, 21]}, 2: {1: [1, 2]}}, [1 + 4 + 1, 1, 0]),
        ({0: {1: [1, 2]}, 1: {0: [1, 2]}}, [1, 1, 0]),  # the own one at home it must be
    ],
)
def test_a32_a_point_a_city_and_three_more_abroad_with_the_same_at_home(
    routes: dict[int, dict[int, list[int]]], scores: list[int]
) -> None:
    assert [seat.score for seat in a_position(3, routes=routes).observe(0).seats] == scores


@pytest.mark.parametrize(("gold", "placings"), [((2, 2, 9), (1, 1, 3)), ((2, 3, 9), (2, 1, 3))])
def test_a33_more_gold_breaks_ties_and_equal_gold_shares_the_placing(
    gold: tuple[int, ...], placings: tuple[int, ...]
) -> None:
    """Example 9."""
    pearls, horses = [1, 2], [19, 21]
    routes = {0: {0: pearls}, 1: {0: pearls, 1: horses}, 2: {1: horses, 2: pearls}}
    state = a_position(3, routes=routes, gold=gold, deck="", hands=["", "", ""])
    assert told(state, do.DONE, do.DONE, do.DONE)[-1] == "end"
    assert state.outcome() == Outcome((5, 5, 1), placings, "DECK_EMPTY")


def test_a33_cards_and_favours_are_worth_nothing() -> None:
    items = {"eyes": 0, "queen": 0, "right:1": 0, "right:0": 0}
    state = a_position(items=items, hands=["gems gems salt", ""], deck="", gold=4)
    play(state, do.DONE, do.DONE)
    assert state.outcome() == Outcome((0, 0), (1, 1), "DECK_EMPTY")


METALS, IVORY, TEXTILES = [8, 11, 18], [6, 7, 9], [13, 15, 20]


def test_a34_the_printed_score() -> None:
    """Example 9: own Metals and Ivory, Phil's Metals, Christina's Textiles; Nancy's Metals add 4."""
    routes = {0: {0: METALS + IVORY}, 1: {0: METALS}, 2: {0: TEXTILES}, 3: {}}
    assert a_position(4, routes=routes).observe(0).seats[0].score == 7
    assert a_position(4, routes={**routes, 3: {0: METALS}}).observe(0).seats[0].score == 11


def test_a35_cities_of_the_neutral_map_count_as_an_opponents() -> None:
    state = a_position(options=NEUTRAL, routes={0: {0: [1, 2]}, 2: {0: [1, 2], 1: [19, 21]}})
    assert [seat.score for seat in state.observe(0).seats] == [5, 1]


def test_a9_the_last_refresh_may_leave_the_row_short() -> None:
    """Example 8."""
    state = a_position(3, bidding=True, gold=0, row="gems-0 salt-0 dates-0", deck="dates-1")
    done = [do.DONE] * 3
    play(state, *map(do.opening, ("card:gems-0", "card:salt-0", "eyes")), *done)
    assert form(state)["row"] == ["dates-0", "dates-1"]
    assert told(state, *map(do.opening, ("eyes", "card:dates-0", "right:0")), *done)[-1] == "end"


def test_a29_two_turns_without_a_card_and_the_last_one() -> None:
    """Example 7."""
    state = a_position(bidding=True, gold=0, row="gems-0 salt-0", deck="dates-1 gems-1")
    for turn, (stalled, revealed) in enumerate((("gems-0", "dates-1"), ("salt-0", "gems-1")), start=2):
        assert a_turn(state, "eyes", "queen")[-2:] == [
            {"event": "stall", "card": stalled},
            {"event": "turn", "turn": turn, "revealed": [revealed]},
        ]
    events = a_turn(state, "eyes", "queen")
    assert [event["event"] for event in events][-2:] == ["done", "end"]
    assert (form(state)["row"], form(state)["discards"]) == (["dates-1", "gems-1"], ["gems", "salt"])
