"""W41-W53: combat, Hits, overflow, defeat."""

from __future__ import annotations

from typing import Any

import pytest

from engine.randomness import Stream
from tests.engine.wasteland.positions import (
    PASS,
    SEED,
    Json,
    Position,
    Positions,
    city,
    hit,
    in_fight,
    lose,
    of,
    only,
)
from tests.engine.wasteland.tables import CITIES

BOOST = {"type": "boost"}
REROLL = {"type": "reroll"}


def sides(told: list[Json]) -> list[tuple[str, int]]:
    """Of the rolls: whose, and how many dice."""
    return [(entry["side"], len(entry["dice"])) for entry in of("roll", told)]


def test_w41_both_sides_strike_at_the_same_time(at: Positions) -> None:
    """The Lone Raider is beaten by the caravan's roll, and hits in the same round."""
    position, told = in_fight(at, "lone_raider", dice="[4-6]..[4-6]")
    assert sides(told) == [("caravan", 3), ("attack", 1)]
    assert (position.he["caravan"], position.he["cash"]) == ({"head": 1}, 6)


def test_w41_rounds_follow_until_one_side_is_beaten(at: Positions) -> None:
    _, told = in_fight(at, "lone_raider", dice="[1-3]{4}[1-3]{4}6..1")
    assert sides(told) == [("caravan", 3), ("attack", 1)] * 3
    assert of("attack_defeated", told)


def test_w42_mobile_garrison_adds_two_dice_for_1_munitions(at: Positions) -> None:
    position, told = in_fight(
        at, "lone_raider", caravan="mobile_garrison", resources="munitions", dice="6....1"
    )
    assert position.asked == ("boost", 0)
    assert position.legal() == [BOOST, PASS]
    assert (position["fight"]["round"], position["fight"]["dice"]) == (1, [])
    assert not of("roll", told)
    told = position.play(BOOST)
    assert sides(told) == [("caravan", 5), ("attack", 1)]
    assert position.stored() == {}


def test_w42_he_may_pass(at: Positions) -> None:
    position, _ = in_fight(at, "lone_raider", caravan="mobile_garrison", resources="munitions", dice="6..1")
    assert sides(position.play(PASS)) == [("caravan", 3), ("attack", 1)]
    assert position.stored() == {"munitions": 1}


def test_w42_once_per_roll_in_each_round_again(at: Positions) -> None:
    position, _ = in_fight(
        at, "lone_raider", caravan="mobile_garrison", resources="munitions:2", dice="[1-3]{5}1[1-3]{5}1"
    )
    position.play(BOOST)
    assert (position.asked, position["fight"]["round"]) == (("boost", 0), 2)
    told = position.play(BOOST)
    assert sides(told)[:2] == [("caravan", 5), ("attack", 1)]
    assert position.stored() == {}


@pytest.mark.parametrize(
    ("caravan", "resources"), [("mobile_garrison", "fuel"), ("armored_bus", "munitions")]
)
def test_w42_it_takes_the_card_and_munitions(at: Positions, caravan: str, resources: str) -> None:
    _, told = in_fight(at, "lone_raider", caravan=caravan, resources=resources, dice="6..1")
    assert sides(told) == [("caravan", 3), ("attack", 1)]


def test_w43_as_many_dice_as_his_attack_and_the_boost(at: Positions) -> None:
    position, _ = in_fight(
        at, "lone_raider", caravan="mobile_garrison war_rig", resources="munitions", dice="6......1"
    )
    assert sides(position.play(BOOST))[0] == ("caravan", 7)


def test_w44_gun_truck_rerolls_all_misses_of_a_roll(at: Positions) -> None:
    """From the first to the last of the roll, before the Attack card rolls."""
    position, told = in_fight(
        at, "road_warriors", caravan="gun_truck armored_bus", resources="munitions", dice="51412[1-6]{3}"
    )
    assert sides(told) == [("caravan", 5)]
    assert position.asked == ("reroll", 0)
    assert position.legal() == [PASS, REROLL]
    assert position["fight"]["dice"] == [5, 1, 4, 1, 2]
    stream = Stream(SEED, position["rng"]["words"])
    again = [stream.die(6) for _ in range(3)]
    told = position.play(REROLL)
    assert of("roll", told)[0] == {"event": "roll", "side": "reroll", "dice": again}
    assert of("roll", told)[1]["side"] == "attack"
    assert position.stored() == {}


