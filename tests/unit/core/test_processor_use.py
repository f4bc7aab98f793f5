"""What a hosted program is not charged for: waiting for a processor, and stalls, but never its own work."""

import pytest

from arena.core.clock.processor_use import ProcessorUse


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


def test_who_is_late_by_more_than_may_turn_out_to_be_waiting_is_late_for_good() -> None:
    use = ProcessorUse(30, 0, pending_ns=10)
    assert not use.is_settled(9)
    assert use.is_settled(10)
    assert ProcessorUse(30, 50).is_settled(0)
