"""What a position promises. Clauses: docs/rules/caravan.md."""

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.caravan.goods import Good
from engine.caravan.quick.playouts import play_turn
from engine.caravan.quick.turns import quick_turn
from engine.caravan.quick.worth import DECAY, FREE_BEST, FREE_SECOND, leads, prospects
from engine.caravan.state import CaravanState
from tests.unit.engine.caravan.quick.positions import a_position

COLUMNS = 7


def price(state: CaravanState, seat: int, square: int) -> int:
    """Points to have a camel there on which a good can pass (C8)."""
    if state.occupied[seat] >> square & 1:
        return 0
    return 1 + any(squares >> square & 1 for squares in state.occupied)


def cheapest(state: CaravanState, seat: int, start: int, end: int) -> int:
    """Points for the camels of the cheapest shortest path, tried square by square."""

    @cache
    def to(square: int) -> int:
        if square == start:
            return 0
        if square == end and end not in state.empty[seat]:
            own = 1 + any(squares >> end & 1 for squares in state.occupied)
        else:
            own = price(state, seat, square)
        near = [one for one in state.setup.tables.beside[square] if steps(one, start) < steps(square, start)]
        return own + min(to(one) for one in near)

    if start == end:
        return 0 if end in state.empty[seat] else 1 + any(squares >> end & 1 for squares in state.occupied)
    return to(end)


def steps(one: int, other: int) -> int:
    return abs(one // COLUMNS - other // COLUMNS) + abs(one % COLUMNS - other % COLUMNS)


@given(seed=st.integers(0, 5), plies=st.integers(0, 60))
def test_a_carried_good_promises_its_value_the_less_the_more_points_its_cheapest_way_takes(
    seed: int, plies: int
) -> None:
    """C8, C12 and C13, against a search square by square."""
    state = a_position(seed, seats=3, plies=plies)
    for seat in range(3):
        state.space_goods = [-1] * len(state.space_goods)
        hands = state.supply[seat] + len(state.empty[seat])
        expected = len(state.laden[seat]) * (len(state.laden[seat]) - 1) / 4
        for camel in state.laden[seat]:
            square, good = camel >> 14, camel >> 9 & 7
            city = state.setup.board.cities[good]
            way = steps(square, city)
            moves = -(-way // hands) if 0 < hands < way else 1
            cost = cheapest(state, seat, square, city) + moves
            expected += (3 if good < Good.IVORY else 6) * DECAY**cost
        assert prospects(state, seat) == pytest.approx(expected)


def test_only_the_two_best_goods_on_spaces_count_and_a_marker_makes_one_better() -> None:
    """C10: on an empty board ivory from the corner to its city, three squares off, takes six points."""
    state = a_position()
    state.space_goods = [-1] * len(state.space_goods)
    state.space_markers = [0] * len(state.space_goods)
    state.space_goods[0] = Good.IVORY
    assert prospects(state, 0) == pytest.approx(FREE_BEST * 6 * DECAY**6)
    state.space_goods[1] = Good.IVORY
    assert prospects(state, 0) == pytest.approx((FREE_BEST + FREE_SECOND) * 6 * DECAY**6)
    state.space_goods[2] = Good.MEAT
    assert prospects(state, 0) == pytest.approx((FREE_BEST + FREE_SECOND) * 6 * DECAY**6)
    state.space_markers[0] = 1
    assert prospects(state, 0) == pytest.approx((FREE_BEST * 7 + FREE_SECOND * 6) * DECAY**6)


def test_leads_of_two_seats_are_opposite_and_winning_is_worth_more_than_its_points() -> None:
    state = a_position(6, plies=50)
    assert sum(leads(state)) == pytest.approx(0)
    while state.outcome() is None:
        play_turn(state, quick_turn(state))
    best = state.score(0) - state.score(1)
    assert abs(leads(state)[0]) > abs(best) > 0
