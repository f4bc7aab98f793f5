"""W8: every Event card."""

from typing import Any

import pytest

from tests.unit.engine.wasteland import do
from tests.unit.engine.wasteland.positions import Position, Positions, attacked, of
from tests.unit.engine.wasteland.tables import EVENTS, SPACES


def offered(at: Positions, card: str, window: str, **fields: Any) -> Position:
    """Seat 0, or seat 1 if it is a card for opponents, holds the card and is asked."""
    seat = 0 if EVENTS[card].who == "C" else 1
    hands = ["", ""]
    hands[seat] = f"{card} contract_cancelled"
    return at("event", **{"window": window, "to_move": seat, "hands": hands, **fields})


def resources_of(position: Position, card: str) -> list[str]:
    """Return the resources that a play of the card may name."""
    return [action["resource"] for action in position.legal("play") if action["card"] == card]


def test_attack(at: Positions) -> None:
    position = attacked(at, "lone_raider", seats=3, hands=["", "attack", "pickpockets"])
    told = position.play(do.play("attack"))
    assert told[1:] == [{"event": "attack_card", "card": "lone_raider", "engages": True}]
    assert position["queue"] == [{"card": "lone_raider", "surprise": False}]


def test_surprise_attack(at: Positions) -> None:
    """In the first round of the combat he does not roll (W51)."""
    position = attacked(at, "lone_raider", by="surprise_attack", dice="1[4-6]..1")
    told = position.play(do.play("surprise_attack"))
    assert [entry["side"] for entry in of("roll", told)] == ["attack", "caravan", "attack"]


def test_ambush(at: Positions) -> None:
    """The cards are drawn at once and wait (W28)."""
    position = attacked(at, "lone_raider", "toll_gang", seats=3, hands=["", "ambush", "pickpockets"])
    told = position.play(do.play("ambush"))
    assert told == [
        {"event": "play", "seat": 1, "card": "ambush"},
        {"event": "attack_card", "card": "lone_raider", "engages": True},
        {"event": "attack_card", "card": "toll_gang", "engages": True},
    ]
    assert position["queue"] == [
        {"card": "lone_raider", "surprise": False},
        {"card": "toll_gang", "surprise": False},
    ]
    assert position.asked == ("event", 2)
    assert position["fight"] is None


@pytest.mark.parametrize("card", ["attack", "surprise_attack", "ambush"])
def test_escort(at: Positions, card: str) -> None:
    position = attacked(at, "lone_raider", "lone_raider", hands=["escort", f"{card} pickpockets"])
    before = position["decks"]["attack"]
    position.play(do.play(card))
    assert position["window"]["attack"] == card
    assert position.told(do.play("escort")) == ["play"]
    assert (position["queue"], position["decks"]["attack"]) == ([], before)


def test_flat_tire(at: Positions) -> None:
    position = offered(at, "flat_tire", "before_move")
    position.play(do.play("flat_tire"), do.PASS)
    assert position["turn"]["flat_tires"] == 1
    position.play(do.step("a1"), do.step("N"))
    assert position["turn"]["steps"] == 2
    assert position.asked[0] != "move"


def test_sandstorm(at: Positions) -> None:
    position = offered(at, "sandstorm", "before_move", space="i1", hands=["", "sandstorm sandstorm"])
    position.play(do.play("sandstorm"))
    assert position["turn"]["sandstorm"] is True
    assert position.seat(1)["hand"] == ["sandstorm"]
    assert position.asked == ("move", 0), "with one in force the second cannot be played"
    assert position.values("step", "to") == {"N"}


def test_road_block(at: Positions) -> None:
    """Any of the 21, his own included; none twice."""
    position = offered(at, "road_block", "before_move", hands=["", "road_block road_block"])
    assert position.values("play", "space") == set(SPACES)
    position.play(do.play("road_block", space="i1"))
    assert position.values("play", "space") == set(SPACES) - {"i1"}
    position.play(do.play("road_block", space="N"))
    assert position["turn"]["road_blocks"] == ["N", "i1"]
    assert position.values("step", "to") == {"a1", "d2"}
    position.play(do.step("a1"))
    assert position.values("step", "to") == {"a2", "X1"}


