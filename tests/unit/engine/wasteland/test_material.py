"""W1-W8: seats, options, board, cards and decks."""

from collections import Counter, deque

import pytest

from tests.unit.engine.wasteland import do
from tests.unit.engine.wasteland.mapping import Implementation
from tests.unit.engine.wasteland.positions import SEED, Positions, in_fight, of
from tests.unit.engine.wasteland.tables import (
    ATTACK_TYPE,
    CARAVAN,
    CITIES,
    DISTRICTS,
    EVENTS,
    LINKS,
    MISSIONS,
    NEW_DECKS,
    NEXT_TO,
    OFFERS,
    RESOURCES,
    SPACES,
    TOWNS,
    WILDS,
)


def steps(start: str, *, avoiding: tuple[str, ...] = ()) -> dict[str, int]:
    """Return the number of links to each space."""
    far, waiting = {start: 0}, deque([start])
    while waiting:
        space = waiting.popleft()
        for other in NEXT_TO[space]:
            if other not in far and other not in avoiding:
                far[other] = far[space] + 1
                waiting.append(other)
    return far


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_w1_clockwise_begins_with_the_seat_itself(at: Positions, seats: int) -> None:
    """A window asks the current player first, then the others (W25); after the last seat comes seat 0."""
    hands = ["hidden_cache", "pickpockets", "pickpockets", "contract_cancelled"][:seats]
    position = at("event", seats=seats, window="end", hands=hands)
    for seat in range(seats):
        assert position.asked == ("event", seat)
        position.play(do.PASS)
    position = at(seats=seats, current=seats - 1, to_move=seats - 1, first=1)
    position.play(do.DONE)
    assert position["current"] == 0


def test_w2_the_options_and_their_defaults(rules: Implementation) -> None:
    assert rules.new(2, {}, SEED).full()["options"] == {"check_rule": "engage", "max_rounds": 60}
    other = {"check_rule": "deter", "max_rounds": 1}
    assert rules.new(2, other, SEED).full()["options"] == other


def test_w3_the_resources_have_an_order_and_their_supply_is_unlimited(at: Positions) -> None:
    """The default of a loss follows the order (W74)."""
    assert RESOURCES == ("fuel", "munitions", "rations", "medicine")
    position = at(caravan="tanker_trailer cargo_hauler armored_bus war_rig", cash=900)
    position.play(*[do.load("fuel")] * 12)
    assert (position.stored(), position.he["cash"]) == ({"fuel": 12}, 900)


def test_w4_the_board_has_21_spaces_and_36_links() -> None:
    assert (len(SPACES), len(set(SPACES)), len(LINKS), len(set(LINKS))) == (21, 21, 36, 36)
    assert sum(len(spaces) for spaces in NEXT_TO.values()) == 72
    assert sorted(town for towns in DISTRICTS.values() for town in towns) == sorted(TOWNS)


def test_w4_the_board_is_fourfold_symmetric() -> None:
    turned = dict(zip("NESW", "ESWN", strict=True)) | {"X0": "X0"}
    for letter, towns in (("i", "1234"), ("X", "1234")):
        turned |= {letter + a: letter + b for a, b in zip(towns, "2341", strict=True)}
    for a, b in zip("abcd", "bcda", strict=True):
        turned |= {f"{a}{number}": f"{b}{number}" for number in "12"}
    assert {frozenset(link.split("-")) for link in LINKS} == {
        frozenset(turned[space] for space in link.split("-")) for link in LINKS
    }


def test_w4_distances() -> None:
    assert [steps("N", avoiding=WILDS)[city] for city in CITIES] == [0, 3, 6, 3]
    assert steps("N")["S"] == 4
    assert max(max(steps(space, avoiding=WILDS).values()) for space in (*CITIES, *TOWNS)) == 8
    assert max(max(steps(space).values()) for space in SPACES) == 6


def test_w4_each_wild_between_offers_what_neither_neighbouring_city_has() -> None:
    for wild, cities in {"X1": "NE", "X2": "ES", "X3": "SW", "X4": "WN"}.items():
        assert {*OFFERS[wild]}.isdisjoint(r for city in cities for r in OFFERS[city])


@pytest.mark.parametrize("space", SPACES)
def test_w4_a_step_leads_along_a_link(at: Positions, space: str) -> None:
    position = at("move", space=space)
    assert position.values("step", "to") == set(NEXT_TO[space])


def test_w4_players_may_share_a_space(at: Positions) -> None:
    position = at("move", space="i1", others={1: {"space": "N"}})
    position.play(do.step("N"))
    assert [player["space"] for player in position["players"]] == ["N", "N"]


def test_w6_the_demand_is_even() -> None:
    wanted: Counter[str] = Counter()
    for mission in MISSIONS.values():
        wanted.update(mission.demand)
    assert wanted == dict.fromkeys(RESOURCES, 27)
    assert len(MISSIONS) == 36
    assert round(sum(mission.reward for mission in MISSIONS.values()) / 36, 1) == 5.9


def test_w6_rewards_follow_from_what_the_city_of_the_district_offers() -> None:
    for name, mission in MISSIONS.items():
        city = next(city for city, towns in DISTRICTS.items() if mission.town in towns)
        worth = sum((1 if r in OFFERS[city] else 2) * number for r, number in mission.demand.items())
        assert mission.reward == 1 + worth, name


def test_w6_the_bare_head_carries_all_but_the_two_pairs(at: Positions) -> None:
    for name, mission in MISSIONS.items():
        position = at(space="X0")
        for resource, number in mission.demand.items():
            for _ in range(number):
                if position.may(do.load(resource)):
                    position.play(do.load(resource))
        assert (position.stored() == mission.demand) == (sorted(mission.demand.values()) != [2, 2]), name


def test_w7_w8_the_event_deck_has_40_cards_14_of_them_attacks() -> None:
    assert (len(NEW_DECKS["event"]), len(NEW_DECKS["attack"]), len(NEW_DECKS["mission"])) == (40, 24, 36)
    assert sum(EVENTS[card].copies for card in ATTACK_TYPE) == 14
    assert [row.copies for row in EVENTS.values()] == [8, 3, 3, 2, 2, 2, 2, 2, 2, 2, 1, 2, 2, 2, 2, 1, 1, 1]


def test_w5_the_totals_with_everything(at: Positions) -> None:
    rows = CARAVAN.values()
    assert len(rows) == 14
    assert [sum(row.defense for row in rows), sum(row.health for row in rows)] == [6, 35]
    assert sum(sum(row.storage.values()) for row in rows) == 24
    everything = " ".join(card for card in CARAVAN if card != "head")
    _, told = in_fight(at, "lone_raider", caravan=everything, dice="[4-6]")
    assert len(of("roll", told)[0]["dice"]) == 8
    assert at("move", caravan=everything).walk() == 6, "without the Fuel for Outrider Bikes and Scout Rig"


def test_w5_no_ability_works_from_the_deck(at: Positions) -> None:
    """Cards that are not in play do nothing."""
    resources = "fuel munitions rations medicine"
    assert at("move", resources=resources).legal("outrider") == []
    position = at(caravan="head:1", resources=resources)
    assert position.legal("heal") == []
    position.play(do.DONE)
    assert position["current"] == 1
    _, told = in_fight(at, "lone_raider", resources=resources, dice="[1-3]{3}1")
    assert len(of("roll", told)) > 2
