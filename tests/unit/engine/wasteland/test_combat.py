"""W41-W46, W50, W51: the rounds of a combat."""

import pytest

from engine.randomness import Stream
from tests.unit.engine.naive import Json
from tests.unit.engine.pages import cases
from tests.unit.engine.wasteland import do
from tests.unit.engine.wasteland.positions import SEED, Positions, counts, in_fight, of


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
