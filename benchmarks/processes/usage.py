"""What another process has used up so far, as Linux tells it."""

import os
import subprocess
import tempfile
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.sandbox.proc_fs import cpu_s as running_cpu_s
from arena.sandbox.proc_fs import descendants

_NS_PER_S: Final = 1_000_000_000
_BYTES_PER_KB: Final = 1024


def cpu_s(pid: int) -> float:
    """Return the processor time of all threads of a process, in seconds, to the nanosecond.

    Raises OSError: there is no such process.
    """
    # The clock of a process: clock_getcpuclockid(3), as Linux encodes it (CPUCLOCK_SCHED of a whole process is 2).
    return time.clock_gettime_ns((~pid << 3) | 2) / _NS_PER_S


def tree_cpu_s(pids: Iterable[int]) -> float:
    """Return the processor seconds of these processes and of all below them that run now, to 10 ms."""
    return running_cpu_s(each for pid in pids for each in (pid, *descendants(pid)))


def thread_cpu_s(pid: int, thread: int) -> float:
    """Return the processor time of one thread; the first has the number of the process. Raises OSError."""
    return int(Path(f"/proc/{pid}/task/{thread}/schedstat").read_text().split()[0]) / _NS_PER_S


def memory_bytes(pid: int) -> int:
    """Memory of a process that is its own: neither files nor shared. Raises OSError: there is no such process."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("RssAnon:"):
            return int(line.split()[1]) * _BYTES_PER_KB
    raise OSError(f"process {pid} has no memory any more")


@dataclass(frozen=True, slots=True)
class Ended:
    """A program that has run to its end."""

    code: int
    """Its exit code, as `Popen.returncode`."""
    seconds: float
    """From its start to its end."""
    cpu_s: float
    """Processor time, with that of all processes that it has waited for."""
    last_line: str
    """Of its standard error."""


def run_program(command: Sequence[str], environment: Mapping[str, str]) -> Ended:
    """Run a program to its end, without input; its output is thrown away. Raises OSError: it does not start."""
    with tempfile.TemporaryFile() as errors:
        began = time.monotonic()
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=errors,
            env=dict(environment),
        )
        try:
            _, status, used = os.wait4(process.pid, 0)
        except BaseException:
            process.kill()
            process.wait()
            raise
        seconds = time.monotonic() - began
        process.returncode = os.waitstatus_to_exitcode(status)  # it was waited for here
        errors.seek(0)
        lines = errors.read().decode(errors="replace").strip().splitlines()
    cpu_s = used.ru_utime + used.ru_stime
    return Ended(process.returncode, seconds, cpu_s, lines[-1].strip() if lines else "")
