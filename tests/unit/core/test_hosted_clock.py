"""The clock of a seat whose program the arena runs: it is not charged for time in which it could not run."""

import pytest

from arena.core.clock.processor_use import MOST_WAIT_NS, WAIT_AGAIN_NS, ProcessorUse
from arena.core.units import NS_PER_MS
from tests.unit.core.referee_table import RefereeTable


def ms(value: float) -> int:
    return round(value * NS_PER_MS)


def test_waiting_is_not_charged_and_is_recorded() -> None:
    table = RefereeTable(use=lambda _, now: ProcessorUse(ms(30), ms(400)))
    table.sent(0, 1, 0).answer(0, 1, 2, 500)
    record = table.played[0].record
    assert (record.wait_ns, record.used_ns) == (ms(400), ms(100))
    assert record.cause.name == "CHOSEN"


def test_what_it_has_used_is_charged_whatever_it_has_waited_and_however_long_the_arena_stood_still() -> None:
    table = RefereeTable(use=lambda _, now: ProcessorUse(ms(140), ms(400)))
    table.stalls.meter.beat(0)
    table.stalls.meter.beat(ms(200))
    table.stalls.meter.rest()
    table.sent(0, 1, 0).answer(0, 1, 2, 500)
    record = table.played[0].record
    assert (record.stall_ns, record.wait_ns, record.used_ns) == (ms(200), ms(160), ms(140))


def test_the_verdict_is_delayed_while_pending_waiting_time_may_excuse_it() -> None:
    table = RefereeTable(use=lambda _, now: ProcessorUse(ms(10), 0, pending_ns=ms(20)))
    table.sent(0, 1, 0).tick(165)
    assert table.new() == ["ask 0 #1"]
    assert table.wake_ms(165) == 165 + WAIT_AGAIN_NS / NS_PER_MS
    table.use = lambda _, now: ProcessorUse(ms(10), ms(40))
    table.answer(0, 1, 2, 180)
    assert table.new()[0] == "play 0 +2 CHOSEN"


def test_a_program_that_is_always_ready_to_run_still_misses_its_deadline() -> None:
    """More threads that always run than there are processors: one of them is ready at any moment."""
    table = RefereeTable(use=lambda _, now: ProcessorUse(now, 0, pending_ns=ms(20)))
    table.sent(0, 1, 0).tick(169)
    assert table.new() == ["ask 0 #1"]
    table.tick(171)
    assert table.new()[0] == "close 0 #1 late 21 strikes 1"


def test_no_more_than_half_an_hour_of_a_match_is_waiting() -> None:
    hour = 2 * MOST_WAIT_NS
    table = RefereeTable(use=lambda _, now: ProcessorUse(0, now, pending_ns=hour))
    table.sent(0, 1, 0).tick(MOST_WAIT_NS / NS_PER_MS + 151)
    assert table.new()[1] == "close 0 #1 late 1 strikes 1"


@pytest.mark.parametrize(
    ("use", "wall", "stall", "credited"),
    [
        (ProcessorUse(30, 0), 100, 0, (0, 0)),
        (ProcessorUse(30, 50), 100, 0, (0, 50)),
        (ProcessorUse(30, 90), 100, 0, (0, 70)),
        (ProcessorUse(30, 0), 100, 20, (20, 0)),
        (ProcessorUse(30, 0), 100, 90, (70, 0)),
        (ProcessorUse(30, 50), 100, 40, (40, 30)),
        (ProcessorUse(130, 50), 100, 40, (0, 0)),
    ],
)
def test_what_a_program_has_used_is_always_charged_and_the_stall_goes_before_the_wait(
    use: ProcessorUse, wall: int, stall: int, credited: tuple[int, int]
) -> None:
    assert use.credited(wall, stall) == credited


@pytest.mark.parametrize(("stall", "credited"), [(0, (0, 45)), (25, (25, 20)), (40, (40, 20)), (65, (65, 5))])
def test_a_stall_that_is_not_credited_as_such_counts_as_waiting_and_none_counts_twice(
    stall: int, credited: tuple[int, int]
) -> None:
    use = ProcessorUse(30, 20, stalled_ns=25)
    assert use.credited(100, stall) == credited


def test_a_delay_longer_than_the_pending_wait_is_settled() -> None:
    use = ProcessorUse(30, 0, pending_ns=10)
    assert not use.is_settled(9)
    assert use.is_settled(10)
    assert ProcessorUse(30, 50).is_settled(0)
