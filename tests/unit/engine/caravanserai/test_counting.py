"""S32 to S35: the count, taking back, and goods that go to the board."""

from typing import Any

import pytest

from engine.caravanserai.events import Counted, SeedLost, TakenBack
from engine.caravanserai.hexes import Cell
from engine.caravanserai.pieces import Piece
from tests.unit.engine.caravanserai.positions import (
    OUT_OF_THE_WAY,
    PURPLE_MIDDLE,
    a_position,
    caravan,
    events_of,
    view,
)
from tests.unit.engine.playing import legal, play, refused

PURPLE_TURNED = {(0, 0): "A-P/1"}
"""Purple inns on 0,0 and 0,1: one in the row r=0."""


TWO_PURPLE = ["START(0,P,2)", "CONTINUE(0)"]
THREE_PURPLE = ["START(0,P,3)", "CONTINUE(0)", "CONTINUE(0)"]
# The tile (1,0) has its centre on 2,1; turned by four its other inn is 2,0, beside the purple one on 1,0.
WHITE_BESIDE, PURPLE_BESIDE = PURPLE_MIDDLE | {(1, 0): "A-W/4"}, PURPLE_MIDDLE | {(1, 0): "A-P/4"}


@pytest.mark.parametrize(
    ("steps", "more", "laid", "omitted"),
    [
        (["START(0,R,1)", *TWO_PURPLE, "CAMEL(0)"], {}, 4, 2),
        ([*TWO_PURPLE, "CAMEL(0)"], {}, 3, 2),  # over an inn of its own colour
        (["START(0,R,2)", "CONTINUE(0)", "CAMEL(0)"], {}, 3, 0),  # over one of another colour
        (["START(0,R,1)", "CAMEL(0)"], {}, 2, 0),  # over none
        (
            ["START(0,R,1)", *TWO_PURPLE, "CAMEL(0)"],
            {"tiles": PURPLE_MIDDLE},
            4,
            2,
        ),  # over two (rulebook 7.3)
        (["START(0,R,2)", "CONTINUE(0)", *THREE_PURPLE, "CAMEL(0)"], {"tiles": WHITE_BESIDE}, 6, 0),
        (["START(0,R,2)", "CONTINUE(0)", *THREE_PURPLE, "CAMEL(0)"], {"tiles": PURPLE_BESIDE}, 6, 3),
        ([*TWO_PURPLE, "CAMEL(0)"], {"loose": "0,0"}, 3, 2),
        (["START(0,P,2)", "CONTINUE(0,decline)", "CAMEL(0)"], {"loose": "0,0"}, 3, 0),
        (["START(0,R,1)", "CAMEL(0)"], {"tiles": PURPLE_MIDDLE}, 2, 0),  # a camel on an inn is counted
        (["START(0,P,1)", "LYING(0)", "CAMEL(1)"], {"expert": True}, 3, 0),  # a lying camel separates blocks
    ],
)
def test_s32_s33_the_count_is_all_that_was_laid_without_the_omitted_blocks(
    steps: list[str], more: dict[str, Any], laid: int, omitted: int
) -> None:
    """From -2,0 in direction 0 with a tail of four pieces."""
    state = a_position("-5,0c -4,0W -3,0W -2,0c", OUT_OF_THE_WAY, **{"tiles": PURPLE_TURNED, **more})
    assert Counted(0, laid, omitted, laid - omitted) in events_of(state, *steps)


def test_s34_so_many_pieces_leave_the_tail_for_the_reserve() -> None:
    state = a_position("-5,0c -4,0W -3,0W -2,0c", OUT_OF_THE_WAY, goods="PPR", tiles=PURPLE_TURNED)
    events = events_of(state, "START(0,R,1)", "START(0,P,2)", "CONTINUE(0)", "CAMEL(0)")
    taken = [event for event in events if isinstance(event, TakenBack)]
    assert taken == [TakenBack(0, (Cell(-5, 0), Cell(-4, 0)), (Piece.CAMEL, Piece.WHITE))]
    assert caravan(state) == "-3,0W -2,0c -1,0R 0,0P 1,0P 2,0c"
    assert (view(state).seats[0].camels, view(state).seats[0].goods) == (6, (1, 0, 0, 0, 0))


def test_s34_pieces_of_this_placement_may_be_among_them_but_not_its_camel() -> None:
    state = play(a_position("-4,0c", OUT_OF_THE_WAY), "START(0,P,2)", "CONTINUE(0)", "CAMEL(0)")
    assert caravan(state) == "-1,0c"
    assert view(state).seats[0].goods == (3, 3, 3, 3, 3)


@pytest.mark.parametrize(
    ("caravans", "expert", "seeds"),
    [
        (["-4,0c"], False, 2),  # two in solo
        (["-4,0c", OUT_OF_THE_WAY], False, 1),
        (["-5,0l -4,0c", OUT_OF_THE_WAY], True, 1),  # a lying camel counts as a camel
        (["-5,0W -4,0c", OUT_OF_THE_WAY], False, 0),  # without a camel nothing moves
    ],
)
def test_s35_each_camel_taken_back_moves_a_good_to_the_board(
    caravans: list[str], expert: bool, seeds: int
) -> None:
    state = play(a_position(*caravans, expert=expert), "CAMEL(0)")
    assert view(state).seeds == seeds
    assert state.seat_to_act == (0 if seeds else 1)


def test_s35_two_camels_taken_back_move_two_goods() -> None:
    state = play(a_position("-5,0c -4,0c -3,0c", OUT_OF_THE_WAY), "START(0,P,1)", "CAMEL(0)")
    assert view(state).seeds == 2
    play(state, "SEED(W,1,0)")
    assert (view(state).market[0], view(state).loose) == (4, (Cell(1, 0),))
    assert (state.seat_to_act, view(state).seeds) == (0, 1)
    play(state, "SEED(W,0,0)")
    assert (state.seat_to_act, view(state).seeds) == (1, 0)


def test_s35_cells_just_vacated_are_free() -> None:
    state = play(a_position("0,0c -1,0c", OUT_OF_THE_WAY), "CAMEL(3)")
    assert "SEED(W,0,0)" in legal(state)


@pytest.mark.parametrize(
    ("action", "words"),
    [
        ("SEED(P,0,0)", "0,0 no purple inn"),
        ("SEED(W,-1,0)", "-1,0 no white inn"),
        ("SEED(W,15,15)", "15,15 no white inn"),
        ("SEED(W,1,0)", "1,0 not free"),
        ("SEED(K,-2,-1)", "market no black"),
    ],
)
def test_s35_a_good_goes_to_a_free_cell_of_its_colour_from_the_market(action: str, words: str) -> None:
    tiles = {(-1, 0): "A-K/0"}
    state = a_position("-4,0c", OUT_OF_THE_WAY, tiles=tiles, loose="1,0", market=(5, 0, 5, 5, 5))
    play(state, "CAMEL(0)")
    refused(state, action, words)
    assert not [text for text in legal(state) if text.startswith("SEED(K")]


def test_s35_what_cannot_be_moved_is_dropped() -> None:
    # every inn of the board is white, and the market has no white good, or only one
    state = a_position("-4,0c", OUT_OF_THE_WAY, market=(0, 5, 5, 5, 5))
    assert SeedLost(0, 1) in events_of(state, "CAMEL(0)")
    assert state.seat_to_act == 1
    state = play(a_position("-4,0c", market=(1, 5, 5, 5, 5)), "CAMEL(0)")
    assert SeedLost(0, 1) in events_of(state, "SEED(W,0,0)")
    assert view(state).round == 2
