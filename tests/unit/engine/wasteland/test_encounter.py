"""W37-W40: required Attack cards, the queue, and how a fight is avoided."""

from collections.abc import Mapping

import pytest

from tests.unit.engine.naive import Json
from tests.unit.engine.wasteland import do
from tests.unit.engine.wasteland.positions import Positions, attacked, in_fight, of
from tests.unit.engine.wasteland.tables import ATTACKS, NEW_DECKS, RESOURCES

DETERRING = {"check_rule": "deter"}
BIG = "war_rig armored_bus"
"""Health 13, five dice and Defense 5: it meets every Check."""


def drawn(told: list[Json]) -> list[tuple[str, bool]]:
    return [(entry["card"], entry["engages"]) for entry in of("attack_card", told)]


def test_example_5_w37_three_draws_that_do_not_engage_are_void(at: Positions) -> None:
    position = attacked(at, "road_warriors", "deserter_squad", "rust_tank", "lone_raider")
    told = position.play(do.play("attack"))
    assert drawn(told) == [("road_warriors", False), ("deserter_squad", False), ("rust_tank", False)]
    assert not of("fight", told)
    assert position["decks"]["attack"][0] == "lone_raider"
    assert position["discards"]["attack"] == ["road_warriors", "deserter_squad", "rust_tank"]


def test_w37_each_required_card_has_its_own_three_draws(at: Positions) -> None:
    cards = ["road_warriors", "road_warriors", "lone_raider", "rust_tank", "slaver_column", "deserter_squad"]
    position = attacked(at, *cards, "feral_dogs", by="ambush")
    told = position.play(do.play("ambush"))
    assert [engages for _, engages in drawn(told)] == [False, False, True, False, False, False]


@pytest.mark.parametrize(
    ("card", "caravan"),
    [
        ("deserter_squad", "gun_truck"),
        ("road_warriors", "armored_bus"),
        ("slaver_column", "armored_bus cook_wagon"),
        ("rust_tank", "armored_bus cook_wagon gun_truck"),
    ],
)
def test_w37_a_check_is_met_by_as_much_health(at: Positions, card: str, caravan: str) -> None:
    """Exactly the Check engages; without the last card it does not."""
    _, told = in_fight(at, card, "lone_raider", "lone_raider", caravan=caravan)
    assert drawn(told)[0] == (card, True)
    fewer = " ".join(caravan.split()[:-1])
    _, told = in_fight(at, card, "lone_raider", "lone_raider", caravan=fewer)
    assert drawn(told)[0] == (card, False)


def test_w37_the_check_is_not_looked_at_again(at: Positions) -> None:
    """The Gun Truck that let the Deserter Squad engage falls before: the Squad is fought all the same."""
    position, _ = in_fight(
        at, "lone_raider", "deserter_squad", by="ambush", caravan="gun_truck:1", dice="[4-6]....[456]"
    )
    told = position.play(do.hit("gun_truck"))
    assert of("fight", told) == [{"event": "fight", "card": "deserter_squad"}]


def test_w37_a_rebuilt_deck_may_give_the_discarded_card_again(at: Positions) -> None:
    """Of a deck of one card with a Check nothing ever engages: three draws, and it is over."""
    queue = [{"card": card, "surprise": False} for card in NEW_DECKS["attack"] if card != "rust_tank"]
    position = attacked(at, queue=queue, seats=3, hands=["", "attack", "pickpockets"])
    told = position.play(do.play("attack"))
    assert drawn(told) == [("rust_tank", False)] * 3
    assert len(of("rebuild", told)) == 2
    assert position["discards"]["attack"] == ["rust_tank"]


def test_w38_deter_means_no_replacements(at: Positions) -> None:
    _, told = in_fight(at, "rust_tank", "lone_raider", options=DETERRING)
    assert drawn(told) == [("rust_tank", True)]
    assert of("fight", told) == [{"event": "fight", "card": "rust_tank"}]


@pytest.mark.parametrize("card", [name for name, row in ATTACKS.items() if row.check])
def test_w38_a_big_caravan_may_deter(at: Positions, card: str) -> None:
    position, _ = in_fight(at, card, options=DETERRING, caravan="war_rig:4 cargo_hauler")
    assert position.asked == ("dodge", 0)
    assert position.may(do.DETER)
    assert position.play(do.DETER)[0] == {"event": "dodge", "card": card, "how": "deter"}
    assert position["discards"]["attack"] == [card]
    assert position.he["cash"] == 5


def test_w38_health_counts_at_the_beginning_of_the_fight(at: Positions) -> None:
    """Head and Gun Truck have 6; when the Truck has fallen, the Squad is not deterred any more."""
    position, _ = in_fight(
        at,
        "lone_raider",
        "deserter_squad",
        by="ambush",
        caravan="gun_truck:1",
        resources="rations munitions",
        options=DETERRING,
        dice="[4-6]....[456]",
    )
    position.play(do.PASS, do.hit("gun_truck"))
    assert position.asked == ("dodge", 0)
    assert position.legal() == [do.FIGHT, do.PAY]