def test_w44_the_rerolled_dice_take_the_places_of_the_misses(at: Positions) -> None:
    """Seen while the Hits of the round are placed."""
    position, _ = in_fight(at, "lone_raider", caravan="gun_truck", resources="munitions", dice="15161...[56]")
    told = position.play(REROLL)
    first, second, third = of("roll", told)[0]["dice"]
    assert position.asked == ("assign_hit", 0)
    assert position["fight"]["dice"] == [first, 5, second, 6, third]
    assert position["fight"]["rerolled"] is True


def test_w44_once_per_combat(at: Positions) -> None:
    """In the next round he is not asked again, in the next combat he is."""
    position, _ = in_fight(
        at,
        "lone_raider",
        "lone_raider",
        by="ambush",
        caravan="gun_truck armored_bus",
        resources="munitions:2",
        dice="[1-3]{10}[1-4](6[1-3]|[1-3]6)...[1-4][1-3]",
    )
    told = position.play(REROLL)
    assert sides(told) == [("reroll", 5), ("attack", 1), ("caravan", 5), ("attack", 1), ("caravan", 5)]
    assert position.asked == ("reroll", 0)
    assert position["fight"]["rerolled"] is False


def test_w44_not_if_no_die_missed(at: Positions) -> None:
    position, told = in_fight(
        at, "feral_dogs", caravan="gun_truck", resources="munitions", dice="[3-6]{5}[1-3]"
    )
    assert sides(told) == [("caravan", 5), ("attack", 1)]
    assert position.stored() == {"munitions": 1}


def test_w44_he_may_keep_it_for_a_later_round(at: Positions) -> None:
    position, _ = in_fight(
        at, "lone_raider", caravan="gun_truck", resources="munitions", dice="[1-3]{5}1[1-3]{5}"
    )
    position.play(PASS)
    assert position.asked == ("reroll", 0)
    assert position["fight"]["round"] == 2


def test_w44_boost_and_reroll_cost_one_each(at: Positions) -> None:
    """With one Munitions spent on the boost none is left for the reroll."""
    position, _ = in_fight(
        at, "lone_raider", caravan="gun_truck mobile_garrison", resources="munitions", dice="6[1-3]{6}1"
    )
    assert sides(position.play(BOOST)) == [("caravan", 7), ("attack", 1)]


def test_w45_the_attack_card_rolls_as_many_dice_as_its_attack(at: Positions) -> None:
    _, told = in_fight(at, "mutant_pack", dice="[3-6]{3}[1-3]{3}")
    assert sides(told) == [("caravan", 3), ("attack", 3)]


@pytest.mark.parametrize(("dice", "hits"), [("345", 2), ("333", 0), ("444", 3), ("613", 1)])
def test_w46_dice_strictly_above_the_defense_hit(at: Positions, dice: str, hits: int) -> None:
    """Example 2: Toll Gang with Defense 3 and Health 2; two Hits beat it."""
    position, told = in_fight(at, "toll_gang", cash=1, caravan="armored_bus", dice=f"{dice}[1-3]5")
    if hits >= 2:
        assert of("attack_defeated", told) == [{"event": "attack_defeated", "card": "toll_gang", "bounty": 2}]
        assert position.he["cash"] == 3
    else:
        assert not of("attack_defeated", told[:5])
        assert position["fight"]["hits"] == hits


def test_w46_hits_stay_from_round_to_round(at: Positions) -> None:
    """One in each of the first two rounds beat a Mutant Pack of Health 2."""
    _, told = in_fight(at, "mutant_pack", dice="[3-6][12]{2}[1-3]{3}[3-6][12]{2}[1-3]{3}")
    assert sides(told) == [("caravan", 3), ("attack", 3)] * 2
    assert of("attack_defeated", told)


