"""Turns of Caravanserai in plain words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from arena.drawings.caravanserai.drawing import DRAWING
from engine.caravanserai.observation import Observation
from engine.caravanserai.state import CaravanseraiState
from tests.unit.drawings.played_steps import steps
from tests.unit.engine.caravanserai.positions import (
    OUT_OF_THE_WAY,
    a_caravan,
    a_match,
    a_position,
    play,
    view,
)

NAMES = ("anna", "bert")
EMPTY = (0, 0, 0, 0, 0)


def told(state: CaravanseraiState, *actions: str, names: tuple[str, ...] = NAMES) -> str:
    """The sentence of a turn."""
    return DRAWING.describe(steps(state, *actions), names).plain


def news(state: CaravanseraiState, *actions: str, names: tuple[str, ...] = NAMES) -> list[str]:
    """What followed from it."""
    return [text.plain for text in DRAWING.describe_events(steps(state, *actions), names)]


def a_start(**changes: object) -> CaravanseraiState:
    """Seat 0 leads from (-5,0) along the row whose inns, both white, are at (0,0) and (1,0)."""
    return a_position("-5,0c", OUT_OF_THE_WAY, **changes)  # type: ignore[arg-type]


def with_lengths(seen: Observation, *lengths: int) -> Observation:
    """The position with caravans of so many pieces."""
    caravans = [a_caravan(" ".join(f"{q},0R" for q in range(length))) for length in lengths]
    seats = [seat._replace(caravan=new) for seat, new in zip(seen.seats, caravans, strict=True)]
    return replace(seen, seats=tuple(seats))


@pytest.mark.parametrize(
    ("actions", "sentence"),
    [
        (["CAMEL(0)"], "lays a camel at (-4,0)"),
        (["START(0,R,1)", "CAMEL(0)"], "lays 1 red and a camel at (-3,0)"),
        (
            ["START(0,R,1)", "START(0,K,2)", "CONTINUE(0)", "START(0,P,3)", "CONTINUE(0)", "CONTINUE(0)"],
            "lays 1 red, 2 black and 3 purple on the white inn at (1,0)",
        ),
        (["START(0,R,1)", "START(0,K,2)"], "lays 1 red and 1 of 2 black at (-3,0)"),
        (
            ["CAMEL(0)", "SEED(W,0,0)"],
            "lays a camel at (-4,0); puts on the board white at (0,0)",
        ),
    ],
)
def test_a_turn_is_one_sentence(actions: list[str], sentence: str) -> None:
    assert told(a_start(), *actions) == sentence


def test_an_opening_names_the_inn() -> None:
    """S54: with the seed of 32 zero bytes tile C-Y/1 lies at (2,-2), so that its inns are at (6,-4) and (6,-3)."""
    assert told(a_match(), "OPEN(6,-4)") == "opens on the yellow inn at (6,-4)"


def test_a_lying_camel_is_told_as_such() -> None:
    state = a_start(expert=True)
    assert told(state, "LYING(0)", "CAMEL(0)") == "lays a lying camel and a camel at (-3,0)"


def test_a_single_piece_of_a_block_is_told_by_itself() -> None:
    state = play(a_start(), "START(0,R,2)")
    assert told(state, "CONTINUE(0)") == "lays 1 of 2 red at (-3,0)"


def test_a_good_taken_from_a_seat_is_told_with_its_owner() -> None:
    """S31."""
    state = a_position("-1,0c", OUT_OF_THE_WAY, market=(0, 5, 5, 5, 5))
    turn = ("CAMEL(0)", "STEAL(1)")
    assert told(state, *turn) == "lays a camel on the white inn at (0,0); takes white from bert"


def test_loose_goods_that_were_used_or_sent_back_are_told() -> None:
    """S26, S27: the inns at (0,0) and (1,0) carry white goods."""
    state = a_position("-2,0c", OUT_OF_THE_WAY, loose="0,0 1,0")
    turn = ("START(0,K,1)", "START(0,W,2)", "CONTINUE(0,decline)", "CAMEL(0)")
    assert news(state, *turn)[:2] == [
        "Used from the board: white at (0,0).",
        "Back to the market: white from (1,0).",
    ]


def test_what_a_camel_earns_is_told_with_where_it_came_from() -> None:
    """S30."""
    state = a_position("-1,0c", OUT_OF_THE_WAY, loose="0,0")
    assert news(state, "CAMEL(0)")[0] == "Earned: white from the board and white from the market."


def test_a_good_that_nobody_has_is_told() -> None:
    """S31."""
    state = a_position("-1,0c", OUT_OF_THE_WAY, market=(0, 5, 5, 5, 5), goods="KPRY")
    assert news(state, "CAMEL(0)")[0] == "Earned: no white, which nobody has."


def test_the_count_and_what_comes_back_are_told() -> None:
    """S32 to S34: the block of 2 white goods covers white inns alone."""
    state = a_position("-4,0c -3,0l -2,0K -1,0c", OUT_OF_THE_WAY, expert=True, market=EMPTY)
    turn = ("START(0,W,1)", "START(0,K,2)", "CONTINUE(0)", "CAMEL(0)")
    assert news(state, *turn)[:1] == [
        "Count: 4 pieces less 1 omitted; back from the tail: 1 black and 2 camels."
    ]
    assert news(a_start(), "CAMEL(0)")[0] == "Count: 1 piece; back from the tail: 1 camel."


def test_goods_that_find_no_inn_are_told() -> None:
    """S35."""
    assert news(a_start(market=EMPTY), "CAMEL(0)")[1] == (
        "1 good fewer goes to the board: the market has none for a free inn."
    )
    solo = a_position("-5,0c", market=EMPTY)
    assert news(solo, "CAMEL(0)", names=("anna",))[1] == (
        "2 goods fewer go to the board: the market has none for a free inn."
    )


def test_a_length_that_changed_is_told_with_who_leads_now() -> None:
    """The white block covers a white inn and is not counted (S33)."""
    state = a_position("-1,0c", OUT_OF_THE_WAY)
    assert "Length: anna 1 → 2; anna takes the lead." in news(state, "START(0,W,1)", "CAMEL(0)")
    assert not any("Length" in line for line in news(a_start(), "CAMEL(0)"))


def test_pieces_change_no_length_before_they_are_counted() -> None:
    state = a_position("-1,0c", OUT_OF_THE_WAY)
    laid, counted = steps(state, "START(0,W,1)", "CAMEL(0)")
    assert DRAWING.describe_events([laid], NAMES) == []
    assert DRAWING.standing(laid.after, NAMES).plain == "bert 1, anna 1"
    assert not DRAWING.is_moment(laid.before, laid.after)
    last = [text.plain for text in DRAWING.describe_events([counted], NAMES)][-1]
    assert last == "Length: anna 1 → 2; anna takes the lead."


def test_the_lengths_of_the_opening_are_no_news() -> None:
    assert news(a_match(), "OPEN(6,-4)") == ["Earned: yellow from the market."]


def test_a_new_level_is_told_in_solo() -> None:
    """S43: 25 is a Camel driver."""
    [step] = steps(a_position("-5,0c"), "CAMEL(0)")
    below, reached = (replace(step, after=with_lengths(view(a_position("-5,0c")), n)) for n in (24, 25))
    assert not any("Level" in text.plain for text in DRAWING.describe_events([below], ("anna",)))
    assert "Level: Camel driver." in [text.plain for text in DRAWING.describe_events([reached], ("anna",))]


def test_the_empty_market_is_told_with_the_last_round() -> None:
    """S36, S37."""
    state = a_position("-1,0c", OUT_OF_THE_WAY, market=(1, 0, 0, 0, 0), round=4)
    assert "The market is empty: round 5 is the last round." in news(state, "CAMEL(0)")
    solo = a_position("-1,0c", market=(1, 0, 0, 0, 0), round=4)
    assert "The market is empty: this is the last round." in news(solo, "CAMEL(0)", names=("anna",))


@pytest.mark.parametrize(
    ("bert", "camels", "why"),
    [(OUT_OF_THE_WAY, (7, 0), "no camel is left"), ("2,-7R 2,-6R 3,-6R 3,-7c", (7, 7), "there is no room")],
)
def test_who_is_skipped_is_told_with_the_reason(bert: str, camels: tuple[int, int], why: str) -> None:
    """S16."""
    state = a_position("-5,0c", bert, camels=camels, market=EMPTY)
    assert f"bert is skipped: {why}." in news(state, "CAMEL(0)")


def test_the_end_is_told() -> None:
    """S39: nobody has a camel left."""
    state = a_position("-5,0R -4,0c", OUT_OF_THE_WAY, camels=(1, 0), market=EMPTY)
    assert news(state, "CAMEL(0)")[-1] == "Nobody can lay any more: the match ends."


def test_a_turn_is_a_round_of_one_seat() -> None:
    """S15: each seat has one turn in each round, and the opening is round 0 (S14)."""
    assert DRAWING.turn(view(a_match())) == 0
    assert DRAWING.turn(view(a_start(round=7))) == 7


def test_a_heading_says_how_the_seat_stands() -> None:
    assert DRAWING.heading(view(a_match())) == "opening"
    assert DRAWING.heading(view(a_start())) == "length 1, 7 camels in the reserve"
    assert DRAWING.heading(view(a_start(camels=(1, 7), trigger=3, round=4))) == (
        "length 1, 1 camel in the reserve, last round"
    )


def test_the_standing_has_the_longest_caravan_first_and_the_level_in_solo() -> None:
    assert DRAWING.standing(with_lengths(view(a_start()), 3, 9), NAMES).plain == "bert 9, anna 3"
    solo = view(a_position("-5,0c"))
    assert DRAWING.standing(with_lengths(solo, 30), ("anna",)).plain == "anna 30 (Great camel driver)"
    assert DRAWING.standing(with_lengths(solo, 9), ("anna",)).plain == "anna 9"


def test_the_board_is_worth_a_look_at_great_moments() -> None:
    seen = view(a_start())
    behind, ahead = with_lengths(seen, 3, 4), with_lengths(seen, 5, 4)
    assert DRAWING.is_moment(behind, ahead)
    assert not DRAWING.is_moment(behind, with_lengths(seen, 4, 4))
    assert DRAWING.is_moment(behind, replace(behind, trigger=1))
    assert not DRAWING.is_moment(replace(behind, trigger=1), replace(behind, trigger=1, round=2))
    assert DRAWING.is_moment(replace(behind, round=0), behind)
    assert DRAWING.is_moment(replace(behind, round=9), replace(behind, round=10))
    assert not DRAWING.is_moment(replace(behind, round=10), replace(behind, round=11))
    solo = view(a_position("-5,0c"))
    assert DRAWING.is_moment(with_lengths(solo, 29), with_lengths(solo, 31))
    assert not DRAWING.is_moment(with_lengths(solo, 25), with_lengths(solo, 29))
