"""Processes in /proc: signals, descendants, and measurements that no cgroup offers."""

import contextlib
import ctypes
import os
import select
import signal
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from arena.core.units import MS_PER_S
from arena.sandbox.process_spec import KIB

_MARKED_WITHIN: Final = 8
"""A mark is among the first arguments of a launcher, and of the shell that becomes it."""
_SUBREAPER: Final = 36  # PR_SET_CHILD_SUBREAPER of linux/prctl.h
_PDEATHSIG: Final = 1  # PR_SET_PDEATHSIG
_TICKS_PER_S: Final = os.sysconf("SC_CLK_TCK")
_STATE, _PARENT, _USER, _SYSTEM, _STARTED = 0, 1, 11, 12, 19
"""Indexes in /proc/PID/stat, counted after the name (proc_pid_stat(5))."""
_AT_WORK: Final = ("R", "D", "T", "t")
"""Running or runnable, waiting for a disk, stopped, or traced (proc_pid_stat(5))."""
_ENDED: Final = ("Z", "X")
"""Waiting to be reaped, or just reaped."""


def become_subreaper() -> None:
    """Make orphans below this process its children, so that it can reap them."""
    ctypes.CDLL(None, use_errno=True).prctl(_SUBREAPER, 1, 0, 0, 0)


def die_with_parent() -> None:
    """Have this process killed when the thread that has started it ends."""
    ctypes.CDLL(None, use_errno=True).prctl(_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def reap(pidfd: int) -> None:
    """Reap a process if it has ended and is a child of this one."""
    with contextlib.suppress(ChildProcessError):
        os.waitid(os.P_PIDFD, pidfd, os.WEXITED | os.WNOHANG)


def send_signal(pidfd: int, number: int) -> None:
    """Send a signal, unless the process has ended."""
    with contextlib.suppress(ProcessLookupError):
        signal.pidfd_send_signal(pidfd, number)


def signal_descendants(first: int, number: int) -> None:
    """Send a signal to the processes below one, and to none that reuses the pid of one that has ended."""
    with contextlib.ExitStack() as held:
        for pidfd in _held_descendants(first, held):
            send_signal(pidfd, number)


def kill_tree(first: int, started: str, within_s: float) -> bool:
    """Kill a process and all below it; return whether they have ended within so many seconds. Blocks.

    `started`: what `started_at` has said of it; if its pid is that of another process now, nothing is killed.
    """
    with contextlib.ExitStack() as held:
        try:
            pidfds = [os.pidfd_open(first)]
        except ProcessLookupError:
            return True
        held.callback(os.close, pidfds[0])
        if started_at(first) != started:
            return True
        pidfds += _held_descendants(first, held)
        for pidfd in pidfds:
            send_signal(pidfd, signal.SIGKILL)
        give_up = time.monotonic() + within_s
        return all(_ends(pidfd, max(0.0, give_up - time.monotonic())) for pidfd in pidfds)


def _ends(pidfd: int, within_s: float) -> bool:
    """Return whether a process ends within so many seconds. Blocks."""
    poll = select.poll()
    poll.register(pidfd, select.POLLIN)
    return bool(poll.poll(within_s * MS_PER_S))


def _held_descendants(first: int, held: contextlib.ExitStack) -> list[int]:
    """Return pidfds of the processes below one, which `held` closes; of none that reuses a pid."""
    found: dict[int, int] = {}
    for pid in descendants(first):
        with contextlib.suppress(ProcessLookupError):
            found[pid] = os.pidfd_open(pid)
            held.callback(os.close, found[pid])
    return [found[pid] for pid in descendants(first) if pid in found]


def _all() -> list[int]:
    """Return all processes of this machine."""
    return [int(path.name) for path in Path("/proc").iterdir() if path.name.isdecimal()]


def _stat(pid: int) -> list[str]:
    """Return the fields of /proc/PID/stat after the name; none if the process is gone."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return []
    return text[text.rindex(")") + 2 :].split()


def descendants(pid: int) -> list[int]:
    """Return the processes below one, without itself. In a pid namespace all are below its first process."""
    children: dict[int, list[int]] = {}
    for each in _all():
        if fields := _stat(each):
            children.setdefault(int(fields[_PARENT]), []).append(each)
    found: list[int] = []
    waiting = [pid]
    while waiting:
        below = children.get(waiting.pop(), [])
        found += below
        waiting += below
    return found


def cpu_s(pids: Iterable[int]) -> float:
    """Return the processor seconds of the processes."""
    ticks = sum(int(fields[_USER]) + int(fields[_SYSTEM]) for pid in pids if (fields := _stat(pid)))
    return ticks / _TICKS_PER_S


def memory_bytes(pids: Iterable[int]) -> int:
    """Return the memory of the processes without pages of files; shared memory counts for each that maps it."""
    return sum(_own_memory(pid) for pid in pids)


def _own_memory(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/status").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) * KIB for line in lines if line.startswith(("RssAnon:", "RssShmem:")))


def started_at(pid: int) -> str:
    """Return the start of a process in ticks, which with its pid is unique; empty if it has ended.

    One that has ended and that its parent has not reaped is still listed.
    """
    fields = _stat(pid)
    return fields[_STARTED] if fields and fields[_STATE] not in _ENDED else ""


def is_at_work(pid: int) -> bool:
    """Return whether a process neither sleeps nor is gone."""
    fields = _stat(pid)
    return bool(fields) and fields[_STATE] in _AT_WORK


def kill_marked(is_wanted: Callable[[str], bool]) -> set[str]:
    """Send SIGKILL to all processes with a wanted mark, and return the marks."""
    killed = set()
    for _, pid in find_marked(is_wanted):
        with contextlib.ExitStack() as stack, contextlib.suppress(ProcessLookupError):
            pidfd = os.pidfd_open(pid)
            stack.callback(os.close, pidfd)
            for mark in _marks(pid, is_wanted):  # the pid has not been reused
                killed.add(mark)
                send_signal(pidfd, signal.SIGKILL)
    return killed


def find_marked(is_wanted: Callable[[str], bool]) -> list[tuple[str, int]]:
    """Return (mark, pid) of all processes with a wanted mark among their first arguments."""
    return [(mark, pid) for pid in _all() for mark in _marks(pid, is_wanted)]


def _marks(pid: int, is_wanted: Callable[[str], bool]) -> list[str]:
    try:
        words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")[:_MARKED_WITHIN]
    except OSError:
        return []
    return [mark for word in words if is_wanted(mark := word.decode("utf-8", errors="replace"))]


def uids_in_use() -> frozenset[int]:
    """Return the uids of all processes of this machine."""
    found = set()
    for pid in _all():
        with contextlib.suppress(OSError):
            found.add(Path(f"/proc/{pid}").stat().st_uid)
    return frozenset(found)


def read_file(path: str) -> bytes:
    """Return the content of a file; empty if it cannot be read."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)  # half the time of Path.read_bytes
    except OSError:
        return b""
    try:
        return b"".join(iter(lambda: os.read(descriptor, 16_384), b""))
    except OSError:
        return b""
    finally:
        os.close(descriptor)
