"""How often the operator is told that the arena stood still, on a clock that the test moves."""

import asyncio
from collections.abc import Iterator, MutableMapping, Sequence
from itertools import accumulate
from typing import Any

import pytest
from structlog.testing import capture_logs

from arena.core.clock.stalls import StallMeter
from arena.core.units import NS_PER_MS
from arena.scheduling.heartbeat import StallNews, beat_while
from arena.store.audit.entries import AuditKind
from tests.unit.core.stalls_by_hand import idle_meter
from tests.unit.runner.fakes import FakeTimers
from tests.unit.store.audit_recorder import AuditRecorder

Told = Sequence[MutableMapping[str, Any]]


@pytest.fixture
def told() -> Iterator[Told]:
    """Return the entries of the service log."""
    with capture_logs() as lines:
        yield lines


def beat(*gaps_ms: int) -> StallMeter:
    """Run a heartbeat with these gaps while there are matches; return what it measured."""
    timers, stalls, gaps = FakeTimers(), idle_meter(), iter((0, *gaps_ms))

    asyncio.run(run_beats(timers, stalls, gaps))
    return stalls


async def run_beats(timers: FakeTimers, stalls: StallMeter, gaps: Iterator[int], **watchers: Any) -> None:
    """Run a heartbeat until there are no more gaps."""
    over = asyncio.Event()

    def busy() -> bool:
        gap = next(gaps, None)
        if gap is None:
            over.set()
            return False
        timers.move(gap)
        return True

    beats = asyncio.create_task(beat_while(busy, asyncio.Event(), stalls, timers, **watchers))
    await over.wait()
    beats.cancel()


def test_lag_is_told_with_the_part_of_it_that_the_loop_has_worked() -> None:
    """A gap of 5 ms is in time; of a longer one the loop's own work counts as far as it exceeds that."""
    lags: list[tuple[float, float]] = []
    gaps = (0, 5, 205, 205, 205, 25)
    worked_ms = accumulate((0, 5, 1, 105, 205, 300))  # the last: clocks that do not agree
    asyncio.run(
        run_beats(
            FakeTimers(),
            idle_meter(),
            iter(gaps),
            lag=lambda late, own: lags.append((late, own)),
            worked=lambda: next(worked_ms) * NS_PER_MS,
        )
    )
    assert lags == [(0, 0), (0.2, 0), (0.2, 0.1), (0.2, 0.2), (0.02, 0.02)]


def test_stalls_are_summed_up_in_one_line_a_minute(told: Told) -> None:
    """The first is told after 50 ms, so the next line is due at 60,050."""
    stalls = beat(50, 5, 300, 5, 20, 200, 59_434, 5, 15, 16)
    assert [(line["times"], line["longest_ms"], line["total_ms"]) for line in told] == [
        (1, 50, 50),
        (3, 59_434, 59_934),
    ]
    assert (stalls.count, stalls.total_ns) == (4, 59_984_000_000)


@pytest.mark.parametrize(("last_ms", "lines"), [(60_029, 1), (60_030, 2)])
def test_the_sum_of_stalls_is_logged_when_the_minute_is_over(told: Told, last_ms: int, lines: int) -> None:
    news = StallNews()
    for now_ms, stalled_ms in ((30, 30), (70, 40), (last_ms, 0)):
        news.note(stalled_ms * NS_PER_MS, now_ms * NS_PER_MS)
    assert len(told) == lines


def test_beats_in_time_are_not_logged(told: Told) -> None:
    beat(20, 20, 5)
    assert told == []


def test_stalls_of_half_a_second_and_more_stand_in_the_audit_trail() -> None:
    recorder = AuditRecorder()
    news = StallNews(recorder)
    for ms in (499, 500, 2_000):
        news.note(ms * NS_PER_MS, 0)
    assert [(told.kind, told.length_ns) for told in recorder.told] == [
        (AuditKind.STALL, 500 * NS_PER_MS),
        (AuditKind.STALL, 2_000 * NS_PER_MS),
    ]
    assert "stood still for 500 ms" in recorder.told[0].what
