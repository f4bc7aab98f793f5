"""Turns of Caravan in plain words."""

from dataclasses import replace

from arena.drawings.caravan.board import own
from arena.drawings.caravan.drawing import DRAWING
from engine.caravan.state import CaravanState
from tests.unit.cli.screens import check_screen
from tests.unit.drawings.played_steps import news, steps, words
from tests.unit.engine.caravan.positions import BAG_EMPTY, EIGHT_MEAT, a_position

NAMES = ("anna", "bert")
FIVE_MEAT = {number: EIGHT_MEAT[number] for number in range(1, 6)}
"""Goods of which one is picked up before the refill (C15)."""

TURNS: dict[str, tuple[CaravanState, str]] = {
    "no action": (a_position("", ""), "PASS"),
    "a camel": (a_position("", ""), "PLACE(24)"),
    "three camels": (a_position("", ""), "PLACE(24) PLACE(3) PLACE(0)"),
    "a move": (a_position("9 10", ""), "MOVE(9,3) PASS"),
    "a good": (a_position("0", ""), "PICK_UP(0)"),
    "goods with demand markers": (a_position("0 6", "", markers={1: 1, 2: 3}), "PICK_UP(0) PICK_UP(6)"),
    "a delivery": (a_position("10:ivory 3", ""), "MOVE_GOOD(10,ivory,3)"),
    "a good moved on": (a_position("10:ivory 11", ""), "MOVE_GOOD(10,ivory,11)"),
    "a theft": (a_position("9", "9:gems"), "STEAL(9,1,gems)"),
    "C15: the last goods of the bag": (
        a_position("0", "", goods=FIVE_MEAT, bag=(4, *BAG_EMPTY[1:])),
        "PICK_UP(0)",
    ),
}


def test_turns_in_words() -> None:
    check_screen(
        "words/caravan",
        {title: words(DRAWING, steps(state, *turn.split()), NAMES) for title, (state, turn) in TURNS.items()},
    )


def test_a_refill_names_the_goods_and_their_spaces() -> None:
    """C15: the pick-up that leaves four goods on the spaces."""
    [refill, *_] = news(DRAWING, steps(a_position("0", "", goods=FIVE_MEAT), "PICK_UP(0)"), NAMES)
    assert refill.startswith("Refill: ")
    assert refill.endswith(".")
    assert all(f" on ({number})" in refill for number in (1, 6, 7, 8))


def test_the_board_is_shown_again_when_a_delivery_changes_the_lead() -> None:
    [overtaking] = steps(a_position("10:ivory 3", "", markers={}), "MOVE_GOOD(10,ivory,3)")
    [quiet] = steps(a_position("9", ""), "MOVE(9,10)")
    assert news(DRAWING, [quiet], NAMES) == []
    assert not DRAWING.is_moment(quiet.before, quiet.after)
    assert not DRAWING.is_moment(overtaking.before, overtaking.after)  # nobody led before
    before = own(overtaking.before)
    seats = tuple(seat._replace(score=score) for seat, score in zip(before.seats, (0, 3), strict=True))
    assert DRAWING.is_moment(replace(before, seats=seats), overtaking.after)
