"""W5: every Caravan card, what it has and what it can do."""

from __future__ import annotations

from tests.unit.engine.wasteland.positions import (
    DONE,
    STOP,
    Positions,
    heal,
    hit,
    in_fight,
    load,
    of,
    step,
)
from tests.unit.engine.wasteland.tables import CARAVAN, RESOURCES


def stands(at: Positions, card: str) -> int:
    """Return the Hits that destroy the card: a Lone Raider's six is placed on it, with more and more on it before."""
    for hits in range(CARAVAN[card].health):
        others = "cook_wagon" if card == "head" else ""
        dice = 3 if card == "head" else 3 + CARAVAN[card].attack
        position, _ = in_fight(
            at, "lone_raider", caravan=f"{card}:{hits} {others}", dice=f"[4-6].{{{dice - 1}}}6"
        )
        if "destroyed" in position.told(hit(card)):
            return hits + 1
    raise AssertionError(card)


def holds(at: Positions, card: str) -> dict[str, int]:
    """Units of each resource that fit more than with the Head alone, of that resource only."""
    more = {}
    for resource in RESOURCES:
        position = at(space="X0", caravan="" if card == "head" else card)
        while position.may(load(resource)):
            position.play(load(resource))
        more[resource] = position.stored()[resource] - (0 if card == "head" else 2)
    return {resource: number for resource, number in more.items() if number}


def dice_with(at: Positions, caravan: str) -> int:
    """Of the caravan's roll."""
    _, told = in_fight(at, "lone_raider", caravan=caravan, dice="[4-6]")
    return len(of("roll", told)[0]["dice"])


def least_hit(at: Positions, caravan: str) -> int:
    """Return the lowest die of a Lone Raider that hits the caravan: one above its Defense."""
    own = 3 + sum(CARAVAN[card].attack for card in caravan.split())
    for die in range(1, 7):
        position, _ = in_fight(at, "lone_raider", caravan=caravan, dice=f"[4-6].{{{own - 1}}}{die}")
        if position.asked[0] == "assign_hit" or position.he["caravan"]["head"]:
            return die
    raise AssertionError(caravan)


def steps_with(at: Positions, caravan: str) -> int:
    """Of a Movement between two Towns."""
    position, made = at("move", caravan=caravan), 0
    while position.asked == ("move", 0):
        position.play(step("a1" if position.he["space"] == "N" else "N"))
        made += 1
    return made


def test_head(at: Positions) -> None:
    """H4 A3 D3 M4; a slot for each resource and one for any."""
    assert (stands(at, "head"), dice_with(at, ""), least_hit(at, ""), steps_with(at, "")) == (4, 3, 4, 4)
    assert holds(at, "head") == dict.fromkeys(RESOURCES, 2)


def test_mobile_garrison(at: Positions) -> None:
    """H3, Defense +1; 1 Munitions for two dice more."""
    assert (stands(at, "mobile_garrison"), least_hit(at, "mobile_garrison")) == (3, 5)
    assert (dice_with(at, "mobile_garrison"), holds(at, "mobile_garrison")) == (3, {})
    position, _ = in_fight(at, "lone_raider", caravan="mobile_garrison", resources="munitions")
    assert len(of("roll", position.play({"type": "boost"}))[0]["dice"]) == 5


def test_gun_truck(at: Positions) -> None:
    """H2 A2; 1 Munitions rerolls the misses."""
    assert (stands(at, "gun_truck"), dice_with(at, "gun_truck"), holds(at, "gun_truck")) == (2, 5, {})
    position, _ = in_fight(at, "lone_raider", caravan="gun_truck", resources="munitions", dice="[1-3]{5}")
    assert len(of("roll", position.play({"type": "reroll"}))[0]["dice"]) == 5


def test_outrider_bikes(at: Positions) -> None:
    """H1 A1 M1; 1 Fuel for a step more."""
    assert (stands(at, "outrider_bikes"), dice_with(at, "outrider_bikes")) == (1, 4)
    assert (steps_with(at, "outrider_bikes"), holds(at, "outrider_bikes")) == (5, {})
    position = at("move", caravan="outrider_bikes", resources="fuel")
    position.play({"type": "outrider"})
    assert position.stored() == {}


def test_scout_rig(at: Positions) -> None:
    """H1 M1; 1 Fuel for one Attack card fewer."""
    assert (stands(at, "scout_rig"), steps_with(at, "scout_rig"), holds(at, "scout_rig")) == (1, 5, {})
    position = at(
        "move", space="i1", caravan="scout_rig", resources="fuel", decks={"attack": "lone_raider feral_dogs"}
    )
    assert len(of("attack_card", position.play(step("X0", scout=True), STOP))) == 1


def test_field_hospital(at: Positions) -> None:
    """H2; 1 Medicine for two Hits."""
    assert (stands(at, "field_hospital"), holds(at, "field_hospital")) == (2, {})
    position = at(caravan="field_hospital head:2", resources="medicine")
    position.play(heal("head", "head"))
    assert position.he["caravan"] == {"head": 0, "field_hospital": 0}


def test_cook_wagon(at: Positions) -> None:
    """H2; 1 Rations for one more Event."""
    assert (stands(at, "cook_wagon"), holds(at, "cook_wagon")) == (2, {})
    position = at(caravan="cook_wagon", resources="rations")
    position.play(DONE, {"type": "cook"})
    assert len(position.he["hand"]) == 2


def test_armored_bus(at: Positions) -> None:
    """H4, Defense +1; two slots for any."""
    assert (stands(at, "armored_bus"), least_hit(at, "armored_bus")) == (4, 5)
    assert holds(at, "armored_bus") == dict.fromkeys(RESOURCES, 2)


def test_cargo_hauler(at: Positions) -> None:
    """H3; three slots for any."""
    assert (stands(at, "cargo_hauler"), holds(at, "cargo_hauler")) == (3, dict.fromkeys(RESOURCES, 3))


def test_tanker_trailer(at: Positions) -> None:
    """H2; three slots for Fuel."""
    assert (stands(at, "tanker_trailer"), holds(at, "tanker_trailer")) == (2, {"fuel": 3})


def test_ammo_trailer(at: Positions) -> None:
    """H2; three slots for Munitions."""
    assert (stands(at, "ammo_trailer"), holds(at, "ammo_trailer")) == (2, {"munitions": 3})


def test_ration_wagon(at: Positions) -> None:
    """H2; three slots for Rations."""
    assert (stands(at, "ration_wagon"), holds(at, "ration_wagon")) == (2, {"rations": 3})


def test_medical_trailer(at: Positions) -> None:
    """H2; three slots for Medicine."""
    assert (stands(at, "medical_trailer"), holds(at, "medical_trailer")) == (2, {"medicine": 3})


def test_war_rig(at: Positions) -> None:
    """H5 A2, Defense +1; two slots for any."""
    assert (stands(at, "war_rig"), dice_with(at, "war_rig"), least_hit(at, "war_rig")) == (5, 5, 5)
    assert holds(at, "war_rig") == dict.fromkeys(RESOURCES, 2)


def test_no_ability_works_from_the_deck(at: Positions) -> None:
    """W5: cards that are not in play do nothing."""
    resources = "fuel munitions rations medicine"
    assert at("move", resources=resources).legal("outrider") == []
    position = at(caravan="head:1", resources=resources)
    assert position.legal("heal") == []
    position.play(DONE)
    assert position["current"] == 1
    position, told = in_fight(at, "lone_raider", resources=resources, dice="[1-3]{3}1")
    assert len(of("roll", told)) > 2
