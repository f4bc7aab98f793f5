"""Section 15: the worked examples, in their order; those told at length stand with their clauses."""

from __future__ import annotations

import pytest

from tests.unit.engine.wasteland.positions import (
    PASS,
    STOP,
    Positions,
    attacked,
    city,
    deliver,
    hit,
    in_fight,
    load,
    lose,
    of,
    only,
    playing,
    step,
)


def test_example_1_only_a_six_hits(at: Positions) -> None:
    """W18: Head, Garrison, Bus and War Rig: 6 counts as Defense 5."""
    for die, hits in (("5", 0), ("6", 1)):
        caravan = "mobile_garrison armored_bus war_rig"
        position, _ = in_fight(at, "lone_raider", caravan=caravan, dice=f"[4-6]....{die}")
        assert (position.asked[0] == "assign_hit") == bool(hits)


def test_example_2_two_hits(at: Positions) -> None:
    """W46: dice 3, 4, 5 against Defense 3 (Deserter Squad, Health 3); a die equal to the Defense misses."""
    position, _ = in_fight(at, "deserter_squad", caravan="cargo_hauler", dice="345.[45]")
    assert (position["fight"]["dice"], position["fight"]["hits"]) == ([3, 4, 5], 2)


@pytest.mark.parametrize(
    ("resources", "more"),
    [("fuel:2", {"rations", "munitions", "medicine"}), ("fuel munitions rations:2", {"medicine"})],
)
def test_example_3_what_the_head_holds(at: Positions, resources: str, more: set[str]) -> None:
    """W20: Fuel 2, Rations 1; or Fuel 1, Munitions 1, Rations 2, Medicine 1; never Fuel 2, Rations 2."""
    assert at(space="X0", resources=resources).values("load", "resource") == more
    position = at(space="X0", resources="fuel:2")
    position.play(load("rations"))
    assert not position.may(load("rations"))


def test_example_4_three_units_must_go(at: Positions) -> None:
    """W49: Fuel 4 and Rations 2, the Tanker is destroyed. Rations can be chosen only once."""
    position, _ = in_fight(
        at, "lone_raider", caravan="tanker_trailer:1", resources="fuel:4 rations:2", dice="6..[4-6]"
    )
    told = position.play(hit("tanker_trailer"), lose("rations"))
    assert [entry["resource"] for entry in of("lose", told)] == ["rations", "fuel", "fuel"]
    assert position.stored() == {"fuel": 2, "rations": 1}


def test_example_5_the_lone_raider_stays_on_top(at: Positions) -> None:
    """W37: Health 4."""
    position = attacked(at, "road_warriors", "deserter_squad", "rust_tank", "lone_raider")
    position.play(playing("attack"))
    assert position["decks"]["attack"][0] == "lone_raider"


@pytest.mark.parametrize(
    ("start", "steps", "wilds"),
    [
        ("i1", ["X0", "i1", "X0"], [["X0", 2], ["X0", 2]]),
        ("X0", ["i1"], []),
        ("X0", [], [["X0", 2]]),
        ("X0", ["i1", "X0"], [["X0", 2]]),
    ],
)
def test_example_6_what_wilds_require(
    at: Positions, start: str, steps: list[str], wilds: list[list[object]]
) -> None:
    """W34."""
    position = at("move", space=start, hands=["", "pickpockets"])
    position.play(*(step(to) for to in steps), STOP)
    assert position.asked == ("event", 1)
    assert position["turn"]["wilds"] == wilds
    cards = of("attack_card", position.play(PASS))
    assert sum(card["engages"] for card in cards) <= sum(number for _, number in wilds)  # type: ignore[misc]
    assert bool(cards) == bool(wilds)


def test_example_7_the_last_hit_on_both(at: Positions) -> None:
    """W46, W52: the Bounty is paid, then all Cash is lost; he restarts with 5."""
    position, told = in_fight(at, "lone_raider", caravan="head:3", cash=34, dice="[4-6]..[4-6]")
    kinds = [entry["event"] for entry in told]
    assert kinds[-4:] == ["attack_defeated", "goal", "destroyed", "defeat"]
    position.play(city("E"))
    assert (position.he["cash"], position.he["resources"]) == (5, only())
    assert position["goal_reached"] is True


def test_example_8_prices_4_5_and_3(at: Positions) -> None:
    """W68: they are worth 2, 2, 1."""
    for card, worth in (("gun_truck", 2), ("cargo_hauler", 2), ("outrider_bikes", 1)):
        assert at(caravan=card, cash=0).match.scores()[0] == worth


def test_example_9_one_more_turn(at: Positions) -> None:
    """W66: three players, seat 1 began; seat 2 reaches 30, then seat 0 has one more turn."""
    goods = only(munitions=1, medicine=1)
    player = {"cash": 26, "space": "i1", "resources": goods}
    position = at(seats=3, first=1, current=2, to_move=2, others={2: player}, missions="i1A")
    told = position.play(deliver("i1A"))
    while position["decision"] != "over":
        told += position.play(position.match.default())
    assert [entry["seat"] for entry in of("turn", told)] == [0]
    assert (position["ending"], position["round"]) == ("GOAL", 1)


def test_example_10_a_cancelled_attack_counts_for_its_player_alone(at: Positions) -> None:
    """W28: seat 2 may not play Ambush! in this turn, seat 3 may."""
    hands = ["escort", "", "attack ambush", "ambush"]
    position = attacked(at, seats=4, to_move=2, hands=hands)
    position.play(playing("attack"), playing("escort"))
    assert position.asked == ("event", 3)
    assert position.may(playing("ambush"))
    position.play(PASS)
    assert position["window"] is None
    assert position.seat(2)["hand"] == ["ambush"]


@pytest.mark.parametrize(("turn", "steps"), [({"flat_tires": 2}, 1), ({"flat_tires": 1, "tailwinds": 1}, 4)])
def test_example_11_flat_tires_and_a_tailwind(at: Positions, turn: dict[str, int], steps: int) -> None:
    """W31: of the Head only."""
    position = at("move", turn=turn)
    made = 0
    while position.asked == ("move", 0):
        position.play(step("a1" if position.he["space"] == "N" else "N"))
        made += 1
    assert made == steps


def test_example_12_a_tie_on_the_score(at: Positions) -> None:
    """W69: scores 41 and 41, health left 9 and 7."""
    others = {
        0: {"cash": 37, "caravan": {"head": 0, "war_rig": 0}},
        1: {"cash": 37, "caravan": {"head": 1, "war_rig": 1}},
    }
    match = at("event", window="end", hands=["hidden_cache"], others=others).match
    assert (match.scores(), match.placings()) == ([41, 41], [1, 2])
