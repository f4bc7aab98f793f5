"""W72-W76: actions, their order, defaults, the log, that everything ends, and what the engine refuses."""

import pytest

from engine.game import UnreadableActionError
from engine.wasteland import actions
from engine.wasteland.notation import parse_action
from tests.unit.engine.naive import Json, canonical
from tests.unit.engine.playing import check_refused
from tests.unit.engine.wasteland import do
from tests.unit.engine.wasteland.mapping import EngineMatch, Implementation
from tests.unit.engine.wasteland.positions import (
    SEED,
    Position,
    Positions,
    a_position,
    attacked,
    holding,
    in_fight,
)


def test_w73_copies_of_one_card_are_listed_once(at: Positions) -> None:
    position = attacked(at, hands=["", "attack attack attack"])
    assert position.legal() == [do.play("attack"), do.PASS]


def test_w73_sorted_by_the_text(at: Positions) -> None:
    position = at("move", space="i1", caravan="scout_rig outrider_bikes", resources="fuel")
    scouted = [do.step(to, scout=True) for to in ("X0", "X1", "X4")]
    steps = [do.step(to) for to in ("N", "X0", "X1", "X4")]
    assert position.legal() == [*scouted, *steps, do.OUTRIDER, do.STOP]


def test_w74_the_default_of_each_decision(rules: Implementation, at: Positions) -> None:
    assert rules.new(2, {}, SEED).default() == do.city("N")
    assert at("event", window="end", hands=["hidden_cache", ""]).match.default() == do.PASS
    assert at("move").match.default() == do.STOP
    position = at(hands=["attack", ""], caravan="cook_wagon", resources="rations")
    for decision, default in (("location", do.DONE), ("end_discard", do.KEEP), ("cook", do.PASS)):
        assert (position.asked, position.match.default()) == ((decision, 0), default)
        position.play(default)
    spoiling = {"hands": ["", "spoiled_stores"], "resources": "rations medicine"}
    position = at("event", window="end", to_move=1, **spoiling)
    position.play(do.play("spoiled_stores"))
    assert position.match.default() == do.lose("rations")


@pytest.mark.parametrize(
    ("held", "decision", "default"),
    [
        ("rations", "dodge", do.FIGHT),
        ("mobile_garrison munitions", "boost", do.PASS),
        ("gun_truck munitions", "reroll", do.PASS),
    ],
)
def test_w74_the_default_in_a_fight(at: Positions, held: str, decision: str, default: Json) -> None:
    position, _ = in_fight(at, "feral_dogs", **holding(held), dice="[12]")
    assert (position.asked, position.match.default()) == ((decision, 0), default)


def test_w74_hits_go_to_the_first_card_in_the_order_of_w5_the_head_last(at: Positions) -> None:
    caravan = "war_rig:4 gun_truck:1 armored_bus:3"
    position, _ = in_fight(at, "mutant_pack", caravan=caravan, dice="[3-6]{7}666")
    for card in ("gun_truck", "armored_bus", "war_rig"):
        assert position.match.default() == do.hit(card)
        position.play(do.hit(card))


@pytest.mark.parametrize(
    ("resources", "default"), [("fuel:3 munitions:3", "fuel"), ("medicine:3 munitions:3", "munitions")]
)
def test_w74_the_first_resource_in_the_order_of_w3(at: Positions, resources: str, default: str) -> None:
    position, _ = in_fight(at, "lone_raider", caravan="cargo_hauler:2", resources=resources, dice="6..[4-6]")
    position.play(do.hit("cargo_hauler"))
    assert position.asked == ("overflow", 0)
    assert position.match.default() == do.lose(default)


def test_w75_neither_a_pass_is_told_nor_what_is_paid_or_ditched(at: Positions) -> None:
    assert at("event", seats=3, window="end", hands=["hidden_cache", "pickpockets"]).play(do.PASS) == []
    position, _ = in_fight(at, "feral_dogs", resources="rations fuel")
    assert "lose" not in position.told(do.PAY)
    assert at(resources="fuel").told(do.ditch("fuel")) == []


