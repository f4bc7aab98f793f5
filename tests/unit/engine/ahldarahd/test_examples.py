"""The worked examples of the rules, in their order, and the vectors from the seed of 32 zero bytes."""

import pytest

from engine.ahldarahd.night import draw_chips
from engine.game import TERMINAL
from tests.unit.engine.ahldarahd import do
from tests.unit.engine.ahldarahd.choosing import a_match
from tests.unit.engine.ahldarahd.positions import NIGHT, a_position, answer, form, legal, play, told

DONNA, PHIL, JASON, CHRISTINA = range(4)


def test_a10_the_printed_bidding() -> None:
    """Example 1."""
    state = a_position(4, bidding=True, row="gems-0 salt-1 dates-2 ivory-3", hands=["", "", "", ""])
    answer(state, (DONNA, do.opening("eyes", 2)), (PHIL, do.PASS), (JASON, do.PASS), (CHRISTINA, do.bid(3)))
    answer(state, (DONNA, do.bid(4)), (CHRISTINA, do.PASS))
    assert (form(state)["gold"], form(state)["camels"]) == ([1, 5, 5, 5], [True, False, False, False])
    answer(
        state, (PHIL, do.opening("shah")), (JASON, do.PASS), (CHRISTINA, do.PASS), (PHIL, do.shah_to(JASON))
    )
    answer(
        state, (JASON, do.opening("card:gems-0")), (CHRISTINA, do.bid(1)), (PHIL, do.PASS), (JASON, do.PASS)
    )
    assert form(state)["camels"] == [True, False, False, True]
    answer(state, (CHRISTINA, do.opening("right:0")), (PHIL, do.bid(1)), (JASON, do.PASS))
    fields = form(state)
    assert (fields["phase"], fields["gold"]) == ("building", [1, 4, 5, 4])
    assert fields["hands"] == [[], [], [], ["gems"]]
    assert (fields["items"]["eyes"], fields["items"]["right:0"]) == (DONNA, PHIL)
    assert fields["order"] == [JASON, CHRISTINA, DONNA, PHIL]


def test_a23_the_fourth_salt_route() -> None:
    """Example 2."""
    state = a_position(hands=["salt", ""], routes={0: {0: [10, 12, 14], 1: [15]}})
    assert play(state, do.claim(0, 16, "salt"))[1:] == [
        {"event": "control", "seat": 0, "map": 0, "city": "salt", "gold": 6},
        {"event": "removed", "seat": 1, "map": 0, "route": 15},
    ]
    assert form(state)["gold"] == [10, 5]


WAYS = {
    ("buy", "buy"): (20, 18),
    ("buy", "metals"): (11, 9),
    ("buy", "salt"): (11, 9),
    ("metals", "salt"): (2, 0),
    ("metals", "metals"): (2, 0),
    ("salt", "salt"): (2, 0),
}


@pytest.mark.parametrize("eyes", [False, True])
def test_a26_the_ways_to_destroy_salt_metals(eyes: bool) -> None:
    """Example 3, and A21."""
    hands, items = ["salt salt metals metals dates dates", ""], {"eyes": 0 if eyes else None}
    state = a_position(hands=hands, gold=20, routes={0: {1: [14]}}, items=items)
    assert {tuple(action["pay"]) for action in legal(state, "destroy")} == set(WAYS)
    for pay, prices in WAYS.items():
        assert play(state.clone(), do.destroy(0, 14, *pay))[0]["gold"] == prices[eyes]


@pytest.mark.parametrize(
    ("rival", "cities"), [([6, 7, 8], {"spices": 0}), ([6, 7, 8, 9], {"spices": 0, "ivory": 1})]
)
def test_a24_a_rival_loses_a_route_and_with_it_a_city(rival: list[int], cities: dict[str, int]) -> None:
    """Example 4."""
    state = a_position(hands=["spices", ""], routes={0: {0: [1, 4], 1: rival}})
    kinds = told(state, do.claim(0, 5, "spices"))
    assert kinds == ["claim", "control", "removed", *["lost"] * (len(rival) == 3)]
    assert form(state)["cities"][0] == cities


def test_a6_the_set_up_of_the_seed_of_zeros() -> None:
    """Example 10."""
    fields = form(a_match())
    assert fields["to_move"] == 0
    assert fields["hands"] == [["dates", "incense", "pearls"], ["metals", "pearls", "textiles"]]
    top = ["ivory-0", "horses-0", "spices-0", "metals-0", "gems-0", "salt-0", "textiles-0"]
    bottom = ["salt-1", "dates-1", "gems-1", "incense-1", "spices-1", "horses-1", "ivory-1"]
    assert fields["deck"] == top + bottom
    assert fields["words"] == 19
    assert list(dict.fromkeys(card[-1] for card in form(a_match(5))["deck"])) == ["3", "4", "0", "1", "2"]


@pytest.mark.parametrize(("seats", "decisions"), [(2, 44), (3, 87), (4, 144), (5, 215)])
def test_a50_every_decision_by_its_default(seats: int, decisions: int) -> None:
    """Example 11."""
    match, plies = a_match(seats), 0
    while match.seat_to_act != TERMINAL:
        match.apply(match.default_action())
        plies += 1
    fields = form(match)
    assert (plies, fields["turn"]) == (decisions, 7)
    outcome = match.outcome()
    assert outcome is not None
    assert (outcome.scores, outcome.placings) == ((1,) * seats, (1,) * seats)
    assert fields["gold"] == [8] * seats
    assert [len(hand) for hand in fields["hands"]] == [10] * seats


def test_a37_thirty_gold_from_the_full_cup() -> None:
    """Example 12."""
    match = a_match(2, NIGHT)
    play(match, do.setting(1, 2), do.setting(1, 2))
    assert draw_chips(match, 20) == 0
    assert draw_chips(match, 10) == 1
    assert form(match)["cup"] == {"gold": 45, "black": 2}
    assert form(match)["words"] == 19 + 31
