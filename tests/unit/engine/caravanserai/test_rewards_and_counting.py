"""S30 to S35: what camels bring, the count, taking back, and goods that go to the board."""

from typing import Any

import pytest

from engine.caravanserai.events import Counted, Gained, NoGood, SeedLost, Source, Stolen, TakenBack
from engine.caravanserai.hexes import Cell
from engine.caravanserai.observation import Decision
from engine.caravanserai.pieces import Colour, Piece
from tests.unit.engine.caravanserai.positions import (
    OUT_OF_THE_WAY,
    PURPLE_MIDDLE,
    a_match,
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


NO_PURPLE = (5, 5, 0, 5, 5)


@pytest.mark.parametrize(
    ("step", "loose", "sources"),
    [
        ("CAMEL(0)", "", [Source.MARKET]),
        ("CAMEL(0)", "0,0", [Source.BOARD, Source.MARKET]),
        ("LYING(0)", "0,0", [Source.BOARD, Source.MARKET]),
        ("CAMEL(3)", "0,0", []),
    ],
)
def test_s30_a_camel_on_an_inn_brings_a_good_of_its_colour(
    step: str, loose: str, sources: list[Source]
) -> None:
    """From the market, after a loose one on the cell; a lying camel at once, a camel beside the inns nothing."""
    state = a_position("-1,0c", OUT_OF_THE_WAY, tiles=PURPLE_MIDDLE, loose=loose, expert=step == "LYING(0)")
    gains = [event for event in events_of(state, step) if isinstance(event, Gained)]
    assert gains == [Gained(0, Colour.PURPLE, source) for source in sources]
    assert view(state).seats[0].goods[2] == 3 + len(sources)
    assert view(state).market[2] == 5 - bool(sources)


def test_s31_without_such_a_good_in_the_market_the_seat_says_from_whom_it_takes_one() -> None:
    caravans = ("-1,0c", OUT_OF_THE_WAY, "-4,5c", "-6,4c")
    state = a_position(*caravans, goods=("P", "PP", "W", "P"), tiles=PURPLE_MIDDLE, market=NO_PURPLE)
    play(state, "CAMEL(0)")
    assert (view(state).decision, view(state).steal) == (Decision.STEAL_FROM, Colour.PURPLE)
    assert legal(state) == ["STEAL(1)", "STEAL(3)"]
    for seat, words in ((0, "no other seat 0"), (2, "seat 2 no purple"), (5, "no other")):
        refused(state, f"STEAL({seat})", f"S31 {words}")
    assert Stolen(0, Colour.PURPLE, 3) in events_of(state, "STEAL(3)")
    assert [seat.goods[2] for seat in view(state).seats] == [2, 2, 0, 0]
    assert view(state).steal is None


def test_s31_a_loose_good_comes_even_if_another_has_to_be_stolen() -> None:
    """It is asked even if only one seat qualifies."""
    state = a_position("-1,0c", OUT_OF_THE_WAY, tiles=PURPLE_MIDDLE, market=NO_PURPLE, loose="0,0")
    assert legal(play(state, "CAMEL(0)")) == ["STEAL(1)"]
    assert view(play(state, "STEAL(1)")).seats[0].goods[2] == 5


def test_s31_goods_in_caravans_are_safe_and_nobody_may_have_one() -> None:
    state = a_position("-1,0c", "5,-4P 6,-4c", goods="W", tiles=PURPLE_MIDDLE, market=NO_PURPLE)
    assert NoGood(0, Colour.PURPLE) in events_of(state, "CAMEL(0)")
    assert view(state).decision is Decision.SEED_GOOD


def test_s31_after_a_lying_camel_the_placement_continues() -> None:
    state = a_position("-1,0c", OUT_OF_THE_WAY, tiles=PURPLE_MIDDLE, market=NO_PURPLE, expert=True)
    play(state, "LYING(0)")
    placement = view(state).placement
    assert placement is not None
    assert (view(state).decision, len(placement.pieces)) == (Decision.STEAL_FROM, 1)
    play(state, "STEAL(1)")
    assert (view(state).decision, state.seat_to_act) == (Decision.STEP, 0)
    assert "START(1,P,2)" in legal(state)


def test_s31_the_opening_camel_steals_too() -> None:
    state = a_match(2)
    state.market = [0] * 5
    first = legal(state)[0]
    play(state, first)
    assert legal(state) == ["STEAL(1)"]
    play(state, "STEAL(1)")
    assert (view(state).decision, state.seat_to_act) == (Decision.OPEN_CELL, 1)
    assert [sum(seat.goods) for seat in view(state).seats] == [16, 14]
