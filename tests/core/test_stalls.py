"""Stalls: gaps of more than 20 ms in the heartbeat are charged to nobody."""

from __future__ import annotations

import pytest

from arena.core.stalls import StallMeter
from arena.core.time_control import NS_PER_MS


def meter(*beats_ms: int) -> StallMeter:
    stalls = StallMeter()
    for beat in beats_ms:
        stalls.beat(beat * NS_PER_MS)
    return stalls


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
    assert meter(*beats).credit(start * NS_PER_MS, end * NS_PER_MS) == expected * NS_PER_MS


def test_a_beat_tells_how_long_the_stall_was_that_it_ends() -> None:
    stalls = meter(0)
    assert stalls.beat(20 * NS_PER_MS) == 0
    assert stalls.beat(70 * NS_PER_MS) == 50 * NS_PER_MS


def test_a_heartbeat_at_rest_is_no_stall() -> None:
    stalls = meter(0)
    stalls.rest()
    assert stalls.credit(0, 10**12) == 0
    assert stalls.beat(10**12) == 0
