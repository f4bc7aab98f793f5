"""The clock of one seat: docs/protocol.md, "The clock". Times here are milliseconds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.core.clock.seat_clock import SeatClock
from arena.core.clock.time_control import TimeControl
from arena.core.units import NS_PER_MS


def charged(
    control: TimeControl, used_ms: float, *, credit: float = 0, stall: float = 0, pieces: int = 1
) -> tuple:
    """(in time, used, bank afterwards, late), of an answer that came used_ms after the start."""
    clock = SeatClock(control)
    measured = clock.measure(
        1_000 * NS_PER_MS,
        1_000 * NS_PER_MS + round(used_ms * NS_PER_MS),
        credit_ns=round(credit * NS_PER_MS),
        stall_ns=round(stall * NS_PER_MS),
    )
    booked = clock.charge(measured, pieces=pieces if measured.in_time else 1, earns=measured.in_time)
    assert clock.bank_ns == booked.bank_ns
    return (
        booked.in_time,
        booked.used_ns / NS_PER_MS,
        booked.bank_ns / NS_PER_MS,
        booked.late_ns / NS_PER_MS,
    )


PLAIN = TimeControl(per_decision_ms=100, bank_ms=50, increment_ms=10, grace_ms=0)
BANKED = TimeControl(per_decision_ms=100, bank_ms=500, increment_ms=10, grace_ms=0)
GRACE = TimeControl(per_decision_ms=100, bank_ms=50, increment_ms=10, grace_ms=5)


@pytest.mark.parametrize(
    ("control", "used", "extra", "expected"),
    [
        (PLAIN, 40, {}, (True, 40, 60, 0)),
        (PLAIN, 100, {}, (True, 100, 60, 0)),
        (PLAIN, 130, {}, (True, 130, 30, 0)),
        (PLAIN, 150, {}, (True, 150, 10, 0)),
        (PLAIN, 150.000001, {}, (False, 150.000001, 0, 0.000001)),
        (PLAIN, 200, {}, (False, 200, 0, 50)),
        (GRACE, 155, {}, (True, 155, 10, 0)),
        (GRACE, 155.000001, {}, (False, 155.000001, 0, 0.000001)),
        (PLAIN, 160, {"credit": 10}, (True, 150, 10, 0)),
        (PLAIN, 300, {"stall": 200}, (True, 100, 60, 0)),
        (PLAIN, 5, {"credit": 10}, (True, 0, 60, 0)),
        (PLAIN, 150, {"pieces": 3}, (True, 150, 80, 0)),
        (PLAIN, 150.000001, {"pieces": 3}, (False, 150.000001, 0, 0.000001)),
        (BANKED, 300, {"pieces": 3}, (True, 300, 530, 0)),
        (BANKED, 340, {"pieces": 3}, (True, 340, 490, 0)),
        (BANKED, 600, {"pieces": 3}, (True, 600, 230, 0)),
        (BANKED, 600, {"pieces": 9}, (True, 600, 590, 0)),
        (BANKED, 601, {"pieces": 9}, (False, 601, 0, 1)),
    ],
)
def test_a_decision_is_charged_by_the_formula(
    control: TimeControl, used: float, extra: dict[str, float], expected: tuple[object, ...]
) -> None:
    assert charged(control, used, **extra) == pytest.approx(expected)  # type: ignore[arg-type]


def test_beyond_the_seat_limit_there_is_no_free_time_any_more() -> None:
    clock = SeatClock(TimeControl(per_decision_ms=600, bank_ms=0, seat_limit_ms=1_000))
    for _ in range(2):
        clock.charge(clock.measure(0, 600 * NS_PER_MS, credit_ns=0, stall_ns=0), earns=False)
    assert clock.over_seat_limit
    assert clock.allowance_ns == 0
    assert not clock.measure(0, 1, credit_ns=0, stall_ns=0).in_time


def test_exactly_at_the_seat_limit_decisions_still_have_free_time() -> None:
    clock = SeatClock(TimeControl(per_decision_ms=1_000, bank_ms=0, seat_limit_ms=1_000))
    clock.charge(clock.measure(0, 1_000 * NS_PER_MS, credit_ns=0, stall_ns=0), earns=False)
    assert not clock.over_seat_limit


@given(
    st.integers(0, 10**12),
    st.integers(0, 10**9),
    st.integers(0, 10**10),
    st.integers(1, 5),
    st.integers(0, 10**10),
)
def test_the_bank_never_rises_but_by_the_increment(
    used: int, credit: int, stall: int, pieces: int, bank: int
) -> None:
    control = TimeControl(per_decision_ms=100, increment_ms=10)
    clock = SeatClock(control)
    clock.bank_ns = bank
    measured = clock.measure(0, used, credit_ns=credit, stall_ns=stall)
    booked = clock.charge(measured, pieces=pieces if measured.in_time else 1, earns=measured.in_time)
    assert 0 <= booked.bank_ns <= bank + pieces * control.increment_ns
    assert measured.in_time == (max(0, used - credit - stall) <= control.per_decision_ns + bank)
    assert measured.in_time or booked.bank_ns == 0
