"""Turns of Wasteland in plain words."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random

import pytest

from arena.drawings.drawing import Step
from arena.drawings.wasteland.drawing import DRAWING
from engine.game import SPECTATOR, Event
from engine.randomness import SEED_BYTES, Stream
from engine.wasteland import WASTELAND
from engine.wasteland.actions import KIND_NAMES
from engine.wasteland.attack_cards import ATTACKER_IDS
from engine.wasteland.caravan_cards import CARD_IDS, HEAD
from engine.wasteland.event_cards import AMBUSH, SALVAGE
from engine.wasteland.events import (
    AttackDefeated,
    AttackDrawn,
    AttackGone,
    Deck,
    Defeated,
    Delivered,
    Destroyed,
    Dodge,
    Dodged,
    Ended,
    Ending,
    EventDiscarded,
    EventDrawn,
    FightBegan,
    GoalReached,
    LostResource,
    MissionShown,
    Played,
    Rebuilt,
    Rolled,
    Shuffled,
    Side,
    StartDie,
    TurnBegan,
)
from engine.wasteland.missions import MISSION_IDS
from engine.wasteland.notation import parse_action
from engine.wasteland.resources import FUEL, RATIONS
from tests.unit.cli.screens import check_screen
from tests.unit.drawings.played_steps import news, play_step, words

NAMES = ("ant", "bee")
SEED = bytes(SEED_BYTES)
VIEW = WASTELAND.new_match(2, WASTELAND.options(2, {}), SEED).observe(SPECTATOR)
DOGS, GANG, PLAGUE, SNIPER, WARRIORS, TANK = (
    ATTACKER_IDS.index(card)
    for card in (
        "feral_dogs",
        "scavenger_gang",
        "plague_carriers",
        "sniper_nest",
        "road_warriors",
        "rust_tank",
    )
)


def a_step(*events: Event, **action: object) -> Step:
    """Return a step of seat 0 with an action and its consequences."""
    packed = parse_action(json.dumps(action or {"type": "done"}))
    return Step(0, VIEW, packed, events, VIEW)


def told(*actions: dict[str, object]) -> str:
    return DRAWING.tell([a_step(**action) for action in actions], NAMES).plain


ACTIONS: list[dict[str, object]] = [
    {"type": "start_city", "city": "W"},
    {"type": "pass"},
    {"type": "play", "card": "attack"},
    {"type": "play", "card": "road_block", "space": "X0"},
    {"type": "play", "card": "salvage", "resource": "fuel"},
    {"type": "play", "card": "dry_market", "resource": "rations"},
    {"type": "play", "card": "contract_cancelled", "mission": "c2B"},
    {"type": "play", "card": "field_repairs", "hits": ["head", "war_rig"]},
    {"type": "play", "card": "field_repairs", "hits": ["head", "head"]},
    {"type": "lose", "resource": "medicine"},
    {"type": "step", "to": "i1"},
    {"type": "step", "to": "X1", "scout": True},
    {"type": "outrider"},
    {"type": "stop"},
    {"type": "fight"},
    {"type": "pay"},
    {"type": "pay", "resource": "fuel"},
    {"type": "deter"},
    {"type": "boost"},
    {"type": "reroll"},
    {"type": "hit", "card": "gun_truck"},
    {"type": "load", "resource": "rations"},
    {"type": "ditch", "resource": "fuel"},
    {"type": "buy", "card": "scout_rig"},
    {"type": "deliver", "mission": "i1B"},
    {"type": "heal", "hits": ["cook_wagon"]},
    {"type": "heal", "hits": ["cook_wagon", "head"]},
    {"type": "done"},
    {"type": "keep"},
    {"type": "discard", "card": "ambush"},
    {"type": "cook"},
]

EVENTS: list[Event] = [
    StartDie(1, 4),
    TurnBegan(3, 1),
    LostResource(1, FUEL, 2),
    AttackDrawn(DOGS, True),
    AttackDrawn(TANK, False),
    FightBegan(TANK),
    Dodged(DOGS, Dodge.PAY, None),
    Dodged(GANG, Dodge.PAY, RATIONS),
    Dodged(PLAGUE, Dodge.PAY, None),
    Dodged(SNIPER, Dodge.PAY, None),
    Dodged(WARRIORS, Dodge.PAY, None),
    Dodged(WARRIORS, Dodge.DETER, None),
    AttackDefeated(TANK, 5),
    AttackGone(TANK),
    Destroyed(0, CARD_IDS.index("war_rig")),
    Defeated(0),
    MissionShown(0, MISSION_IDS.index("i2A")),
    EventDrawn(1, AMBUSH),
    EventDrawn(1, None),
    Shuffled(Deck.ATTACK, 24),
    Rebuilt(Deck.ATTACK),
    GoalReached(1),
    Ended(Ending.GOAL),
    Ended(Ending.ROUND_LIMIT),
    Rolled(Side.CARAVAN, (1, 5)),
]
ROLLS = Rolled(Side.CARAVAN, (1, 5)), Rolled(Side.REROLL, (2,)), Rolled(Side.ATTACK, (6, 6, 1))

TURNS: dict[str, list[Step]] = {
    "the same action several times": [
        *[a_step(type="step", to=to) for to in ("i1", "X0", "i1", "X0")],
        a_step(type="stop"),
        *[a_step(type="load", resource=resource) for resource in ("fuel", "fuel", "rations")],
        a_step(type="done"),
        a_step(type="keep"),
    ],
    "a turn without an action": [a_step(type=kind) for kind in ("pass", "stop", "done", "pass")],
    "no turn": [a_step(type="pass"), a_step(type="pass")],
    "W43 to W45: the dice of a fight": [a_step(FightBegan(DOGS), *ROLLS, Destroyed(0, HEAD))],
    "W36 to W53: after a fight": [
        replace(step, before=replace(VIEW, current=0), after=replace(VIEW, current=0))
        for step in (
            a_step(type="step", to="X4"),
            a_step(AttackDrawn(DOGS, True), FightBegan(DOGS), type="stop"),
            a_step(Rolled(Side.CARAVAN, (1, 1)), Rolled(Side.ATTACK, (6,)), type="fight"),
            a_step(Rolled(Side.CARAVAN, (2, 2)), Rolled(Side.ATTACK, (5,)), type="hit", card="gun_truck"),
            a_step(Destroyed(0, HEAD), Defeated(0), type="hit", card="head"),
            a_step(EventDrawn(0, None), type="start_city", city="W"),
        )
    ],
    "W23, W28: a card of seat 0 on the turn of seat 1, whose fight it is": [
        replace(
            a_step(
                FightBegan(DOGS),
                Rolled(Side.CARAVAN, (5, 5, 5)),
                TurnBegan(2, 0),
                FightBegan(TANK),
                type="play",
                card="attack",
            ),
            before=replace(VIEW, current=1),
        )
    ],
    "a new leader": [
        replace(
            a_step(AttackDefeated(TANK, 5)),
            after=replace(
                VIEW,
                seats=tuple(view._replace(score=view.score + 4 * n) for n, view in enumerate(VIEW.seats)),
            ),
        )
    ],
}


def test_actions_events_and_turns_in_words() -> None:
    """W72, W75."""
    listed = [" ".join(map(str, action.values())) + ": " + told(action) for action in ACTIONS]
    screens = {"actions": "\n".join(listed)}
    assert all(len(news(DRAWING, [a_step(event)], NAMES)) == 1 for event in EVENTS)
    screens["events"] = "\n".join(line for event in EVENTS for line in news(DRAWING, [a_step(event)], NAMES))
    screens |= {title: words(DRAWING, turn, NAMES) for title, turn in TURNS.items()}
    check_screen("words/wasteland", screens)


def test_no_kind_of_action_is_left_out_above() -> None:
    assert {action["type"] for action in ACTIONS} == set(KIND_NAMES)


def test_a_card_played_in_the_next_turn_is_told_apart_from_what_its_seat_did_before() -> None:
    """W23."""
    card = {"type": "play", "card": "flat_tire"}
    assert DRAWING.goes_on(a_step(type="stop"), a_step(type="keep"))
    assert not DRAWING.goes_on(a_step(EventDrawn(0, None), TurnBegan(1, 1), type="keep"), a_step(**card))
    assert not DRAWING.goes_on(a_step(type="stop"), replace(a_step(**card), seat=1))
    assert not DRAWING.goes_on(a_step(), replace(a_step(), before=replace(VIEW, round=2)))


@pytest.mark.parametrize("event", [Played(0, SALVAGE, FUEL), Delivered(0, 1, 6), EventDiscarded(0, AMBUSH)])
def test_what_the_action_says_already_is_not_told_again(event: Event) -> None:
    assert news(DRAWING, [a_step(event)], NAMES) == []


def test_a_loss_that_is_the_action_itself_is_not_told_again() -> None:
    """W30, W49: those that follow without a choice are told."""
    chosen, forced = LostResource(0, RATIONS, 1), LostResource(0, FUEL, 1)
    assert news(DRAWING, [a_step(chosen, forced, type="lose", resource="rations")], NAMES) == [
        "ant loses 1 fuel."
    ]


@pytest.mark.parametrize(("seats", "rule"), [(2, "deter"), (4, "engage")])
def test_whole_matches_are_told_in_printable_words(seats: int, rule: str) -> None:
    dice = Random(seats)
    match = WASTELAND.new_match(seats, WASTELAND.options(seats, {"check_rule": rule}), SEED)
    names = ("ant", "bee", "cat", "dog")[:seats]
    while match.outcome() is None:
        sensible = WASTELAND.sensible_action(match, Stream(dice.randbytes(SEED_BYTES)))
        action = sensible if dice.random() < 0.8 else dice.choice(list(match.legal_actions()))
        for line in words(DRAWING, [play_step(match, action)], names).split("\n"):
            assert line
            assert line.isprintable()
            assert "unknown" not in line
