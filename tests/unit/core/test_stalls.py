"""Stalls: gaps of more than 20 ms in the heartbeat are charged to nobody."""

import pytest

from arena.core.units import NS_PER_MS
from tests.unit.core.stalls_by_hand import StallsByHand


@pytest.mark.parametrize(
    ("beats", "start", "end", "expected"),
    [
        ((0, 5, 10), 0, 10, 0),
        ((0, 20), 0, 20, 0),
        ((0, 21), 0, 21, 21),
        ((0, 100), 40, 60, 20),
        ((0, 100), 90, 200, 10 + 100),
        ((0, 100, 105), 90, 110, 10),
        ((0, 100, 105, 205), 50, 150, 50 + 45),
        ((0, 100, 105), 100, 105, 0),
        ((0, 5), 0, 26, 21),
        ((0, 5), 0, 25, 0),
        ((), 0, 1_000, 0),
    ],
)
def test_time_in_which_the_machine_did_not_run_the_arena_is_credited(
    beats: tuple[int, ...], start: int, end: int, expected: int
) -> None:
    assert StallsByHand(*beats).meter.credit(start * NS_PER_MS, end * NS_PER_MS) == expected * NS_PER_MS


@pytest.mark.parametrize(
    ("start", "read", "expected"),
    [
        (0, 100, 100),
        (40, 100, 60),
        (0, 110, 100),
        (0, 111, 0),
        (0, 60, 60),
        (100, 110, 0),
    ],
)
def test_time_in_which_the_arena_worked_is_credited_only_where_an_answer_waited_for_it(
    start: int, read: int, expected: int
) -> None:
    assert (
        StallsByHand(0, 100, working=True).meter.credit(start * NS_PER_MS, read * NS_PER_MS)
        == expected * NS_PER_MS
    )


def test_an_answer_may_wait_for_some_stalls_in_a_row_and_not_for_any_number() -> None:
    stalls = StallsByHand(0, *range(100, 1_100, 100), working=True)
    assert stalls.meter.credit(0, 1_000 * NS_PER_MS) == 400 * NS_PER_MS


def test_of_a_stall_in_which_the_arena_worked_a_part_the_rest_is_credited_wherever_it_falls() -> None:
    stalls = StallsByHand(0)
    stalls.beat_at(100, worked=30)
    stalls.beat_at(115, worked=45)
    assert stalls.meter.credit(0, 120 * NS_PER_MS) == 70 * NS_PER_MS


def test_what_messages_of_an_owners_bots_took_is_not_credited_to_that_owner() -> None:
    stalls = StallsByHand(0, working=True)
    stalls.meter.note_messages("mallory", 80 * NS_PER_MS)
    stalls.worked_ms = 90
    assert stalls.meter.credit(0, 90 * NS_PER_MS, "mallory") == 10 * NS_PER_MS
    stalls.beat_at(100, worked=100)
    assert stalls.meter.credit(0, 100 * NS_PER_MS, "mallory") == 20 * NS_PER_MS
    assert stalls.meter.credit(0, 100 * NS_PER_MS, "ada") == 100 * NS_PER_MS
    stalls.beat_at(200, worked=200)
    assert stalls.meter.credit(100 * NS_PER_MS, 200 * NS_PER_MS, "mallory") == 100 * NS_PER_MS


def test_a_machine_that_stops_the_arena_in_the_middle_of_a_message_is_not_its_owners_doing() -> None:
    """Of 3 s the arena has worked 2 ms; the message's handling has taken all of them by the clock on the wall."""
    stalls = StallsByHand(0)
    stalls.worked_ms = 2
    stalls.meter.note_messages("mallory", 2_999 * NS_PER_MS)
    for _ in ("while the stall lasts", "when it is over"):
        assert stalls.meter.credit(0, 3_000 * NS_PER_MS, "mallory") == 2_998 * NS_PER_MS
        assert stalls.meter.credit(2_000 * NS_PER_MS, 3_000 * NS_PER_MS, "mallory") == 1_000 * NS_PER_MS
        assert stalls.meter.postponed(0, 100 * NS_PER_MS, 3_000 * NS_PER_MS, "mallory") == 3_098 * NS_PER_MS
        stalls.beat_at(3_000)


@pytest.mark.parametrize(
    ("beats", "start", "now", "expected"),
    [
        ((0, 5), 0, 20, 100),
        ((0, 300), 0, 300, 400),
        ((0, 300), 50, 300, 400),
        ((0, 90, 390), 0, 390, 490),
        ((0, 100, 105, 305), 0, 305, 400),
        ((0, 5), 0, 305, 400),
    ],
)
def test_what_has_to_happen_soon_is_postponed_by_stalls_that_begin_before_it(
    beats: tuple[int, ...], start: int, now: int, expected: int
) -> None:
    ns = NS_PER_MS
    assert StallsByHand(*beats, working=True).meter.postponed(start * ns, 100 * ns, now * ns) == expected * ns


def test_a_stall_by_messages_of_an_owners_bots_postpones_nothing_for_that_owner() -> None:
    stalls = StallsByHand(0, working=True)
    stalls.meter.note_messages("mallory", 250 * NS_PER_MS)
    stalls.beat_at(300, worked=300)
    for owner, expected in (("mallory", 150), ("ada", 400)):
        assert stalls.meter.postponed(0, 100 * NS_PER_MS, 300 * NS_PER_MS, owner) == expected * NS_PER_MS


def test_a_beat_returns_the_length_of_the_stall_that_it_ends() -> None:
    stalls = StallsByHand(0)
    assert stalls.meter.beat(20 * NS_PER_MS) == 0
    assert stalls.meter.beat(70 * NS_PER_MS) == 50 * NS_PER_MS


def test_a_heartbeat_at_rest_is_no_stall() -> None:
    stalls = StallsByHand(0)
    stalls.meter.rest()
    assert stalls.meter.credit(0, 10**12) == 0
    assert stalls.meter.beat(10**12) == 0
