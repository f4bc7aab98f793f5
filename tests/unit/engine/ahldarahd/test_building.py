"""A17-A28: claims, purchases, destruction, sales, and what a marker does to the cities."""

import pytest

from engine.ahldarahd import actions
from tests.unit.engine.ahldarahd import do
from tests.unit.engine.ahldarahd.positions import (
    NEUTRAL,
    NIGHT,
    a_position,
    answer,
    asked,
    form,
    legal,
    may,
    play,
    refused,
    told,
)


def test_a17_any_number_of_actions_until_done() -> None:
    state = a_position(hands=["gems gems salt", ""], gold=20)
    build = (do.claim(0, 10, "gems"), do.buy(0, 1), do.claim(0, 11, "gems"), do.DONE)
    answer(state, *((0, action) for action in build), (1, do.DONE))
    assert asked(state) == ("open_auction", 0)


def test_a17_the_new_shah_builds_first() -> None:
    state = a_position(3, bidding=True, gold=0)
    play(state, do.opening("shah"), do.shah_to(1), do.opening("eyes"), do.opening("queen"))
    assert asked(state) == ("build", 1)
    assert form(state)["order"] == [1, 2, 0]


def test_a18_own_map_and_maps_whose_right_is_held() -> None:
    """Routes and cities stay when access ends."""
    routes = {1: {0: [1, 2]}}
    state = a_position(3, gold=10, routes=routes, items={"right:1": 0, "right:2": 1, "right:0": 2})
    assert [may(state, do.buy(map_, 3)) for map_ in range(3)] == [True, True, False]
    refused(state, do.buy(2, 1), "A18 Right map 2")
    refused(state, do.buy(3, 1), "maps 2")
    play(state, do.sell(1))
    assert not may(state, do.buy(1, 3))
    assert (form(state)["cities"][1], state.observe(0).seats[0].score) == ({"pearls": 0}, 1)


def test_a19_a_claim_takes_a_gold_and_a_card_of_either_end() -> None:
    state = a_position(hands=["gems salt dates", ""])
    assert legal(state, "claim", map=0, route=10) == [do.claim(0, 10, "gems"), do.claim(0, 10, "salt")]
    events = play(state, do.claim(0, 10, "salt"))
    assert events == [{"event": "claim", "seat": 0, "map": 0, "route": 10, "card": "salt", "gold": 1}]
    fields = form(state)
    assert (fields["gold"], fields["hands"][0], fields["discards"]) == ([4, 5], ["dates", "gems"], ["salt"])
    assert fields["routes"][0] == {"10": 0}


def test_a19_what_is_wrong_with_a_claim() -> None:
    state = a_position(hands=["gems dates", ""], routes={0: {1: [11]}}, gold=0)
    place = actions.claim(0, 10, 3) & ~0xF
    for action, words in (
        (do.claim(0, 10, "dates"), "A19 dates end 10"),
        (do.claim(0, 10, "salt"), "A19 A26 many salt"),
        (do.claim(0, 11, "gems"), "A19 A20 route 11 map 0 free"),
        (do.claim(0, 10, "gems"), "costs 1 0"),
        (place, "A19 claim card"),
        (place | 11, "no card"),
        (actions.buy(0, 0), "routes 21"),
        (actions.buy(0, 22), "routes 21"),
    ):
        refused(state, action, words)


@pytest.mark.parametrize(("route", "price"), [(14, 10), (5, 9), (1, 7), (17, 11)])
def test_a20_a_purchase_costs_the_routes_at_both_ends(route: int, price: int) -> None:
    state = a_position(gold=price)
    play(state, do.buy(0, route))
    assert (form(state)["gold"][0], form(state)["routes"][0]) == (0, {str(route): 0})
    assert not may(a_position(gold=price - 1), do.buy(0, route))


def test_a20_only_free_routes_are_bought() -> None:
    state = a_position(gold=30, routes={0: {0: [1], 1: [2]}})
    for route in (1, 2):
        refused(state, do.buy(0, route), f"A19 A20 route {route} map 0 free")


