"""What a log tells of time and faults: against logs made by hand, and against the verifier's own arithmetic."""

import statistics
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.core.clock.time_control import TimeControl
from arena.core.endings import verdicts
from arena.core.match import Cause, MatchResult, MatchState, NoteRecord, SeatResult
from arena.core.ply import PlyRecord
from arena.match_log.reader import read_log
from arena.match_report.explain import DisconnectedTime, Explanation, explain, think_times
from tests.unit.match_log.matches import A_PLY, a_match, a_setup, logged
from tests.unit.match_log.pile import codecs

MS = 1_000_000
CONTROL = TimeControl(per_decision_ms=1_000, bank_ms=3_000, increment_ms=0, grace_ms=0, strikes=2)


def a_ply(seat: int, decision: int, used_ms: int, **more: object) -> PlyRecord:
    return replace(A_PLY, seat=seat, decision=decision, used_ns=used_ms * MS, **more)  # type: ignore[arg-type]


def explained(*records: PlyRecord | NoteRecord, control: TimeControl = CONTROL) -> Explanation:
    """Explain a log with these records; how the match ended does not matter."""
    setup = a_setup(time_control=control)
    seats = tuple(SeatResult(1, 0, verdicts.last_standing(2), 0, 0, 0, 0) for _ in setup.seats)
    plies = sum(isinstance(record, PlyRecord) for record in records)
    result = MatchResult(MatchState.FINISHED, "LAST_STANDING", plies, seats, 10**9, "", bytes(8))
    log = logged(setup, records, result, set_up=())
    return explain(read_log(log.data, codecs))


def test_the_limit_of_a_decision_is_free_time_bank_and_grace_as_they_were_before_it() -> None:
    control = replace(CONTROL, grace_ms=200)
    explanation = explained(
        a_ply(0, 1, 2_500, bank_ns=1_500 * MS),
        a_ply(0, 2, 100, bank_ns=1_500 * MS),
        a_ply(0, 3, 10, bank_ns=0, over_seat_limit=True),
        control=control,
    )
    decisions = explanation.seats[0].decisions
    assert [each.bank_before_ns // MS for each in decisions] == [3_000, 1_500, 1_500]
    assert [each.allowed_ns // MS for each in decisions] == [4_200, 2_700, 1_700]


@pytest.mark.parametrize(("used_ms", "near"), [(0, False), (3_599, False), (3_600, True), (4_000, True)])
def test_a_near_miss_begins_at_nine_tenths_of_what_was_allowed(used_ms: int, near: bool) -> None:
    [decision] = explained(a_ply(0, 1, used_ms)).seats[0].decisions
    assert decision.near_miss is near


def test_a_missed_decision_is_a_strike_and_no_near_miss() -> None:
    [seat, _] = explained(a_ply(0, 1, 4_100, cause=Cause.TIME_FORFEIT, bank_ns=0)).seats
    assert ([each.decision for each in seat.strikes], seat.near_misses) == ([1], ())
    assert seat.strikes[0].share == pytest.approx(1.025)


def test_an_illegal_answer_has_the_reason_of_its_own_note() -> None:
    explanation = explained(
        NoteRecord(MS, 1, "illegal_action", "index is 9 of 3"),
        a_ply(1, 1, 5, cause=Cause.ILLEGAL_ACTION),
        a_ply(0, 1, 5),
        a_ply(1, 2, 5, cause=Cause.ILLEGAL_ACTION),
    )
    assert [each.why for each in explanation.seats[1].strikes] == ["index is 9 of 3", ""]
    assert explanation.seats[0].strikes == ()


def test_a_plan_is_one_decision_and_defaults_after_a_forfeit_are_none() -> None:
    explanation = explained(
        a_ply(0, 1, 30),
        a_ply(0, 1, 0),
        a_ply(0, 1, 0),
        a_ply(1, 0, 0, cause=Cause.FORFEITED),
        a_ply(0, 2, 40),
    )
    decisions = [(each.decision, each.ply, each.used_ns // MS) for each in explanation.seats[0].decisions]
    assert decisions == [(1, 0, 30), (2, 4, 40)]
    assert explanation.seats[1].decisions == ()
    assert explanation.seats[1].think_times is None
    assert explanation.seats[1].credits_ns is None


def test_absences_last_from_loss_to_return() -> None:
    explanation = explained(
        NoteRecord(10, 1, "connection_lost", ""),
        NoteRecord(25, 1, "connection_back", ""),
        NoteRecord(30, 0, "connection_lost", ""),
        a_ply(0, 1, 5),
        NoteRecord(70, 1, "connection_lost", ""),
    )
    assert explanation.seats[1].absences == (DisconnectedTime(10, 25), DisconnectedTime(70, None))
    assert explanation.seats[0].absences == (DisconnectedTime(30, None),)


def test_credits_and_stalls_are_those_of_the_decisions() -> None:
    credited = (7, 3, 20)
    explanation = explained(
        *(a_ply(0, number, 9, credit_ns=ns) for number, ns in enumerate(credited, start=1)),
        a_ply(0, 4, 9, credit_ns=7, stall_ns=55),
    )
    assert explanation.seats[0].credits_ns == (3, 7, 20)
    assert explanation.seats[0].stalls_ns == (55,)


def test_the_longest_thoughts_come_longest_first_and_earlier_ones_before_equal_ones() -> None:
    explanation = explained(*(a_ply(0, number, ms) for number, ms in enumerate((5, 90, 7, 90, 6), start=1)))
    assert [each.decision for each in explanation.seats[0].longest] == [2, 4, 3]


def test_percentiles_of_a_hundred_and_one_times_are_the_times_themselves() -> None:
    times = think_times([ms * MS for ms in range(100, -1, -1)])
    assert times is not None
    assert [ns // MS for ns in (times.p50_ns, times.p95_ns, times.p99_ns, times.most_ns)] == [50, 95, 99, 100]


@given(st.lists(st.integers(0, 10**12), min_size=1, max_size=60))
def test_percentiles_are_in_order_and_lie_between_their_neighbours(used: list[int]) -> None:
    times = think_times(used)
    assert times is not None
    assert min(used) <= times.p50_ns <= times.p95_ns <= times.p99_ns <= times.most_ns == max(used)
    assert abs(times.p50_ns - statistics.median(used)) <= 1
    ordered = sorted(used)
    for percent, value in ((95, times.p95_ns), (99, times.p99_ns)):
        below = percent * (len(used) - 1) // 100
        assert ordered[below] <= value <= ordered[min(below + 1, len(used) - 1)]


@pytest.mark.parametrize("source", range(12))
def test_banks_strikes_and_times_agree_with_what_the_referee_has_booked(source: int) -> None:
    match = a_match(source, trouble=0.08)
    log = read_log(match.log.data, codecs)
    for seat in explain(log).seats:
        assert len(seat.strikes) == seat.result.strikes
        assert sum(each.used_ns for each in seat.decisions) == seat.result.used_ns
        assert max((each.used_ns for each in seat.decisions), default=0) == seat.result.longest_ns
        for each in seat.decisions:
            assert (each.used_ns > each.allowed_ns) == (each.cause is Cause.TIME_FORFEIT)
