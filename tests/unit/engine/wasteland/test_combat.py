"""W41-W53: the rounds of a combat, where Hits go, what no longer fits, and defeat."""

from typing import Any

import pytest

from engine.randomness import Stream
from tests.unit.engine.naive import Json
from tests.unit.engine.pages import cases
from tests.unit.engine.wasteland import do
from tests.unit.engine.wasteland.positions import SEED, Position, Positions, counts, in_fight, of, only
from tests.unit.engine.wasteland.tables import CITIES


def rolls(told: list[Json]) -> str:
    """Return whose rolls were told and of how many dice: c of the caravan, r rerolled, a of the Attack card."""
    return " ".join(f"{entry['side'][0]}{len(entry['dice'])}" for entry in of("roll", told))


ROUNDS = """
W41 |                           |             | [4-6]..[4-6]       |             | c3 a1             |
W41 |                           |             | [1-3]{8}6..1       |             | c3 a1 c3 a1 c3 a1 |
W42 | mobile_garrison           | munitions   | 6....1             | boost       | c5 a1             |
W42 | mobile_garrison           | munitions   | 6..1               | pass        | c3 a1             | munitions
W42 | mobile_garrison           | munitions:2 | [1-3]{5}16....1    | boost boost | c5 a1 c5 a1       |
W42 | mobile_garrison           | fuel        | 6..1               |             | c3 a1             | fuel
W42 | armored_bus               | munitions   | 6..1               |             | c3 a1             | munitions
W43 | mobile_garrison war_rig   | munitions   | 6.{6}1             | boost       | c7 a1             |
W44 | gun_truck                 | munitions   | [4-6]{5}1          |             | c5 a1             | munitions
W44 | gun_truck                 | munitions   | [1-3]{5}1[1-3]{5}6 | pass reroll | c5 a1 c5 r5 a1    |
W44 | gun_truck mobile_garrison | munitions   | 6[1-3]{6}1         | boost       | c7 a1             |
"""
"""Caravan, resources, dice, answers, rolls, and the resources that are left when a Lone Raider is beaten.

W41: both sides strike at the same time, until one is beaten. W42: two dice for 1 Munitions, in each round again. W44:
not if no die missed, also in a later round, and not without Munitions.
"""


@cases(ROUNDS)
def test_w41_w42_w43_w44_rounds(at: Positions, row: list[str]) -> None:
    _, caravan, resources, dice, answers, rolled, left = row
    position, told = in_fight(at, "lone_raider", caravan=caravan, resources=resources, dice=dice)
    told += position.play(*({"type": kind} for kind in answers.split()))
    assert (rolls(told), position.stored()) == (rolled, counts(left))
    assert of("attack_defeated", told)


def test_w42_the_boost_is_asked_before_the_dice_are_rolled(at: Positions) -> None:
    position, told = in_fight(at, "lone_raider", caravan="mobile_garrison", resources="munitions")
    assert position.legal() == [do.BOOST, do.PASS]
    assert (position["fight"]["round"], position["fight"]["dice"], rolls(told)) == (1, [], "")


def test_w44_gun_truck_rerolls_all_misses_of_a_roll(at: Positions) -> None:
    """From the first to the last, before the Attack card rolls; the new dice take the places of the misses."""
    position, told = in_fight(
        at, "lone_raider", caravan="gun_truck", resources="munitions", dice="15161...[56]"
    )
    assert rolls(told) == "c5"
    assert position.legal() == [do.PASS, do.REROLL]
    stream = Stream(SEED, position["rng"]["words"])
    again = [stream.die(6) for _ in range(3)]
    told = position.play(do.REROLL)
    assert of("roll", told)[0] == {"event": "roll", "side": "reroll", "dice": again}
    assert rolls(told) == "r3 a1"
    assert position["fight"]["dice"] == [again[0], 5, again[1], 6, again[2]]
    assert position["fight"]["rerolled"] is True
    assert position.stored() == {}


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
    assert rolls(position.play(do.REROLL)) == "r5 a1 c5 a1 c5"
    assert position.asked == ("reroll", 0)
    assert position["fight"]["rerolled"] is False


@pytest.mark.parametrize(("dice", "hits"), [("345", 2), ("333", 0), ("444", 3), ("613", 1)])
def test_example_2_w46_dice_strictly_above_the_defense_hit(at: Positions, dice: str, hits: int) -> None:
    """Toll Gang with Defense 3 and Health 2; two Hits beat it."""
    position, told = in_fight(at, "toll_gang", cash=1, caravan="armored_bus", dice=f"{dice}[1-3]5")
    if hits >= 2:
        assert of("attack_defeated", told) == [{"event": "attack_defeated", "card": "toll_gang", "bounty": 2}]
        assert position.he["cash"] == 3
    else:
        assert not of("attack_defeated", told[:5])
        assert position["fight"]["hits"] == hits


