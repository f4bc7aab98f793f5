"""How long others may have taken all processors, on a file that stands for the kernel's."""

from pathlib import Path

import pytest

from arena.sandbox import processor_time
from arena.sandbox.processor_time import Processors

MS = 1_000_000


class FakeStat:
    """/proc/stat of a machine with these processors, of which this process may use 0 and 1."""

    def __init__(self, path: Path, *names: str) -> None:
        self._path = path
        self.idle = dict.fromkeys(names, 700)
        self.write()

    def write(self) -> None:
        lines = [f"{name} 9 9 9 {idle - 300} 300 9 9 9 9 9" for name, idle in self.idle.items()]
        self._path.write_text("\n".join(["cpu  9 9 9 9 9 9 9 9 9 9", *lines, "intr 5 5", "ctxt 7", ""]))

    def rests(self, *ticks: int) -> None:
        """Each processor has rested for so many ticks of 10 ms more."""
        for name, more in zip(self.idle, ticks, strict=True):
            self.idle[name] += more
        self.write()


@pytest.fixture
def stat(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeStat:
    monkeypatch.setattr(processor_time, "_STAT", str(tmp_path / "stat"))
    monkeypatch.setattr(processor_time, "_TICK_NS", 10 * MS)
    monkeypatch.setattr("os.sched_getaffinity", lambda _: {0, 1})
    return FakeStat(tmp_path / "stat", "cpu0", "cpu1", "cpu10")


@pytest.mark.parametrize(
    ("rested", "used", "taken"),
    [
        ((0, 0, 0), 0, 100),
        ((0, 0, 0), 40, 80),
        ((0, 0, 0), 200, 0),
        ((10, 10, 0), 0, 0),
        ((9, 0, 0), 0, 10),
        ((0, 10, 0), 0, 0),
        ((5, 5, 0), 100, 0),
        ((0, 0, 10), 0, 100),
    ],
)
def test_time_is_taken_only_by_others_on_busy_processors(
    stat: FakeStat, rested: tuple[int, int, int], used: int, taken: int
) -> None:
    found = Processors(0)
    stat.rests(*rested)
    assert found.taken_ns(100 * MS, used * MS) == taken * MS


def test_time_adds_up(stat: FakeStat) -> None:
    found = Processors(50 * MS)
    assert found.taken_ns(150 * MS, 40 * MS) == 80 * MS
    stat.rests(5, 5, 0)
    assert found.taken_ns(250 * MS, 40 * MS) == 130 * MS


def test_a_processor_that_rests_is_not_taken_between_two_ticks_of_the_kernel(stat: FakeStat) -> None:
    found = Processors(0)
    taken = 0
    for ms in range(4, 1_004, 4):
        stat.rests(*[ms // 10 - (ms - 4) // 10] * 3)
        taken = found.taken_ns(ms * MS, 0) or 0
    assert taken <= 10 * MS


def test_a_tick_at_most_is_subtracted_later(stat: FakeStat) -> None:
    found = Processors(0)
    stat.rests(50, 50, 50)
    assert found.taken_ns(100 * MS, 0) == 0
    assert found.taken_ns(200 * MS, 0) == 90 * MS


def test_a_span_in_which_a_processor_comes_or_goes_is_not_measured(stat: FakeStat) -> None:
    found = Processors(0)
    rest = stat.idle.pop("cpu1")
    stat.rests(10, 10)
    assert found.taken_ns(100 * MS, 0) == 100 * MS
    assert found.taken_ns(200 * MS, 0) == 200 * MS
    stat.idle["cpu1"] = rest
    stat.rests(0, 0, 0)
    assert found.taken_ns(300 * MS, 0) == 300 * MS


def test_without_statistics_nothing_is_known(stat: FakeStat, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processor_time, "_STAT", "/nowhere/stat")
    assert Processors(0).taken_ns(100 * MS, 0) is None
