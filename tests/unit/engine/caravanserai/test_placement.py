"""S16 to S29: laying pieces."""

from typing import Any

import pytest

from engine.caravanserai.events import Skipped, SkipReason
from engine.caravanserai.observation import Decision, Placement
from engine.caravanserai.pieces import Piece
from engine.caravanserai.state import CaravanseraiState
from tests.unit.engine.caravanserai.positions import (
    OUT_OF_THE_WAY,
    PURPLE_MIDDLE,
    a_position,
    caravan,
    events_of,
    view,
)
from tests.unit.engine.playing import legal, may, play, refused

MANY = "WKPRY" * 4

AROUND_THE_MIDDLE = "1,0c 0,1W -1,1W 0,-1W 1,-1W"
"""All neighbours of 0,0 but -1,0."""


def test_s16_a_seat_without_a_camel_is_skipped() -> None:
    state = play(a_position("-4,0c", OUT_OF_THE_WAY, camels=(7, 0)), "CAMEL(0)")
    assert Skipped(1, SkipReason.NO_CAMEL) in events_of(state, "SEED(W,0,0)")
    assert (view(state).round, state.seat_to_act) == (2, 0)


def test_s16_a_seat_without_room_around_its_leading_camel_is_skipped() -> None:
    walls = f"-1,0W {AROUND_THE_MIDDLE.replace('c', 'W')}"
    state = a_position(f"-5,-1W {walls} -5,-2c", "0,0c")
    assert Skipped(1, SkipReason.BLOCKED) in events_of(state, "CAMEL(0)")
    assert (view(state).round, state.seat_to_act) == (2, 0)


def test_s17_a_turn_is_placement_count_taking_back_and_moving_goods_to_the_board() -> None:
    state = a_position("-4,0c", OUT_OF_THE_WAY)
    play(state, "START(0,P,1)")
    assert (state.seat_to_act, view(state).decision) == (0, Decision.STEP)
    play(state, "CAMEL(0)")
    assert (state.seat_to_act, view(state).decision) == (0, Decision.SEED_GOOD)
    assert caravan(state) == "-2,0c"
    play(state, "SEED(W,0,0)")
    assert (state.seat_to_act, view(state).decision) == (1, Decision.STEP)


def test_s18_each_step_lays_one_piece_beside_the_one_before_and_a_camel_ends_the_placement() -> None:
    state = play(a_position("-4,0c", OUT_OF_THE_WAY), "START(1,P,1)")
    assert caravan(state) == "-4,0c -4,1P"
    play(state, "START(1,W,2)")
    assert caravan(state) == "-4,0c -4,1P -4,2W"
    assert view(state).placement == Placement((Piece.PURPLE, Piece.WHITE), 2, 1, ())
    play(state, "CONTINUE(1)", "CAMEL(1)")
    assert view(state).placement is None


def test_s25_goods_that_a_lying_camel_brought_are_in_the_reserve() -> None:
    tiles = {(0, 0): "A-P/0"}
    state = a_position("-1,0c", OUT_OF_THE_WAY, goods="P", tiles=tiles, expert=True)
    assert not may(state, "START(0,P,2)")
    play(state, "LYING(0)")
    assert view(state).seats[0].goods[2] == 2
    assert may(state, "START(1,P,2)")


def test_s26_a_loose_good_of_the_blocks_colour_is_used_or_declined() -> None:
    state = a_position("-1,0c", OUT_OF_THE_WAY, goods="P", tiles=PURPLE_MIDDLE, loose="0,0")
    assert {"START(0,P,1)", "START(0,P,1,decline)"} <= set(legal(state))
    used, declined = state.clone(), state.clone()
    play(used, "START(0,P,1)")
    assert (view(used).seats[0].goods[2], view(used).market[2], view(used).loose) == (1, 5, ())
    play(declined, "START(0,P,1,decline)")
    assert (view(declined).seats[0].goods[2], view(declined).market[2], view(declined).loose) == (0, 6, ())
    assert view(declined).placement == Placement((Piece.PURPLE,), 1, 0, (0,))


def test_s27_a_loose_good_of_another_colour_goes_to_the_market_at_once() -> None:
    state = a_position("-1,0c", OUT_OF_THE_WAY, tiles=PURPLE_MIDDLE, loose="0,0")
    play(state, "START(0,R,2)")
    seen = view(state)
    assert (seen.market[2], seen.loose, seen.seats[0].goods[3]) == (6, (), 2)


