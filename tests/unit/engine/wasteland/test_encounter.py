"""W37-W40: required Attack cards, the queue, and how a fight is avoided."""

from __future__ import annotations

import pytest

from tests.unit.engine.wasteland.positions import (
    FIGHT,
    PASS,
    PAY,
    Json,
    Position,
    Positions,
    attacked,
    in_fight,
    of,
    playing,
)
from tests.unit.engine.wasteland.tables import ATTACKS, NEW_DECKS, RESOURCES

DETER = {"type": "deter"}
DETERRING = {"check_rule": "deter"}


def drawn(told: list[Json]) -> list[tuple[str, bool]]:
    return [(entry["card"], entry["engages"]) for entry in of("attack_card", told)]


def test_w37_three_draws_that_do_not_engage_are_void(at: Positions) -> None:
    """Example 5."""
    position = attacked(at, "road_warriors", "deserter_squad", "rust_tank", "lone_raider")
    told = position.play(playing("attack"))
    assert drawn(told) == [("road_warriors", False), ("deserter_squad", False), ("rust_tank", False)]
    assert not of("fight", told)
    assert position["decks"]["attack"][0] == "lone_raider"
    assert position["discards"]["attack"] == ["road_warriors", "deserter_squad", "rust_tank"]


@pytest.mark.parametrize("misses", [0, 1, 2])
def test_w37_a_replacement_is_drawn(at: Positions, misses: int) -> None:
    cards = ["road_warriors", "rust_tank"][:misses]
    _, told = in_fight(at, *cards, "lone_raider", "feral_dogs")
    assert drawn(told) == [*((card, False) for card in cards), ("lone_raider", True)]


def test_w37_each_required_card_has_its_own_three_draws(at: Positions) -> None:
    cards = ["road_warriors", "road_warriors", "lone_raider", "rust_tank", "slaver_column", "deserter_squad"]
    position = attacked(at, *cards, "feral_dogs", by="ambush")
    told = position.play(playing("ambush"))
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
    told = position.play({"type": "hit", "card": "gun_truck"})
    assert of("fight", told) == [{"event": "fight", "card": "deserter_squad"}]


def test_w37_a_rebuilt_deck_may_give_the_discarded_card_again(at: Positions) -> None:
    """Of a deck of one card with a Check nothing ever engages: three draws, and it is over."""
    queue = [{"card": card, "surprise": False} for card in NEW_DECKS["attack"] if card != "rust_tank"]
    position = attacked(at, queue=queue, seats=3, hands=["", "attack", "pickpockets"])
    told = position.play(playing("attack"))
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
    assert position.may(DETER)
    assert position.play(DETER)[0] == {"event": "dodge", "card": card, "how": "deter"}
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
    position.play(PASS, {"type": "hit", "card": "gun_truck"})
    assert position.asked == ("dodge", 0)
    assert position.legal() == [FIGHT, PAY]


def test_w38_what_has_no_check_is_not_deterred(at: Positions) -> None:
    position, _ = in_fight(
        at, "feral_dogs", options=DETERRING, caravan="war_rig armored_bus", resources="rations"
    )
    assert position.legal() == [FIGHT, PAY]


def test_w38_under_engage_nothing_is_deterred(at: Positions) -> None:
    position, _ = in_fight(at, "road_warriors", caravan="war_rig armored_bus", resources="fuel:2")
    assert position.legal() == [FIGHT, PAY]


def test_w39_one_by_one_in_draw_order_and_hits_stay(at: Positions) -> None:
    position, told = in_fight(
        at, "lone_raider", "toll_gang", by="ambush", resources="fuel", cash=2, dice="[4-6]..[456]"
    )
    assert [entry["card"] for entry in of("fight", told)] == ["lone_raider", "toll_gang"]
    assert position.he["caravan"] == {"head": 1}
    assert position["queue"] == []
    assert position["fight"] == {
        "card": "toll_gang",
        "surprise": False,
        "defense": 3,
        "hits": 0,
        "round": 0,
        "rerolled": False,
        "dice": [],
        "to_assign": 0,
    }