@pytest.mark.parametrize("window", EVENTS["spoiled_stores"].windows)
def test_spoiled_stores(at: Positions, window: str) -> None:
    position = offered(at, "spoiled_stores", window, resources="fuel rations medicine")
    position.play(do.play("spoiled_stores"), do.lose("rations"))
    assert position.stored() == {"fuel": 1, "medicine": 1}
    assert not offered(at, "spoiled_stores", window, resources="fuel munitions").may(
        do.play("spoiled_stores")
    )


@pytest.mark.parametrize(("fuel", "lost"), [(1, 1), (2, 2)])
def test_leaking_tank(at: Positions, fuel: int, lost: int) -> None:
    position = offered(at, "leaking_tank", "encounter", resources=f"fuel:{fuel} rations")
    told = position.play(do.play("leaking_tank"))
    assert told[1] == {"event": "lose", "seat": 0, "resource": "fuel", "number": lost}
    assert position.stored() == {"rations": 1}
    assert not offered(at, "leaking_tank", "encounter", resources="rations").may(do.play("leaking_tank"))


def test_leaking_tank_of_more(at: Positions) -> None:
    position = offered(at, "leaking_tank", "end", caravan="tanker_trailer", resources="fuel:5")
    position.play(do.play("leaking_tank"))
    assert position.stored() == {"fuel": 3}


def test_pickpockets(at: Positions) -> None:
    position = offered(at, "pickpockets", "end", cash=1, others={1: {"cash": 34}})
    told = position.told(do.play("pickpockets"))
    assert (position.he["cash"], position.seat(1)["cash"]) == (0, 35)
    assert told == ["play", "goal"]
    assert not offered(at, "pickpockets", "end", cash=0).may(do.play("pickpockets"))


def test_dry_market(at: Positions) -> None:
    position = offered(at, "dry_market", "before_location", space="E")
    assert resources_of(position, "dry_market") == ["medicine", "rations"]
    position.play(do.play("dry_market", resource="rations"), do.PASS)
    assert position["turn"]["dry"] == ["rations"]
    assert position.values("load", "resource") == {"medicine"}


def test_dry_market_where_nothing_is_offered(at: Positions) -> None:
    position = offered(at, "dry_market", "before_location", space="a1")
    assert position.values("play", "card") == {"contract_cancelled"}


def test_dry_market_names_none_twice(at: Positions) -> None:
    position = offered(at, "dry_market", "before_location", space="X0", turn={"dry": ["fuel"]})
    assert resources_of(position, "dry_market") == ["medicine", "munitions", "rations"]


@pytest.mark.parametrize("seat", [0, 1])
def test_contract_cancelled(at: Positions, seat: int) -> None:
    hands = ["", ""]
    hands[seat] = "contract_cancelled contract_cancelled"
    position = at("event", window="end", to_move=seat, hands=hands, decks={"mission": "d1A d1B"})
    places = position["missions"]
    assert position.values("play", "mission") == set(places)
    told = position.play(do.play("contract_cancelled", mission=places[2]))
    assert told == [
        {"event": "play", "seat": seat, "card": "contract_cancelled", "mission": places[2]},
        {"event": "mission", "place": 2, "mission": "d1A"},
    ]
    assert position["missions"] == [places[0], places[1], "d1A", places[3]]
    assert position["discards"]["mission"] == [places[2]]


def test_tailwind(at: Positions) -> None:
    position = offered(at, "tailwind", "before_move")
    position.play(do.play("tailwind"), do.PASS)
    assert position["turn"]["tailwinds"] == 1
    for number in range(6):
        position.play(do.step("a1" if number % 2 == 0 else "N"))
    assert position.asked[0] != "move"


