"""What a hosted program has had of the processors, moment by moment."""

from dataclasses import dataclass, replace
from typing import Any

import pytest

from arena.core.clock.processor_use import ProcessorUse
from arena.hosting.host import processor_history
from arena.hosting.host.processor_history import ProcessorHistory
from arena.sandbox.processor_time import ProcessorReading

MS = 1_000_000
BEGUN = 500 * MS


@dataclass
class FakeProgram:
    """Says what the test lets it say; times in milliseconds."""

    reading: ProcessorReading | None
    stall: int = 0
    """Of each span that is asked for."""
    reads: int = 0

    def read(self, _now: int) -> ProcessorReading | None:
        self.reads += 1
        return self.reading

    def stalled(self, since: int, until: int) -> int:
        return min(self.stall * MS, until - since)

    def history(self) -> ProcessorHistory:
        return ProcessorHistory(self.read, self.stalled, BEGUN)

    def gets(self, used: int, waited: int, *, taken: int, throttled: int = 0, waits: bool = False) -> None:
        """So much more than at the last reading."""
        last = self.reading or ProcessorReading(0, 0, 0, False, 0)
        self.reading = replace(
            last,
            used_ns=last.used_ns + used * MS,
            throttled_ns=last.throttled_ns + throttled * MS,
            waited_ns=last.waited_ns + waited * MS,
            is_waiting=waits,
            taken_ns=last.taken_ns + taken * MS,
        )


def a_program() -> FakeProgram:
    return FakeProgram(ProcessorReading(0, 0, 0, False, 0))


def after(ms: int) -> int:
    return BEGUN + ms * MS


def ms_of(use: ProcessorUse | None) -> tuple[int, int, int, int]:
    """Return (used, waited, stalled, pending) in milliseconds."""
    assert use is not None
    return use.used_ns // MS, use.waited_ns // MS, use.stalled_ns // MS, use.pending_ns // MS


SPANS: dict[str, list[tuple[dict[str, Any], tuple[int, int, int, int]]]] = {
    "what the kernel has counted": [({"used": 30, "waited": 60, "taken": 100}, (30, 60, 0, 0))],
    "its own share counts as used": [
        ({"used": 20, "waited": 500, "taken": 100, "throttled": 80}, (100, 0, 0, 0)),
        ({"used": 10, "waited": 40, "taken": 90}, (110, 40, 0, 0)),
    ],
    "a wait that is counted late, as far as there was room": [
        ({"used": 10, "waited": 0, "taken": 100, "waits": True}, (10, 0, 0, 90)),
        ({"used": 0, "waited": 130, "taken": 100, "waits": True}, (10, 130, 0, 60)),
        ({"used": 100, "waited": 500, "taken": 100}, (110, 190, 0, 0)),
        ({"used": 0, "waited": 50, "taken": 10}, (110, 200, 0, 0)),
    ],
    "parallel waits": [({"used": 30, "waited": 2_000, "taken": 100}, (30, 70, 0, 0))],
    "parallel waits, processors partly taken": [({"used": 30, "waited": 2_000, "taken": 40}, (30, 40, 0, 0))],
    "waits during a stall": [({"used": 30, "waited": 2_000, "taken": 100, "stall": 50}, (30, 20, 50, 0))],
    "busy during a stall": [({"used": 90, "waited": 2_000, "taken": 100, "stall": 50}, (90, 0, 50, 0))],
}
"""By case, of spans of 100 ms each: what the program got more, and its use from its start."""


@pytest.mark.parametrize("spans", SPANS.values(), ids=SPANS)
def test_waiting_is_counted_once_and_as_far_as_there_was_room(spans):
    program = a_program()
    history = program.history()
    for number, (more, use) in enumerate(spans, start=1):
        program.stall = more.pop("stall", 0)
        program.gets(**more)
        assert ms_of(history.since(BEGUN, after(100 * number))) == use
        assert (history.read_at, history.waited_ns) == (after(100 * number), use[1] * MS)


def test_a_span_begins_with_the_first_look_in_it() -> None:
    program = a_program()
    history = program.history()
    program.gets(50, 50, taken=100)
    assert history.look(after(100))
    program.gets(10, 30, taken=100)
    assert ms_of(history.since(after(60), after(200))) == (10, 30, 0, 0)
    assert history.since(after(201), after(300)) is None


def test_it_is_not_looked_at_again_so_soon() -> None:
    program = a_program()
    history = program.history()
    assert history.look(BEGUN + MS // 2)
    assert program.reads == 0
    assert history.look(after(1))
    assert history.look(after(1) + MS // 2)
    assert program.reads == 1


def test_a_machine_without_figures_gives_no_reading() -> None:
    program = FakeProgram(None)
    history = program.history()
    assert not history.look(after(100))
    assert history.since(BEGUN, after(100)) is None


def test_old_readings_are_thinned_out_and_sums_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processor_history, "_REMEMBERED", 8)
    program = a_program()
    history = program.history()
    for ms in range(10, 210, 10):
        program.gets(3, 2, taken=10)
        assert history.look(after(ms))
    assert ms_of(history.since(BEGUN, after(200))) == (60, 40, 0, 0)
    assert ms_of(history.since(after(190), after(200))) in {(3, 2, 0, 0), (0, 0, 0, 0)}


def test_the_look_at_the_end_of_a_span_does_not_forget_its_beginning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processor_history, "_REMEMBERED", 8)
    program = a_program()
    history = program.history()
    for ms in range(10, 210, 10):
        program.gets(3, 2, taken=10)
        assert ms_of(history.since(after(ms - 10), after(ms))) == (3, 2, 0, 0)
