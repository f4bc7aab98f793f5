"""A43-A46: offers."""

from __future__ import annotations

import json

import pytest

from engine.ahldarahd import AHLDARAHD, actions
from engine.ahldarahd.state import AhldarahdState
from engine.game import Exchange
from tests.unit.engine.ahldarahd.naive_legal import Json
from tests.unit.engine.ahldarahd.positions import (
    ACCEPT,
    DECLINE,
    DONE,
    NIGHT,
    NOTHING,
    TRADING,
    a_position,
    asked,
    buy,
    claim,
    form,
    legal,
    may,
    offer,
    opening,
    play,
    sell,
    shah_to,
    side,
    why,
)


def a_table(seats: int = 3, **changes: object) -> AhldarahdState:
    """Seat 0 builds and may trade."""
    values = {"hands": ["gems gems salt", "dates ivory", "horses"], "gold": 5, **changes}
    return a_position(seats, options=TRADING, **values)  # type: ignore[arg-type]


def test_a43_two_offers_in_each_building_chance_declined_ones_counted() -> None:
    state = a_table()
    play(state, offer(1, side("gems")), DECLINE, offer(2, side(gold=1)))
    assert form(state)["offers_left"] == 0
    play(state, ACCEPT)
    assert why(state, offer(1, side("gems"))) == "no offer is left in this building chance (A43)."
    play(state, DONE)
    assert form(state)["offers_left"] == 2
    assert may(state, offer(0, side("dates")))


def test_a43_only_in_ones_own_building_chance() -> None:
    state = a_position(options=TRADING, bidding=True)
    refusal = "offers are made in one's own building chance (A43)."
    assert why(state, offer(1, side(gold=1))) == refusal
    play(state, opening("eyes"))
    assert why(state, offer(0, side(gold=1))) == refusal


def test_a43_no_offers_without_the_option_nor_in_a_night() -> None:
    assert why(a_position(), offer(1, side(gold=1))) == "no offer is left in this building chance (A43)."
    state = a_position(
        options=TRADING | NIGHT, routes={1: {1: [19, 21]}, 0: {0: [10]}}, items={"right:1": 0}, cup=(0, 1000)
    )
    state.deck[state.top] = 6
    play(state, sell(1))
    assert asked(state) == ("avert", 0)
    assert why(state, offer(1, side(gold=1))) == "offers are made in one's own building chance (A43)."


def test_a43_legal_lists_never_contain_offers() -> None:
    state = a_table()
    assert may(state, offer(1, side("gems")))
    assert not legal(state, "offer")
    assert not any(actions.is_offer(action) for action in state.legal_actions())


@pytest.mark.parametrize(
    "legal_offer",
    [
        offer(1, side("gems")),
        offer(2, NOTHING, side(gold=5)),
        offer(1, side("gems gems salt", 5, "shah"), side("dates dates")),
        offer(1, side("gems"), side("pearls pearls", 5, "queen")),
        offer(1, side(items="right:1")),
        offer(1, NOTHING, side("textiles")),
    ],
)
def test_a44_offers_that_are_legal(legal_offer: Json) -> None:
    state = a_table(items={"queen": 1, "right:1": 0})
    assert may(state, legal_offer)


@pytest.mark.parametrize(
    ("illegal", "complaint"),
    [
        (offer(0, side("gems")), "an offer is made to one other seat (A44)."),
        (offer(3, side("gems")), "an offer is made to one other seat (A44)."),
        (offer(1), "one side of an offer holds something (A44)."),
        (offer(1, side(gold=1), side(gold=1)), "gold is on one side of an offer at most (A44)."),
        (offer(1, side("gems"), side("gems")), "no commodity is on both sides of an offer (A44)."),
        (offer(1, side("salt salt")), "you do not hold that many salt cards (A44)."),
        (offer(1, side(gold=6)), "you have 5 gold (A44)."),
        (offer(1, side(items="eyes")), "seat 0 does not hold eyes (A44)."),
        (offer(1, side(items="right:4")), "seat 0 does not hold right:4 (A44)."),
        (offer(1, side("salt"), side(gold=6)), "seat 1 has 5 gold (A44)."),
        (offer(1, side("salt"), side(items="shah")), "seat 1 does not hold shah (A44)."),
        (offer(1, side("salt"), side("dates dates ivory")), "seat 1 has 2 cards in hand (A44)."),
    ],
)
def test_a44_offers_that_are_not(illegal: Json, complaint: str) -> None:
    assert why(a_table(), illegal) == complaint


