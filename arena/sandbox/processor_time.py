"""How long a program was ready to run and got no processor, as the kernel counts it for each thread.

`/proc/TID/schedstat` holds the processor time of a thread, the time that it was ready and did not run, and how often
it has run; the kernel adds to the second number only when the thread gets its turn. A wait that is under way is seen by
two readings: a thread that is ready in both and has not run in between has waited all the time between them.

The sum over the threads is at least as long as nothing of the program ran though something of it was ready: threads
that hand their work on to each other wait one after the other. It may be far longer: many threads that wake at the same
moment wait for each other, and a program could make up any wait so. So what counts is bounded by what it cannot make
up: time in which it had no processor itself, and in which others may have taken all processors
(`Processors`).

A cgroup's `cpu.pressure` would not do: it is a mean over the processors that the program was on, so that one thread
that waits for one processor and then runs on another is told to have waited for half as long.
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from arena.core.units import NS_PER_S
from arena.sandbox import proc_fs
from arena.sandbox.cgroups.cgroup import Cgroups
from arena.sandbox.proc_fs import content
from arena.sandbox.protections import Protection

_TICK_NS: Final = NS_PER_S // os.sysconf("SC_CLK_TCK")
_STAT: Final = "/proc/stat"
_IDLE: Final = 3
"""Where a processor's line has its idle ticks, counted after its name; waiting for a disk is next, and idle too."""


class Processors:
    """Those on which this process, and what it starts, may run."""

    def __init__(self, now_ns: int) -> None:
        """Nothing has been taken yet."""
        self._names = frozenset(b"cpu%d" % number for number in os.sched_getaffinity(0))
        self._idle = self._idle_ns()
        self._looked_at = now_ns
        self._used_ns = 0
        self._taken_ns = 0
        self._owed_ns = 0
        """A tick that was counted late: so much less is taken next."""

    def taken_ns(self, now_ns: int, used_ns: int) -> int | None:
        """Return for how long by now others may have taken all processors, at most; None if the kernel does not tell.

        `used_ns`: the processor time that the program has used, whose own work is not that of others.
        """
        idle, span = self._idle_ns(), now_ns - self._looked_at
        if not idle:
            return None
        if len(idle) != len(self._idle):  # one was taken off, or put back
            self._idle = idle
        rested = [late - early for late, early in zip(idle, self._idle, strict=True)]
        others = span * len(rested) - sum(rested) - (used_ns - self._used_ns)
        # While one of them rests nobody waits; and of their work together, the program's own makes it wait for itself.
        taken = min(span - max(rested), others // len(rested)) - self._owed_ns
        self._taken_ns += max(0, taken)
        self._owed_ns = min(max(0, -taken), _TICK_NS)
        self._idle, self._looked_at, self._used_ns = idle, now_ns, used_ns
        return self._taken_ns

    def _idle_ns(self) -> list[int]:
        """How long each of them has had nothing to do since the machine was started."""
        found = []
        for line in content(_STAT).splitlines():
            name, *ticks = line.split()
            if name in self._names:
                found.append((int(ticks[_IDLE]) + int(ticks[_IDLE + 1])) * _TICK_NS)
            elif found and not name.startswith(b"cpu"):
                break
        return found


_READY: Final = b"R"


@dataclass(frozen=True, slots=True)
class ProcessorReading:
    """A program from its start until now. Times in nanoseconds."""

    used_ns: int
    """Processor time of all its processes, those that have ended included."""
    throttled_ns: int
    """Time in which it had used up its own share of the processors, and did not run."""
    waited_ns: int
    """Time in which its threads were ready to run and did not, added up; throttled time may be part of it."""
    is_waiting: bool
    """Whether a thread waits at this moment."""
    taken_ns: int
    """Time in which others may have taken all processors, so that it may have had to wait for them."""

    def spared_ns(self, lasted_ns: int) -> int:
        """How much of its time until now it spent waiting for others. `lasted_ns`: from its start until now."""
        spare = lasted_ns - self.used_ns - self.throttled_ns
        return max(0, min(self.waited_ns, self.taken_ns, spare))


class Counted(Protocol):
    """What the kernel counts of a program, as far as it is needed here; a `Cgroup` is one."""

    def cpu_s(self) -> float | None:
        """Processor seconds of all its processes so far; None where the machine does not tell."""
        ...

    def throttled_ns(self) -> int:
        """How long it was held back because it had used up its share, added up over the processors that it was on."""
        ...

    def threads(self) -> list[int]:
        """The threads of all its processes."""
        ...


class OneProcess:
    """A process in no group of its own."""

    def __init__(self, pid: int) -> None:
        """`pid`: of this machine."""
        self._pid = pid

    def cpu_s(self) -> float | None:
        """Processor seconds so far; 0 once it is gone."""
        return proc_fs.cpu_s([self._pid])

    def throttled_ns(self) -> int:
        """Return 0: it has no share."""
        return 0

    def threads(self) -> list[int]:
        """Its threads; none once it is gone."""
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
    """When it was first seen ready in the wait that is under way; None if it is not known to wait."""
    waited_ns: int
    """All of its waiting that is counted already."""


def why_not_told(cgroups: Cgroups | None) -> str:
    """Why this machine does not tell how long programs wait, in a few words; empty if it does.

    `cgroups`: where programs get groups; None if they get none.
    """
    if cgroups is None or Protection.CPU not in cgroups.covers():
        return "no cgroup counts their processor time"
    _, _, turns = content("/proc/self/schedstat").split() or (b"", b"", b"0")
    if turns == b"0":
        return "the kernel has no /proc/PID/schedstat"
    now_ns = time.monotonic_ns()
    if Processors(now_ns).taken_ns(now_ns, 0) is None:
        return "/proc/stat does not tell what the processors rest"
    return ""


class ProcessorTime:
    """The processor time of one program."""

    def __init__(self, group: Counted, now_ns: int) -> None:
        """`group`: of the program, which has been started just now."""
        self._group = group
        self._processors = Processors(now_ns)
        self._threads: dict[int, _Thread] = {}
        self._waited_ns = 0
        self._used_ns = 0
        self._held_back_ns = 0
        """As the group tells it."""
        self._throttled_ns = 0
        self._read_at = now_ns

    def read(self, now_ns: int) -> ProcessorReading | None:
        """What it has had by now; None where the machine does not tell. Takes some 25 us for each thread."""
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
        """It is held back on several processors at the same time, but no longer than that lasts."""
        held_back_ns = self._group.throttled_ns()
        rested_ns = max(0, lasted_ns - (used_ns - self._used_ns))
        self._throttled_ns += min(max(0, held_back_ns - self._held_back_ns), rested_ns)
        self._used_ns, self._held_back_ns = used_ns, held_back_ns

    def _look_at(self, tid: int, now_ns: int) -> tuple[_Thread, bool] | None:
        """What is known of a thread by now, and whether it waits; None if it is gone."""
        numbers = content(f"/proc/{tid}/schedstat").split()
        if len(numbers) != 3:
            return None
        ran_ns, delayed_ns, turns = map(int, numbers)
        is_ready = _state(tid) == _READY
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


def _state(tid: int) -> bytes:
    """The letter of a thread's state; empty if it is gone."""
    stat = content(f"/proc/{tid}/task/{tid}/stat")
    return stat[stat.rfind(b")") + 2 :][:1]