@pytest.mark.parametrize(("favour", "kind"), [("eyes", "land"), ("queen", "sea")])
def test_a21_eyes_and_queen_spare_a_gold(favour: str, kind: str) -> None:
    state = a_position(hands=["gems gems", ""], gold=12, items={favour: 0, "right:1": 0}, options=NEUTRAL)
    spared = {"land": (kind == "land"), "sea": (kind == "sea")}
    for map_ in range(3):
        for route, price, on in ((10, 11, "land"), (5, 9, "sea")):
            tried = state.clone()
            assert play(tried, do.buy(map_, route))[0]["gold"] == price - spared[on]
            tried = state.clone()
            assert play(tried, do.claim(map_, route, "gems"))[0]["gold"] == 1 - spared[on]


def test_a21_a_claim_for_nothing_still_takes_the_card() -> None:
    state = a_position(hands=["gems", ""], gold=0, items={"eyes": 0})
    play(state, do.claim(0, 10, "gems"))
    assert form(state)["hands"][0] == []
    assert not may(state, do.claim(0, 11, "gems"))


def test_a22_with_21_markers_on_the_maps_nothing_more_is_placed() -> None:
    all_but_one = [route for route in range(1, 22) if route != 14]
    routes = {0: {0: all_but_one}, 1: {0: [14], 1: [20]}}
    state = a_position(routes=routes, items={"right:1": 0}, hands=["salt textiles textiles", ""], gold=30)
    assert state.observe(0).seats[0].markers == 0
    refused(state, do.buy(0, 14), "A22 markers")
    refused(state, do.claim(0, 14, "salt"), "A22 markers")
    assert not legal(state, "claim") + legal(state, "buy")
    assert may(state, do.destroy(1, 20, "textiles", "textiles"))


def test_a22_markers_that_come_off_return_to_their_owner() -> None:
    state = a_position(hands=["spices", "spices spices"], routes={1: {0: [1], 1: [4, 5]}}, gold=9)
    before = [seat.markers for seat in state.observe(0).seats]
    play(state, do.DONE, do.claim(1, 6, "spices"))
    assert [seat.markers for seat in state.observe(0).seats] == [before[0] + 1, before[1] - 1]


def test_a23_strictly_more_than_half_and_paid_at_once() -> None:
    """The gold may be spent in the next action."""
    state = a_position(hands=["salt salt", ""], routes={0: {0: [14, 15]}}, gold=3)
    assert told(state, do.claim(0, 16, "salt")) == ["claim"]
    assert told(state, do.claim(0, 17, "salt")) == ["claim", "control"]
    assert form(state)["gold"][0] == 7
    assert may(state, do.buy(0, 19))


def test_a24_what_happens_goes_in_order() -> None:
    """Both ends are taken, others' routes come off by id, a city is lost by it, and one sum is paid."""
    state = a_position(3, hands=["pearls", "", ""], routes={0: {0: [2, 4, 6], 1: [5, 7, 11], 2: [3]}})
    assert form(state)["cities"][0] == {"gems": 1}
    assert play(state, do.claim(0, 1, "pearls")) == [
        {"event": "claim", "seat": 0, "map": 0, "route": 1, "card": "pearls", "gold": 1},
        {"event": "control", "seat": 0, "map": 0, "city": "pearls", "gold": 3},
        {"event": "control", "seat": 0, "map": 0, "city": "spices", "gold": 4},
        {"event": "removed", "seat": 2, "map": 0, "route": 3},
        {"event": "removed", "seat": 1, "map": 0, "route": 5},
        {"event": "lost", "seat": 1, "map": 0, "city": "gems"},
    ]
    assert form(state)["gold"][0] == 5 - 1 + 3 + 4


def test_a24_one_sum_is_one_draw_from_the_cup_and_the_night_comes_last() -> None:
    routes = {0: {0: [2, 4, 6], 1: [3]}}
    state = a_position(options=NIGHT, hands=["pearls", ""], routes=routes, cup=(0, 3), deck="salt-0 gems-0")
    assert told(state, do.claim(0, 1, "pearls")) == ["claim", "control", "control", "removed", "night"]
    assert form(state)["cup"] == {"gold": 1 + 75 - 7, "black": 2}


