"""Measures how long a program was ready to run and got no processor.

`/proc/TID/schedstat` has the processor time of a thread, its time of waiting for a processor, and how often it has run;
the kernel adds to the second number only when the wait ends. A wait in progress shows in two readings: a thread that is
ready in both and has not run in between has waited all the time.

The sum over the threads is at least the time in which the program was ready and did not run. It may be far longer:
threads that wake together wait for each other, so a program could feign any wait. It is therefore bounded by the time
in which the program had no processor itself and others may have used all of them (`Processors`).

A cgroup's `cpu.pressure` is no substitute: it is a mean over the processors that the program was on, so a thread that
waits for one and then runs on another seems to have waited half as long.
"""

import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.core.units import NS_PER_S
from arena.sandbox import proc_fs
from arena.sandbox.cgroups.cgroup import Cgroup, Cgroups
from arena.sandbox.proc_fs import read_file
from arena.sandbox.protections import Protection

_TICK_NS: Final = NS_PER_S // os.sysconf("SC_CLK_TCK")
_STAT: Final = "/proc/stat"
_IDLE: Final = 3
"""Index of a processor's idle ticks after its name; waiting for a disk is next, and idle too (proc_stat(5))."""


class Processors:
    """The processors on which this process and its children may run."""

    def __init__(self, now_ns: int) -> None:
        self._names = frozenset(b"cpu%d" % number for number in os.sched_getaffinity(0))
        self._idle = self._idle_ns()
        self._looked_at = now_ns
        self._used_ns = 0
        self._taken_ns = 0
        self._owed_ns = 0
        """A tick that was counted late, to be subtracted next."""

    def taken_ns(self, now_ns: int, used_ns: int) -> int | None:
        """Return for how long others may have used all processors, at most; None if it is not measured.

        `used_ns`: the processor time that the program itself has used.
        """
        idle, span = self._idle_ns(), now_ns - self._looked_at
        if not idle:
            return None
        if len(idle) != len(self._idle):  # a processor went offline or online
            self._idle = idle
        rested = [late - early for late, early in zip(idle, self._idle, strict=True)]
        others = span * len(rested) - sum(rested) - (used_ns - self._used_ns)
        # Nothing waits while a processor is idle, and the program does not wait for others during its own work.
        taken = min(span - max(rested), others // len(rested)) - self._owed_ns
        self._taken_ns += max(0, taken)
        self._owed_ns = min(max(0, -taken), _TICK_NS)
        self._idle, self._looked_at, self._used_ns = idle, now_ns, used_ns
        return self._taken_ns

    def _idle_ns(self) -> list[int]:
        """Return the idle time of each processor since the machine was started."""
        found = []
        for line in read_file(_STAT).splitlines():
            name, *ticks = line.split()
            if name in self._names:
                found.append((int(ticks[_IDLE]) + int(ticks[_IDLE + 1])) * _TICK_NS)
            elif found and not name.startswith(b"cpu"):
                break
        return found


_READY: Final = b"R"


@dataclass(frozen=True, slots=True)
class ProcessorReading:
    """The processor time of a program since its start, in nanoseconds."""

    used_ns: int
    """Processor time of all its processes, including ended ones."""
    throttled_ns: int
    """Time in which it did not run because it had used up its share of the processors."""
    waited_ns: int
    """Sum over its threads of the time in which they were ready and did not run; may include throttled time."""
    is_waiting: bool
    """Whether a thread waits now."""
    taken_ns: int
    """Time in which others may have used all processors."""

    def spared_ns(self, lasted_ns: int) -> int:
        """Return how long it has waited for others. `lasted_ns`: from its start until now."""
        spare = lasted_ns - self.used_ns - self.throttled_ns
        return max(0, min(self.waited_ns, self.taken_ns, spare))


class OneProcess:
    """The counters of a process without a cgroup."""

    def __init__(self, pid: int) -> None:
        self._pid = pid

    def cpu_s(self) -> float | None:
        """Return the processor seconds so far; 0 once the process is gone."""
        return proc_fs.cpu_s([self._pid])

    def throttled_ns(self) -> int:
        """Return 0: it has no share."""
        return 0

    def threads(self) -> list[int]:
        """Return its threads; none once the process is gone."""
        try:
            return [int(thread.name) for thread in Path(f"/proc/{self._pid}/task").iterdir()]
        except OSError:
            return []


@dataclass(slots=True)
class _Thread:
    ran_ns: int
    delayed_ns: int
    turns: int
    ready_since: int | None
    """When it was first seen ready in the present wait; None if it is not known to wait."""
    waited_ns: int
    """Its waits counted so far."""


def why_not_measured(cgroups: Cgroups | None) -> str:
    """Return in a few words why this machine does not measure waits for processors; empty if it does."""
    if cgroups is None or Protection.CPU not in cgroups.covers():
        return "no cgroup counts their processor time"
    _, _, turns = read_file("/proc/self/schedstat").split() or (b"", b"", b"0")
    if turns == b"0":
        return "the kernel has no /proc/PID/schedstat"
    now_ns = time.monotonic_ns()
    if Processors(now_ns).taken_ns(now_ns, 0) is None:
        return "/proc/stat does not tell what the processors rest"
    return ""


class ProcessorTime:
    """The processor time of one program."""

    def __init__(self, group: Cgroup | OneProcess, now_ns: int) -> None:
        """`group`: of a program that has just been started."""
        self._group = group
        self._processors = Processors(now_ns)
        self._threads: dict[int, _Thread] = {}
        self._waited_ns = 0
        self._used_ns = 0
        self._held_back_ns = 0
        """`throttled_ns` of the group."""
        self._throttled_ns = 0
        self._started_ns = self._read_at = now_ns

    def waited_s(self) -> float:
        """Return how long it has waited for a processor since its start; 0 if it is not measured.

        At most the time in which it used no processor and others may have used all of them, so that a program cannot
        feign a wait.
        """
        now = time.monotonic_ns()
        reading = self.read(now)
        return 0.0 if reading is None else reading.spared_ns(now - self._started_ns) / NS_PER_S

    def read(self, now_ns: int) -> ProcessorReading | None:
        """Return its processor time by now; None if it is not measured. Takes about 25 us per thread."""
        used_s = self._group.cpu_s()
        if used_s is None:
            return None
        used_ns = round(used_s * NS_PER_S)
        taken_ns = self._processors.taken_ns(now_ns, used_ns)
        if taken_ns is None:
            return None
        self._note_use(now_ns - self._read_at, used_ns)
        threads: dict[int, _Thread] = {}
        is_waiting = False
        for tid in self._group.threads():
            seen = self._look_at(tid, now_ns)
            if seen is not None:
                threads[tid], waits = seen
                is_waiting = is_waiting or waits
        self._threads, self._read_at = threads, now_ns
        return ProcessorReading(used_ns, self._throttled_ns, self._waited_ns, is_waiting, taken_ns)

    def _note_use(self, lasted_ns: int, used_ns: int) -> None:
        """Add to the throttled time, which counts once though it may be throttled on several processors at a time."""
        held_back_ns = self._group.throttled_ns()
        rested_ns = max(0, lasted_ns - (used_ns - self._used_ns))
        self._throttled_ns += min(max(0, held_back_ns - self._held_back_ns), rested_ns)
        self._used_ns, self._held_back_ns = used_ns, held_back_ns

    def _look_at(self, tid: int, now_ns: int) -> tuple[_Thread, bool] | None:
        """Return the counters of a thread, and whether it waits now; None if it is gone."""
        numbers = read_file(f"/proc/{tid}/schedstat").split()
        if len(numbers) != 3:
            return None
        ran_ns, delayed_ns, turns = map(int, numbers)
        stat = read_file(f"/proc/{tid}/task/{tid}/stat")
        is_ready = stat[stat.rfind(b")") + 2 :][:1] == _READY
        before = self._threads.get(tid)
        stood = before is not None and before.turns == turns and before.ran_ns == ran_ns
        since = now_ns if is_ready else None
        if is_ready and stood and before is not None and before.ready_since is not None:
            since = before.ready_since
        waited_ns = delayed_ns + (0 if since is None else now_ns - since)
        counted_ns = 0 if before is None else before.waited_ns
        self._waited_ns += max(0, waited_ns - counted_ns)
        ran_now_ns = ran_ns - (0 if before is None else before.ran_ns)
        # Ready, and it has hardly run since the last reading: what runs all the time is ready, too.
        waits = is_ready and (stood or 2 * ran_now_ns < now_ns - self._read_at)
        return _Thread(ran_ns, delayed_ns, turns, since, max(waited_ns, counted_ns)), waits