def test_field_repairs(at: Positions) -> None:
    """Two Hits from anywhere, or the only one."""
    position = offered(at, "field_repairs", "end", caravan="head:1 war_rig:2 gun_truck")
    assert [action["hits"] for action in position.legal("play") if "hits" in action] == [
        ["head", "war_rig"],
        ["war_rig", "war_rig"],
    ]
    position.play(do.play("field_repairs", hits=["head", "war_rig"]))
    assert position.he["caravan"] == {"head": 0, "war_rig": 1, "gun_truck": 0}


def test_field_repairs_of_the_only_hit(at: Positions) -> None:
    position = offered(at, "field_repairs", "end", caravan="war_rig:1")
    told = position.play(do.play("field_repairs", hits=["war_rig"]))
    assert told[0] == {"event": "play", "seat": 0, "card": "field_repairs", "hits": ["war_rig"]}
    assert position.he["caravan"] == {"head": 0, "war_rig": 0}
    assert "field_repairs" not in offered(at, "field_repairs", "end").values("play", "card")


def test_salvage(at: Positions) -> None:
    position = offered(at, "salvage", "before_move", resources="fuel:2")
    assert resources_of(position, "salvage") == ["medicine", "munitions", "rations"]
    position.play(do.play("salvage", resource="medicine"))
    assert position.stored() == {"fuel": 2, "medicine": 1}
    full = offered(at, "salvage", "before_move", resources="fuel:2 munitions rations medicine")
    assert full.values("play", "card") == {"contract_cancelled"}


def test_hidden_cache(at: Positions) -> None:
    position = offered(at, "hidden_cache", "encounter")
    position.play(do.play("hidden_cache"))
    assert position.he["cash"] == 7


def test_bargain(at: Positions) -> None:
    """The next card alone, in a City alone."""
    position = offered(at, "bargain", "before_location", cash=9)
    position.play(do.play("bargain"), do.PASS)
    assert position["turn"]["bargain"] is True
    position.play(do.buy("gun_truck"))
    assert (position.he["cash"], position["turn"]["bargain"]) == (7, False)
    position.play(do.buy("outrider_bikes"))
    assert position.he["cash"] == 4
    assert offered(at, "bargain", "before_location", space="i1").values("play", "card") == {
        "contract_cancelled"
    }


def test_bonus_contract(at: Positions) -> None:
    """The next mission alone, in a Town alone."""
    position = offered(
        at,
        "bonus_contract",
        "before_location",
        space="i1",
        missions="i1A i1B",
        resources="fuel munitions medicine:2",
    )
    position.play(do.play("bonus_contract"), do.PASS)
    assert position["turn"]["bonus"] is True
    told = position.play(do.deliver("i1A"))
    assert of("deliver", told) == [{"event": "deliver", "seat": 0, "mission": "i1A", "cash": 7}]
    assert (position.he["cash"], position["turn"]["bonus"]) == (12, False)
    city_ = offered(at, "bonus_contract", "before_location", space="N")
    assert city_.values("play", "card") == {"contract_cancelled"}


def test_what_an_event_loses_is_not_ditched(at: Positions) -> None:
    """W55 is about what he threw away himself."""
    position = offered(at, "leaking_tank", "before_location", resources="fuel")
    position.play(do.play("leaking_tank"), do.PASS)
    assert position.may(do.load("fuel"))


def test_effects_of_the_windows_reach_only_this_turn(at: Positions) -> None:
    position = offered(at, "flat_tire", "before_move", others={1: {"space": "S"}})
    position.play(do.play("flat_tire"), do.PASS, do.STOP)
    while position["current"] == 0:
        position.play(do.PASS if position.asked[0] == "event" else do.DONE)
    while position.asked[0] == "event":
        position.play(do.PASS)
    assert position["turn"]["flat_tires"] == 0


def test_a_road_block_does_not_stop_a_new_start(at: Positions) -> None:
    """W35, W53: being put on a named space is no step."""
    turn = {"road_blocks": ["N"], "sandstorm": True}
    position = attacked(at, "mutant_pack", caravan="head:3", turn=turn, space="i1", dice="[12]{3}[456]")
    position.play(do.play("attack"))
    assert position.asked == ("start_city", 0)
    assert position.may(do.city("N"))
