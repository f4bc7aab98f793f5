"""Turns of Ahldarahd in plain words."""

import json
from dataclasses import replace
from random import Random

from arena.drawings.ahldarahd.drawing import DRAWING
from arena.drawings.drawing import Step
from engine.ahldarahd import events
from engine.ahldarahd.actions import ITEM_LOT, KIND_NAMES, RIGHTS
from engine.ahldarahd.board import Commodity
from engine.ahldarahd.notation import parse_action
from engine.game import SPECTATOR, Event
from tests.unit.cli.screens import check_screen
from tests.unit.codecs.test_ahldarahd import EVENTS
from tests.unit.drawings.played_steps import news, play_step, words
from tests.unit.engine.ahldarahd.choosing import TABLES, a_match, choose

NAMES = ("ant", "bee", "cat", "dog", "eel")
VIEW = a_match(2, {"neutral_board": True}).observe(SPECTATOR)
NOTHING = {"cards": [], "gold": 0, "items": []}


def a_step(*events: Event, **action: object) -> Step:
    """Return a step of seat 0 of two with a neutral map: an action and its consequences."""
    packed = parse_action(json.dumps(action or {"type": "done"}))
    return Step(0, VIEW, packed, events, VIEW)


ACTIONS: list[dict[str, object]] = [
    {"type": "setup_routes", "routes": [1, 14]},
    {"type": "open_auction", "lot": "card:gems-1", "bid": 3},
    {"type": "open_auction", "lot": "shah", "bid": 0},
    {"type": "open_auction", "lot": "right:1", "bid": 2},
    {"type": "bid", "bid": 4},
    {"type": "pass"},
    {"type": "give_shah", "to": 0},
    {"type": "give_shah", "to": 1},
    {"type": "claim", "map": 1, "route": 14, "card": "salt"},
    {"type": "claim", "map": 2, "route": 6, "card": "ivory"},
    {"type": "buy", "map": 0, "route": 5},
    {"type": "destroy", "map": 1, "route": 14, "pay": ["buy", "salt"]},
    {"type": "destroy", "map": 1, "route": 12, "pay": ["incense", "incense"]},
    {"type": "sell", "right": 1},
    {"type": "done"},
    {
        "type": "offer",
        "to": 1,
        "give": {"cards": ["dates", "dates"], "gold": 3, "items": ["eyes", "right:0"]},
        "want": {"cards": ["salt"], "gold": 0, "items": []},
    },
    {"type": "offer", "to": 1, "give": NOTHING, "want": {"cards": [], "gold": 0, "items": ["queen"]}},
    {"type": "accept"},
    {"type": "decline"},
    {"type": "avert"},
    {"type": "pledge", "gold": 6},
    {"type": "lose_route", "map": 2, "route": 21},
]

TURNS: dict[str, list[Step]] = {
    "A19, A20: a claim": [a_step(events.Paid(0, 1), type="claim", map=1, route=14, card="salt")],
    "A19, A20: a purchase": [a_step(events.Paid(0, 9), type="buy", map=0, route=14)],
    "A27: a sale": [a_step(events.Sold(0, 5), type="sell", right=1)],
    "A26: a destruction": [
        a_step(events.Destroyed(0, 1, 14, 1, 11), type="destroy", map=1, route=14, pay=["buy", "salt"])
    ],
    "A17: a building chance": [
        a_step(type="buy", map=0, route=5),
        a_step(type="sell", right=1),
        a_step(type="done"),
    ],
    "A15: the Shah is won": [a_step(events.Won(1, ITEM_LOT, 4), type="pass")],
    "A15: a Right is won": [a_step(events.Won(1, ITEM_LOT + RIGHTS, 0), type="pass")],
    "A15: a card is won": [a_step(events.Won(2, 16, 2), type="pass")],
    "A42: a route that its owner gives up": [
        a_step(
            events.Removed(0, 1, 14), events.Lost(0, 1, Commodity.SALT), type="lose_route", map=1, route=14
        )
    ],
    "a new leader": [
        replace(
            a_step(events.Control(1, 1, Commodity.SALT, 6)),
            after=replace(VIEW, seats=tuple(view._replace(score=4 * n) for n, view in enumerate(VIEW.seats))),
        )
    ],
}


def test_actions_events_and_turns_in_words() -> None:
    """A48, A53."""
    screens = {"actions": "\n".join(DRAWING.describe([a_step(**action)], NAMES).plain for action in ACTIONS)}
    sentences = [(event, news(DRAWING, [a_step(event)], NAMES)) for event in EVENTS]
    screens["events"] = "\n".join(f"{type(event).__name__}: {' '.join(told)}" for event, told in sentences)
    screens |= {title: words(DRAWING, turn, NAMES) for title, turn in TURNS.items()}
    check_screen("words/ahldarahd", screens)


def test_no_kind_of_action_is_left_out_above() -> None:
    assert {action["type"] for action in ACTIONS} == {*KIND_NAMES, "offer"}


def test_whole_matches_with_offers_and_nights_have_printable_words() -> None:
    kinds = set()
    for number, (seats, values) in enumerate(TABLES):
        match, dice = a_match(seats, values, bytes([number] * 32)), Random(number)
        names = ("ant", "bee", "cat", "dog", "eel")[:seats]
        while match.outcome() is None:
            for line in words(DRAWING, [play_step(match, choose(match, dice))], names).split("\n"):
                kinds.add(line.split()[0])
                assert line.isprintable()
    assert {"offers", "accepts", "pledges", "gives", "destroys", "sells"} <= kinds