def test_w46_the_bounty_is_paid_before_the_hits(at: Positions) -> None:
    """It may trigger the end while his Hits are still to be placed."""
    position, told = in_fight(at, "lone_raider", caravan="armored_bus", cash=34, dice="6..[56]")
    assert position.asked == ("assign_hit", 0)
    assert [entry["event"] for entry in told[-2:]] == ["attack_defeated", "goal"]
    assert (position.he["cash"], position["goal_reached"]) == (35, True)
    assert position["discards"]["attack"] == ["lone_raider"]
    assert position["fight"]["card"] == "lone_raider"


@pytest.mark.parametrize(
    ("caravan", "least"), [("", 4), ("armored_bus", 5), ("armored_bus mobile_garrison", 6)]
)
def test_w47_the_cards_dice_strictly_above_his_defense_hit(at: Positions, caravan: str, least: int) -> None:
    for die in (least - 1, least):
        position, _ = in_fight(at, "lone_raider", caravan=caravan, dice=f"6..{die}")
        if position.asked[0] == "assign_hit":
            position.play(hit("head"))
        assert position.he["caravan"]["head"] == (die == least)


def test_w47_he_places_the_hits_one_at_a_time(at: Positions) -> None:
    position, _ = in_fight(at, "mutant_pack", caravan="war_rig armored_bus", dice="[3-6]{5}6{3}")
    placed = []
    while position.asked[0] == "assign_hit":
        assert position.legal() == [hit("armored_bus"), hit("head"), hit("war_rig")]
        placed.append(position["fight"]["to_assign"])
        position.play(hit(["head", "war_rig", "war_rig"][len(placed) - 1]))
    assert placed == [3, 2, 1]
    assert position.he["caravan"] == {"head": 1, "war_rig": 2, "armored_bus": 0}


def test_w47_the_defense_is_that_of_the_roll(at: Positions) -> None:
    """The War Rig falls to the first Hit; the fives of the same roll stay misses."""
    position, _ = in_fight(
        at, "mutant_pack", caravan="war_rig:4 mobile_garrison", resources="fuel", dice="[3-6]{5}655"
    )
    assert position["fight"]["to_assign"] == 1
    told = position.told(hit("war_rig"))
    assert told[0] == "destroyed"
    assert position["fight"] is None


def test_w48_a_card_whose_hits_reach_its_health_is_destroyed(at: Positions) -> None:
    """It can be bought again, undamaged."""
    position, _ = in_fight(at, "lone_raider", caravan="gun_truck:1", dice="6....[4-6]")
    told = position.play(hit("gun_truck"))
    assert told[0] == {"event": "destroyed", "seat": 0, "card": "gun_truck"}
    assert position.he["caravan"] == {"head": 0}
    position.play({"type": "buy", "card": "gun_truck"})
    assert position.he["caravan"] == {"head": 0, "gun_truck": 0}


def test_w48_hits_still_to_be_placed_go_to_the_other_cards(at: Positions) -> None:
    position, _ = in_fight(at, "mutant_pack", caravan="gun_truck:1 war_rig", dice="[3-6]{7}66[1-4]")
    position.play(hit("gun_truck"))
    assert position.legal() == [hit("head"), hit("war_rig")]


def test_w48_the_last_card_takes_the_rest_without_asking(at: Positions) -> None:
    position, _ = in_fight(at, "mutant_pack", caravan="gun_truck:1", dice="[3-6]{5}66[1-3]")
    position.play(hit("gun_truck"))
    assert position.he["caravan"] == {"head": 1}


def test_w49_what_does_not_fit_is_given_up_one_by_one(at: Positions) -> None:
    """Example 4: three Fuel, or two Fuel and one Rations; Rations can be chosen only once."""
    for choices in ("fuel fuel fuel", "fuel fuel rations", "fuel rations", "rations"):
        position, _ = in_fight(
            at, "lone_raider", caravan="tanker_trailer:1", resources="fuel:4 rations:2", dice="6..[4-6]"
        )
        told = position.play(hit("tanker_trailer"))
        for choice in choices.split():
            assert position.asked == ("overflow", 0)
            assert position.legal() == [lose("fuel"), lose("rations")]
            told += position.play(lose(choice))
        assert position["fight"] is None
        assert len(of("lose", told)) == 3
        rations = 2 - choices.count("rations")
        assert position.stored() == {"fuel": 3 - rations, "rations": rations}