def test_w76_at_most_11_steps_in_a_movement(at: Positions) -> None:
    """4+1+1, one Outrider, two Tailwinds."""
    position = at("move", caravan="outrider_bikes scout_rig", resources="fuel", turn={"tailwinds": 2})
    position.play(do.OUTRIDER)
    assert position.walk() == 11


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_w76_at_most_3n_plays_in_a_window(at: Positions, seats: int) -> None:
    """Everybody plays whatever it can."""
    hands = [
        "hidden_cache salvage salvage",
        "pickpockets pickpockets leaking_tank",
        "contract_cancelled contract_cancelled spoiled_stores",
        "spoiled_stores leaking_tank attack",
    ][:seats]
    position = at("event", seats=seats, window="end", hands=hands, resources="fuel:2 rations medicine")
    plays = 0
    while position["window"]:
        choices = [*position.legal("play"), *position.legal("lose"), do.PASS]
        plays += choices[0]["type"] == "play"
        position.play(choices[0] if choices[0] in position.legal() else do.PASS)
    assert seats < plays <= 3 * seats


def engine_at(*arguments: str, **fields: object) -> Position:
    return a_position(EngineMatch, *arguments, **fields)  # type: ignore[arg-type]


def refused(position: Position, action: Json | int, words: str) -> None:
    assert isinstance(position.match, EngineMatch)
    number = action if isinstance(action, int) else parse_action(canonical(action))
    check_refused(position.match.state, number, words)


READ = [
    ("", "is no action of Wasteland"),
    ("[]", "is no action of Wasteland"),
    ("[" * 900, "is no action of Wasteland"),
    (" " * 1001 + '{"type":"done"}', "is no action of Wasteland"),
    ('{"type":"done"', "is no action of Wasteland"),
    ("{}", 'a "type"'),
    ('{"type":7}', 'a "type"'),
    ('{"type":"resign"}', 'field type is "resign"'),
    ('{"type":"done","seat":1}', "type done has the fields type alone"),
    ('{"type":"load"}', "type load has the fields resource"),
    ('{"type":"load","resource":"water"}', "field resource names a resource"),
    ('{"type":"load","resource":["fuel"]}', "field resource names a resource"),
    ('{"type":"load","resource":"fuel","number":2}', "type load has the fields resource"),
    ('{"type":"step","to":"Z"}', "field to names a space"),
    ('{"type":"step","to":"X0","scout":1}', "field scout is true, or left out"),
    ('{"type":"step","to":"X0","scout":false}', "field scout is true, or left out"),
    ('{"type":"step","scout":true}', "type step has the fields to"),
    ('{"type":"start_city","city":"Z"}', "field city names"),
    ('{"type":"buy","card":"tank"}', "field card names"),
    ('{"type":"deliver","mission":"i1D"}', "field mission names"),
    ('{"type":"pay","resource":"cash"}', "field resource names a resource"),
    ('{"type":"pay","card":"toll_gang"}', "type pay has the fields resource"),
    ('{"type":"heal","hits":[]}', "field hits is a list of one or two Caravan cards, sorted"),
    ('{"type":"heal","hits":["war_rig","head"]}', "field hits is a list of one or two Caravan cards, sorted"),
    ('{"type":"heal","hits":["head","head","head"]}', "field hits is a list of one or two"),
    ('{"type":"heal","hits":[1]}', "field hits is a list of one or two"),
    ('{"type":"heal","hits":["tank"]}', "field hits names Caravan cards"),
    ('{"type":"play"}', "type play has the field card"),
    ('{"type":"play","card":"nuke"}', "field card names an Event card"),
    ('{"type":"play","card":"attack","space":"N"}', "card attack has the fields card"),
    ('{"type":"play","card":"road_block"}', "card road_block has the fields card, space"),
    ('{"type":"play","card":"road_block","space":"Z"}', "field space names a space"),
    ('{"type":"play","card":"dry_market","resource":"cash"}', "field resource names a resource"),
    ('{"type":"play","card":"contract_cancelled","mission":3}', "field mission names a mission"),
    ('{"type":"play","card":"field_repairs","hits":"head"}', "field hits is a list"),
]


@pytest.mark.parametrize(("text", "complaint"), READ)
def test_w72_what_is_no_action_is_refused_with_its_field(text: str, complaint: str) -> None:
    with pytest.raises(UnreadableActionError, match=complaint) as caught:
        parse_action(text)
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize(
    ("action", "packed"),
    [
        (do.city("W"), 3),
        (do.PASS, 1 << 27),
        (do.lose("medicine"), 3 << 27 | 3),
        (do.step("N", scout=True), 4 << 27 | 1 << 8),
        ({"type": "pay", "resource": "fuel"}, 8 << 27 | 1),
        (do.heal("head"), 17 << 27),
        (do.heal("head", "mobile_garrison"), 17 << 27 | 2 << 4),
        (do.play("surprise_attack"), 2 << 27 | 1 << 16),
        (do.COOK, 21 << 27),
    ],
)
def test_w72_the_packing_is_the_documented_one(action: Json, packed: int) -> None:
    assert parse_action(canonical(action)) == packed