def test_w39_with_the_queue_empty_the_next_window_opens(at: Positions) -> None:
    position = attacked(at, "lone_raider", hands=["", "attack dry_market"], dice="[4-6]..1")
    position.play(playing("attack"))
    assert position.asked == ("event", 1)
    assert position["window"]["name"] == "before_location"
    assert position["fight"] is None


def test_w40_he_is_asked_before_the_first_round_once(at: Positions) -> None:
    """Rounds without a Hit follow; he does not pay later."""
    position, _ = in_fight(at, "feral_dogs", resources="rations", dice="[12]{3}1[12]{3}1")
    told = position.play(FIGHT)
    assert not of("dodge", told)
    assert len(of("roll", told)) > 4
    assert position.stored() == {"rations": 1}


def paid(position: Position, action: Json) -> list[Json]:
    assert position.asked == ("dodge", 0)
    return position.play(action)


def enough_for(card: str) -> tuple[str, int]:
    price = ATTACKS[card].price
    goods = [f"{'fuel' if what == 'any' else what}:{n}" for what, n in price.items() if what != "cash"]
    return " ".join(goods), price.get("cash", 0)


@pytest.mark.parametrize("card", [name for name, row in ATTACKS.items() if row.price])
def test_w40_one_unit_too_few_does_not_pay(at: Positions, card: str) -> None:
    for what, number in ATTACKS[card].price.items():
        price = {**ATTACKS[card].price, what: number - 1}
        goods = " ".join(f"{'fuel' if r == 'any' else r}:{n}" for r, n in price.items() if r != "cash")
        cash = price.get("cash", 5)
        position, told = in_fight(at, card, caravan="war_rig armored_bus", resources=goods, cash=cash)
        assert not of("dodge", told)
        assert position.asked[0] != "dodge"


def test_feral_dogs(at: Positions) -> None:
    """May lose 1 Rations: discard, no Bounty."""
    position, _ = in_fight(at, "feral_dogs", resources="rations:2 fuel")
    told = paid(position, PAY)
    assert told[0] == {"event": "dodge", "card": "feral_dogs", "how": "pay"}
    assert (position.stored(), position.he["cash"]) == ({"rations": 1, "fuel": 1}, 5)
    assert position["discards"]["attack"] == ["feral_dogs"]


def test_lone_raider(at: Positions) -> None:
    """No text: he is not asked. Beaten, he pays 1."""
    position, told = in_fight(at, "lone_raider", resources="fuel munitions rations medicine", dice="[4-6]..1")
    assert of("attack_defeated", told) == [{"event": "attack_defeated", "card": "lone_raider", "bounty": 1}]
    assert position.he["cash"] == 6


def test_scavenger_gang(at: Positions) -> None:
    """May lose any one resource, which the action names."""
    position, _ = in_fight(at, "scavenger_gang", resources="fuel medicine")
    assert position.legal("pay") == [
        {"type": "pay", "resource": "fuel"},
        {"type": "pay", "resource": "medicine"},
    ]
    told = paid(position, {"type": "pay", "resource": "medicine"})
    assert told[0] == {"event": "dodge", "card": "scavenger_gang", "how": "pay", "resource": "medicine"}
    assert (position.stored(), position.he["cash"]) == ({"fuel": 1}, 5)
    assert position["discards"]["attack"] == ["scavenger_gang"]


def test_toll_gang(at: Positions) -> None:
    """May pay 2 Cash: discard, no Bounty."""
    position, _ = in_fight(at, "toll_gang", cash=2)
    paid(position, PAY)
    assert position.he["cash"] == 0
    assert position["discards"]["attack"] == ["toll_gang"]


def test_rad_scorpion(at: Positions) -> None:
    """No text; only fives and sixes hit it, one is enough, Bounty 1."""
    position, told = in_fight(
        at, "rad_scorpion", resources="fuel:2 rations", dice="[1-4]{3}[1-3]{2}5..[1-3]{2}"
    )
    assert [entry["event"] for entry in told][2:8] == ["fight", *["roll"] * 4, "attack_defeated"]
    assert [len(entry["dice"]) for entry in of("roll", told)] == [3, 2, 3, 2]
    assert position.he["cash"] == 6


