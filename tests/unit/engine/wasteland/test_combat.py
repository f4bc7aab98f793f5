"""W41-W46, W50, W51: the rounds of a combat."""

import pytest

from engine.randomness import Stream
from tests.unit.engine.wasteland import do
from tests.unit.engine.wasteland.positions import SEED, Json, Positions, in_fight, of


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
    assert position.legal() == [do.BOOST, do.PASS]
    assert (position["fight"]["round"], position["fight"]["dice"]) == (1, [])
    assert not of("roll", told)
    told = position.play(do.BOOST)
    assert sides(told) == [("caravan", 5), ("attack", 1)]
    assert position.stored() == {}


def test_w42_he_may_pass(at: Positions) -> None:
    position, _ = in_fight(at, "lone_raider", caravan="mobile_garrison", resources="munitions", dice="6..1")
    assert sides(position.play(do.PASS)) == [("caravan", 3), ("attack", 1)]
    assert position.stored() == {"munitions": 1}


def test_w42_once_per_roll_in_each_round_again(at: Positions) -> None:
    position, _ = in_fight(
        at, "lone_raider", caravan="mobile_garrison", resources="munitions:2", dice="[1-3]{5}1[1-3]{5}1"
    )
    position.play(do.BOOST)
    assert (position.asked, position["fight"]["round"]) == (("boost", 0), 2)
    assert position["fight"]["dice"] == [], "no die of this round has been rolled"
    told = position.play(do.BOOST)
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
    assert sides(position.play(do.BOOST))[0] == ("caravan", 7)


def test_w44_gun_truck_rerolls_all_misses_of_a_roll(at: Positions) -> None:
    """From the first to the last of the roll, before the Attack card rolls."""
    position, told = in_fight(
        at, "road_warriors", caravan="gun_truck armored_bus", resources="munitions", dice="51412[1-6]{3}"
    )
    assert sides(told) == [("caravan", 5)]
    assert position.asked == ("reroll", 0)
    assert position.legal() == [do.PASS, do.REROLL]
    assert position["fight"]["dice"] == [5, 1, 4, 1, 2]
    stream = Stream(SEED, position["rng"]["words"])
    again = [stream.die(6) for _ in range(3)]
    told = position.play(do.REROLL)
    assert of("roll", told)[0] == {"event": "roll", "side": "reroll", "dice": again}
    assert of("roll", told)[1]["side"] == "attack"
    assert position.stored() == {}


def test_w44_the_rerolled_dice_take_the_places_of_the_misses(at: Positions) -> None:
    """Seen while the Hits of the round are placed."""
    position, _ = in_fight(at, "lone_raider", caravan="gun_truck", resources="munitions", dice="15161...[56]")
    told = position.play(do.REROLL)
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
    told = position.play(do.REROLL)
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
    position.play(do.PASS)
    assert position.asked == ("reroll", 0)
    assert position["fight"]["round"] == 2


def test_w44_boost_and_reroll_cost_one_each(at: Positions) -> None:
    """With one Munitions spent on the boost none is left for the reroll."""
    position, _ = in_fight(
        at, "lone_raider", caravan="gun_truck mobile_garrison", resources="munitions", dice="6[1-3]{6}1"
    )
    assert sides(position.play(do.BOOST)) == [("caravan", 7), ("attack", 1)]


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


@pytest.mark.parametrize("words", [5, 60, 61])
def test_w50_after_the_50th_round_it_is_over(at: Positions, words: int) -> None:
    """A fight in its 50th round, whose Hits are being placed."""
    fight = {"card": "rad_scorpion", "round": 50, "dice": [1, 1, 1], "to_assign": 1}
    position = at("assign_hit", caravan="war_rig", fight=fight, rng={"seed": SEED.hex(), "words": words})
    told = position.play(do.hit("head"))
    assert told == [{"event": "attack_gone", "card": "rad_scorpion"}]
    assert position["discards"]["attack"] == ["rad_scorpion"]
    assert (position.he["cash"], position["fight"], position["rng"]["words"]) == (5, None, words)
    assert position.asked == ("location", 0)


def test_w50_after_the_49th_it_is_not(at: Positions) -> None:
    fight = {"card": "rad_scorpion", "round": 49, "dice": [1, 1, 1], "to_assign": 1}
    position = at("assign_hit", caravan="war_rig", fight=fight, dice="[1-4]{5}[1-4]{2}")
    told = position.play(do.hit("head"))
    assert [entry["event"] for entry in told] == ["roll", "roll", "attack_gone"]


def test_w50_a_card_beaten_in_the_50th_round_pays(at: Positions) -> None:
    fight = {"card": "rad_scorpion", "round": 49, "dice": [1, 1, 1], "to_assign": 1}
    position = at("assign_hit", caravan="war_rig", fight=fight, dice="6....[1-4]{2}")
    told = position.play(do.hit("head"))
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
    position.play(do.PASS)
    assert position.asked == ("reroll", 0)


def test_w51_the_hits_of_the_first_round_are_placed(at: Positions) -> None:
    position, _ = in_fight(at, "lone_raider", by="surprise_attack", caravan="war_rig", dice="[56]")
    assert position.asked == ("assign_hit", 0)
    assert (position["fight"]["round"], position["fight"]["dice"]) == (1, [])


def test_w51_paying_a_surprise_off_is_possible(at: Positions) -> None:
    position, _ = in_fight(at, "feral_dogs", by="surprise_attack", resources="rations")
    assert position.asked == ("dodge", 0)
