"""What holds in every position of every match, whoever plays."""

from hypothesis import given
from hypothesis import strategies as st

from engine.caravan import CARAVAN
from engine.caravan.goods import GOODS, GOODS_COUNT, POINTS
from engine.caravan.observation import SeatView
from engine.caravan.options import Options
from engine.caravan.state import CaravanState
from engine.game import TERMINAL
from tests.unit.engine.caravan.naive import naive_legal_actions
from tests.unit.engine.caravan.positions import view
from tests.unit.engine.matches import examples, walk

MARKERS = 44


@st.composite
def matches(draw: st.DrawFn) -> CaravanState:
    seats = draw(st.integers(2, 4))
    values = {
        "camels": draw(st.sampled_from(["5", "6"])),
        "goods": draw(st.sampled_from(["FULL", "SHORT"])),
        "no_progress_turns": "12",
    }
    seed = draw(st.binary(min_size=32, max_size=32))
    return CARAVAN.new_match(seats, CARAVAN.options(seats, values), seed)


seeds = st.binary(min_size=32, max_size=32)


def camels_of(seat: SeatView) -> int:
    return seat.supply + sum(camels for _, camels in seat.empty_camels) + len(seat.laden_camels)


def formula(seat: SeatView) -> int:
    """C19, from what is seen."""
    carried = len(seat.laden_camels)
    goods = sum(count * points for count, points in zip(seat.delivered, POINTS, strict=True))
    return goods + seat.demand_markers - sum(range(carried))


@examples(40)
@given(matches(), seeds)
def test_camels_goods_and_markers_are_conserved_and_scores_are_by_the_formula(
    match: CaravanState, seed: bytes
) -> None:
    options: Options = match.setup.options
    for state in walk(match, "caravan", seed):
        seen = view(state)
        for seat in seen.seats:
            assert camels_of(seat) == options.camels  # C8, C9
            assert len(seat.laden_camels) < options.camels  # C12
            assert seat.score == formula(seat)  # C19
        for good in GOODS:
            carried = [camel.good for seat in seen.seats for camel in seat.laden_camels]
            lying = [space.good for space in seen.goods_spaces]
            delivered = sum(seat.delivered[good] for seat in seen.seats)
            count = carried.count(good) + lying.count(good) + delivered + seen.bag[good]
            assert count == GOODS_COUNT[options.goods][good]  # C2
        assert sum(seat.theft_markers for seat in seen.seats) == len(seen.seats)  # C3, C11
        held = sum(seat.demand_markers for seat in seen.seats)
        assert held + sum(space.demand_markers for space in seen.goods_spaces) <= MARKERS  # C16
        lying_goods = sum(space.good is not None for space in seen.goods_spaces)
        assert lying_goods > 4 or not any(seen.bag)  # C15
    assert state.outcome() is not None


@examples(25)
@given(matches(), seeds, st.integers(0, 6))
def test_the_legal_list_is_that_of_a_naive_generator(match: CaravanState, seed: bytes, offset: int) -> None:
    for ply, state in enumerate(walk(match, "caravan", seed)):
        if ply % 7 == offset and state.seat_to_act != TERMINAL:
            assert list(state.legal_actions()) == naive_legal_actions(view(state))