def test_mutant_pack(at: Positions) -> None:
    """No text; three dice, Bounty 2."""
    position, told = in_fight(at, "mutant_pack", resources="fuel rations", dice="[3-6]{2}.[1-3]{3}")
    assert [len(entry["dice"]) for entry in of("roll", told)] == [3, 3]
    assert position.he["cash"] == 7


def test_plague_carriers(at: Positions) -> None:
    """May lose 1 Medicine: discard with Bounty, which may reach the goal."""
    position, _ = in_fight(at, "plague_carriers", resources="medicine", cash=34)
    told = paid(position, PAY)
    assert [entry["event"] for entry in told[:2]] == ["dodge", "goal"]
    assert (position.stored(), position.he["cash"]) == ({}, 35)
    assert position["discards"]["attack"] == ["plague_carriers"]


def test_sniper_nest(at: Positions) -> None:
    """May lose 1 Munitions: Defense 3 for this combat."""
    position, _ = in_fight(at, "sniper_nest", resources="munitions", dice="[45]..1")
    assert position["fight"]["defense"] == 5
    told = paid(position, PAY)
    assert [entry["event"] for entry in told[:4]] == ["dodge", "roll", "roll", "attack_defeated"]
    assert (position.stored(), position.he["cash"]) == ({}, 7)
    _, told = in_fight(at, "sniper_nest", caravan="war_rig", dice="[45]{5}6")
    assert not of("attack_defeated", told)


def test_deserter_squad(at: Positions) -> None:
    """Check 6; may lose 1 Rations and 1 Munitions: discard, no Bounty."""
    position, _ = in_fight(at, "deserter_squad", caravan="gun_truck", resources="rations munitions:2")
    paid(position, PAY)
    assert (position.stored(), position.he["cash"]) == ({"munitions": 1}, 5)
    assert position["discards"]["attack"] == ["deserter_squad"]


def test_road_warriors(at: Positions) -> None:
    """Check 8; may lose 2 Fuel: shuffle back into the deck."""
    position, _ = in_fight(at, "road_warriors", caravan="armored_bus", resources="fuel:3")
    assert len(position["decks"]["attack"]) == 23
    paid(position, PAY)
    assert (position.stored(), position.he["cash"]) == ({"fuel": 1}, 5)
    assert sorted(position["decks"]["attack"]) == sorted(NEW_DECKS["attack"])
    assert position["discards"]["attack"] == []


def test_slaver_column(at: Positions) -> None:
    """Check 10; may lose 2 Rations: shuffle back into the deck."""
    position, _ = in_fight(at, "slaver_column", caravan="armored_bus cook_wagon", resources="rations:2")
    paid(position, PAY)
    assert (position.stored(), position.he["cash"]) == ({}, 5)
    assert sorted(position["decks"]["attack"]) == sorted(NEW_DECKS["attack"])


def test_rust_tank(at: Positions) -> None:
    """Check 12; may lose 2 Munitions: Defense 3 for this combat; four dice, Bounty 5."""
    position, _ = in_fight(
        at, "rust_tank", caravan="armored_bus war_rig", resources="munitions:3", dice="4{3}[1-3]{2}[1-5]{4}"
    )
    told = paid(position, PAY)
    assert [len(entry["dice"]) for entry in of("roll", told)] == [5, 4]
    assert of("attack_defeated", told) == [{"event": "attack_defeated", "card": "rust_tank", "bounty": 5}]
    assert position.stored() == {"munitions": 1}


@pytest.mark.parametrize("card", ATTACKS)
def test_w7_dice_defense_health_and_bounty_of_each_card(at: Positions, card: str) -> None:
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


def test_w40_goods_are_what_he_may_pay_with(at: Positions) -> None:
    """With one of each resource he may pay what costs one unit."""
    everything = " ".join(RESOURCES)
    for card in ("feral_dogs", "plague_carriers", "sniper_nest"):
        position, _ = in_fight(at, card, resources=everything)
        assert position.may(PAY)
        position.play(PAY)
        assert sum(position.stored().values()) == 3
