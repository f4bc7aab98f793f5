"""S16 to S29: laying pieces."""

from __future__ import annotations

import pytest

from engine.caravanserai.events import Skipped, SkipReason
from engine.caravanserai.observation import Decision, Placement
from engine.caravanserai.pieces import Piece
from tests.unit.engine.caravanserai.positions import (
    OUT_OF_THE_WAY,
    PURPLE_MIDDLE,
    a_position,
    caravan,
    events_of,
    legal,
    may,
    play,
    refused,
    view,
)

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


def test_s16_a_seat_that_can_lay_has_no_way_to_pass() -> None:
    state = a_position("-4,0c", OUT_OF_THE_WAY, goods="")
    assert legal(state) == [f"CAMEL({direction})" for direction in range(6)]


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


def test_s19_the_first_step_goes_in_any_direction() -> None:
    state = a_position("-3,0c", OUT_OF_THE_WAY)
    assert legal(state, "CAMEL") == [f"CAMEL({direction})" for direction in range(6)]


def test_s19_the_next_steps_keep_the_direction() -> None:
    state = play(a_position("-4,0c", OUT_OF_THE_WAY), "START(0,P,1)")
    assert legal(state, "CAMEL") == ["CAMEL(0)"]
    refused(state, "CAMEL(1)", "S19 direction 0 turns")


def test_s19_after_an_inn_the_placement_may_turn_also_within_a_block() -> None:
    state = play(a_position("-1,0c", OUT_OF_THE_WAY), "START(0,P,2)")
    assert caravan(state).endswith("0,0P")
    assert legal(state) == [f"CONTINUE({direction})" for direction in (0, 1, 2, 4, 5)]
    play(state, "CONTINUE(1)")
    assert legal(state, "CAMEL") == ["CAMEL(1)"]


def test_s19_after_a_lying_camel_the_placement_may_turn() -> None:
    state = play(a_position("-4,0c", OUT_OF_THE_WAY, expert=True), "LYING(0)")
    assert legal(state, "CAMEL") == [f"CAMEL({direction})" for direction in (0, 1, 2, 4, 5)]


@pytest.mark.parametrize(
    ("action", "words"),
    [
        ("CAMEL(0)", "S20 board ends"),
        ("CAMEL(3)", "S20 4,0 occupied"),
        ("CAMEL(4)", "S20 5,-1 occupied"),
    ],
)
def test_s20_a_piece_goes_on_no_caravan_and_not_off_the_board(action: str, words: str) -> None:
    refused(a_position("4,0c 5,0c", "5,-1c"), action, words)


def test_s20_the_pieces_of_this_placement_and_of_the_tail_are_in_the_way() -> None:
    state = play(a_position("-1,1W -2,0c -1,0c", OUT_OF_THE_WAY), "START(0,P,1)")
    # on the inn 0,0: back is the caravan, and -1,1 its tail
    assert legal(state, "CAMEL") == [f"CAMEL({direction})" for direction in (0, 1, 4, 5)]


def test_s20_a_loose_good_does_not_occupy_its_cell() -> None:
    assert may(a_position("-1,0c", OUT_OF_THE_WAY, loose="0,0"), "CAMEL(0)")


def test_s21_an_unfinished_block_is_continued_and_a_finished_one_is_not() -> None:
    state = play(a_position("-5,0c", OUT_OF_THE_WAY), "START(0,P,2)")
    assert legal(state) == ["CONTINUE(0)"]
    refused(state, "CAMEL(0)", "S21 lacks 1")
    play(state, "CONTINUE(0)")
    assert legal(state, "CONTINUE") == []
    refused(state, "CONTINUE(0)", "S21 no unfinished")


def test_s21_the_first_step_continues_nothing() -> None:
    assert legal(a_position("-5,0c -4,0P -3,0c", OUT_OF_THE_WAY), "CONTINUE") == []


@pytest.mark.parametrize(("expert", "sizes"), [(False, ["1", "2"]), (True, ["1"])])
def test_s22_the_first_block_has_size_1_or_2_in_expert_1(expert: bool, sizes: list[str]) -> None:
    state = a_position("-4,0c", OUT_OF_THE_WAY, expert=expert)
    starts = [text for text in legal(state, "START") if text.startswith("START(0,P,")]
    assert starts == [f"START(0,P,{size})" for size in sizes]
    refused(state, "START(0,P,3)", f"S22 size 3 {' '.join(sizes)}")


@pytest.mark.parametrize("first", [1, 2])
def test_s22_every_later_block_is_one_larger(first: int) -> None:
    state = play(a_position("-5,0c", OUT_OF_THE_WAY), f"START(0,P,{first})")
    play(state, *["CONTINUE(0)"] * (first - 1))
    assert {text.split(",")[2] for text in legal(state, "START")} == {f"{first + 1})"}


def test_s23_a_block_differs_from_the_one_before_it() -> None:
    state = play(a_position("-5,0c", OUT_OF_THE_WAY, goods=MANY), "START(0,P,1)")
    assert [text.split(",")[1] for text in legal(state, "START")] == ["W", "K", "R", "Y"]
    refused(state, "START(0,P,2)", "S23 before purple")
    play(state, "START(0,W,2)", "CONTINUE(0)")
    assert may(state, "START(0,P,3)")


def test_s23_the_first_block_may_have_the_colour_of_the_piece_behind_the_leading_camel() -> None:
    assert may(a_position("-5,0P -4,0c", OUT_OF_THE_WAY), "START(0,P,1)")


def test_s23_after_a_lying_camel_any_colour_may_follow() -> None:
    state = play(a_position("-5,0c", OUT_OF_THE_WAY, goods=MANY, expert=True), "START(0,P,1)", "LYING(0)")
    assert [text for text in legal(state, "START") if "(0," in text] == [f"START(0,{c},3)" for c in "WKPRY"]


