"""W31-W36: Movement, and the Attack cards that Wilds require."""

import pytest

from tests.unit.engine.wasteland import do
from tests.unit.engine.wasteland.positions import Positions, of


@pytest.mark.parametrize(
    ("tailwinds", "flat_tires", "allowance"),
    [(0, 0, 4), (1, 0, 6), (2, 0, 8), (0, 1, 2), (0, 2, 1), (1, 1, 4)],
)
def test_example_11_w31_the_allowance(at: Positions, tailwinds: int, flat_tires: int, allowance: int) -> None:
    """Of the bare Head; at least 1."""
    position = at("move", turn={"tailwinds": tailwinds, "flat_tires": flat_tires})
    assert position.walk() == allowance


def test_w31_outriders_count_before_the_minimum(at: Positions) -> None:
    """4 + 1 (the card) - 4 + 1 (its Fuel) = 2; with the Head alone and two Flat Tires it is 1."""
    position = at("move", caravan="outrider_bikes", resources="fuel", turn={"flat_tires": 2})
    position.play(do.OUTRIDER)
    assert position.walk() == 2


def test_w32_with_no_step_left_that_is_allowed_it_stops(at: Positions) -> None:
    """Back on i1 from Northgate: a Sandstorm closes the three Wilds there, a Road Block the way back."""
    position = at("move", space="N", turn={"sandstorm": True, "road_blocks": ["N"]})
    assert position.may(do.STOP)
    assert "turn" in position.told(do.step("i1")), "nothing is to be done in the Town, so his turn is over"


def test_w32_with_no_step_at_all_the_outriders_are_not_asked(at: Positions) -> None:
    held = {"caravan": "outrider_bikes", "resources": "fuel", "turn": {"sandstorm": True}, "space": "i1"}
    position = at("event", window="before_move", to_move=1, hands=["", "road_block"], **held)
    position.play(do.play("road_block", space="N"))
    assert position.asked == ("move", 1)
    assert position.stored() == {"fuel": 1}


def test_w33_outriders_before_the_first_step_once(at: Positions) -> None:
    position = at("move", caravan="outrider_bikes", resources="fuel:2")
    position.play(do.OUTRIDER)
    assert (position.stored(), position["turn"]["outrider"]) == ({"fuel": 1}, True)
    assert not position.may(do.OUTRIDER)
    assert position.walk() == 6
    position = at("move", caravan="outrider_bikes", resources="fuel:2")
    position.play(do.step("a1"))
    assert not position.may(do.OUTRIDER)


@pytest.mark.parametrize("resource", ["fuel", "rations"])
def test_w33_w34_outriders_and_scouts_take_the_card_and_fuel(at: Positions, resource: str) -> None:
    other = "scout_rig" if resource == "rations" else "cook_wagon"
    assert not at("move", space="i1", caravan=other, resources=resource).may(do.OUTRIDER)
    other = "outrider_bikes" if resource == "rations" else "cook_wagon"
    assert not at("move", space="i1", caravan=other, resources=resource).may(do.step("X0", scout=True))


@pytest.mark.parametrize(
    ("start", "steps", "wilds"),
    [("i1", "X0 i1 X0", "X0 X0"), ("X0", "i1", ""), ("X0", "", "X0"), ("X0", "i1 X0", "X0")],
)
def test_example_6_w34_what_wilds_require(at: Positions, start: str, steps: str, wilds: str) -> None:
    """Two for each step into one, and for stopping in one without a step, also with a Scout Rig."""
    cards = {"attack": "lone_raider lone_raider feral_dogs feral_dogs"}
    held = {"caravan": "scout_rig", "resources": "fuel"}
    position = at("move", space=start, hands=["", "pickpockets"], decks=cards, **held)
    position.play(*(do.step(to) for to in steps.split()), do.STOP)
    assert position["turn"]["wilds"] == [[wild, 2] for wild in wilds.split()]
    assert len(of("attack_card", position.play(do.PASS))) == 2 * len(wilds.split())


def test_w34_a_scout_rig_makes_it_one(at: Positions) -> None:
    """At every such step, 1 Fuel each."""
    position = at("move", space="i1", caravan="scout_rig", resources="fuel:2")
    assert position.may(do.step("X0"))
    assert not position.may(do.step("N", scout=True))
    position.play(do.step("X0", scout=True), do.step("i1"), do.step("X1", scout=True), do.step("i1"))
    assert position.stored() == {}
    assert not position.may(do.step("X0", scout=True))
    position.play(do.step("X0"))
    assert position["turn"]["wilds"] == [["X0", 1], ["X1", 1], ["X0", 2]]


def test_w35_under_a_sandstorm_no_step_leads_into_a_wild(at: Positions) -> None:
    """Standing in one and leaving it are not affected, nor by a Road Block on the own space."""
    position = at("move", space="X0", turn={"sandstorm": True, "road_blocks": ["X0"]})
    assert position.values("step", "to") == {"i1", "i2", "i3", "i4"}
    position.play(do.step("i1"))
    assert position.values("step", "to") == {"N"}


@pytest.mark.parametrize("blocked", ["a1", "X1", "N"])
def test_w35_no_step_leads_to_a_named_space(at: Positions, blocked: str) -> None:
    spaces = {"a1": {"X1", "N"}, "i1": {"X1", "N"}}
    for space, near in spaces.items():
        position = at("move", space=space, turn={"road_blocks": [blocked]})
        assert near - position.values("step", "to") == {blocked} & near


def test_w36_the_cards_are_drawn_in_the_order_of_the_steps_before_the_first_fight(at: Positions) -> None:
    """Two for the first Wild, with Scout Rig one for the second; after what attacks have put into the queue."""
    cards = "lone_raider toll_gang feral_dogs scavenger_gang"
    position = at(
        "move",
        space="i1",
        caravan="scout_rig war_rig",
        resources="fuel rations",
        hands=["", "attack"],
        decks={"attack": cards},
        dice="[4-6].....",
    )
    position.play(do.step("X0"), do.step("i1"), do.step("X1", scout=True), do.STOP)
    assert position.asked == ("event", 1)
    assert position["queue"] == []
    told = position.play(do.play("attack"))
    kinds = [entry["event"] for entry in told]
    assert [entry["card"] for entry in of("attack_card", told)] == cards.split()
    assert kinds.index("fight") > max(at_ for at_, kind in enumerate(kinds) if kind == "attack_card")
    assert of("fight", told)[0]["card"] == "lone_raider"
