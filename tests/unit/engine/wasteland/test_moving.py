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


def test_w31_he_need_not_use_it_up(at: Positions) -> None:
    position = at("move")
    position.play(do.step("a1"), do.STOP)
    assert position.he["space"] == "a1"


def test_w32_standing_still_and_going_back_are_allowed(at: Positions) -> None:
    assert at("move").may(do.STOP)
    position = at("move")
    position.play(do.step("a1"))
    assert position.may(do.step("N"))


def test_w32_with_no_step_left_that_is_allowed_it_stops(at: Positions) -> None:
    """Back on i1 from Northgate: a Sandstorm closes the three Wilds there, a Road Block the way back."""
    turn = {"sandstorm": True, "road_blocks": ["N"]}
    position = at("move", space="N", turn=turn)
    told = position.told(do.step("i1"))
    assert "turn" in told, "nothing is to be done in the Town, so his turn is over"
    assert position.he["space"] == "i1"


def test_w32_with_no_step_at_all_the_outriders_are_not_asked(at: Positions) -> None:
    position = at(
        "event",
        window="before_move",
        to_move=1,
        hands=["", "road_block"],
        space="i1",
        caravan="outrider_bikes",
        resources="fuel",
        turn={"sandstorm": True},
    )
    position.play(do.play("road_block", space="N"))
    assert position.asked == ("move", 1)
    assert position.stored() == {"fuel": 1}


def test_w33_outriders_before_the_first_step_once(at: Positions) -> None:
    position = at("move", caravan="outrider_bikes", resources="fuel:2")
    assert position.may(do.OUTRIDER)
    position.play(do.OUTRIDER)
    assert (position.stored(), position["turn"]["outrider"]) == ({"fuel": 1}, True)
    assert not position.may(do.OUTRIDER)
    assert position.walk() == 6


def test_w33_not_after_a_step(at: Positions) -> None:
    position = at("move", caravan="outrider_bikes", resources="fuel:2")
    position.play(do.step("a1"))
    assert not position.may(do.OUTRIDER)


@pytest.mark.parametrize(("caravan", "resources"), [("", "fuel"), ("outrider_bikes", "rations")])
def test_w33_it_takes_the_card_and_fuel(at: Positions, caravan: str, resources: str) -> None:
    assert not at("move", caravan=caravan, resources=resources).may(do.OUTRIDER)


@pytest.mark.parametrize(
    ("start", "steps", "wilds"),
    [
        ("i1", ["X0", "i1", "X0"], [["X0", 2], ["X0", 2]]),
        ("X0", ["i1"], []),
        ("X0", [], [["X0", 2]]),
        ("X0", ["i1", "X0"], [["X0", 2]]),
    ],
)
def test_example_6_w34_what_wilds_require(
    at: Positions, start: str, steps: list[str], wilds: list[list[object]]
) -> None:
    """Two for each step into one, and for stopping in one without a step."""
    position = at("move", space=start, hands=["", "pickpockets"])
    position.play(*(do.step(to) for to in steps), do.STOP)
    assert position.asked == ("event", 1)
    assert position["turn"]["wilds"] == wilds
    cards = of("attack_card", position.play(do.PASS))
    assert sum(card["engages"] for card in cards) <= sum(number for _, number in wilds)  # type: ignore[misc]
    assert bool(cards) == bool(wilds)


def test_w34_stopping_without_a_step_in_a_wild_requires_two(at: Positions) -> None:
    """Without Scout Rig, also if he has one."""
    position = at(
        "move", space="X0", caravan="scout_rig", resources="fuel", decks={"attack": "lone_raider lone_raider"}
    )
    assert len(of("attack_card", position.play(do.STOP))) == 2


def test_w34_a_scout_rig_makes_it_one(at: Positions) -> None:
    """At every such step, 1 Fuel each."""
    position = at("move", space="i1", caravan="scout_rig", resources="fuel:2")
    assert position.may(do.step("X0", scout=True))
    assert position.may(do.step("X0"))
    assert not position.may(do.step("N", scout=True))
    position.play(do.step("X0", scout=True), do.step("i1"), do.step("X1", scout=True))
    assert position["turn"]["wilds"] == [["X0", 1], ["X1", 1]]
    assert position.stored() == {}
    position.play(do.step("i1"))
    assert not position.may(do.step("X0", scout=True))
    position.play(do.step("X0"))
    assert position["turn"]["wilds"] == [["X0", 1], ["X1", 1], ["X0", 2]]


@pytest.mark.parametrize(("caravan", "resources"), [("", "fuel"), ("scout_rig", "rations")])
def test_w34_it_takes_the_card_and_fuel(at: Positions, caravan: str, resources: str) -> None:
    position = at("move", space="i1", caravan=caravan, resources=resources)
    assert not position.may(do.step("X0", scout=True))


def test_w35_under_a_sandstorm_no_step_leads_into_a_wild(at: Positions) -> None:
    position = at("move", space="i1", turn={"sandstorm": True})
    assert position.values("step", "to") == {"N"}


def test_w35_standing_in_a_wild_and_leaving_it_are_not_affected(at: Positions) -> None:
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


def test_w36_an_attack_in_a_city_is_all_there_is(at: Positions) -> None:
    position = at(
        "event", window="encounter", to_move=1, hands=["", "attack"], decks={"attack": "lone_raider"}
    )
    told = position.play(do.play("attack"))
    assert len(of("attack_card", told)) == 1
