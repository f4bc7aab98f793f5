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
    """What follows from an action."""
    packed = parse_action(json.dumps(action or {"type": "done"}))
    return Step(0, VIEW, packed, events, VIEW)


def told(*actions: dict[str, object]) -> str:
    return DRAWING.describe([a_step(**action) for action in actions], NAMES).plain


def news(*events: Event, **action: object) -> list[str]:
    return [text.plain for text in DRAWING.describe_events([a_step(*events, **action)], NAMES)]


ACTIONS: list[tuple[dict[str, object], str]] = [
    ({"type": "start_city", "city": "W"}, "begins at Westhold"),
    ({"type": "pass"}, "passes"),
    ({"type": "play", "card": "attack"}, 'plays "Attack!"'),
    ({"type": "play", "card": "road_block", "space": "X0"}, 'plays "Road Block" at The Crater'),
    ({"type": "play", "card": "salvage", "resource": "fuel"}, 'plays "Salvage" for fuel'),
    ({"type": "play", "card": "dry_market", "resource": "rations"}, 'plays "Dry Market" for rations'),
    ({"type": "play", "card": "contract_cancelled", "mission": "c2B"}, 'plays "Contract Cancelled" on c2B'),
    (
        {"type": "play", "card": "field_repairs", "hits": ["head", "war_rig"]},
        'plays "Field Repairs" on Head of the Caravan and War Rig',
    ),
    (
        {"type": "play", "card": "field_repairs", "hits": ["head", "head"]},
        'plays "Field Repairs" on Head of the Caravan (2)',
    ),
    ({"type": "lose", "resource": "medicine"}, "gives up medicine"),
    ({"type": "step", "to": "i1"}, "goes to Pumphouse"),
    ({"type": "step", "to": "X1", "scout": True}, "scouts ahead and goes to Dead Suburb"),
    ({"type": "outrider"}, "sends the Outrider Bikes ahead"),
    ({"type": "stop"}, "stays"),
    ({"type": "fight"}, "fights"),
    ({"type": "pay"}, "pays what the card asks for"),
    ({"type": "pay", "resource": "fuel"}, "pays what the card asks for"),
    ({"type": "deter"}, "turns the card away"),
    ({"type": "boost"}, "boosts the roll"),
    ({"type": "reroll"}, "rolls the misses again"),
    ({"type": "hit", "card": "gun_truck"}, "takes Hits on Gun Truck"),
    ({"type": "load", "resource": "rations"}, "loads rations"),
    ({"type": "ditch", "resource": "fuel"}, "ditches fuel"),
    ({"type": "buy", "card": "scout_rig"}, "buys Scout Rig"),
    (
        {"type": "deliver", "mission": "i1B"},
        "delivers i1B (1 fuel, 2 medicine to Pumphouse for 6 Cash)",
    ),
    ({"type": "heal", "hits": ["cook_wagon"]}, "heals Cook Wagon"),
    ({"type": "heal", "hits": ["cook_wagon", "head"]}, "heals Cook Wagon and Head of the Caravan"),
    ({"type": "done"}, "is done here"),
    ({"type": "keep"}, "keeps the hand"),
    ({"type": "discard", "card": "ambush"}, 'discards "Ambush!"'),
    ({"type": "cook"}, "cooks"),
]


@pytest.mark.parametrize(("action", "sentence"), ACTIONS)
def test_every_kind_of_action_is_told_in_words(action: dict[str, object], sentence: str) -> None:
    """W72."""
    assert told(action) == sentence


def test_no_kind_of_action_is_left_out_above() -> None:
    assert {action["type"] for action, _ in ACTIONS} == set(KIND_NAMES)


def test_a_turn_is_one_sentence_in_which_the_same_is_told_once() -> None:
    steps: list[dict[str, object]] = [{"type": "step", "to": to} for to in ("i1", "X0", "i1", "X0")]
    goods = ("fuel", "fuel", "rations")
    loads: list[dict[str, object]] = [{"type": "load", "resource": resource} for resource in goods]
    assert told(*steps, {"type": "stop"}, *loads, {"type": "done"}, {"type": "keep"}) == (
        "goes to Pumphouse, The Crater, Pumphouse and The Crater; loads fuel (2) and rations"
    )


