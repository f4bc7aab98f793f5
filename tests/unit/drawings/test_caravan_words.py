"""Turns of Caravan in plain words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from arena.drawings.caravan.board import own
from arena.drawings.caravan.drawing import DRAWING
from engine.caravan.observation import SeatView
from tests.unit.drawings.played_steps import steps
from tests.unit.engine.caravan.positions import BAG_EMPTY, EIGHT_MEAT, a_position

NAMES = ("anna", "bert")


@pytest.mark.parametrize(
    ("seats", "actions", "sentence"),
    [
        (("", ""), ["PASS"], "passes with 4 points left"),
        (("", ""), ["PLACE(24)"], "places a camel on 24"),
        (("", ""), ["PLACE(24)", "PLACE(3)", "PLACE(0)"], "places camels on 24, Marrakesh and (1)"),
        (
            ("9 10", ""),
            ["MOVE(9,3)", "PASS"],
            "moves a camel from 9 to Marrakesh and passes with 3 points left",
        ),
        (("0", ""), ["PICK_UP(0)"], "picks up meat on (1)"),
        (("10:ivory 3", ""), ["MOVE_GOOD(10,ivory,3)"], "delivers ivory from 10 to Marrakesh (+6)"),
        (("10:ivory 11", ""), ["MOVE_GOOD(10,ivory,11)"], "carries ivory from 10 to 11"),
        (("9", "9:gems"), ["STEAL(9,1,gems)"], "steals gems from bert on 9"),
    ],
)
def test_a_turn_is_one_sentence(seats: tuple[str, str], actions: list[str], sentence: str) -> None:
    assert DRAWING.describe(steps(a_position(*seats), *actions), NAMES).plain == sentence


def test_demand_markers_are_told_with_the_good() -> None:
    state = a_position("0 6", "", markers={1: 1, 2: 3})
    told = DRAWING.describe(steps(state, "PICK_UP(0)", "PICK_UP(6)"), NAMES).plain
    assert told == "picks up meat on (1) with a demand marker and meat on (2) with 3 demand markers"


def test_a_delivery_tells_the_score_and_who_leads_now() -> None:
    events = DRAWING.describe_events(steps(a_position("10:ivory 3", ""), "MOVE_GOOD(10,ivory,3)"), NAMES)
    assert [text.plain for text in events] == ["Score: anna 0 → 6; anna takes the lead."]


def test_what_changes_no_score_is_not_told_as_one() -> None:
    assert DRAWING.describe_events(steps(a_position("9", ""), "MOVE(9,10)"), NAMES) == []


def test_a_refill_names_the_goods_and_where_they_lie() -> None:
    """C15: the pick-up that leaves four goods on the spaces."""
    goods = {number: EIGHT_MEAT[number] for number in range(1, 6)}
    told = DRAWING.describe_events(steps(a_position("0", "", goods=goods), "PICK_UP(0)"), NAMES)
    assert told[0].plain.startswith("Refill: ")
    assert told[0].plain.endswith(".")
    assert all(f" on ({number})" in told[0].plain for number in (1, 6, 7, 8))


def test_the_empty_bag_is_told_loudly() -> None:
    goods = {number: EIGHT_MEAT[number] for number in range(1, 6)}
    bag = (4, *BAG_EMPTY[1:])
    told = DRAWING.describe_events(steps(a_position("0", "", goods=goods, bag=bag), "PICK_UP(0)"), NAMES)
    assert told[1].plain == "The bag is empty: the next delivery ends the match."


def test_the_board_is_worth_a_look_when_a_delivery_changes_the_lead() -> None:
    [overtaking] = steps(a_position("10:ivory 3", "", markers={}), "MOVE_GOOD(10,ivory,3)")
    [quiet] = steps(a_position("9", ""), "MOVE(9,10)")
    assert not DRAWING.is_moment(quiet.before, quiet.after)
    assert not DRAWING.is_moment(overtaking.before, overtaking.after)  # nobody led before
    ahead = replace(own(overtaking.before), seats=tuple(map(_scored, own(overtaking.before).seats, (0, 3))))
    assert DRAWING.is_moment(ahead, overtaking.after)


def _scored(view: SeatView, score: int) -> SeatView:
    return view._replace(score=score)