def test_w49_before_the_next_hit_is_placed(at: Positions) -> None:
    position, _ = in_fight(
        at,
        "mutant_pack",
        caravan="tanker_trailer:1 war_rig",
        resources="fuel:4 rations:2",
        dice="[3-6]{5}66[1-4]",
    )
    position.play(hit("tanker_trailer"))
    assert position.asked == ("overflow", 0)
    assert position["fight"]["to_assign"] == 1
    told = position.play(lose("rations"))
    assert position.asked == ("assign_hit", 0)
    assert told == [{"event": "lose", "seat": 0, "resource": "rations", "number": 1}]


def test_w49_a_resource_that_fills_its_own_slots_alone_is_not_chosen(at: Positions) -> None:
    """Fuel 4 without a Tanker: the other three kinds lie in slots of their own."""
    position, _ = in_fight(
        at,
        "lone_raider",
        caravan="tanker_trailer:1 cook_wagon",
        resources="fuel:5 munitions rations medicine",
        dice="6..[4-6]",
    )
    told = position.play(hit("tanker_trailer"))
    assert [entry["resource"] for entry in of("lose", told)] == ["fuel"] * 3
    assert position.stored() == {"fuel": 2, "munitions": 1, "rations": 1, "medicine": 1}


def test_w50_the_combat_is_over_when_the_card_is_defeated(at: Positions) -> None:
    position, _ = in_fight(at, "lone_raider", dice="6..1")
    assert (position["fight"], position["discards"]["attack"]) == (None, ["lone_raider"])


@pytest.mark.parametrize("words", [5, 60, 61])
def test_w50_after_the_50th_round_it_is_over(at: Positions, words: int) -> None:
    """A fight in its 50th round, whose Hits are being placed."""
    fight = {"card": "rad_scorpion", "round": 50, "dice": [1, 1, 1], "to_assign": 1}
    position = at("assign_hit", caravan="war_rig", fight=fight, rng={"seed": SEED.hex(), "words": words})
    told = position.play(hit("head"))
    assert told == [{"event": "attack_gone", "card": "rad_scorpion"}]
    assert position["discards"]["attack"] == ["rad_scorpion"]
    assert (position.he["cash"], position["fight"], position["rng"]["words"]) == (5, None, words)
    assert position.asked == ("location", 0)


def test_w50_after_the_49th_it_is_not(at: Positions) -> None:
    fight = {"card": "rad_scorpion", "round": 49, "dice": [1, 1, 1], "to_assign": 1}
    position = at("assign_hit", caravan="war_rig", fight=fight, dice="[1-4]{5}[1-4]{2}")
    told = position.play(hit("head"))
    assert [entry["event"] for entry in told] == ["roll", "roll", "attack_gone"]


def test_w50_a_card_beaten_in_the_50th_round_pays(at: Positions) -> None:
    fight = {"card": "rad_scorpion", "round": 49, "dice": [1, 1, 1], "to_assign": 1}
    position = at("assign_hit", caravan="war_rig", fight=fight, dice="6....[1-4]{2}")
    told = position.play(hit("head"))
    assert [entry["event"] for entry in told] == ["roll", "roll", "attack_defeated"]
    assert position.he["cash"] == 6


def test_w51_in_the_first_round_of_a_surprise_he_does_not_roll(at: Positions) -> None:
    """Neither boost nor reroll is asked; in the second round both are."""
    position, told = in_fight(
        at,
        "lone_raider",
        by="surprise_attack",
        caravan="mobile_garrison gun_truck",
        resources="munitions:2",
        dice="1[1-3]{5}1",
    )
    assert sides(told) == [("attack", 1)]
    assert (position.asked, position["fight"]["round"]) == (("boost", 0), 2)
    assert position["fight"]["surprise"] is True
    position.play(PASS)
    assert position.asked == ("reroll", 0)


