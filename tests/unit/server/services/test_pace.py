"""The common budget of all watchers, on a clock that the test holds."""

from __future__ import annotations

import pytest

from arena.server.services.watching import BURST_S, Pacer


def test_a_few_turns_now_and_then_never_wait() -> None:
    pace, few = Pacer(1_000), int(1_000 * BURST_S) - 1
    for second in range(1, 100):
        assert [pace.wait_s(second) for _ in range(few)] == [0.0] * few


def test_who_wants_more_than_there_is_gets_it_at_the_steady_rate() -> None:
    pace = Pacer(1_000)
    waits = [pace.wait_s(10.0) for _ in range(2_050)]
    assert waits == sorted(waits)
    assert waits[-1] == pytest.approx(2.0)
    assert sum(wait <= 1.0 for wait in waits) == pytest.approx(1_050, abs=1)


def test_what_was_not_used_is_not_saved_up() -> None:
    pace = Pacer(100)
    pace.wait_s(0.0)
    assert sum(pace.wait_s(1_000.0) == 0.0 for _ in range(100)) == pytest.approx(100 * BURST_S, abs=1)