def test_s24_a_lying_camel_belongs_to_the_expert_rules() -> None:
    refused(a_position("-5,0c", OUT_OF_THE_WAY), "LYING(0)", "S24 expert")


def test_s24_one_camel_lies_in_a_placement() -> None:
    state = play(a_position("-5,0c", OUT_OF_THE_WAY, expert=True), "LYING(0)")
    refused(state, "LYING(0)", "S24 one lying two")


@pytest.mark.parametrize(("camels", "legal_there"), [(1, False), (2, True)])
def test_s24_a_lying_camel_needs_another_one_in_the_reserve(camels: int, legal_there: bool) -> None:
    state = a_position("-5,0c", OUT_OF_THE_WAY, camels=(camels, 7), expert=True)
    assert may(state, "LYING(0)") is legal_there


def test_s24_a_lying_camel_stands_for_a_block_of_the_size_that_was_due() -> None:
    state = play(a_position("-5,0c", OUT_OF_THE_WAY, expert=True), "LYING(0)")
    assert view(state).placement == Placement((Piece.LYING,), 1, 0, ())
    assert may(state, "START(0,P,2)")
    play(state, "START(0,P,2)", "CONTINUE(0)")
    assert may(state, "START(0,W,3)")


def test_s25_a_good_comes_from_the_reserve() -> None:
    state = a_position("-5,0c", OUT_OF_THE_WAY, goods="PPW")
    play(state, "START(0,P,2)")
    assert view(state).seats[0].goods == (1, 0, 1, 0, 0)
    refused(state, "CONTINUE(1)", "S19")
    play(state, "CONTINUE(0)")
    refused(state, "START(0,R,3)", "S25 reserve no red")


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


def test_s26_declining_needs_an_own_good_and_a_loose_one() -> None:
    state = a_position("-1,0c", OUT_OF_THE_WAY, goods="W", tiles=PURPLE_MIDDLE, loose="0,0")
    assert may(state, "START(0,P,1)")
    refused(state, "START(0,P,1,decline)", "S25 reserve no purple")
    refused(state, "START(0,W,1,decline)", "S26 no loose white")


def test_s27_a_loose_good_of_another_colour_goes_to_the_market_at_once() -> None:
    state = a_position("-1,0c", OUT_OF_THE_WAY, tiles=PURPLE_MIDDLE, loose="0,0")
    play(state, "START(0,R,2)")
    seen = view(state)
    assert (seen.market[2], seen.loose, seen.seats[0].goods[3]) == (6, (), 2)


def test_s27_under_a_camel_a_loose_good_never_goes_to_the_market() -> None:
    state = play(a_position("-1,0c", OUT_OF_THE_WAY, tiles=PURPLE_MIDDLE, loose="0,0"), "CAMEL(0)")
    assert view(state).market[2] == 4  # it is less by the one of S30


def test_s28_a_block_needs_room_for_itself_and_a_camel() -> None:
    state = a_position("3,0c", OUT_OF_THE_WAY)
    assert may(state, "START(0,P,1)")
    refused(state, "START(0,P,2)", "S28 camel behind")
    refused(a_position("4,0c", OUT_OF_THE_WAY), "START(0,P,1)", "S28")


def test_s28_a_block_that_passes_an_inn_finds_room_around_the_corner() -> None:
    wall = "1,0c"
    assert may(a_position("-2,0c", wall), "START(0,P,2)")  # -1,0 and 0,0, then the camel turns
    assert not may(a_position("-3,0c", "0,0c"), "START(0,P,2)")


def test_s28_the_inn_under_the_piece_just_laid_is_a_corner_too() -> None:
    assert may(a_position("-1,0c", "1,0c"), "START(0,P,1)")
    assert not may(a_position("-1,0c", AROUND_THE_MIDDLE), "START(0,P,1)")
    assert may(a_position("-1,0c", AROUND_THE_MIDDLE), "CAMEL(0)")


def test_s28_a_chain_does_not_cross_itself() -> None:
    # The inns 0,0 and 1,0 are a pocket of two cells: a block of two fits, but no camel after it.
    wall = "-1,1c 0,1W 1,1W 2,0W 2,-1W 1,-1W 0,-1W"
    state = a_position("-1,0c", wall)
    assert may(state, "START(0,P,1)")
    assert not may(state, "START(0,P,2)")


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


def test_s28_a_declined_loose_good_does_not_help() -> None:
    state = a_position("-1,0c", OUT_OF_THE_WAY, goods="P", tiles=PURPLE_MIDDLE, loose="0,0")
    assert may(state, "START(0,P,2)")
    refused(state, "START(0,P,2,decline)", "S28")


def test_s28_holds_for_every_piece_of_a_block() -> None:
    wall = "1,0c 0,1W -1,1W 1,-1W"  # only 0,-1 is left beside 0,0
    state = play(a_position("-1,0c", wall), "START(0,P,2)")
    assert legal(state) == ["CONTINUE(4)"]
    refused(state, "CONTINUE(1)", "S20 occupied")


def test_s29_a_lying_camel_needs_a_free_neighbour() -> None:
    state = a_position("-1,0c", AROUND_THE_MIDDLE, expert=True)
    refused(state, "LYING(0)", "S29 no camel behind")
    assert may(state, "CAMEL(0)")
    assert may(a_position("3,0c", OUT_OF_THE_WAY, expert=True), "LYING(0)")
    assert may(a_position("4,0c", OUT_OF_THE_WAY, expert=True), "LYING(0)")  # the camel then turns