def test_who_does_nothing_is_told_by_the_first_thing_that_was_not_done() -> None:
    assert told({"type": "pass"}, {"type": "stop"}, {"type": "done"}, {"type": "pass"}) == "stays"
    assert told({"type": "pass"}, {"type": "pass"}) == "passes"


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (StartDie(1, 4), "bee rolls a 4."),
        (TurnBegan(3, 1), "Round 3, turn of bee."),
        (LostResource(1, FUEL, 2), "bee loses 2 fuel."),
        (AttackDrawn(DOGS, True), "Attack card: Feral Dogs."),
        (AttackDrawn(TANK, False), "Attack card: Rust Tank, which does not engage."),
        (FightBegan(TANK), "Fight against Rust Tank."),
        (Dodged(DOGS, Dodge.PAY, None), "Paid: Feral Dogs."),
        (Dodged(GANG, Dodge.PAY, RATIONS), "Paid: Scavenger Gang, with rations."),
        (Dodged(PLAGUE, Dodge.PAY, None), "Paid, for its Bounty: Plague Carriers."),
        (Dodged(SNIPER, Dodge.PAY, None), "Paid, to have Defense 3: Sniper Nest."),
        (Dodged(WARRIORS, Dodge.PAY, None), "Paid, and shuffled back: Road Warriors."),
        (Dodged(WARRIORS, Dodge.DETER, None), "Turned away: Road Warriors."),
        (AttackDefeated(TANK, 5), "Defeated: Rust Tank, for 5 Cash."),
        (AttackGone(TANK), "Gone after the last round: Rust Tank."),
        (Destroyed(0, CARD_IDS.index("war_rig")), "ant loses War Rig."),
        (Defeated(0), "ant is defeated, and begins anew."),
        (
            MissionShown(0, MISSION_IDS.index("i2A")),
            "Mission: i2A (1 fuel, 1 munitions to Saltworks for 5 Cash).",
        ),
        (EventDrawn(1, AMBUSH), 'bee draws "Ambush!".'),
        (EventDrawn(1, None), "bee draws an Event card."),
        (Shuffled(Deck.ATTACK, 24), "The attack deck of 24 cards is shuffled."),
        (Rebuilt(Deck.ATTACK), "The attack deck is shuffled anew."),
        (GoalReached(1), "bee reaches the Cash goal."),
        (Ended(Ending.GOAL), "The round in which the Cash goal was reached is over: the match ends."),
        (Ended(Ending.ROUND_LIMIT), "The last round is over: the match ends."),
    ],
)
def test_what_followed_is_told_a_sentence_each(event: Event, sentence: str) -> None:
    """W75."""
    assert news(event) == [sentence]


def test_a_card_played_in_the_next_turn_is_told_apart_from_what_its_seat_did_before() -> None:
    """W23."""
    card = {"type": "play", "card": "flat_tire"}
    assert DRAWING.continues(a_step(type="stop"), a_step(type="keep"))
    assert not DRAWING.continues(a_step(EventDrawn(0, None), TurnBegan(1, 1), type="keep"), a_step(**card))
    assert not DRAWING.continues(a_step(type="stop"), replace(a_step(**card), seat=1))
    assert not DRAWING.continues(a_step(), replace(a_step(), before=replace(VIEW, round=2)))


def test_the_dice_of_a_fight_are_told_together() -> None:
    """W43 to W45."""
    rolls = [Rolled(Side.CARAVAN, (1, 5)), Rolled(Side.REROLL, (2,)), Rolled(Side.ATTACK, (6, 6, 1))]
    assert news(FightBegan(DOGS), *rolls, Destroyed(0, HEAD)) == [
        "Fight against Feral Dogs.",
        "Dice: caravan 1 5; again 2; attack 6 6 1.",
        "ant loses Head of the Caravan.",
    ]
    assert news(*rolls[:1]) == ["Dice: caravan 1 5."]


@pytest.mark.parametrize("event", [Played(0, SALVAGE, FUEL), Delivered(0, 1, 6), EventDiscarded(0, AMBUSH)])
def test_what_the_action_says_already_is_not_told_again(event: Event) -> None:
    assert news(event) == []