def test_a44_no_more_of_a_commodity_than_there_are() -> None:
    state = a_table(2, hands=["gems", "dates dates ivory horses"])
    assert may(state, offer(1, NOTHING, side("dates dates")))
    assert (
        why(state, offer(1, NOTHING, side("dates dates dates"))) == "there are 2 cards of a commodity (A44)."
    )


def test_a44_the_hand_of_the_target_is_not_looked_at() -> None:
    assert may(a_table(), offer(1, side("gems"), side("pearls textiles")))


def test_a45_the_target_is_asked_at_once_whatever_it_has() -> None:
    state = a_table()
    play(state, offer(1, side("gems"), side("pearls")))
    assert asked(state) == ("trade_reply", 1)
    assert legal(state) == [DECLINE]
    assert why(state, ACCEPT) == "the cards that it wants are not in your hand (A45)."
    assert why(state, DONE) == "the decision is trade_reply (A48)."
    assert form(state)["offer"] == {"from": 0, "to": 1, "give": side("gems"), "want": side("pearls")}
    play(state, DECLINE)
    assert (asked(state), form(state)["offer"]) == (("build", 0), None)


def test_a45_both_sides_change_hands_together() -> None:
    state = a_table(items={"queen": 1, "eyes": 0})
    deal = offer(1, side("gems salt", 0, "eyes"), side("dates", 2, "queen"))
    events = play(state, deal, ACCEPT)
    assert events == [
        {"event": "offer", "seat": 0, "to": 1, "give": deal["give"], "want": deal["want"]},
        {"event": "reply", "seat": 1, "accept": True},
    ]
    fields = form(state)
    assert fields["hands"][:2] == [["dates", "gems"], ["gems", "ivory", "salt"]]
    assert fields["gold"] == [7, 3, 5]
    assert (fields["items"]["eyes"], fields["items"]["queen"]) == (1, 0)
    assert asked(state) == ("build", 0)


def test_a45_rights_and_favours_work_from_that_moment_on() -> None:
    state = a_table(items={"right:1": 1, "eyes": 1}, hands=["gems gems", "", ""])
    assert not may(state, buy(1, 19))
    play(state, offer(1, NOTHING, side(items="right:1 eyes")), ACCEPT, claim(1, 10, "gems"))
    assert form(state)["gold"][0] == 5


def test_a45_a_traded_shah_works_from_the_next_phase_on() -> None:
    state = a_table()
    play(state, offer(2, side(items="shah")), ACCEPT, DONE)
    assert asked(state) == ("build", 1)
    play(state, DONE, DONE)
    assert form(state)["order"] == [2, 0, 1]


def test_a46_the_same_offer_may_be_made_again() -> None:
    state = a_table()
    same = offer(1, side("gems"), side(gold=3))
    play(state, same, DECLINE)
    assert may(state, same)
    play(state, same, ACCEPT)
    assert form(state)["gold"] == [8, 2, 5]


def test_a46_no_counter_offers() -> None:
    state = a_table()
    play(state, offer(1, side("gems")))
    assert why(state, offer(0, side("dates"))) == "offers are made in one's own building chance (A43)."


def test_a16_the_shah_in_the_bidding_is_given_and_not_traded() -> None:
    state = a_position(options=TRADING, bidding=True, gold=0)
    play(state, opening("shah"))
    assert why(state, offer(1, side(items="shah"))) == "offers are made in one's own building chance (A43)."
    play(state, shah_to(1))


@pytest.mark.parametrize("answer", [ACCEPT, DECLINE])
def test_a45_the_answer_to_an_offer_is_an_exchange_and_nothing_else_is(answer: Json) -> None:
    state = a_table(items={"eyes": 0, "right:2": 1})
    deal = offer(1, side("gems gems", items="eyes"), side("dates", 2, "right:2"))
    packed = state.parse_action(json.dumps(deal))
    assert AHLDARAHD.exchange(state, packed) is None
    play(state, deal)
    exchange = AHLDARAHD.exchange(state, state.parse_action(json.dumps(answer)))
    gave, got = {"gems": 2, "eyes": 1}, {"gold": 2, "dates": 1, "right:2": 1}
    assert exchange == Exchange(form(state)["turn"], 0, 1, gave, got, accepted=answer == ACCEPT)
