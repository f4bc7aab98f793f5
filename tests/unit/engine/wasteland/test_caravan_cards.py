"""W5: every Caravan card, what it has and what it can do."""

import pytest

from tests.unit.engine.wasteland import do
from tests.unit.engine.wasteland.positions import Positions, in_fight, of
from tests.unit.engine.wasteland.tables import CARAVAN, RESOURCES


def stands(at: Positions, card: str) -> int:
    """Return the Hits that destroy the card: a Lone Raider's six is placed on it, with more and more on it before."""
    for hits in range(CARAVAN[card].health):
        others = "cook_wagon" if card == "head" else ""
        dice = 3 if card == "head" else 3 + CARAVAN[card].attack
        position, _ = in_fight(
            at, "lone_raider", caravan=f"{card}:{hits} {others}", dice=f"[4-6].{{{dice - 1}}}6"
        )
        if "destroyed" in position.told(do.hit(card)):
            return hits + 1
    raise AssertionError(card)


def holds(at: Positions, card: str) -> dict[str, int]:
    """Return how many units of each resource fit more than with the Head alone, of that resource only."""
    more = {}
    for resource in RESOURCES:
        position = at(space="X0", caravan="" if card == "head" else card)
        while position.may(do.load(resource)):
            position.play(do.load(resource))
        more[resource] = position.stored()[resource] - (0 if card == "head" else 2)
    return {resource: number for resource, number in more.items() if number}


def dice_with(at: Positions, caravan: str) -> int:
    """Return the number of dice of the caravan's roll."""
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


@pytest.mark.parametrize("card", CARAVAN)
def test_w5_every_card(at: Positions, card: str) -> None:
    """Its Health, Attack, Defense, Movement and slots; its ability is tested where a clause has it."""
    row, caravan = CARAVAN[card], "" if card == "head" else card
    assert stands(at, card) == row.health
    assert dice_with(at, caravan) == row.attack + (3 if caravan else 0)
    assert least_hit(at, caravan) == 1 + row.defense + (3 if caravan else 0)
    assert at("move", caravan=caravan).walk() == row.movement + (4 if caravan else 0)
    slots = {resource: row.storage.get(resource, 0) + row.storage.get("any", 0) for resource in RESOURCES}
    assert holds(at, card) == {resource: number for resource, number in slots.items() if number}


def test_w5_the_totals_with_everything(at: Positions) -> None:
    rows = CARAVAN.values()
    assert len(rows) == 14
    assert [sum(row.defense for row in rows), sum(row.health for row in rows)] == [6, 35]
    assert sum(sum(row.storage.values()) for row in rows) == 24
    everything = " ".join(card for card in CARAVAN if card != "head")
    assert dice_with(at, everything) == 8
    assert at("move", caravan=everything).walk() == 6, "without the Fuel for Outrider Bikes and Scout Rig"


def test_w5_no_ability_works_from_the_deck(at: Positions) -> None:
    """Cards that are not in play do nothing."""
    resources = "fuel munitions rations medicine"
    assert at("move", resources=resources).legal("outrider") == []
    position = at(caravan="head:1", resources=resources)
    assert position.legal("heal") == []
    position.play(do.DONE)
    assert position["current"] == 1
    _, told = in_fight(at, "lone_raider", resources=resources, dice="[1-3]{3}1")
    assert len(of("roll", told)) > 2
