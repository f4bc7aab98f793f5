"""A17-A28: claims, purchases, destruction, sales, and what a marker does to the cities."""

import pytest

from engine.ahldarahd import actions
from tests.unit.engine.ahldarahd import do
from tests.unit.engine.ahldarahd.positions import (
    NEUTRAL,
    NIGHT,
    a_position,
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
    play(state, do.claim(0, 10, "gems"), do.buy(0, 1), do.claim(0, 11, "gems"))
    assert asked(state) == ("build", 0)
    play(state, do.DONE)
    assert asked(state) == ("build", 1)
    play(state, do.DONE)
    assert asked(state) == ("open_auction", 0)


def test_a17_the_new_shah_builds_first() -> None:
    state = a_position(3, bidding=True, gold=0)
    play(state, do.opening("shah"), do.shah_to(1), do.opening("eyes"), do.opening("queen"))
    assert asked(state) == ("build", 1)
    assert form(state)["order"] == [1, 2, 0]


def test_a18_own_map_and_maps_whose_right_is_held() -> None:
    state = a_position(3, gold=10, items={"right:1": 0, "right:2": 1, "right:0": 2})
    assert [may(state, do.buy(map_, 1)) for map_ in range(3)] == [True, True, False]
    refused(state, do.buy(2, 1), "A18 Right map 2")
    refused(state, do.buy(3, 1), "maps 2")


def test_a18_routes_and_cities_stay_when_access_ends() -> None:
    state = a_position(gold=5, routes={1: {0: [1, 2]}}, items={"right:1": 0})
    play(state, do.sell(1))
    assert form(state)["cities"][1] == {"pearls": 0}
    assert not may(state, do.buy(1, 3))
    assert state.observe(0).seats[0].score == 1


def test_a19_a_claim_takes_a_gold_and_a_card_of_either_end() -> None:
    state = a_position(hands=["gems salt dates", ""])
    assert legal(state, "claim", map=0, route=10) == [do.claim(0, 10, "gems"), do.claim(0, 10, "salt")]
    events = play(state, do.claim(0, 10, "salt"))
    assert events == [{"event": "claim", "seat": 0, "map": 0, "route": 10, "card": "salt", "gold": 1}]
    fields = form(state)
    assert (fields["gold"], fields["hands"][0], fields["discards"]) == ([4, 5], ["dates", "gems"], ["salt"])
    assert fields["routes"][0] == {"10": 0}


def test_a19_what_is_wrong_with_a_claim() -> None:
    state = a_position(hands=["gems dates", ""], routes={0: {1: [11]}})
    refused(state, do.claim(0, 10, "dates"), "A19 dates end 10")
    refused(state, do.claim(0, 10, "salt"), "A19 A26 many salt")
    refused(state, do.claim(0, 11, "gems"), "A19 A20 route 11 map 0 free")
    state = a_position(hands=["gems", ""], gold=0)
    refused(state, do.claim(0, 10, "gems"), "costs 1 0")


def test_a19_numbers_that_name_nothing() -> None:
    state = a_position(hands=["gems", ""])
    place = actions.claim(0, 10, 3) & ~0xF
    refused(state, place, "A19 claim card")
    refused(state, place | 11, "no card")
    refused(state, actions.buy(0, 0), "routes 21")
    refused(state, actions.buy(0, 22), "routes 21")


def test_a20_a_purchase_costs_the_routes_at_both_ends() -> None:
    for route, price in ((14, 10), (5, 9), (1, 7), (17, 11)):
        state = a_position(gold=price)
        play(state, do.buy(0, route))
        assert form(state)["gold"][0] == 0
        assert form(state)["routes"][0] == {str(route): 0}
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
    state = a_position(
        routes={0: {0: all_but_one}, 1: {0: [14], 1: [20]}},
        items={"right:1": 0},
        hands=["salt textiles textiles", ""],
        gold=30,
    )
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
    state = a_position(hands=["salt salt", ""], routes={0: {0: [14, 15]}}, gold=2)
    assert told(state, do.claim(0, 16, "salt")) == ["claim"]
    assert told(state, do.claim(0, 17, "salt")) == ["claim", "control"]
    assert form(state)["gold"][0] == 6


def test_a23_the_gold_may_be_spent_in_the_next_action() -> None:
    state = a_position(hands=["pearls", ""], routes={0: {0: [1]}}, gold=5)
    assert not may(state, do.buy(0, 4))
    assert told(state, do.claim(0, 2, "pearls")) == ["claim", "control"]
    assert form(state)["gold"][0] == 7
    assert told(state, do.buy(0, 19)) == ["buy"]


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
    state = a_position(
        options=NIGHT,
        hands=["pearls", ""],
        routes={0: {0: [2, 4, 6], 1: [3]}},
        cup=(0, 3),
        deck="salt-0 gems-0",
    )
    assert told(state, do.claim(0, 1, "pearls")) == ["claim", "control", "control", "removed", "night"]
    assert form(state)["cup"] == {"gold": 1 + 75 - 7, "black": 2}


def test_a24_losing_pays_nothing_back_and_taking_again_pays_again() -> None:
    state = a_position(hands=["pearls", "pearls pearls"], routes={0: {0: [1, 2]}}, items={"right:0": 1})
    play(state, do.DONE, do.destroy(0, 1, "pearls", "pearls"))
    fields = form(state)
    assert (fields["cities"][0], fields["gold"]) == ({}, [5, 3])
    state = a_position(hands=["pearls", ""], routes={0: {0: [2]}})
    play(state, do.claim(0, 1, "pearls"))
    assert form(state)["gold"][0] == 5 - 1 + 3


def test_a25_a_free_route_into_a_rivals_city_takes_nothing_off() -> None:
    state = a_position(hands=["salt", ""], routes={0: {1: [10, 12, 14, 15]}})
    assert told(state, do.claim(0, 16, "salt")) == ["claim"]
    assert form(state)["cities"][0] == {"salt": 1}
    assert form(state)["routes"][0]["16"] == 0


def test_a25_a_city_that_is_held_already_takes_nothing_off() -> None:
    state = a_position(hands=["salt", ""], routes={0: {0: [10, 12, 14, 15], 1: [16]}})
    assert told(state, do.claim(0, 17, "salt")) == ["claim"]
    assert form(state)["routes"][0]["16"] == 1


def test_a26_two_payments_free_the_route_and_nobody_gains() -> None:
    state = a_position(hands=["salt metals", ""], routes={0: {0: [10, 12, 15], 1: [14, 11, 18]}}, gold=5)
    assert form(state)["cities"][0] == {"metals": 1}
    events = play(state, do.destroy(0, 14, "metals", "salt"))
    assert events == [
        {
            "event": "destroy",
            "seat": 0,
            "map": 0,
            "route": 14,
            "owner": 1,
            "pay": ["metals", "salt"],
            "gold": 2,
        },
        {"event": "lost", "seat": 1, "map": 0, "city": "metals"},
    ]
    fields = form(state)
    assert (fields["gold"], fields["hands"][0], fields["discards"]) == ([3, 5], [], ["metals", "salt"])
    assert fields["cities"] == [{}, {}]


def test_a26_what_is_wrong_with_a_destruction() -> None:
    state = a_position(
        hands=["salt dates", ""], routes={0: {0: [15], 1: [14]}, 1: {1: [1]}}, items={"right:1": None}
    )
    refused(state, do.destroy(0, 16, "buy", "buy"), "A26 route 16 other")
    refused(state, do.destroy(0, 15, "buy", "buy"), "A26 route 15 other")
    refused(state, do.destroy(1, 1, "buy", "buy"), "A18 Right map 1")
    refused(state, do.destroy(0, 14, "salt", "salt"), "A19 A26 many salt")
    refused(state, do.destroy(0, 14, "dates", "salt"), "A19 dates end 14")
    refused(state, do.destroy(0, 14, "buy", "salt"), "costs 11 5")
    unsorted = actions.destroy(0, 14, 0, 8) & ~0xFF | 8 << 4
    refused(state, unsorted, "A48 alphabetical")


def test_a26_the_owner_of_the_map_may_destroy_on_it_and_so_may_a_guest() -> None:
    routes = {0: {1: [14]}, 1: {1: [14]}}
    state = a_position(gold=20, routes=routes, items={"right:1": 0})
    assert may(state, do.destroy(0, 14, "buy", "buy"))
    assert may(state, do.destroy(1, 14, "buy", "buy"))


def test_a27_a_right_is_sold_for_the_controlled_cities_of_its_map() -> None:
    state = a_position(
        3, routes={1: {0: [1, 2], 1: [19, 21]}, 2: {2: [1]}}, items={"right:1": 0, "right:2": 0}
    )
    assert legal(state, "sell") == [do.sell(1)]
    events = play(state, do.sell(1))
    assert events == [{"event": "sell", "seat": 0, "right": 1, "gold": 2}]
    assert form(state)["gold"][0] == 7
    assert form(state)["items"]["right:1"] is None


def test_a27_what_is_wrong_with_a_sale() -> None:
    state = a_position(3, routes={1: {0: [1, 2]}}, items={"right:1": 1, "right:2": 0})
    refused(state, do.sell(1), "A27 Right map 1")
    refused(state, do.sell(2), "A27 controls map 2")
    refused(state, do.sell(4), "A27 Right map 4")


def test_a27_the_right_of_ones_own_map_is_sold_and_auctioned_again() -> None:
    state = a_position(routes={0: {0: [1, 2]}}, items={"right:0": 0})
    play(state, do.sell(0), do.DONE, do.DONE)
    assert may(state, do.opening("right:0"))


def test_a27_a_sale_draws_from_the_cup() -> None:
    state = a_position(options=NIGHT, routes={0: {0: [1, 2]}}, items={"right:0": 0}, cup=(75, 0))
    words = form(state)["words"]
    play(state, do.sell(0))
    assert form(state)["cup"] == {"gold": 74, "black": 0}
    assert form(state)["words"] == words + 1


def test_a28_a_building_chance_ends_even_when_gold_and_cards_abound() -> None:
    every = " ".join(["pearls spices ivory gems incense metals salt textiles dates horses"] * 5)
    state = a_position(3, hands=[every] * 3, gold=3000, routes={0: {1: [5, 14], 2: [3]}, 1: {1: [1, 2, 8]}})
    plies = 0
    while asked(state) == ("build", 0):
        choices = [action for action in legal(state) if action["type"] != "done"]
        play(state, *choices[:1] or [do.DONE])
        plies += 1
    assert plies <= 42 * 3 + 3 + 1
