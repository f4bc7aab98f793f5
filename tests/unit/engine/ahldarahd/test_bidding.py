"""A10-A16: auctions."""

import pytest

from tests.unit.engine.ahldarahd import do
from tests.unit.engine.ahldarahd.positions import (
    a_position,
    answer,
    asked,
    form,
    legal,
    may,
    play,
    refused,
    told,
)


def test_a10_every_seat_starts_one_auction_clockwise_from_the_shah() -> None:
    """Nobody may decline to."""
    state = a_position(3, bidding=True, items={"shah": 1}, gold=0)
    for seat, lot in ((1, "eyes"), (2, "queen"), (0, "right:0")):
        assert asked(state) == ("open_auction", seat)
        assert {action["type"] for action in legal(state)} == {"open_auction"}
        refused(state, do.PASS, "A48 open_auction")
        play(state, do.opening(lot))
    assert form(state)["phase"] == "building"


def test_a10_the_order_stays_when_the_shah_moves() -> None:
    state = a_position(3, bidding=True, gold=0)
    answer(
        state, (0, do.opening("shah")), (0, do.shah_to(2)), (1, do.opening("eyes")), (2, do.opening("queen"))
    )
    assert form(state)["order"] == [2, 0, 1]


def test_a11_every_lot_that_is_still_open() -> None:
    """It may belong to the starter or to anybody."""
    state = a_position(3, bidding=True, row="gems-2 salt-0 dates-1", gold=0, items={"eyes": 0, "queen": 1})
    lots = {
        "card:gems-2",
        "card:salt-0",
        "card:dates-1",
        "right:0",
        "right:1",
        "right:2",
        "shah",
        "eyes",
        "queen",
    }
    assert {action["lot"] for action in legal(state)} == lots
    play(state, do.opening("right:1"))
    assert {action["lot"] for action in legal(state)} == lots - {"right:1"}


def test_a11_each_lot_once_per_turn() -> None:
    state = a_position(bidding=True, row="gems-0 gems-1", gold=0)
    play(state, do.opening("card:gems-0"))
    refused(state, do.opening("card:gems-0"), "A11 auctioned")
    refused(state, do.opening("card:salt-0"), "A11 no lot")
    refused(state, do.opening("right:4"), "A11 no lot")
    assert may(state, do.opening("card:gems-1"))


def test_a12_the_opening_bid_is_capped_by_gold_and_by_the_camel() -> None:
    state = a_position(bidding=True, gold=(3, 9))
    assert [action["bid"] for action in legal(state, lot="eyes")] == [0, 1, 2, 3]
    refused(state, do.opening("eyes", 4), "A12 3 gold")
    state = a_position(bidding=True, gold=(3, 9), flipped=[0])
    assert [action["bid"] for action in legal(state, lot="eyes")] == [0]
    refused(state, do.opening("eyes", 1), "A12 flipped")


def test_a13_the_next_seat_clockwise_that_can_raise_is_asked() -> None:
    state = a_position(5, bidding=True, gold=[5, 5, 0, 5, 5])
    answer(state, (0, do.opening("eyes", 1)), (1, do.bid(2)), (3, do.PASS), (4, do.bid(3)), (0, do.PASS))
    assert asked(state) == ("bid", 1)
    assert form(state)["auction"] == {"lot": "eyes", "bid": 3, "high": 4, "live": [1]}


def test_a13_a_pass_is_final_and_a_bid_is_above_the_standing_one() -> None:
    state = a_position(3, bidding=True)
    play(state, do.opening("eyes", 1), do.PASS, do.bid(2))
    assert asked(state) == ("bid", 0)
    assert legal(state) == [do.bid(3), do.bid(4), do.bid(5), do.PASS]
    refused(state, do.bid(2), "A13 standing 2")
    refused(state, do.bid(6), "A13 5 gold")
    refused(state, do.opening("queen"), "A48 bid")
    play(state, do.bid(3))
    assert asked(state) == ("bid", 2)


def test_a14_a_flipped_camel_or_too_little_gold_goes_unasked() -> None:
    state = a_position(4, bidding=True, gold=[5, 2, 3, 5], flipped=[3])
    play(state, do.opening("eyes", 2))
    assert asked(state) == ("bid", 2)
    assert told(state, do.PASS) == ["pass", "won"]


def test_a14_with_the_standing_bid_in_gold_a_seat_is_not_asked() -> None:
    """Example 6."""
    assert told(a_position(bidding=True, gold=(5, 1)), do.opening("eyes", 1)) == ["open", "won"]
    state = a_position(bidding=True, gold=(5, 2))
    assert told(state, do.opening("eyes", 1)) == ["open"]
    assert asked(state) == ("bid", 1)


def test_a15_the_winner_pays_and_flips() -> None:
    state = a_position(bidding=True, row="gems-0 salt-1", hands=["", "dates"])
    events = play(state, do.opening("card:salt-1"), do.bid(2), do.PASS)
    assert events[-1] == {"event": "won", "seat": 1, "lot": "card:salt-1", "bid": 2}
    fields = form(state)
    assert (fields["gold"], fields["camels"]) == ([5, 3], [False, True])
    assert (fields["row"], fields["hands"]) == (["gems-0"], [[], ["dates", "salt"]])
    assert (fields["auction"], fields["auctioned"]) == (None, ["card:salt-1"])


def test_a15_a_win_at_nothing_flips_nothing() -> None:
    state = a_position(bidding=True)
    play(state, do.opening("eyes"), do.PASS)
    fields = form(state)
    assert (fields["gold"], fields["camels"], fields["items"]["eyes"]) == ([5, 5], [False, False], 0)


@pytest.mark.parametrize("holder", [0, 1])
def test_a15_what_a_seat_holds_is_taken_from_it_for_nothing_unless_it_bids(holder: int) -> None:
    state = a_position(bidding=True, items={"eyes": holder})
    play(state, do.opening("eyes"), do.bid(1), do.PASS)
    assert (form(state)["items"]["eyes"], form(state)["gold"]) == (1, [5, 4])


@pytest.mark.parametrize("to", range(3))
def test_a16_the_winner_of_the_shah_names_any_seat(to: int) -> None:
    state = a_position(3, bidding=True, gold=(0, 5, 0))
    play(state, do.opening("shah"), do.bid(1))
    assert asked(state) == ("give_shah", 1)
    assert legal(state) == [do.shah_to(seat) for seat in range(3)]
    refused(state, do.shah_to(3), "seats 2")
    play(state, do.shah_to(to))
    assert form(state)["items"]["shah"] == to
    assert asked(state) == ("open_auction", 1)