def test_w46_hits_stay_from_round_to_round(at: Positions) -> None:
    """One in each of the first two rounds beat a Mutant Pack of Health 2."""
    _, told = in_fight(at, "mutant_pack", dice="([3-6][12]{2}[1-3]{3}){2}")
    assert rolls(told) == "c3 a3 c3 a3"
    assert of("attack_defeated", told)


@pytest.mark.parametrize(
    ("number", "dice", "kinds", "cash"),
    [
        (50, "", ["attack_gone"], 5),
        (49, "[1-4]{5}[1-4]{2}", ["roll", "roll", "attack_gone"], 5),
        (49, "6....[1-4]{2}", ["roll", "roll", "attack_defeated"], 6),
    ],
)
def test_w50_after_the_50th_round_it_is_over(
    at: Positions, number: int, dice: str, kinds: list[str], cash: int
) -> None:
    """A fight whose Hits are being placed; a card that is beaten in the 50th round pays."""
    fight = {"card": "rad_scorpion", "round": number, "dice": [1, 1, 1], "to_assign": 1}
    position = at("assign_hit", caravan="war_rig", fight=fight, dice=dice)
    assert position.told(do.hit("head")) == kinds
    assert (position["discards"]["attack"], position.he["cash"]) == (["rad_scorpion"], cash)
    assert (position["fight"], position.asked) == (None, ("location", 0))


def test_w51_in_the_first_round_of_a_surprise_the_player_does_not_roll(at: Positions) -> None:
    """Neither boost nor reroll is asked; in the second round both are."""
    position, told = in_fight(
        at,
        "lone_raider",
        by="surprise_attack",
        caravan="mobile_garrison gun_truck",
        resources="munitions:2",
        dice="1[1-3]{5}1",
    )
    assert rolls(told) == "a1"
    assert (position.asked, position["fight"]["round"]) == (("boost", 0), 2)
    assert position["fight"]["surprise"] is True
    position.play(do.PASS)
    assert position.asked == ("reroll", 0)


def test_w51_the_hits_of_a_surprise_are_placed_and_it_may_be_paid_off(at: Positions) -> None:
    position, _ = in_fight(at, "lone_raider", by="surprise_attack", caravan="war_rig", dice="[56]")
    assert (position.asked, position["fight"]["dice"]) == (("assign_hit", 0), [])
    position, _ = in_fight(at, "feral_dogs", by="surprise_attack", resources="rations")
    assert position.asked == ("dodge", 0)


def test_w47_the_player_places_the_hits_one_at_a_time(at: Positions) -> None:
    position, _ = in_fight(at, "mutant_pack", caravan="war_rig armored_bus", dice="[3-6]{5}6{3}")
    for left, card in ((3, "head"), (2, "war_rig"), (1, "war_rig")):
        assert position["fight"]["to_assign"] == left
        assert position.legal() == [do.hit("armored_bus"), do.hit("head"), do.hit("war_rig")]
        position.play(do.hit(card))
    assert position.he["caravan"] == {"head": 1, "war_rig": 2, "armored_bus": 0}


def test_w47_the_defense_is_that_of_the_roll(at: Positions) -> None:
    """The War Rig falls to the first Hit; the fives of the same roll stay misses."""
    position, _ = in_fight(
        at, "mutant_pack", caravan="war_rig:4 mobile_garrison", resources="fuel", dice="[3-6]{5}655"
    )
    assert position["fight"]["to_assign"] == 1
    told = position.told(do.hit("war_rig"))
    assert told[0] == "destroyed"
    assert position["fight"] is None


def test_w48_a_card_whose_hits_reach_its_health_is_destroyed(at: Positions) -> None:
    """It can be bought again, undamaged."""
    position, _ = in_fight(at, "lone_raider", caravan="gun_truck:1", dice="6....[4-6]")
    told = position.play(do.hit("gun_truck"))
    assert told[0] == {"event": "destroyed", "seat": 0, "card": "gun_truck"}
    assert position.he["caravan"] == {"head": 0}
    position.play(do.buy("gun_truck"))
    assert position.he["caravan"] == {"head": 0, "gun_truck": 0}


def test_w48_hits_still_to_be_placed_go_to_the_other_cards(at: Positions) -> None:
    """The last card takes the rest without asking."""
    position, _ = in_fight(at, "mutant_pack", caravan="gun_truck:1 war_rig:4", dice="[3-6]{7}666")
    position.play(do.hit("gun_truck"))
    assert position.legal() == [do.hit("head"), do.hit("war_rig")]
    position.play(do.hit("war_rig"))
    assert position.he["caravan"] == {"head": 1}


