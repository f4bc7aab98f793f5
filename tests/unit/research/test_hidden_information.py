"""A seat is given the same arrays in positions that differ in what it may not know."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.research.setting import SeatObservation
from engine.randomness import Stream
from tests.unit.contract.cases import CASES, Case
from tests.unit.research.settings import setting_of, some_states

STREAMS = st.binary(min_size=32, max_size=32).map(Stream)


def equal(one: SeatObservation, other: SeatObservation) -> bool:
    """Whether all arrays are equal."""
    return (
        one["observation"].keys() == other["observation"].keys()
        and all(
            np.array_equal(one["observation"][name], other["observation"][name])
            for name in one["observation"]
        )
        and np.array_equal(one["action_mask"], other["action_mask"])
        and np.array_equal(one["actions"], other["actions"])
    )


@pytest.mark.parametrize("case", CASES, ids=str)
@given(st.data(), STREAMS)
def test_positions_that_look_alike_to_a_seat_are_given_to_it_alike(
    case: Case, data: st.DataObject, stream: Stream
) -> None:
    """A51, W70: whatever else they hold, also who is asked in secret."""
    setting, state = setting_of(case), data.draw(st.sampled_from(some_states(case)))
    seat = data.draw(st.integers(0, case.seats - 1))
    other = case.rules.from_observation(state.observe(seat), stream)
    assert equal(setting.observe(state, seat), setting.observe(other, seat))


def test_the_positions_of_this_test_do_differ() -> None:
    differing = {
        case.game
        for case in CASES
        for state in some_states(case)[-3:]
        for seat in range(case.seats)
        if case.rules.from_observation(state.observe(seat), Stream(bytes(32))).digest() != state.digest()
    }
    assert differing >= {case.game for case in CASES if case.rules.spec.hidden_information}
