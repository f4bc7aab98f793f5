"""A1-A9: who sits where, what there is, options, the first free routes, the refresh."""

from itertools import combinations

import pytest

from engine.ahldarahd import AHLDARAHD
from engine.ahldarahd import board as table
from engine.game import InvalidOptionsError
from tests.checkout import text
from tests.unit.engine.ahldarahd import do, naive_legal
from tests.unit.engine.ahldarahd.choosing import TABLES, a_match, cards_of
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
from tests.unit.engine.naive import canonical


def test_a1_clockwise_is_upwards_and_around() -> None:
    state = a_match(5)
    assert form(state)["order"] == [3, 4, 0, 1, 2]
    assert a_position(3, items={"shah": 1}).order == (1, 2, 0)


@pytest.mark.parametrize("seats", range(2, 6))
def test_a2_as_many_maps_rights_and_colours_as_seats(seats: int) -> None:
    fields = form(a_match(seats))
    assert len(fields["routes"]) == len(fields["cities"]) == seats
    assert set(fields["items"]) == {"shah", "eyes", "queen", *(f"right:{map_}" for map_ in range(seats))}
    assert set(cards_of(a_match(seats)).values()) == {seats}
    assert {card.split("-")[1] for card in fields["deck"]} == set(map(str, range(seats)))
    assert [seat.markers for seat in a_match(seats).observe(0).seats] == [21] * seats


def test_a2_the_map_is_that_of_the_page() -> None:
    page = text("docs/rules/ahldarahd.md")
    assert len(naive_legal.ROUTES) == table.ROUTES
    for route, (a, b, kind) in naive_legal.ROUTES.items():
        assert {table.NAMES[table.END_A[route]], table.NAMES[table.END_B[route]]} == {a, b}
        assert (table.SEA_ROUTE[route] == table.SEA) == (kind == "sea")
        assert f"| {route} | {a.title()}-{b.title()} | {kind} | {table.PRICES[route]} |" in page
    for city, name in enumerate(table.NAMES):
        sea = sum(table.SEA_ROUTE[route] for route in table.ROUTES_AT[city])
        number, majority = table.NUMBERS[city], table.MAJORITY[city]
        assert number == len(table.ROUTES_AT[city])
        assert f"| {name.title()} | {number} | {majority} | {sea}/{number - sea} |" in page


def test_a3_options_are_false_by_default_and_read_back() -> None:
    assert not any(AHLDARAHD.options(2, {}))
    for seats, options in TABLES:
        assert form(a_match(seats, options))["options"] == options


def test_a3_a_neutral_board_with_five_seats_is_refused() -> None:
    with pytest.raises(InvalidOptionsError, match='"neutral_board" is false with 5 seats'):
        AHLDARAHD.options(5, {"neutral_board": "true"})


def test_a4_colours_are_known_in_the_deck_and_the_row_only() -> None:
    """A spent card stays with the discards."""
    state = a_position(bidding=True, row="gems-0 gems-1", hands=["", "gems"], gold=1)
    play(state, do.opening("card:gems-1"), do.PASS, do.opening("eyes"), do.PASS)
    assert (form(state)["row"], form(state)["hands"]) == (["gems-0"], [["gems"], ["gems"]])
    play(state, do.claim(0, 10, "gems"), do.DONE, do.DONE)
    assert "gems" in form(state)["discards"]


def test_a5_no_seat_pays_more_than_it_has() -> None:
    state = a_position(gold=8)
    assert [may(state, do.buy(0, route)) for route in (1, 3, 5)] == [True, True, False]
    refused(state, do.buy(0, 5), "costs 9 8")


def test_a7_the_start() -> None:
    for seats in range(2, 6):
        fields = form(a_match(seats))
        assert fields["gold"] == [5] * seats
        assert fields["items"]["shah"] == fields["order"][0]
        assert (fields["items"]["eyes"], fields["items"]["queen"]) == (None, None)
        assert all(fields["items"][f"right:{(seat + 1) % seats}"] == seat for seat in range(seats))
        assert fields["camels"] == [False] * seats


def test_a8_two_different_routes_of_the_own_map() -> None:
    state = a_match()
    assert legal(state) == sorted((do.setting(a, b) for a, b in combinations(range(1, 22), 2)), key=canonical)
    play(state, do.setting(14, 18))
    assert form(state)["routes"] == [{"14": 0, "18": 0}, {}]
    assert form(state)["hands"][0] == ["dates", "incense", "pearls"]


def test_a8_clockwise_from_the_shah_and_then_the_first_turn() -> None:
    state = a_match(5)
    seats = [play(state, do.setting(3, 9)) and state.seat_to_act for _ in range(4)]
    assert seats == [4, 0, 1, 2]
    assert told(state, do.setting(1, 5)) == ["setup_routes", "turn"]
    assert asked(state) == ("open_auction", 3)


def test_a8_control_gained_at_setup_pays() -> None:
    """As in example 5."""
    state = a_match()
    events = play(state, do.setting(19, 21))
    assert events[1:] == [{"event": "control", "seat": 0, "map": 0, "city": "horses", "gold": 3}]
    assert form(state)["gold"] == [8, 5]


def test_a9_the_row_is_filled_up_from_the_deck_oldest_first_and_all_camels_are_unflipped() -> None:
    state = a_position(3, row="gems-0 salt-1 dates-2", deck="ivory-0 ivory-1", bidding=True, gold=(1, 0, 0))
    play(state, *map(do.opening, ("card:salt-1", "queen")), do.bid(1), do.opening("eyes"))
    assert form(state)["camels"] == [True, False, False]
    events = play(state, do.DONE, do.DONE, do.DONE)
    assert events[-1] == {"event": "turn", "turn": 2, "revealed": ["ivory-0"]}
    fields = form(state)
    assert (fields["row"], fields["deck"]) == (["gems-0", "dates-2", "ivory-0"], ["ivory-1"])
    assert (fields["camels"], fields["auctioned"], fields["turn"]) == ([False] * 3, [], 2)


def test_a35_the_neutral_map_is_one_more_without_a_right_on_which_everybody_may_build_and_destroy() -> None:
    fields = form(a_match(3, NEUTRAL))
    assert (len(fields["routes"]), len(fields["deck"]), "right:3" in fields["items"]) == (4, 21, False)
    state = a_position(options=NEUTRAL, gold=30, routes={2: {1: [14]}}, items={"right:1": None})
    assert may(state, do.buy(2, 1))
    assert may(state, do.destroy(2, 14, "buy", "buy"))
    assert not may(state, do.buy(1, 1))


def test_a36_the_cup_comes_when_the_last_seat_has_set_its_routes() -> None:
    state = a_match(2, NIGHT)
    play(state, do.setting(1, 2))
    assert form(state)["cup"] is None
    play(state, do.setting(1, 2))
    fields = form(state)
    assert (fields["cup"], fields["gold"], fields["words"]) == ({"gold": 75, "black": 3}, [8, 8], 19)


def test_a36_payments_go_into_the_cup() -> None:
    state = a_position(bidding=True, options=NIGHT, hands=["gems", ""])
    play(state, do.opening("queen", 1), do.bid(4), do.PASS, do.opening("shah"), do.PASS, do.shah_to(0))
    assert form(state)["cup"] == {"gold": 79, "black": 3}
    play(state, do.claim(0, 10, "gems"))
    assert form(state)["cup"] == {"gold": 80, "black": 3}