def test_a_loss_that_is_the_action_itself_is_not_told_again() -> None:
    """W30, W49: those that follow without a choice are told."""
    chosen, forced = LostResource(0, RATIONS, 1), LostResource(0, FUEL, 1)
    assert news(chosen, forced, type="lose", resource="rations") == ["ant loses 1 fuel."]


def test_what_is_done_after_a_fight_is_told_after_it() -> None:
    """W36 to W53: what was lost stands behind what it was lost by, and before what follows."""
    view = replace(VIEW, current=0)
    happened: list[tuple[dict[str, object], tuple[Event, ...]]] = [
        ({"type": "step", "to": "X4"}, ()),
        ({"type": "stop"}, (AttackDrawn(DOGS, True), FightBegan(DOGS))),
        ({"type": "fight"}, (Rolled(Side.CARAVAN, (1, 1)), Rolled(Side.ATTACK, (6,)))),
        ({"type": "hit", "card": "gun_truck"}, (Rolled(Side.CARAVAN, (2, 2)), Rolled(Side.ATTACK, (5,)))),
        ({"type": "hit", "card": "head"}, (Destroyed(0, HEAD), Defeated(0))),
        ({"type": "start_city", "city": "W"}, (EventDrawn(0, None),)),
    ]
    steps = [replace(a_step(*events, **action), before=view, after=view) for action, events in happened]
    assert DRAWING.describe(steps, NAMES).plain == "goes to Silent Hospital"
    assert [text.plain for text in DRAWING.describe_events(steps, NAMES)] == [
        "Attack card for ant: Feral Dogs.",
        "Fight of ant against Feral Dogs.",
        "Dice: caravan of ant 1 1; attack 6.",
        "ant takes Hits on Gun Truck.",
        "Dice: caravan of ant 2 2; attack 5.",
        "ant takes Hits on Head of the Caravan.",
        "ant loses Head of the Caravan.",
        "ant is defeated, and begins anew.",
        "ant begins at Westhold.",
        "ant draws an Event card.",
    ]


def test_a_card_on_the_turn_of_another_seat_says_whose_turn_and_whose_caravan_it_is() -> None:
    """W23, W28: seat 0 plays it, and the fight is seat 1's; what comes in the next turn is of that turn."""
    rolled = Rolled(Side.CARAVAN, (5, 5, 5))
    step = a_step(FightBegan(DOGS), rolled, TurnBegan(2, 0), FightBegan(TANK), type="play", card="attack")
    steps = [replace(step, before=replace(VIEW, current=1))]
    assert DRAWING.describe(steps, NAMES).plain == 'on bee\'s turn: plays "Attack!"'
    assert [text.plain for text in DRAWING.describe_events(steps, NAMES)] == [
        "Fight of bee against Feral Dogs.",
        "Dice: caravan of bee 5 5 5.",
        "Round 2, turn of ant.",
        "Fight of ant against Rust Tank.",
    ]


def test_scores_and_a_new_leader_are_told_last() -> None:
    seats = tuple(view._replace(score=view.score + 4 * seat) for seat, view in enumerate(VIEW.seats))
    step = replace(a_step(AttackDefeated(TANK, 5)), after=replace(VIEW, seats=seats))
    told_last = [text.plain for text in DRAWING.describe_events([step], NAMES)][-1]
    assert told_last == "Score: bee 5 → 9; bee takes the lead."


@pytest.mark.parametrize(("seats", "rule"), [(2, "deter"), (4, "engage")])
def test_whole_matches_are_told_in_printable_words(seats: int, rule: str) -> None:
    match, dice = (
        WASTELAND.new_match(seats, WASTELAND.options(seats, {"check_rule": rule}), SEED),
        Random(seats),
    )
    names = ("ant", "bee", "cat", "dog")[:seats]
    while match.outcome() is None:
        seat, before = match.seat_to_act, match.observe(SPECTATOR)
        sensible = WASTELAND.sensible_action(match, Stream(dice.randbytes(SEED_BYTES)))
        action = sensible if dice.random() < 0.8 else dice.choice(list(match.legal_actions()))
        match.apply(action)
        step = Step(seat, before, action, tuple(match.take_events()), match.observe(SPECTATOR))
        for text in (DRAWING.describe([step], names), *DRAWING.describe_events([step], names)):
            assert text.plain
            assert text.plain.isprintable()
            assert "unknown" not in text.plain