def test_w72_an_int_that_is_no_action_is_illegal() -> None:
    for number in (-1, -(2**40), 22 << 27, 31 << 27, 1 << 32, 2**200, 10**5000, -(10**5000)):
        refused(engine_at(), number, "no action Wasteland")


TOWN = {"space": "i1", "missions": "i1A i1B", "resources": "munitions medicine fuel"}
LOCATION = [
    ({}, do.load("medicine"), "W55 medicine not offered"),
    ({"turn": {"dry": ["fuel"]}}, do.load("fuel"), "W55 fuel not offered"),
    ({"turn": {"ditched": ["fuel"]}}, do.load("fuel"), "W55 fuel ditched"),
    ({"resources": "fuel:2"}, do.load("fuel"), "W20 no slot fuel"),
    ({}, do.ditch("fuel"), "W56 no fuel"),
    ({}, do.buy("war_rig"), "W57 war_rig costs 8 5"),
    ({"caravan": "gun_truck"}, do.buy("gun_truck"), "W57 no card deck"),
    ({}, do.deliver("i1A"), "W58 no mission face"),
    ({"missions": "i1A"}, do.deliver("i1A"), "W58 i1A delivered i1"),
    ({}, do.heal("head"), "W59 Hospital Medicine"),
    ({"caravan": "field_hospital head:2", "resources": "medicine"}, do.heal("head"), "W59 two Hits only"),
    ({}, do.STOP, "W72 location"),
    ({}, actions.LOAD << 27 | 4, "W3 no resource"),
    ({}, actions.DONE_ACTION | 1, "W72 no fields"),
    (TOWN, do.deliver("i1B"), "W58 i1B needs"),
    (TOWN, do.load("fuel"), "W55 W56 Town"),
    (TOWN, do.buy("gun_truck"), "W57 Cities"),
]


@pytest.mark.parametrize(("fields", "action", "words"), LOCATION)
def test_w54_refusals_at_location(fields: Json, action: Json | int, words: str) -> None:
    refused(engine_at(**fields), action, words)


def test_w32_refusals_of_steps() -> None:
    position = engine_at("move", space="i1", turn={"road_blocks": ["N"], "steps": 1})
    refused(position, do.step("S"), "W32 no link i1")
    refused(position, do.step("N"), "W35 N blocked")
    refused(position, do.step("X0", scout=True), "W34 Scout Rig Fuel")
    refused(position, do.OUTRIDER, "W33 Outrider Fuel first")
    refused(engine_at("move", space="i1", turn={"sandstorm": True}), do.step("X0"), "W35 Sandstorm Wild")


def test_w26_refusals_of_plays() -> None:
    position = engine_at("event", window="end", to_move=1, hands=["", "attack pickpockets"])
    refused(position, do.play("ambush"), "W26 no card")
    refused(position, do.play("attack"), "W8 attack not window end")
    position = attacked(engine_at, hands=["escort tailwind", "attack"])
    position.play(do.play("attack"))
    refused(position, do.play("tailwind"), "W29 tailwind no answer")


def test_w40_refusals_in_a_fight() -> None:
    position, _ = in_fight(engine_at, "feral_dogs", resources="rations")
    refused(position, {"type": "pay", "resource": "fuel"}, "W40 Feral Dogs nothing")
    refused(position, do.DETER, "check_rule deter")
    held = {"caravan": "cargo_hauler:2", "resources": "fuel:3 rations:2"}
    position, _ = in_fight(engine_at, "lone_raider", **held, dice="6..6")
    refused(position, do.hit("gun_truck"), "W47 no card")
    position.play(do.hit("cargo_hauler"))
    refused(position, do.lose("medicine"), "W30 W49")


def test_w62_refusals_of_other_decisions() -> None:
    position = engine_at(hands=["attack", ""])
    position.play(do.DONE)
    refused(position, do.discard("ambush"), "W62 no card")
    position, _ = in_fight(engine_at, "lone_raider", caravan="head:3", dice="[1-3]{3}6")
    refused(position, actions.start_city(4), "W15 no City")
    position = engine_at(options={"max_rounds": 1}, first=1)
    position.play(do.DONE)
    assert position.legal() == []
    refused(position, do.DONE, "match over")
