"""A43-A46: offers."""

import json

import pytest

from engine.ahldarahd import AHLDARAHD, actions
from engine.ahldarahd.state import AhldarahdState
from engine.game import Exchange
from tests.unit.engine.ahldarahd import do
from tests.unit.engine.ahldarahd.positions import (
    NIGHT,
    TRADING,
    a_position,
    asked,
    form,
    legal,
    may,
    play,
    refused,
)
from tests.unit.engine.naive import Json


def a_table(seats: int = 3, **changes: object) -> AhldarahdState:
    """Seat 0 builds and may trade."""
    values = {"hands": ["gems gems salt", "dates ivory", "horses"], "gold": 5, **changes}
    return a_position(seats, options=TRADING, **values)  # type: ignore[arg-type]


def test_a43_a46_two_offers_in_each_building_chance_declined_ones_counted() -> None:
    """The same one may be made again, and there is no counter-offer."""
    state, same = a_table(), do.offer(1, do.side("gems"), do.side(gold=3))
    play(state, same)
    refused(state, do.offer(0, do.side("dates")), "A43 own chance")
    play(state, do.DECLINE, same, do.ACCEPT)
    assert (form(state)["gold"], form(state)["offers_left"]) == ([8, 2, 5], 0)
    refused(state, same, "A43 left")
    play(state, do.DONE)
    assert form(state)["offers_left"] == 2
    assert may(state, do.offer(0, do.side("dates")))


def test_a43_only_in_ones_own_building_chance() -> None:
    """Not in an auction, nor as its winner gives the Shah away (A16), nor in a Night, nor without the option."""
    state = a_position(options=TRADING, bidding=True)
    refused(state, do.offer(1, do.side(gold=1)), "A43 own chance")
    play(state, do.opening("shah"), do.PASS)
    refused(state, do.offer(1, do.side(items="shah")), "A43 own chance")
    refused(a_position(), do.offer(1, do.side(gold=1)), "A43 left")
    routes = {1: {1: [19, 21]}, 0: {0: [10]}}
    state = a_position(options=TRADING | NIGHT, routes=routes, items={"right:1": 0}, cup=(0, 1000))
    state.deck[state.top] = 6
    play(state, do.sell(1))
    assert asked(state) == ("avert", 0)
    refused(state, do.offer(1, do.side(gold=1)), "A43 own chance")


def test_a43_legal_lists_never_contain_offers() -> None:
    state = a_table()
    assert may(state, do.offer(1, do.side("gems")))
    assert not legal(state, "offer")
    assert not any(actions.is_offer(action) for action in state.legal_actions())


@pytest.mark.parametrize(
    "legal_offer",
    [
        do.offer(1, do.side("gems")),
        do.offer(2, do.NOTHING, do.side(gold=5)),
        do.offer(1, do.side("gems gems salt", 5, "shah"), do.side("dates dates")),
        do.offer(1, do.side("gems"), do.side("pearls pearls", 5, "queen")),
        do.offer(1, do.side(items="right:1")),
        do.offer(1, do.NOTHING, do.side("textiles")),
    ],
)
def test_a44_offers_that_are_legal(legal_offer: Json) -> None:
    state = a_table(items={"queen": 1, "right:1": 0})
    assert may(state, legal_offer)


@pytest.mark.parametrize(
    ("illegal", "words"),
    [
        (do.offer(0, do.side("gems")), "one other seat"),
        (do.offer(3, do.side("gems")), "one other seat"),
        (do.offer(1), "side holds"),
        (do.offer(1, do.side(gold=1), do.side(gold=1)), "gold one side"),
        (do.offer(1, do.side("gems"), do.side("gems")), "commodity both"),
        (do.offer(1, do.side("salt salt")), "many salt"),
        (do.offer(1, do.side(gold=6)), "5 gold"),
        (do.offer(1, do.side(items="eyes")), "seat 0 hold eyes"),
        (do.offer(1, do.side(items="right:4")), "seat 0 hold right:4"),
        (do.offer(1, do.side("salt"), do.side(gold=6)), "seat 1 5 gold"),
        (do.offer(1, do.side("salt"), do.side(items="shah")), "seat 1 hold shah"),
        (do.offer(1, do.side("salt"), do.side("dates dates ivory")), "seat 1 2 cards"),
    ],
)
def test_a44_offers_that_are_not(illegal: Json, words: str) -> None:
    refused(a_table(), illegal, f"A44 {words}")


def test_a44_no_more_of_a_commodity_than_there_are() -> None:
    """The hand of the target is not looked at."""
    state = a_table(2, hands=["gems", "dates dates ivory horses"])
    assert may(state, do.offer(1, do.NOTHING, do.side("pearls pearls")))
    refused(state, do.offer(1, do.NOTHING, do.side("dates dates dates")), "A44 2 commodity")


def test_a45_the_target_is_asked_at_once_whatever_it_has() -> None:
    state = a_table()
    play(state, do.offer(1, do.side("gems"), do.side("pearls")))
    assert asked(state) == ("trade_reply", 1)
    assert legal(state) == [do.DECLINE]
    refused(state, do.ACCEPT, "A45 wants hand")
    refused(state, do.DONE, "A48 trade_reply")
    assert form(state)["offer"] == {"from": 0, "to": 1, "give": do.side("gems"), "want": do.side("pearls")}
    play(state, do.DECLINE)
    assert (asked(state), form(state)["offer"]) == (("build", 0), None)


def test_a45_both_sides_change_hands_together() -> None:
    state = a_table(items={"queen": 1, "eyes": 0})
    deal = do.offer(1, do.side("gems salt", 0, "eyes"), do.side("dates", 2, "queen"))
    events = play(state, deal, do.ACCEPT)
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
    assert not may(state, do.buy(1, 19))
    play(state, do.offer(1, do.NOTHING, do.side(items="right:1 eyes")), do.ACCEPT, do.claim(1, 10, "gems"))
    assert form(state)["gold"][0] == 5


def test_a45_a_traded_shah_works_from_the_next_phase_on() -> None:
    state = a_table()
    play(state, do.offer(2, do.side(items="shah")), do.ACCEPT, do.DONE)
    assert asked(state) == ("build", 1)
    play(state, do.DONE, do.DONE)
    assert form(state)["order"] == [2, 0, 1]


@pytest.mark.parametrize("answer", [do.ACCEPT, do.DECLINE])
def test_a45_the_answer_to_an_offer_is_an_exchange_and_nothing_else_is(answer: Json) -> None:
    state = a_table(items={"eyes": 0, "right:2": 1})
    deal = do.offer(1, do.side("gems gems", items="eyes"), do.side("dates", 2, "right:2"))
    packed = state.parse_action(json.dumps(deal))
    assert AHLDARAHD.exchange(state, packed) is None
    play(state, deal)
    exchange = AHLDARAHD.exchange(state, state.parse_action(json.dumps(answer)))
    gave, got = {"gems": 2, "eyes": 1}, {"gold": 2, "dates": 1, "right:2": 1}
    assert exchange == Exchange(form(state)["turn"], 0, 1, gave, got, accepted=answer == do.ACCEPT)
