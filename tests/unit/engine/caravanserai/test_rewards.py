"""S30 and S31: what camels bring."""

import pytest

from engine.caravanserai.events import Gained, NoGood, Source, Stolen
from engine.caravanserai.observation import Decision
from engine.caravanserai.pieces import Colour
from tests.unit.engine.caravanserai.positions import (
    OUT_OF_THE_WAY,
    PURPLE_MIDDLE,
    a_match,
    a_position,
    events_of,
    view,
)
from tests.unit.engine.playing import legal, play, refused

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


def test_s31_after_a_lying_camel_the_placement_goes_on() -> None:
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