def test_s27_under_a_camel_a_loose_good_never_goes_to_the_market() -> None:
    state = play(a_position("-1,0c", OUT_OF_THE_WAY, tiles=PURPLE_MIDDLE, loose="0,0"), "CAMEL(0)")
    assert view(state).market[2] == 4  # it is less by the one of S30


def test_s28_a_block_needs_its_goods_in_the_reserve_or_loose_on_its_way() -> None:
    def fits(head: str, loose: str, goods: str = "P") -> bool:
        state = a_position(f"{head}c", OUT_OF_THE_WAY, goods=goods, tiles=PURPLE_MIDDLE, loose=loose)
        return may(state, "START(0,P,2)")

    assert not fits("-2,0", "")
    assert fits("-2,0", "0,0")
    assert fits("-1,0", "1,0")
    assert fits("-1,0", "0,0 1,0", goods="")
    assert not fits("-3,0", "0,0")  # it lies where the camel goes
    assert fits("-3,0", "", goods="PP")


def laid(caravan: str, *steps: str, other: str = OUT_OF_THE_WAY, **more: Any) -> CaravanseraiState:
    """Return the position of the caravan after these steps."""
    return play(a_position(caravan, other, **more), *steps)


def camels(*directions: int) -> list[str]:
    return [f"CAMEL({direction})" for direction in directions]


LYING = laid("-5,0c", "LYING(0)", expert=True)
ONE, TWO = laid("-5,0c", "START(0,P,1)", goods=MANY), laid("-5,0c", "START(0,P,2)")
POCKET = "-1,1c 0,1W 1,1W 2,0W 2,-1W 1,-1W 0,-1W"
"""The inns 0,0 and 1,0 are a pocket of two cells: a block of two fits, but no camel after it."""
CORNER = "1,0c 0,1W -1,1W 1,-1W"
"""Only 0,-1 is left beside 0,0."""
LOOSE: dict[str, Any] = {"tiles": PURPLE_MIDDLE, "loose": "0,0"}


@pytest.mark.parametrize(
    ("state", "kind", "listed"),
    [
        (laid("-4,0c", goods=""), "", camels(*range(6))),  # S16: who can lay has no way to pass
        (laid("-3,0c"), "CAMEL", camels(*range(6))),  # S19: the first step goes in any direction
        (ONE, "CAMEL", camels(0)),  # the next ones keep it,
        (laid("-1,0c", "START(0,P,2)"), "", [f"CONTINUE({direction})" for direction in (0, 1, 2, 4, 5)]),
        (laid("-1,0c", "START(0,P,2)", "CONTINUE(1)"), "CAMEL", camels(1)),  # but after an inn,
        (LYING, "CAMEL", camels(0, 1, 2, 4, 5)),  # or a lying camel
        (laid("-1,1W -2,0c -1,0c", "START(0,P,1)"), "CAMEL", camels(0, 1, 4, 5)),  # S20: back is the caravan
        (TWO, "", ["CONTINUE(0)"]),  # S21: an unfinished block is continued,
        (laid("-5,0c", "START(0,P,2)", "CONTINUE(0)"), "CONTINUE", []),  # and a finished one is not
        (laid("-5,0c -4,0P -3,0c"), "CONTINUE", []),
        (laid("-1,0c", "START(0,P,2)", other=CORNER), "", ["CONTINUE(4)"]),  # S28: for every piece
    ],
)
def test_s16_s19_s20_s21_s28_steps_that_are_listed(
    state: CaravanseraiState, kind: str, listed: list[str]
) -> None:
    assert legal(state, kind) == listed


@pytest.mark.parametrize(
    ("state", "blocks"),
    [
        (laid("-4,0c", goods="PP"), ["P,1", "P,2"]),  # S22: the first one has size 1 or 2,
        (laid("-4,0c", goods="PP", expert=True), ["P,1"]),  # in expert 1,
        (ONE, ["W,2", "K,2", "R,2", "Y,2"]),  # and each is one larger and of another colour (S23)
        (laid("-5,0c", "START(0,P,2)", "CONTINUE(0)", goods="PPRRR"), ["R,3"]),
        (laid("-5,0P -4,0c", goods="P"), ["P,1"]),  # the piece behind the leading camel does not matter,
        (laid("-5,0c", "START(0,P,1)", "LYING(0)", goods=MANY, expert=True), [f"{c},3" for c in "WKPRY"]),
        (laid("-5,0c", "LYING(0)", goods="PP", expert=True), ["P,2"]),  # S24: a lying camel is a block
    ],
)
def test_s22_s23_s24_blocks_that_may_start(state: CaravanseraiState, blocks: list[str]) -> None:
    starts = [text for text in legal(state, "START") if text.startswith("START(0,")]
    assert starts == [f"START(0,{block})" for block in blocks]


