"""W54-W60: what is done at Location, W6 with every mission, W5 with the cards that are bought."""

import pytest

from tests.unit.engine.naive import Json
from tests.unit.engine.pages import cases
from tests.unit.engine.wasteland import do
from tests.unit.engine.wasteland.positions import Positions, holding, of
from tests.unit.engine.wasteland.tables import CARAVAN, CITIES, MISSIONS, OFFERS, SPACES, TOWNS


def test_w54_actions_in_any_order_until_the_player_is_done(at: Positions) -> None:
    position = at(cash=8)
    position.play(do.load("fuel"), do.buy("gun_truck"), do.load("rations"), do.ditch("fuel"))
    assert position.asked == ("location", 0)
    assert position["turn"]["actions"] == 4
    position.play(do.DONE)
    assert position["current"] == 1


@pytest.mark.parametrize("space", SPACES)
def test_w55_what_the_space_offers_is_free(at: Positions, space: str) -> None:
    position = at(space=space, cash=0, caravan="field_hospital head:1", resources="medicine")
    loads = position.legal("load")
    assert {action["resource"] for action in loads} == {*OFFERS.get(space, ())}
    position.play(*loads)
    assert position.he["cash"] == 0
    assert sum(position.stored().values()) == 1 + len(loads)


@pytest.mark.parametrize(
    ("fields", "offered"),
    [
        ({}, {"fuel", "rations"}),
        ({"resources": "fuel:2"}, {"rations"}),  # the Head has a slot for Fuel and one for any
        ({"resources": "fuel:2 rations"}, set()),
        ({"turn": {"dry": ["fuel"]}}, {"rations"}),
        ({"turn": {"ditched": ["fuel"]}}, {"rations"}),
    ],
)
def test_w55_what_northgate_offers(at: Positions, fields: Json, offered: set[str]) -> None:
    assert at(**fields).values("load", "resource") == offered


@pytest.mark.parametrize("space", SPACES)
def test_w21_w55_w56_units_are_thrown_away_in_cities_and_wilds(at: Positions, space: str) -> None:
    """Of anything that he has, offered there or not; what is thrown away twice counts once."""
    position = at(space=space, caravan="field_hospital head:1", resources="fuel:2 medicine rations")
    ditches = position.legal("ditch")
    assert ditches == ([] if space in TOWNS else [do.ditch(r) for r in ("fuel", "medicine", "rations")])
    if ditches:
        position.play(do.ditch("medicine"), do.ditch("fuel"), do.ditch("fuel"))
        assert position.stored() == {"rations": 1}
        assert position["turn"]["ditched"] == ["fuel", "medicine"]


@pytest.mark.parametrize("space", SPACES)
def test_w57_cards_are_bought_in_cities(at: Positions, space: str) -> None:
    position = at(space=space, cash=8, caravan="field_hospital head:1", resources="medicine")
    bought = {card for card in CARAVAN if card not in ("head", "field_hospital")}
    assert ({action["card"] for action in position.legal("buy")} == bought) == (space in CITIES)
    assert bool(position.legal("buy")) == (space in CITIES)


@pytest.mark.parametrize("bargain", [False, True])
@pytest.mark.parametrize("card", [card for card in CARAVAN if card != "head"])
def test_w57_for_their_cost(at: Positions, card: str, bargain: bool) -> None:
    cost = max(1, CARAVAN[card].cost - 2) if bargain else CARAVAN[card].cost
    assert not at(cash=cost - 1, turn={"bargain": bargain}).may(do.buy(card))
    position = at(cash=cost + 1, turn={"bargain": bargain})
    position.play(do.buy(card))
    assert (position.he["cash"], position.he["caravan"]) == (1, {"head": 0, card: 0})
    assert position["turn"]["bargain"] is False


def test_w57_each_card_is_there_once_for_every_seat(at: Positions) -> None:
    position = at(cash=20, others={1: {"caravan": {"head": 0, "war_rig": 0}}})
    position.play(do.buy("war_rig"))
    assert not position.may(do.buy("war_rig"))
    assert not position.may(do.buy("head"))


