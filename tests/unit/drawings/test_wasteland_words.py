"""Turns of Wasteland in plain words."""

import json
from dataclasses import replace

from arena.drawings.drawing import Step
from arena.drawings.wasteland.drawing import DRAWING
from engine.game import SPECTATOR, Event
from engine.randomness import SEED_BYTES
from engine.wasteland import WASTELAND, events
from engine.wasteland.actions import KIND_NAMES
from engine.wasteland.caravan_cards import HEAD
from engine.wasteland.notation import parse_action
from engine.wasteland.resources import FUEL, RATIONS
from tests.unit.cli.screens import check_screen
from tests.unit.codecs.test_wasteland import DOGS, EVENTS, TANK
from tests.unit.drawings.played_steps import news, words

NAMES = ("ant", "bee", "cat", "dog")
SEED = bytes(SEED_BYTES)
VIEW = WASTELAND.new_match(4, WASTELAND.options(4, {}), SEED).observe(SPECTATOR)


def a_step(*events: Event, **action: object) -> Step:
    """Return a step of seat 0 with an action and its consequences."""
    packed = parse_action(json.dumps(action or {"type": "done"}))
    return Step(0, VIEW, packed, events, VIEW)


def caravan_rolls(*dice: int) -> events.Rolled:
    return events.Rolled(events.Side.CARAVAN, dice)


def attack_rolls(*dice: int) -> events.Rolled:
    return events.Rolled(events.Side.ATTACK, dice)


def told(*actions: dict[str, object]) -> str:
    return DRAWING.describe([a_step(**action) for action in actions], NAMES).plain


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

ROLLS = (
    caravan_rolls(1, 5),
    events.Rolled(events.Side.REROLL, (2,)),
    attack_rolls(6, 6, 1),
)

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
    "W43 to W45: the dice of a fight": [a_step(events.FightBegan(DOGS), *ROLLS, events.Destroyed(0, HEAD))],
    "W36 to W53: after a fight": [
        replace(step, before=replace(VIEW, current=0), after=replace(VIEW, current=0))
        for step in (
            a_step(type="step", to="X4"),
            a_step(events.AttackDrawn(DOGS, True), events.FightBegan(DOGS), type="stop"),
            a_step(
                caravan_rolls(1, 1),
                attack_rolls(6),
                type="fight",
            ),
            a_step(
                caravan_rolls(2, 2),
                attack_rolls(5),
                type="hit",
                card="gun_truck",
            ),
            a_step(events.Destroyed(0, HEAD), events.Defeated(0), type="hit", card="head"),
            a_step(events.EventDrawn(0, None), type="start_city", city="W"),
        )
    ],
    "W23, W28: a card of seat 0 on the turn of seat 1, whose fight it is": [
        replace(
            a_step(
                events.FightBegan(DOGS),
                caravan_rolls(5, 5, 5),
                events.TurnBegan(2, 0),
                events.FightBegan(TANK),
                type="play",
                card="attack",
            ),
            before=replace(VIEW, current=1),
        )
    ],
    "a new leader": [
        replace(
            a_step(events.AttackDefeated(TANK, 5)),
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
    sentences = [(event, news(DRAWING, [a_step(event)], NAMES)) for event in EVENTS]
    screens["events"] = "\n".join(f"{type(event).__name__}: {' '.join(told)}" for event, told in sentences)
    screens |= {title: words(DRAWING, turn, NAMES) for title, turn in TURNS.items()}
    check_screen("words/wasteland", screens)


def test_no_kind_of_action_is_left_out_above() -> None:
    assert {action["type"] for action in ACTIONS} == set(KIND_NAMES)


def test_a_card_played_in_the_next_turn_begins_a_paragraph() -> None:
    """W23."""
    card = {"type": "play", "card": "flat_tire"}
    assert DRAWING.continues(a_step(type="stop"), a_step(type="keep"))
    assert not DRAWING.continues(
        a_step(events.EventDrawn(0, None), events.TurnBegan(1, 1), type="keep"), a_step(**card)
    )
    assert not DRAWING.continues(a_step(type="stop"), replace(a_step(**card), seat=1))
    assert not DRAWING.continues(a_step(), replace(a_step(), before=replace(VIEW, round=2)))


def test_a_loss_that_is_the_action_itself_is_not_told_again() -> None:
    """W30, W49: those that follow without a choice are told."""
    chosen, forced = events.LostResource(0, RATIONS, 1), events.LostResource(0, FUEL, 1)
    assert news(DRAWING, [a_step(chosen, forced, type="lose", resource="rations")], NAMES) == [
        "ant loses 1 fuel."
    ]
