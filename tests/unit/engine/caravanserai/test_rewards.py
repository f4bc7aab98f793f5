"""S30 and S31: what camels bring."""

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


def test_s30_a_camel_on_an_inn_brings_a_good_of_its_colour_from_the_market() -> None:
    state = a_position("-1,0c", OUT_OF_THE_WAY, tiles=PURPLE_MIDDLE)
    assert Gained(0, Colour.PURPLE, Source.MARKET) in events_of(state, "CAMEL(0)")
    assert (view(state).seats[0].goods[2], view(state).market[2]) == (4, 4)


def test_s30_a_loose_good_on_the_cell_comes_first_and_in_addition() -> None:
    state = a_position("-1,0c", OUT_OF_THE_WAY, tiles=PURPLE_MIDDLE, loose="0,0")
    gains = [event for event in events_of(state, "CAMEL(0)") if isinstance(event, Gained)]
    assert gains == [Gained(0, Colour.PURPLE, Source.BOARD), Gained(0, Colour.PURPLE, Source.MARKET)]
    assert (view(state).seats[0].goods[2], view(state).market[2], view(state).loose) == (5, 4, ())


def test_s30_a_camel_beside_the_inns_brings_nothing() -> None:
    state = play(a_position("-4,0c", OUT_OF_THE_WAY), "CAMEL(0)")
    assert view(state).seats[0].goods == (3, 3, 3, 3, 3)


def test_s30_a_lying_camel_brings_its_good_at_once() -> None:
    state = a_position("-1,0c", OUT_OF_THE_WAY, tiles=PURPLE_MIDDLE, loose="0,0", expert=True)
    play(state, "LYING(0)")
    assert (view(state).decision, view(state).seats[0].goods[2]) == (Decision.STEP, 5)


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


def test_s31_it_is_asked_even_if_only_one_seat_qualifies() -> None:
    state = a_position("-1,0c", OUT_OF_THE_WAY, tiles=PURPLE_MIDDLE, market=NO_PURPLE)
    assert legal(play(state, "CAMEL(0)")) == ["STEAL(1)"]


def test_s31_a_loose_good_comes_even_if_another_has_to_be_stolen() -> None:
    state = a_position("-1,0c", OUT_OF_THE_WAY, tiles=PURPLE_MIDDLE, market=NO_PURPLE, loose="0,0")
    play(state, "CAMEL(0)", "STEAL(1)")
    assert view(state).seats[0].goods[2] == 5


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
