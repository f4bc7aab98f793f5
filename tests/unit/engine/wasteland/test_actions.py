"""W72-W76: actions, their order, defaults, the log, and that everything ends."""

import pytest

from tests.unit.engine.wasteland import do
from tests.unit.engine.wasteland.implementations import Implementation
from tests.unit.engine.wasteland.positions import SEED, Json, Positions, attacked, in_fight


def test_w73_copies_of_one_card_are_listed_once(at: Positions) -> None:
    position = attacked(at, hands=["", "attack attack attack"])
    assert position.legal() == [do.play("attack"), do.PASS]
    position = at(hands=["attack attack salvage", ""])
    position.play(do.DONE)
    position.play(do.PASS)
    assert [action.get("card") for action in position.legal()] == ["attack", "salvage", None]


def test_w73_sorted_by_the_text(at: Positions) -> None:
    position = at("move", space="i1", caravan="scout_rig outrider_bikes", resources="fuel")
    scouted, steps = (
        [do.step(to, scout=True) for to in ("X0", "X1", "X4")],
        map(do.step, ("N", "X0", "X1", "X4")),
    )
    assert position.legal() == [*scouted, *steps, do.OUTRIDER, do.STOP]


def test_w74_the_default_of_each_decision(rules: Implementation, at: Positions) -> None:
    assert rules.new(2, {}, SEED).default() == do.city("N")
    assert at("event", window="end", hands=["hidden_cache", ""]).match.default() == do.PASS
    assert at("move").match.default() == do.STOP
    assert at().match.default() == do.DONE


@pytest.mark.parametrize(
    ("card", "fields", "decision", "default"),
    [
        ("feral_dogs", {"resources": "rations"}, "dodge", do.FIGHT),
        ("lone_raider", {"caravan": "mobile_garrison", "resources": "munitions"}, "boost", do.PASS),
        (
            "lone_raider",
            {"caravan": "gun_truck", "resources": "munitions", "dice": "[1-3]"},
            "reroll",
            do.PASS,
        ),
    ],
)
def test_w74_the_default_in_a_fight(
    at: Positions, card: str, fields: Json, decision: str, default: Json
) -> None:
    position, _ = in_fight(at, card, **fields)
    assert position.asked == (decision, 0)
    assert position.match.default() == default


def test_w74_hits_go_to_the_first_card_in_the_order_of_w5_the_head_last(at: Positions) -> None:
    position, _ = in_fight(
        at, "mutant_pack", caravan="war_rig gun_truck:1 armored_bus", dice="[3-6]{7}66[1-4]"
    )
    assert position.match.default() == do.hit("gun_truck")
    position.play(do.hit("gun_truck"))
    assert position.match.default() == do.hit("armored_bus")
    position, _ = in_fight(at, "lone_raider", caravan="war_rig", dice="6....[56]")
    assert position.match.default() == do.hit("war_rig")


@pytest.mark.parametrize(
    ("resources", "default"), [("fuel:3 munitions:3", "fuel"), ("medicine:3 munitions:3", "munitions")]
)
def test_w74_the_first_resource_in_the_order_of_w3(at: Positions, resources: str, default: str) -> None:
    position, _ = in_fight(at, "lone_raider", caravan="cargo_hauler:2", resources=resources, dice="6..[4-6]")
    position.play(do.hit("cargo_hauler"))
    assert position.asked == ("overflow", 0)
    assert position.match.default() == do.lose(default)


def test_w74_spoil_rations_before_medicine(at: Positions) -> None:
    position = at(
        "event", window="end", to_move=1, hands=["", "spoiled_stores"], resources="rations medicine"
    )
    position.play(do.play("spoiled_stores"))
    assert position.match.default() == do.lose("rations")


def test_w74_at_the_end_of_the_turn(at: Positions) -> None:
    position = at(hands=["attack", ""], caravan="cook_wagon", resources="rations")
    position.play(do.DONE)
    assert position.match.default() == do.KEEP
    position.play(do.KEEP)
    assert position.asked == ("cook", 0)
    assert position.match.default() == do.PASS


def test_w75_a_pass_is_not_told(at: Positions) -> None:
    position = at("event", seats=3, window="end", hands=["hidden_cache", "pickpockets"])
    assert position.play(do.PASS) == []


def test_w75_what_is_lost_is_told_for_three_reasons_alone(at: Positions) -> None:
    """Not what a fight is paid off with, nor what is ditched."""
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
    ]
    position = at(
        "event", seats=seats, window="end", hands=hands[:seats], resources="fuel:2 rations medicine"
    )
    plays = 0
    while position["window"]:
        played_ = [*position.legal("play"), *position.legal("lose")]
        plays += bool(position.legal("play"))
        position.play(played_[0] if played_ else do.PASS)
    assert seats < plays <= 3 * seats
