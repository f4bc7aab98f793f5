"""What holds in every position of every match, whoever plays."""

from collections.abc import Iterator

from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from engine.caravan import CARAVAN
from engine.caravan.actions import move_good, steal
from engine.caravan.goods import GOODS, GOODS_COUNT, POINTS
from engine.caravan.observation import SeatView
from engine.caravan.options import Options
from engine.caravan.state import CaravanState
from engine.game import TERMINAL
from engine.randomness import Stream
from tests.unit.engine.caravan.naive import naive_legal_actions
from tests.unit.engine.caravan.positions import view

MARKERS = 44
RANDOM_ONE_TIME_IN = 4
WITHOUT_SHRINKING = (Phase.explicit, Phase.reuse, Phase.generate)
"""A match from a smaller seed is no simpler match; looking for one takes minutes."""


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


def walk(match: CaravanState, seed: bytes) -> Iterator[CaravanState]:
    """Yield the positions of a match between players who are sensible three times out of four."""
    stream = Stream(seed)
    yield match
    while match.seat_to_act != TERMINAL:
        listed = match.legal_actions()
        if stream.uniform(RANDOM_ONE_TIME_IN) == 0:
            # from the end of the list, where the actions with goods stand
            match.apply(listed[len(listed) - 1 - stream.uniform(min(len(listed), 12))])
        else:
            match.apply(CARAVAN.sensible_action(match, stream))
        yield match


def camels_of(seat: SeatView) -> int:
    return seat.supply + sum(camels for _, camels in seat.empty_camels) + len(seat.laden_camels)


def formula(seat: SeatView) -> int:
    """C19, from what is seen."""
    carried = len(seat.laden_camels)
    goods = sum(count * points for count, points in zip(seat.delivered, POINTS, strict=True))
    return goods + seat.demand_markers - sum(range(carried))


@settings(max_examples=40, deadline=None, phases=WITHOUT_SHRINKING)
@given(matches(), seeds)
def test_camels_goods_and_markers_are_conserved_and_scores_are_by_the_formula(
    match: CaravanState, seed: bytes
) -> None:
    options: Options = match.setup.options
    for state in walk(match, seed):
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


@settings(max_examples=25, deadline=None, phases=WITHOUT_SHRINKING)
@given(matches(), seeds, st.integers(0, 6))
def test_the_legal_list_is_that_of_a_naive_generator(match: CaravanState, seed: bytes, offset: int) -> None:
    for ply, state in enumerate(walk(match, seed)):
        if ply % 7 == offset and state.seat_to_act != TERMINAL:
            assert list(state.legal_actions()) == naive_legal_actions(view(state))


@settings(max_examples=10, deadline=None, phases=WITHOUT_SHRINKING)
@given(matches(), seeds, st.integers(20, 120))
def test_single_actions_are_judged_as_the_list_says(match: CaravanState, seed: bytes, ply: int) -> None:
    for step, state in enumerate(walk(match, seed)):  # noqa: B007 - the position after some plies
        if step == ply:
            break
    listed = set(state.legal_actions())
    squares = range(state.setup.tables.squares)
    own = [camel >> 14 for camel in state.laden[max(state.seat_to_act, 0)]] or [0]
    possible = [
        move_good(at, good, to, protected=protected)
        for at in own
        for good in GOODS
        for protected in (False, True)
        for to in squares
    ]
    possible += [steal(at, victim, good) for at in squares for victim in range(4) for good in GOODS]
    possible += range(1 << 22, (1 << 22) + 256)  # PLACE
    possible += [2 << 22 | at << 14 | to for at in squares for to in squares]
    possible += [3 << 22 | at << 14 for at in range(256)]
    assert {action for action in possible if state.is_legal(action)} == listed - {0}
    assert state.is_legal(0) == bool(listed)
