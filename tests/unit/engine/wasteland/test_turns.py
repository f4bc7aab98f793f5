"""W17-W24: the caravan's numbers, storage, who is asked, the order of a turn and of a round."""

from itertools import permutations, product
from random import Random

import pytest

from tests.unit.engine.wasteland import do
from tests.unit.engine.wasteland.choosing import choose
from tests.unit.engine.wasteland.mapping import Implementation
from tests.unit.engine.wasteland.naive_legal import fits, one_more_fits
from tests.unit.engine.wasteland.positions import Position, Positions, in_fight, of
from tests.unit.engine.wasteland.tables import CARAVAN, RESOURCES


def test_w17_attack_is_counted_when_it_is_needed(at: Positions) -> None:
    """A Gun Truck destroyed in the first round rolls no more in the second."""
    position, told = in_fight(at, "lone_raider", caravan="gun_truck:1", dice="[1-3]{5}[4-6]")
    assert len(of("roll", told)[0]["dice"]) == 5
    told = position.play(do.hit("gun_truck"))
    assert len(of("roll", told)[0]["dice"]) == 3


@pytest.mark.parametrize(
    ("caravan", "defense"),
    [("", 3), ("gun_truck", 3), ("mobile_garrison", 4), ("mobile_garrison armored_bus war_rig", 5)],
)
@pytest.mark.parametrize("die", range(1, 7))
def test_example_1_w18_defense_is_the_sum_but_never_more_than_5(
    at: Positions, caravan: str, defense: int, die: int
) -> None:
    """One die of a Lone Raider, which is beaten in the same round: one Hit if the die is above the Defense."""
    own = sum(CARAVAN[card].attack for card in ["head", *caravan.split()])
    position, _ = in_fight(at, "lone_raider", caravan=caravan, dice=f"[4-6].{{{own - 1}}}{die}")
    while position.asked[0] == "assign_hit":
        position.play(do.hit("head"))
    assert position.he["caravan"]["head"] == (die > defense)


@pytest.mark.parametrize(
    ("caravan", "engages"), [("war_rig", True), ("war_rig:4 head:3", True), ("cargo_hauler", False)]
)
def test_w19_total_health_is_the_printed_one(at: Positions, caravan: str, engages: bool) -> None:
    """Road Warriors' Check is 8: the Head's 4 and the War Rig's 5, Hits ignored; with a Hauler it is 7."""
    _, told = in_fight(at, "road_warriors", "lone_raider", caravan=caravan)
    assert of("attack_card", told)[0] == {"event": "attack_card", "card": "road_warriors", "engages": engages}


def can_be_placed(units: list[str]) -> bool:
    """W20 for the Head alone by trying every order of its slots."""
    slots = [kind for kind, number in CARAVAN["head"].storage.items() for _ in range(number)]
    return any(
        all(kind in (unit, "any") for unit, kind in zip(units, order, strict=False))
        for order in set(permutations(slots, len(units)))
    )


def test_w20_every_unit_has_a_slot_of_its_own() -> None:
    """The slow rules' sum against trying, for the Head alone and up to five units."""
    player = {"caravan": {"head": 0}}
    for counts in product(range(3), repeat=4):
        if sum(counts) <= 5:
            numbers = dict(zip(RESOURCES, counts, strict=True))
            units = [resource for resource, number in numbers.items() for _ in range(number)]
            assert fits(player, numbers) == can_be_placed(units)


@pytest.mark.parametrize("number", range(12))
def test_w20_what_may_be_loaded_is_what_fits(at: Positions, number: int) -> None:
    """In the Crater, random caravans, random loads until nothing fits."""
    dice = Random(number)
    caravan = dice.sample([card for card in CARAVAN if card != "head"], number % 5)
    position = at(space="X0", caravan=" ".join(caravan))
    while loads := position.legal("load"):
        assert [action["resource"] for action in loads] == [
            r for r in sorted(RESOURCES) if one_more_fits(position.he, r)
        ]
        position.play(dice.choice(loads))
    slots = sum(sum(CARAVAN[card].storage.values()) for card in ["head", *caravan])
    assert sum(position.stored().values()) == slots


@pytest.mark.parametrize(
    ("resources", "more"),
    [("fuel:2", {"rations", "munitions", "medicine"}), ("fuel munitions rations:2", {"medicine"})],
)
def test_example_3_w20_what_the_head_holds(at: Positions, resources: str, more: set[str]) -> None:
    """Fuel 2, Rations 1; or Fuel 1, Munitions 1, Rations 2, Medicine 1; never Fuel 2, Rations 2."""
    assert at(space="X0", resources=resources).values("load", "resource") == more
    position = at(space="X0", resources="fuel:2")
    position.play(do.load("rations"))
    assert not position.may(do.load("rations"))


def test_w20_units_may_be_rearranged(at: Positions) -> None:
    """The second Fuel takes the slot for any; a Tanker bought later holds it, and the slot is free again."""
    position = at(cash=3)
    position.play(do.load("fuel"), do.load("fuel"), do.load("rations"))
    assert position.legal("load") == []
    position.play(do.buy("tanker_trailer"))
    assert position.may(do.load("rations"))


@pytest.mark.parametrize("number", range(4))
def test_w22_a_seat_with_one_legal_action_is_not_asked(rules: Implementation, number: int) -> None:
    dice = Random(number)
    position = Position(rules.new(2 + number % 3, {"max_rounds": 4}, bytes([number]) * 32))
    while position["decision"] != "over":
        assert len(position.legal()) > 1
        position.play(choose(position.match, dice))


def test_w22_what_is_not_asked_is_carried_out(at: Positions) -> None:
    """Nothing in hand and nothing to decide: from Location to the next turn, Movement being its first question."""
    position = at(others={1: {"space": "S"}})
    assert position.told(do.DONE) == ["event_card", "turn"]
    assert position.asked == ("move", 1)


def test_w23_the_order_of_a_turn(at: Positions) -> None:
    """Seat 1 can play its card in each of the windows, and asks so for none but its own offers.

    The effects of the turn end with it.
    """
    turn = {
        "tailwinds": 1,
        "bargain": True,
        "bonus": True,
        "healed": True,
        "ditched": ["fuel"],
        "dry": ["rations"],
    }
    cards = {"hands": ["", "pickpockets attack"], "decks": {"attack": "lone_raider"}, "dice": "[4-6]..1"}
    position = at("event", window="before_move", to_move=1, turn=turn | {"actions": 7}, **cards)
    seen = []
    while position["current"] == 0:
        kind, seat = position.asked
        seen.append((kind, seat, position["window"] and position["window"]["name"]))
        if kind == "move":
            position.play(do.STOP if position["turn"]["steps"] else do.step("i1"))
        else:
            position.play(do.play("attack") if position.may(do.play("attack")) else do.PASS)
    assert seen == [
        ("event", 1, "before_move"),
        ("move", 0, None),
        ("move", 0, None),
        ("event", 1, "encounter"),
        ("event", 1, "encounter"),
        ("event", 1, "before_location"),
        ("event", 1, "end"),
    ]
    assert set(map(str, position["turn"].values())) == {"0", "False", "[]"}


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("first", [0, 1])
def test_w24_a_round_gives_every_seat_one_turn(rules: Implementation, seats: int, first: int) -> None:
    position = Position(rules.new(seats, {"max_rounds": 3}, bytes([first]) * 32))
    position.finish()
    turns = [(entry["round"], entry["seat"]) for entry in of("turn", position.match.told)]
    begins = position["first"]
    assert turns == [(number, (begins + k) % seats) for number in (1, 2, 3) for k in range(seats)]
