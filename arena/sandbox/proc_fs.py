"""The processes of a program as /proc shows them, for what no cgroup tells."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final

from arena.sandbox.process_spec import KIB

_MARKED_WITHIN: Final = 8
"""A mark stands among so many first arguments, of a launcher's and of the shell that becomes it."""
_SUBREAPER: Final = 36  # PR_SET_CHILD_SUBREAPER of linux/prctl.h
_TICKS_PER_S: Final = os.sysconf("SC_CLK_TCK")
_STATE, _PARENT, _USER, _SYSTEM, _STARTED = 0, 1, 11, 12, 19
"""Where a process's stat has its state, its parent, its ticks and its start, counted after the name."""
_AT_WORK: Final = ("R", "D", "T", "t")
"""It runs, or would if it were its turn, if the disk had answered, or if nobody had stopped it."""


def become_subreaper() -> None:
    """Whoever loses its parent below this process becomes its child: so it can be reaped, and leaves no zombie."""
    ctypes.CDLL(None, use_errno=True).prctl(_SUBREAPER, 1, 0, 0, 0)


def reap(pidfd: int) -> None:
    """A dead process leaves no zombie if it was this one's child; one that lives, or is another's, is left alone."""
    with contextlib.suppress(ChildProcessError):
        os.waitid(os.P_PIDFD, pidfd, os.WEXITED | os.WNOHANG)


def send_signal(pidfd: int, number: int) -> None:
    """Sends a signal, if the process is still there."""
    with contextlib.suppress(ProcessLookupError):
        signal.pidfd_send_signal(pidfd, number)


def signal_descendants(first: int, number: int) -> None:
    """Sends a signal to the processes below one, and to none that has got the number of one that ended meanwhile."""
    with contextlib.ExitStack() as held:
        found: dict[int, int] = {}
        for pid in descendants(first):
            with contextlib.suppress(ProcessLookupError):
                found[pid] = os.pidfd_open(pid)
                held.callback(os.close, found[pid])
        for pid in descendants(first):
            if pid in found:
                send_signal(found[pid], number)


def _all() -> list[int]:
    """Every process of this machine."""
    return [int(path.name) for path in Path("/proc").iterdir() if path.name.isdecimal()]


def _stat(pid: int) -> list[str]:
    """The fields of a process's stat after its name; empty if it is gone."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return []
    return text[text.rindex(")") + 2 :].split()


def descendants(pid: int) -> list[int]:
    """The processes below one, itself left out. In a pid namespace none can leave its first process."""
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
    """Processor seconds of the processes."""
    ticks = sum(int(fields[_USER]) + int(fields[_SYSTEM]) for pid in pids if (fields := _stat(pid)))
    return ticks / _TICKS_PER_S


def memory_bytes(pids: Iterable[int]) -> int:
    """What the processes hold that is not merely a file of the disk; shared memory counts for each that maps it."""
    return sum(_own_memory(pid) for pid in pids)


def _own_memory(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/status").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) * KIB for line in lines if line.startswith(("RssAnon:", "RssShmem:")))


def started_at(pid: int) -> str:
    """When a process began, in the kernel's ticks: with its pid this names it for good. Empty if it is gone."""
    fields = _stat(pid)
    return fields[_STARTED] if fields else ""


def is_at_work(pid: int) -> bool:
    """Whether a process has something to do: it neither waits for an event nor is gone."""
    fields = _stat(pid)
    return bool(fields) and fields[_STATE] in _AT_WORK


def kill_marked(is_wanted: Callable[[str], bool]) -> set[str]:
    """All processes that have a wanted mark have been sent SIGKILL; the marks."""
    ended = set()
    for _, pid in find_marked(is_wanted):
        with contextlib.suppress(ProcessLookupError), _held(pid) as pidfd:
            for mark in _marks(pid, is_wanted):  # it still is the one that was found
                ended.add(mark)
                send_signal(pidfd, signal.SIGKILL)
    return ended


@contextlib.contextmanager
def _held(pid: int) -> Iterator[int]:
    pidfd = os.pidfd_open(pid)
    try:
        yield pidfd
    finally:
        os.close(pidfd)


def find_marked(is_wanted: Callable[[str], bool]) -> list[tuple[str, int]]:
    """(mark, pid) of all processes that have a wanted mark among their first arguments."""
    return [(mark, pid) for pid in _all() for mark in _marks(pid, is_wanted)]


def _marks(pid: int, is_wanted: Callable[[str], bool]) -> list[str]:
    try:
        words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")[:_MARKED_WITHIN]
    except OSError:
        return []
    return [mark for word in words if is_wanted(mark := word.decode("utf-8", errors="replace"))]


def uids_in_use() -> frozenset[int]:
    """The users that run anything on this machine."""
    found = set()
    for pid in _all():
        with contextlib.suppress(OSError):
            found.add(Path(f"/proc/{pid}").stat().st_uid)
    return frozenset(found)


_PIECE: Final = 16_384


def read_file(path: str) -> bytes:
    """What the file says now; empty if it cannot be read."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return b""
    try:
        pieces = []
        while piece := os.read(descriptor, _PIECE):
            pieces.append(piece)
        return b"".join(pieces)
    except OSError:
        return b""
    finally:
        os.close(descriptor)
