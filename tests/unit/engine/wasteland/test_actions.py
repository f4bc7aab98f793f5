"""W72-W76: actions, their order, defaults, the log, and that everything ends."""

import pytest

from tests.unit.engine.naive import Json
from tests.unit.engine.wasteland import do
from tests.unit.engine.wasteland.mapping import Implementation
from tests.unit.engine.wasteland.positions import SEED, Positions, attacked, holding, in_fight


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