@pytest.mark.parametrize(
    ("card", "options", "resources"), [("feral_dogs", DETERRING, "rations"), ("road_warriors", {}, "fuel:2")]
)
def test_w38_neither_without_a_check_nor_under_engage(
    at: Positions, card: str, options: Json, resources: str
) -> None:
    position, _ = in_fight(at, card, options=options, caravan=BIG, resources=resources)
    assert position.legal() == [do.FIGHT, do.PAY]


def test_w39_one_by_one_in_draw_order_and_hits_stay(at: Positions) -> None:
    position, told = in_fight(
        at, "lone_raider", "toll_gang", by="ambush", resources="fuel", cash=2, dice="[4-6]..[456]"
    )
    assert [entry["card"] for entry in of("fight", told)] == ["lone_raider", "toll_gang"]
    assert position.he["caravan"] == {"head": 1}
    assert position["queue"] == []
    begun = {"card": "toll_gang", "surprise": False, "defense": 3, "hits": 0, "round": 0, "rerolled": False}
    assert position["fight"] == {**begun, "dice": [], "to_assign": 0}


def goods_of(price: Mapping[str, int], more: int = 0) -> str:
    """Return the resources of a price, Fuel for any, as a position has them, and so many more of each."""
    units = {"fuel" if what == "any" else what: n + more for what, n in price.items() if what != "cash"}
    return " ".join(f"{resource}:{number}" for resource, number in units.items())


@pytest.mark.parametrize("card", [name for name, row in ATTACKS.items() if row.price])
def test_w40_one_unit_too_few_does_not_pay(at: Positions, card: str) -> None:
    for what, number in ATTACKS[card].price.items():
        price = {**ATTACKS[card].price, what: number - 1}
        _, told = in_fight(at, card, caravan=BIG, resources=goods_of(price), cash=price.get("cash", 5))
        assert of("roll", told), "without a question before"


@pytest.mark.parametrize("card", [name for name, row in ATTACKS.items() if row.price])
def test_w40_paying_each_card(at: Positions, card: str) -> None:
    """It is discarded without Bounty, discarded with Bounty, shuffled back, or has Defense 3 in this combat."""
    row = ATTACKS[card]
    position, _ = in_fight(
        at, card, caravan=BIG, resources=goods_of(row.price, more=1), cash=30, dice=f"4{{{row.health}}}"
    )
    assert position.asked == ("dodge", 0)
    pay = do.PAY | ({"resource": "fuel"} if "any" in row.price else {})
    assert position.legal("pay") == [pay]
    told = position.play(pay)
    assert told[0] == {"event": "dodge", "card": card, "how": "pay"} | {
        k: v for k, v in pay.items() if k != "type"
    }
    assert set(position.stored().values()) == ({1} if goods_of(row.price) else set())
    bounty = row.bounty if row.paid in ("bounty", "defense") else 0
    assert position.he["cash"] == 30 - row.price.get("cash", 0) + bounty
    assert bool(of("attack_defeated", told)) == (row.paid == "defense")
    assert position["discards"]["attack"] == ([] if row.paid == "shuffle" else [card])
    assert (card in position["decks"]["attack"]) == (row.copies > 1 or row.paid == "shuffle")


def test_w40_any_resource_that_the_player_has_is_named_by_the_action(at: Positions) -> None:
    position, _ = in_fight(at, "scavenger_gang", resources="fuel medicine")
    assert position.values("pay", "resource") == {"fuel", "medicine"}
    assert position.play({"type": "pay", "resource": "medicine"})[0]["resource"] == "medicine"
    assert position.stored() == {"fuel": 1}


def test_w40_a_bounty_without_a_fight_may_reach_the_goal(at: Positions) -> None:
    position, _ = in_fight(at, "plague_carriers", resources="medicine", cash=34)
    assert position.told(do.PAY)[:2] == ["dodge", "goal"]


@pytest.mark.parametrize("card", [name for name, row in ATTACKS.items() if not row.price])
def test_w40_for_a_card_without_text_the_player_is_not_asked(at: Positions, card: str) -> None:
    _, told = in_fight(at, card, resources=" ".join(RESOURCES), cash=9)
    assert of("roll", told)


@pytest.mark.parametrize("card", ATTACKS)
def test_w7_w45_w50_dice_defense_health_and_bounty_of_each_card(at: Positions, card: str) -> None:
    """A caravan of five dice and Defense 5: as many Hits as it has Health, on dice just above its Defense, beat it."""
    row = ATTACKS[card]
    least = row.defense + 1
    for hits in (row.health, row.health - 1):
        dice = f"{least}{{{hits}}}[1-{row.defense}]{{{5 - hits}}}[1-5]{{{row.attack}}}"
        position, told = in_fight(at, card, caravan="war_rig mobile_garrison", dice=dice, cash=0)
        assert [len(entry["dice"]) for entry in of("roll", told)[:2]] == [5, row.attack]
        kinds = [entry["event"] for entry in told]
        first = kinds.index("roll")
        assert (kinds[first + 2 : first + 3] == ["attack_defeated"]) == (hits == row.health)
        if hits == row.health:
            assert position.he["cash"] == row.bounty
