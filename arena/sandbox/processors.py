"""How much of a span of time the machine's processors had something else to do than to run one program.

A program that is ready waits only while no processor is free for it. How long each of them had nothing to do the kernel
tells in `/proc/stat`, in ticks of 10 ms.
"""

from __future__ import annotations

import os
from typing import Final

from arena.sandbox.kernel_files import content

_NS_PER_S: Final = 1_000_000_000
_TICK_NS: Final = _NS_PER_S // os.sysconf("SC_CLK_TCK")
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