def test_w57_its_slots_and_its_ability_can_be_used_at_once(at: Positions) -> None:
    position = at(cash=9, caravan="head:2", resources="fuel:2 rations medicine")
    assert position.legal("load") == []
    position.play(do.buy("cargo_hauler"), do.buy("field_hospital"))
    assert position.values("load", "resource") == {"fuel", "rations"}
    assert position.legal("heal") == [do.heal("head", "head")]


def goods_of(demand: dict[str, int]) -> str:
    return " ".join(f"{resource}:{number}" for resource, number in demand.items())


@pytest.mark.parametrize("mission", MISSIONS)
def test_w58_every_mission(at: Positions, mission: str) -> None:
    row = MISSIONS[mission]
    top = "i1A" if mission != "i1A" else "i1B"
    caravan = "cargo_hauler tanker_trailer field_hospital head:1"
    fields = {"space": row.town, "missions": mission, "caravan": caravan}
    position = at(**fields, resources=goods_of(row.demand), decks={"mission": top})
    told = position.play(do.deliver(mission))
    assert told[:2] == [
        {"event": "deliver", "seat": 0, "mission": mission, "cash": row.reward},
        {"event": "mission", "place": 0, "mission": top},
    ]
    assert (position.stored(), position.he["cash"]) == ({}, 5 + row.reward)
    assert position["discards"]["mission"] == [mission]
    assert position["missions"][0] == top


def test_w58_several_in_one_visit_the_new_one_included(at: Positions) -> None:
    """It takes the place of the old one. A Bonus Contract brings 2 more for one mission."""
    held = {"caravan": "cargo_hauler", "resources": "fuel munitions medicine:3"}
    position = at(space="i1", missions="d1A i1A", decks={"mission": "i1B"}, turn={"bonus": True}, **held)
    assert position.values("deliver", "mission") == {"i1A"}
    told = position.play(do.deliver("i1A"))
    assert position["missions"][:2] == ["d1A", "i1B"]
    assert position.values("deliver", "mission") == {"i1B"}
    told += position.play(do.deliver("i1B"))
    assert [entry["cash"] for entry in of("deliver", told)] == [7, 6]
    assert position.he["cash"] == 5 + 7 + 6


def test_w58_the_deck_is_rebuilt_with_the_mission_just_delivered(at: Positions) -> None:
    rest = " ".join(mission for mission in MISSIONS if mission not in ("i1A", "d1A", "d1B", "d1C"))
    position = at(
        space="i1", missions="i1A d1A d1B d1C", discards={"mission": rest}, resources="munitions medicine"
    )
    assert position.told(do.deliver("i1A"))[:3] == ["deliver", "rebuild", "mission"]
    assert (len(position["decks"]["mission"]), position["discards"]["mission"]) == (32, [])


@pytest.mark.parametrize("space", SPACES)
def test_w59_healing_removes_two_hits_for_1_medicine_anywhere(at: Positions, space: str) -> None:
    position = at(space=space, caravan="field_hospital head:1 war_rig:2", resources="medicine:2")
    assert position.legal("heal") == [do.heal("head", "war_rig"), do.heal("war_rig", "war_rig")]
    position.play(do.heal("head", "war_rig"))
    assert position.legal("heal") == [], "once per turn"
    assert position.he["caravan"] == {"head": 0, "field_hospital": 0, "war_rig": 1}
    assert position.stored() == {"medicine": 1}


HEALING = """
field_hospital war_rig:1 medicine                      | war_rig
field_hospital:1 medicine                              | field_hospital
field_hospital war_rig:1 armored_bus:1 head:1 medicine | armored_bus head, armored_bus war_rig, head war_rig
head:1 medicine                                        |
head:1 field_hospital fuel                             |
field_hospital medicine                                |
"""


@cases(HEALING)
def test_w59_two_hits_or_the_only_one_in_order(at: Positions, row: list[str]) -> None:
    """It takes the card, Medicine and a Hit."""
    held, ways = row
    assert ", ".join(" ".join(action["hits"]) for action in at(**holding(held)).legal("heal")) == ways


def test_w60_after_40_actions_location_ends_by_itself(at: Positions) -> None:
    position = at(turn={"actions": 38}, resources="fuel")
    position.play(do.ditch("fuel"))
    assert position.asked == ("location", 0)
    position.play(do.load("rations"))
    assert position["current"] == 1
    assert position.stored() == {"rations": 1}
