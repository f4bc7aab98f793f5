"""What another process has used up so far, as Linux tells it."""

import time
from pathlib import Path
from typing import Final

_NS_PER_S: Final = 1_000_000_000
_BYTES_PER_KB: Final = 1024


def cpu_s(pid: int) -> float:
    """Return the processor time of all threads of a process, in seconds, to the nanosecond.

    Raises OSError: there is no such process.
    """
    # The clock of a process: clock_getcpuclockid(3), as Linux encodes it (CPUCLOCK_SCHED of a whole process is 2).
    return time.clock_gettime_ns((~pid << 3) | 2) / _NS_PER_S


def memory_bytes(pid: int) -> int:
    """Memory of a process that is its own: neither files nor shared. Raises OSError: there is no such process."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("RssAnon:"):
            return int(line.split()[1]) * _BYTES_PER_KB
    raise OSError(f"process {pid} has no memory any more")