def test_w51_the_hits_of_the_first_round_are_placed(at: Positions) -> None:
    position, _ = in_fight(at, "lone_raider", by="surprise_attack", caravan="war_rig", dice="[56]")
    assert position.asked == ("assign_hit", 0)
    assert (position["fight"]["round"], position["fight"]["dice"]) == (1, [])


def test_w51_paying_a_surprise_off_is_possible(at: Positions) -> None:
    position, _ = in_fight(at, "feral_dogs", by="surprise_attack", resources="rations")
    assert position.asked == ("dodge", 0)


def fallen(at: Positions, **fields: Any) -> tuple[Position, list[Json]]:
    """The Head has one Hit left, and the Lone Raider strikes it."""
    defaults = {"caravan": "head:3", "dice": "[1-3]{3}[4-6]"}
    return in_fight(at, "lone_raider", "toll_gang", **{**defaults, **fields})


def test_w52_when_the_head_is_destroyed_all_is_lost_but_the_event_hand(at: Positions) -> None:
    position, _ = in_fight(
        at,
        "lone_raider",
        caravan="head:3 cargo_hauler:1",
        resources="fuel rations",
        hands=["bargain tailwind", "attack"],
        cash=30,
        dice="[1-3]{3}[4-6]",
    )
    told = position.play(hit("head"))
    assert [entry["event"] for entry in told] == ["destroyed", "defeat"]
    assert told[0] == {"event": "destroyed", "seat": 0, "card": "head"}
    assert position.he == {
        "space": None,
        "cash": 5,
        "caravan": {"head": 0},
        "resources": only(),
        "hand": ["bargain", "tailwind"],
    }


def test_w52_the_attack_card_and_the_queue_are_discarded_without_bounty(at: Positions) -> None:
    position, told = fallen(at, by="ambush")
    assert position["discards"]["attack"] == ["lone_raider", "toll_gang"]
    assert (position["queue"], position["fight"], position.he["cash"]) == ([], None, 5)
    assert not of("attack_defeated", told)


def test_w52_a_bounty_of_this_round_is_lost_too(at: Positions) -> None:
    """Example 7: it is paid, and may trigger the end; the card is not discarded twice."""
    position, told = fallen(at, dice="6..[4-6]", cash=34)
    assert [entry["event"] for entry in told[-5:]] == [
        "roll",
        "attack_defeated",
        "goal",
        "destroyed",
        "defeat",
    ]
    assert (position.he["cash"], position["goal_reached"]) == (5, True)
    assert position["discards"]["attack"] == ["lone_raider"]


def test_w52_further_hits_of_the_round_are_lost(at: Positions) -> None:
    position, _ = in_fight(at, "mutant_pack", caravan="head:3 war_rig", dice="[12]{5}666")
    position.play(hit("head"))
    assert position.asked == ("start_city", 0)
    assert position.he["caravan"] == {"head": 0}


def test_w52_other_players_keep_what_they_have(at: Positions) -> None:
    position, _ = fallen(at, others={1: {"cash": 20}})
    assert position.seat(1)["cash"] == 20


def test_w53_he_chooses_a_city_at_once(at: Positions) -> None:
    position, _ = fallen(at)
    assert position.asked == ("start_city", 0)
    assert position.values("start_city", "city") == set(CITIES)
    assert position.he["space"] is None


def test_w53_without_location_his_turn_goes_on_with_its_end(at: Positions) -> None:
    """The window `end`, a discard, an Event card."""
    hands = ["tailwind", "attack", "pickpockets"]
    position, _ = fallen(at, seats=3, hands=hands, decks={"event": "escort"})
    position.play(PASS, city("S"))
    assert position.he["space"] == "S"
    assert (position["window"]["name"], position.asked) == ("end", ("event", 2))
    position.play(PASS)
    assert position.asked == ("end_discard", 0)
    position.play({"type": "keep"})
    assert position.he["hand"] == ["escort", "tailwind"]
    assert position["current"] == 1


def test_w53_it_is_no_elimination(at: Positions) -> None:
    """In the next round he has a turn like all others."""
    position, _ = fallen(at)
    position.play(city("S"))
    while position["current"] != 0 or position["round"] == 1:
        position.match.play(position.match.default())
    assert position.asked == ("move", 0)
    assert position.he["space"] == "S"