@pytest.mark.parametrize(
    ("state", "action"),
    [
        (laid("-1,0c", loose="0,0"), "CAMEL(0)"),  # S20: a loose good does not occupy its cell
        (laid("-5,0c", camels=(2, 7), expert=True), "LYING(0)"),
        (laid("-5,0c", "LYING(0)", "START(0,P,2)", "CONTINUE(0)", expert=True), "START(0,W,3)"),
        (laid("-1,0c", goods="W", **LOOSE), "START(0,P,1)"),
        (laid("3,0c"), "START(0,P,1)"),
        (laid("-2,0c", other="1,0c"), "START(0,P,2)"),  # S28: on the inn 0,0 the camel turns
        (laid("-1,0c", other="1,0c"), "START(0,P,1)"),
        (laid("-1,0c", other=AROUND_THE_MIDDLE), "CAMEL(0)"),
        (laid("-1,0c", other=POCKET), "START(0,P,1)"),
        (laid("-1,0c", goods="P", **LOOSE), "START(0,P,2)"),
        (laid("-1,0c", other=AROUND_THE_MIDDLE, expert=True), "CAMEL(0)"),
        (laid("3,0c", expert=True), "LYING(0)"),
        (laid("4,0c", expert=True), "LYING(0)"),  # S29: the camel behind it turns
    ],
)
def test_s20_s24_s26_s28_s29_steps_that_are_legal(state: CaravanseraiState, action: str) -> None:
    assert may(state, action)


@pytest.mark.parametrize(
    ("state", "action", "words"),
    [
        (ONE, "CAMEL(1)", "S19 direction 0 turns"),
        (laid("4,0c 5,0c", other="5,-1c"), "CAMEL(0)", "S20 board ends"),
        (laid("4,0c 5,0c", other="5,-1c"), "CAMEL(3)", "S20 4,0 occupied"),
        (laid("4,0c 5,0c", other="5,-1c"), "CAMEL(4)", "S20 5,-1 occupied"),
        (laid("-1,0c", "START(0,P,2)", other=CORNER), "CONTINUE(1)", "S20 occupied"),
        (TWO, "CAMEL(0)", "S21 lacks 1"),
        (laid("-5,0c", "START(0,P,2)", "CONTINUE(0)"), "CONTINUE(0)", "S21 no unfinished"),
        (laid("-4,0c"), "START(0,P,3)", "S22 size 1 2 3"),
        (laid("-4,0c", expert=True), "START(0,P,3)", "S22 size 1 3"),
        (ONE, "START(0,P,2)", "S23 before purple"),
        (laid("-5,0c"), "LYING(0)", "S24 expert"),
        (LYING, "LYING(0)", "S24 one lying two"),
        (laid("-5,0c", camels=(1, 7), expert=True), "LYING(0)", "S24 two"),
        (laid("-5,0c", "START(0,P,2)", "CONTINUE(0)", goods="PPW"), "START(0,R,3)", "S25 reserve no red"),
        (laid("-1,0c", goods="W", **LOOSE), "START(0,P,1,decline)", "S25 reserve no purple"),
        (laid("-1,0c", goods="W", **LOOSE), "START(0,W,1,decline)", "S26 no loose white"),
        (laid("3,0c"), "START(0,P,2)", "S28 camel behind"),
        (laid("4,0c"), "START(0,P,1)", "S28"),
        (laid("-3,0c", other="0,0c"), "START(0,P,2)", "S28"),
        (laid("-1,0c", other=AROUND_THE_MIDDLE), "START(0,P,1)", "S28"),
        (laid("-1,0c", other=POCKET), "START(0,P,2)", "S28"),
        (laid("-1,0c", goods="P", **LOOSE), "START(0,P,2,decline)", "S28"),
        (laid("-1,0c", other=AROUND_THE_MIDDLE, expert=True), "LYING(0)", "S29 no camel behind"),
    ],
)
def test_s19_s20_s21_s22_s23_s24_s25_s26_s28_s29_steps_that_are_refused(
    state: CaravanseraiState, action: str, words: str
) -> None:
    refused(state, action, words)


def test_s25_a_good_comes_from_the_reserve() -> None:
    assert view(laid("-5,0c", "START(0,P,2)", goods="PPW")).seats[0].goods == (1, 0, 1, 0, 0)


def test_s24_a_lying_camel_is_seen_as_a_block_of_size_1() -> None:
    assert view(LYING).placement == Placement((Piece.LYING,), 1, 0, ())