def test_a24_losing_pays_nothing_back() -> None:
    state = a_position(hands=["", "pearls pearls"], routes={0: {0: [1, 2]}}, items={"right:0": 1})
    play(state, do.DONE, do.destroy(0, 1, "pearls", "pearls"))
    assert (form(state)["cities"][0], form(state)["gold"]) == ({}, [5, 3])


@pytest.mark.parametrize("holder", [0, 1])
def test_a25_a_route_into_a_city_that_is_held_already_takes_nothing_off(holder: int) -> None:
    """Neither into a rival's nor into the own one."""
    state = a_position(hands=["salt", ""], routes={0: {holder: [10, 12, 14, 15], 1 - holder: [16]}})
    assert told(state, do.claim(0, 17, "salt")) == ["claim"]
    assert form(state)["cities"][0] == {"salt": holder}
    assert form(state)["routes"][0].items() >= {"16": 1 - holder, "17": 0}.items()


def test_a26_two_payments_free_the_route_and_nobody_gains() -> None:
    state = a_position(hands=["salt metals", ""], routes={0: {0: [10, 12, 15], 1: [14, 11, 18]}}, gold=5)
    assert form(state)["cities"][0] == {"metals": 1}
    paid = {"owner": 1, "pay": ["metals", "salt"], "gold": 2}
    assert play(state, do.destroy(0, 14, "metals", "salt")) == [
        {"event": "destroy", "seat": 0, "map": 0, "route": 14, **paid},
        {"event": "lost", "seat": 1, "map": 0, "city": "metals"},
    ]
    fields = form(state)
    assert (fields["gold"], fields["hands"][0], fields["discards"]) == ([3, 5], [], ["metals", "salt"])
    assert fields["cities"] == [{}, {}]


def test_a26_what_is_wrong_with_a_destruction() -> None:
    routes = {0: {0: [15], 1: [14]}, 1: {1: [1]}}
    state = a_position(hands=["salt dates", ""], routes=routes, items={"right:1": None})
    for action, words in (
        (do.destroy(0, 16, "buy", "buy"), "A26 route 16 other"),
        (do.destroy(0, 15, "buy", "buy"), "A26 route 15 other"),
        (do.destroy(1, 1, "buy", "buy"), "A18 Right map 1"),
        (do.destroy(0, 14, "salt", "salt"), "A19 A26 many salt"),
        (do.destroy(0, 14, "dates", "salt"), "A19 dates end 14"),
        (do.destroy(0, 14, "buy", "salt"), "costs 11 5"),
        (actions.destroy(0, 14, 0, 8) & ~0xFF | 8 << 4, "A48 alphabetical"),
    ):
        refused(state, action, words)


def test_a27_a_right_is_sold_for_the_controlled_cities_of_its_map() -> None:
    routes = {1: {0: [1, 2], 1: [19, 21]}, 2: {2: [1]}}
    state = a_position(3, routes=routes, items={"right:1": 0, "right:2": 0, "right:0": 1})
    assert legal(state, "sell") == [do.sell(1)]
    refused(state, do.sell(0), "A27 Right map 0")
    refused(state, do.sell(2), "A27 controls map 2")
    refused(state, do.sell(4), "A27 Right map 4")
    assert play(state, do.sell(1)) == [{"event": "sell", "seat": 0, "right": 1, "gold": 2}]
    assert (form(state)["gold"][0], form(state)["items"]["right:1"]) == (7, None)


def test_a27_the_right_of_ones_own_map_is_sold_and_auctioned_again() -> None:
    """A sale draws from the cup."""
    state = a_position(options=NIGHT, routes={0: {0: [1, 2]}}, items={"right:0": 0}, cup=(75, 0))
    words = form(state)["words"]
    play(state, do.sell(0))
    assert (form(state)["cup"], form(state)["words"]) == ({"gold": 74, "black": 0}, words + 1)
    play(state, do.DONE, do.DONE)
    assert may(state, do.opening("right:0"))
