"""How long a program waits for processors: by the kernel's numbers, on fakes of them, and really."""

import asyncio
import os
import subprocess
import threading
import time
from pathlib import Path
from unittest.mock import create_autospec

import pytest

from arena.sandbox import proc_fs, processor_time
from arena.sandbox.cgroups.cgroup import Cgroup, Cgroups
from arena.sandbox.processor_time import (
    OneProcess,
    ProcessorReading,
    Processors,
    ProcessorTime,
    why_not_measured,
)
from arena.sandbox.protections import Protection
from tests.system.sandbox.sandbox_fixture import SandboxFixture, need_sandbox

MS = 1_000_000

NAPPERS = """
import os, time
for _ in range(30):
    if not os.fork():
        break
while True:
    time.sleep(0.05 - time.monotonic() % 0.05)
    end = time.thread_time() + 0.0002
    while time.thread_time() < end:
        pass
"""
"""Many that wake at the same moment wait for each other, and hardly use a processor."""

SPINNERS = """
import os
for _ in range(5):
    if not os.fork():
        break
while True:
    pass
"""
"""More that always run than there are processors: each is ready most of the time, and does not run."""


class FakeKernel:
    """The threads of one program, and all processors taken. Times in milliseconds."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.threads: dict[int, tuple[str, int, int, int]] = {}
        """By thread: its state, how long it has run, has waited, and how often it has run."""
        self.group = create_autospec(Cgroup, instance=True)
        self.group.threads.side_effect = lambda: list(self.threads)
        self.group.throttled_ns.return_value = 7 * MS
        self.used(0)
        self.processors = create_autospec(Processors, instance=True)
        self.processors.taken_ns.side_effect = lambda now_ns, _used_ns: now_ns
        monkeypatch.setattr(processor_time, "read_file", self._content)
        monkeypatch.setattr(processor_time, "Processors", lambda _: self.processors)

    def used(self, ms: int) -> None:
        self.group.cpu_s.return_value = ms / 1_000

    def _content(self, path: str) -> bytes:
        _, _, tid, *_, name = path.split("/")
        state, ran, waited, turns = self.threads.get(int(tid), ("", 0, 0, 0))
        if not state:
            return b""
        if name == "stat":
            return f"{tid} (a ) name) {state} 1 1".encode()
        return f"{ran * MS} {waited * MS} {turns}\n".encode()


@pytest.fixture
def kernel(monkeypatch: pytest.MonkeyPatch) -> FakeKernel:
    return FakeKernel(monkeypatch)


def test_a_program_is_throttled_no_longer_than_it_lasts_on_however_many_processors(
    kernel: FakeKernel,
) -> None:
    kernel.used(40)
    expected = ProcessorReading(40 * MS, 7 * MS, 0, False, 100 * MS)
    assert ProcessorTime(kernel.group, 0).read(100 * MS) == expected
    time_of = ProcessorTime(kernel.group, 0)
    throttled = []
    for now, used, held_back in ((100, 20, 320), (200, 110, 330), (300, 250, 400), (400, 250, 450)):
        kernel.used(used)
        kernel.group.throttled_ns.return_value = held_back * MS
        reading = time_of.read(now * MS)
        assert reading is not None
        throttled.append(reading.throttled_ns // MS)
    assert throttled == [80, 90, 90, 140]


Threads = dict[int, tuple[str, int, int, int]]
WAITS: dict[str, list[tuple[int, Threads, float, bool]]] = {
    "of threads add up, also of those that have ended": [
        (100, {5: ("S", 10, 20, 3), 6: ("S", 10, 5, 1)}, 25, False),
        (200, {5: ("S", 10, 30, 4), 6: ("", 0, 0, 0), 7: ("S", 0, 2, 1)}, 37, False),
    ],
    "count from when they were first seen, and once": [
        (100, {5: ("R", 10, 20, 3)}, 20, True),
        (150, {5: ("R", 10, 20, 3)}, 70, True),
        (180, {5: ("R", 10, 20, 3)}, 100, True),
        (200, {5: ("S", 11, 110, 4)}, 110, False),  # it had begun 10 ms before it was seen
    ],
}
"""Readings: when, the threads as the kernel shows them, how long they have waited by then, whether one waits."""


@pytest.mark.parametrize("readings", WAITS.values(), ids=WAITS)
def test_waits(kernel: FakeKernel, readings: list[tuple[int, Threads, float, bool]]) -> None:
    time_of = ProcessorTime(kernel.group, 0)
    for now, threads, waited, waits in readings:
        kernel.threads = threads
        reading = time_of.read(now * MS)
        assert reading is not None
        assert (reading.waited_ns / MS, reading.is_waiting) == (waited, waits)


@pytest.mark.parametrize(("ran", "waits"), [(0, True), (49, True), (50, False), (100, False)])
def test_a_thread_that_has_run_for_half_of_the_time_is_not_said_to_wait(
    kernel: FakeKernel, ran: int, *, waits: bool
) -> None:
    time_of = ProcessorTime(kernel.group, 0)
    kernel.threads = {5: ("R", 10, 0, 3)}
    time_of.read(100 * MS)
    kernel.threads = {5: ("R", 10 + ran, 0, 3 + bool(ran))}
    reading = time_of.read(200 * MS)
    assert reading is not None
    assert reading.is_waiting is waits


def test_a_machine_with_too_few_figures_gives_no_reading(kernel: FakeKernel) -> None:
    time_of = ProcessorTime(kernel.group, 0)
    kernel.processors.taken_ns.side_effect = lambda *_: None
    assert time_of.read(100 * MS) is None
    kernel.group.cpu_s.return_value = None
    assert time_of.read(100 * MS) is None


@pytest.mark.parametrize(
    ("lasted", "used", "throttled", "waited", "taken", "spared"),
    [(100, 30, 0, 50, 90, 50), (100, 30, 0, 90, 90, 70), (100, 30, 20, 90, 40, 40), (100, 90, 20, 50, 50, 0)],
)
def test_what_a_program_is_spared_is_bounded_by_what_it_cannot_make_up(
    lasted: int, used: int, throttled: int, waited: int, taken: int, spared: int
) -> None:
    reading = ProcessorReading(used, throttled, waited, False, taken)
    assert reading.spared_ns(lasted) == spared


def test_the_report_names_what_a_machine_without_waiting_times_lacks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cgroups = create_autospec(Cgroups, instance=True)
    cgroups.covers.return_value = frozenset({Protection.CPU})
    assert not why_not_measured(cgroups)
    monkeypatch.setattr(processor_time, "_STAT", "/nowhere")
    assert "/proc/stat" in why_not_measured(cgroups)
    for schedstat in (b"", b"0 0 0\n"):
        monkeypatch.setattr(processor_time, "read_file", lambda _, said=schedstat: said)
        assert "schedstat" in why_not_measured(cgroups)
    cgroups.covers.return_value = frozenset({Protection.MEMORY})
    assert "cgroup" in why_not_measured(cgroups)
    assert "cgroup" in why_not_measured(None)


def test_a_process_of_the_arena_is_read_like_a_group() -> None:
    own = OneProcess(os.getpid())
    assert threading.get_native_id() in own.threads()
    assert own.throttled_ns() == 0
    reading = ProcessorTime(own, time.monotonic_ns()).read(time.monotonic_ns())
    assert reading is not None
    assert 0 < reading.used_ns <= time.process_time_ns() + 20 * MS
    gone = subprocess.Popen(["true"])
    gone.wait()
    assert (OneProcess(gone.pid).threads(), OneProcess(gone.pid).cpu_s()) == ([], 0)


def test_a_file_of_the_kernel_is_read_whole_and_one_that_cannot_be_read_is_empty(tmp_path: Path) -> None:
    (tmp_path / "long").write_bytes(b"x" * 40_000)
    found = [proc_fs.read_file(str(path)) for path in (tmp_path / "long", tmp_path / "none", tmp_path)]
    assert found == [b"x" * 40_000, b"", b""]


@pytest.mark.parametrize("program", [NAPPERS, SPINNERS], ids=["nappers", "spinners"])
async def test_a_program_cannot_make_its_own_threads_wait_and_be_spared_that(
    fixture: SandboxFixture, program: str
) -> None:
    """What it is spared is never longer than others may have taken all processors, and it had none itself."""
    need_sandbox(Protection.CPU)
    before = now = time.monotonic_ns()
    beside, reading = Processors(before), None
    running = await fixture.start("python", "-c", program, runtime="python")
    try:
        while reading is None or reading.waited_ns <= 300 * MS or now - before <= 1_500 * MS:
            await asyncio.sleep(0.05)
            now = time.monotonic_ns()
            reading = running.processor(now)
            assert reading is not None
        taken_ns = beside.taken_ns(now, reading.used_ns)
        assert taken_ns is not None
        assert running.waited_s() * 1_000 <= taken_ns // MS + 100
    finally:
        await running.stop(0.0)
