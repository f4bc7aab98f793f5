"""Turns of Ahldarahd in plain words."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random

import pytest

from arena.drawings.ahldarahd.drawing import DRAWING
from arena.drawings.drawing import Step
from engine.ahldarahd.actions import ITEM_LOT, KIND_NAMES, RIGHTS
from engine.ahldarahd.board import Commodity
from engine.ahldarahd.events import (
    Card,
    Control,
    Destroyed,
    Ended,
    Ending,
    Lost,
    Night,
    Paid,
    Ransom,
    Removed,
    Sold,
    Stall,
    TurnBegan,
    Won,
)
from engine.ahldarahd.notation import parse_action
from engine.game import SPECTATOR, Event
from tests.unit.engine.ahldarahd.choosing import TABLES, a_match, choose

NAMES = ("ant", "bee", "cat")
VIEW = a_match(2, {"neutral_board": True}).observe(SPECTATOR)
NOTHING = {"cards": [], "gold": 0, "items": []}


def a_step(*events: Event, **action: object) -> Step:
    """What follows from an action of two seats and a neutral map."""
    packed = parse_action(json.dumps(action or {"type": "done"}))
    return Step(0, VIEW, packed, events, VIEW)


def told(*steps: Step) -> str:
    return DRAWING.describe(steps, NAMES).plain


def news(*events: Event) -> list[str]:
    return [text.plain for text in DRAWING.describe_events([a_step(*events)], NAMES)]


ACTIONS: list[tuple[dict[str, object], str]] = [
    (
        {"type": "setup_routes", "routes": [1, 14]},
        "sets free routes Pearls-Spices and Salt-Metals",
    ),
    (
        {"type": "open_auction", "lot": "card:gems-1", "bid": 3},
        "puts up the card gems-1 and bids 3",
    ),
    ({"type": "open_auction", "lot": "shah", "bid": 0}, "puts up the Shah and bids 0"),
    (
        {"type": "open_auction", "lot": "right:1", "bid": 2},
        "puts up the Right to the map of bee and bids 2",
    ),
    ({"type": "bid", "bid": 4}, "bids 4"),
    ({"type": "pass"}, "passes"),
    ({"type": "give_shah", "to": 0}, "keeps the Shah"),
    ({"type": "give_shah", "to": 1}, "gives the Shah to bee"),
    (
        {"type": "claim", "map": 1, "route": 14, "card": "salt"},
        "claims Salt-Metals on the map of bee with a salt card",
    ),
    (
        {"type": "claim", "map": 2, "route": 6, "card": "ivory"},
        "claims Spices-Ivory on the neutral map with an ivory card",
    ),
    ({"type": "buy", "map": 0, "route": 5}, "buys Spices-Gems on the map of ant"),
    (
        {"type": "destroy", "map": 1, "route": 14, "pay": ["buy", "salt"]},
        "destroys Salt-Metals on the map of bee with a purchase and a salt card",
    ),
    (
        {"type": "destroy", "map": 1, "route": 12, "pay": ["incense", "incense"]},
        "destroys Incense-Salt on the map of bee with an incense card and an incense card",
    ),
    ({"type": "sell", "right": 1}, "sells the Right to the map of bee"),
    ({"type": "done"}, "builds nothing"),
    (
        {
            "type": "offer",
            "to": 1,
            "give": {"cards": ["dates", "dates"], "gold": 3, "items": ["eyes", "right:0"]},
            "want": {"cards": ["salt"], "gold": 0, "items": []},
        },
        "offers bee 2 dates cards, 3 gold, the Eyes of Shamesh and the Right to the map of ant for 1 salt card",
    ),
    (
        {"type": "offer", "to": 1, "give": NOTHING, "want": {"cards": [], "gold": 0, "items": ["queen"]}},
        "offers bee nothing for the Pirate Queen",
    ),
    ({"type": "accept"}, "accepts"),
    ({"type": "decline"}, "declines"),
    ({"type": "avert"}, "averts the Night with a card"),
    ({"type": "pledge", "gold": 6}, "pledges 6 gold"),
    ({"type": "lose_route", "map": 2, "route": 21}, "gives up Horses-Dates on the neutral map"),
]


@pytest.mark.parametrize(("action", "sentence"), ACTIONS)
def test_every_kind_of_action_is_told_in_words(action: dict[str, object], sentence: str) -> None:
    """A48."""
    assert told(a_step(**action)) == sentence


def test_no_kind_of_action_is_left_out_above() -> None:
    assert {action["type"] for action, _ in ACTIONS} == {*KIND_NAMES, "offer"}


def test_what_a_route_or_a_right_cost_is_told_with_it() -> None:
    """A19, A20, A26, A27."""
    claim = {"type": "claim", "map": 1, "route": 14, "card": "salt"}
    assert told(a_step(Paid(0, 1), **claim)).endswith("with a salt card for 1 gold")
    assert told(a_step(Paid(0, 9), type="buy", map=0, route=14)).endswith("of ant for 9 gold")
    assert told(a_step(Sold(0, 5), type="sell", right=1)).endswith("of bee for 5 gold")
    destroyed = a_step(Destroyed(0, 1, 14, 1, 11), type="destroy", map=1, route=14, pay=["buy", "salt"])
    assert told(destroyed) == (
        "destroys Salt-Metals of bee on the map of bee with a purchase and a salt card for 11 gold"
    )


def test_a_building_chance_is_one_sentence_and_its_end_goes_without_saying() -> None:
    """A17."""
    steps = (a_step(type="buy", map=0, route=5), a_step(type="sell", right=1), a_step(type="done"))
    assert told(*steps) == "buys Spices-Gems on the map of ant; sells the Right to the map of bee"


@pytest.mark.parametrize(
    ("won", "sentence"),
    [
        (Won(1, ITEM_LOT, 4), "passes; bee wins the Shah for 4 gold"),
        (Won(1, ITEM_LOT + RIGHTS, 0), "passes; bee wins the Right to the map of ant for 0 gold"),
        (Won(2, 16, 2), "passes; cat wins the card salt-1 for 2 gold"),
    ],
)
def test_who_wins_an_auction_is_told_with_the_answer_that_ended_it(won: Won, sentence: str) -> None:
    """A15."""
    assert told(a_step(won, type="pass")) == sentence


def test_a_route_that_its_owner_gives_up_is_told_once() -> None:
    """A42."""
    given_up = a_step(Removed(0, 1, 14), Lost(0, 1, Commodity.SALT), type="lose_route", map=1, route=14)
    assert [text.plain for text in DRAWING.describe_events([given_up], NAMES)] == [
        "ant loses Salt on the map of bee."
    ]


CARD = Card(Commodity.SALT, 1)


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (TurnBegan(3, (CARD, Card(Commodity.GEMS, 0))), "Turn 3 begins, turned up: salt-1, gems-0."),
        (Control(1, 2, Commodity.SALT, 6), "bee takes Salt on the neutral map: 6 gold."),
        (Lost(0, 1, Commodity.PEARLS), "ant loses Pearls on the map of bee."),
        (Removed(1, 0, 14), "Salt-Metals of bee on the map of ant comes off."),
        (Night(0, 1, CARD), "The draw held 1 black chip: a Night comes to Salt."),
        (Night(0, 3, None), "The draw held 3 black chips, but the deck is empty: no Night comes."),
        (Ransom((4, 6)), "The ransom is paid: ant 4 and bee 6."),
        (Ransom((0, 10)), "The ransom is paid: bee 10."),
        (Stall(CARD), "Nobody has put up a card: salt-1 is discarded."),
        (
            Ended(Ending.DECK_EMPTY, (3, 4), (0, 0), (2, 1)),
            "The deck is empty and everybody has built: the match ends.",
        ),
    ],
)
def test_what_followed_is_told_a_sentence_each(event: Event, sentence: str) -> None:
    """A53."""
    assert news(event) == [sentence]


@pytest.mark.parametrize(
    "event", [Paid(0, 4), Sold(0, 4), TurnBegan(9, ()), Destroyed(0, 1, 14, 1, 11), Won(1, ITEM_LOT, 4)]
)
def test_what_the_sentence_or_the_heading_says_already_is_not_told_again(event: Event) -> None:
    assert news(event) == []


def test_points_and_a_new_leader_are_told_last() -> None:
    seats = tuple(view._replace(score=4 * number) for number, view in enumerate(VIEW.seats))
    step = replace(a_step(Control(1, 1, Commodity.SALT, 6)), after=replace(VIEW, seats=seats))
    told_last = [text.plain for text in DRAWING.describe_events([step], NAMES)][-1]
    assert told_last == "Points: bee 0 → 4; bee takes the lead."


def test_whole_matches_with_offers_and_nights_are_told_in_printable_words() -> None:
    kinds = set()
    for number, (seats, values) in enumerate(TABLES):
        match, dice = a_match(seats, values, bytes([number] * 32)), Random(number)
        names = ("ant", "bee", "cat", "dog", "eel")[:seats]
        while match.outcome() is None:
            seat, before, action = match.seat_to_act, match.observe(SPECTATOR), choose(match, dice)
            match.apply(action)
            step = Step(seat, before, action, tuple(match.take_events()), match.observe(SPECTATOR))
            for text in (DRAWING.describe([step], names), *DRAWING.describe_events([step], names)):
                kinds.add(text.plain.split()[0])
                assert text.plain
                assert text.plain.isprintable()
    assert {"offers", "accepts", "pledges", "gives", "destroys", "sells"} <= kinds