def test_example_4_w49_what_does_not_fit_is_given_up_one_by_one(at: Positions) -> None:
    """Three Fuel, or two Fuel and one Rations; Rations can be chosen only once."""
    for choices in ("fuel fuel fuel", "fuel fuel rations", "fuel rations", "rations"):
        position, _ = in_fight(
            at, "lone_raider", caravan="tanker_trailer:1", resources="fuel:4 rations:2", dice="6..[4-6]"
        )
        told = position.play(do.hit("tanker_trailer"))
        for choice in choices.split():
            assert position.asked == ("overflow", 0)
            assert position.legal() == [do.lose("fuel"), do.lose("rations")]
            told += position.play(do.lose(choice))
        assert position["fight"] is None
        assert len(of("lose", told)) == 3
        rations = 2 - choices.count("rations")
        assert position.stored() == {"fuel": 3 - rations, "rations": rations}


def test_w49_before_the_next_hit_is_placed(at: Positions) -> None:
    held = {"caravan": "tanker_trailer:1 war_rig", "resources": "fuel:4 rations:2"}
    position, _ = in_fight(at, "mutant_pack", **held, dice="[3-6]{5}66[1-4]")
    position.play(do.hit("tanker_trailer"))
    assert (position.asked, position["fight"]["to_assign"]) == (("overflow", 0), 1)
    told = position.play(do.lose("rations"))
    assert told == [{"event": "lose", "seat": 0, "resource": "rations", "number": 1}]
    assert position.asked == ("assign_hit", 0)


def test_w49_a_resource_that_fills_its_own_slots_alone_is_not_chosen(at: Positions) -> None:
    """Fuel 4 without a Tanker: the other three kinds lie in slots of their own."""
    held = {"caravan": "tanker_trailer:1 cook_wagon", "resources": "fuel:5 munitions rations medicine"}
    position, _ = in_fight(at, "lone_raider", **held, dice="6..[4-6]")
    told = position.play(do.hit("tanker_trailer"))
    assert [entry["resource"] for entry in of("lose", told)] == ["fuel"] * 3


def fallen(at: Positions, **fields: Any) -> tuple[Position, list[Json]]:
    """Play a fight in which the Head has one Hit left, and the Lone Raider strikes it."""
    defaults = {"caravan": "head:3", "dice": "[1-3]{3}[4-6]"}
    return in_fight(at, "lone_raider", "toll_gang", **{**defaults, **fields})


def test_w52_when_the_head_is_destroyed_all_is_lost_but_the_event_hand(at: Positions) -> None:
    """Further Hits of the round are lost, too."""
    position, _ = in_fight(
        at,
        "mutant_pack",
        caravan="head:3 cargo_hauler:1",
        resources="fuel rations",
        hands=["bargain tailwind", "attack"],
        cash=30,
        dice="[12]{3}666",
    )
    assert position.play(do.hit("head")) == [
        {"event": "destroyed", "seat": 0, "card": "head"},
        {"event": "defeat", "seat": 0},
    ]
    left = {"space": None, "cash": 5, "caravan": {"head": 0}, "resources": only()}
    assert position.he == {**left, "hand": ["bargain", "tailwind"]}
    assert position.seat(1)["cash"] == 5


def test_w52_the_attack_card_and_the_queue_are_discarded_without_bounty(at: Positions) -> None:
    position, told = fallen(at, by="ambush")
    assert position["discards"]["attack"] == ["lone_raider", "toll_gang"]
    assert (position["queue"], position["fight"], position.he["cash"]) == ([], None, 5)
    assert not of("attack_defeated", told)


def test_example_7_w52_a_bounty_of_this_round_is_lost_too(at: Positions) -> None:
    """It is paid, and may trigger the end; the card is not discarded twice."""
    position, told = fallen(at, dice="6..[4-6]", cash=34)
    assert [entry["event"] for entry in told[-4:]] == ["attack_defeated", "goal", "destroyed", "defeat"]
    assert (position.he["cash"], position["goal_reached"]) == (5, True)
    assert position["discards"]["attack"] == ["lone_raider"]


def test_w53_he_chooses_a_city_at_once_and_his_turn_goes_on_with_its_end(at: Positions) -> None:
    """Without Location: the window `end`, a discard, an Event card. In the next round he has a turn like all others."""
    hands = ["tailwind", "attack", "pickpockets"]
    position, _ = fallen(at, seats=3, hands=hands, decks={"event": "escort"})
    position.play(do.PASS)
    assert position.asked == ("start_city", 0)
    assert position.values("start_city", "city") == set(CITIES)
    position.play(do.city("S"))
    assert (position["window"]["name"], position.asked) == ("end", ("event", 2))
    position.play(do.PASS)
    assert position.asked == ("end_discard", 0)
    position.play(do.KEEP)
    assert position.he["hand"] == ["escort", "tailwind"]
    while position["current"] != 0:
        position.match.play(position.match.default())
    assert (position["round"], position.he["space"]) == (2, "S")
