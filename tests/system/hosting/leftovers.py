"""What an arena holds of the machine for its hosted bots: memory, open files, processes, cgroups, folders."""

import os
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from arena.sandbox.proc_fs import descendants
from tests.system.play.arena_process import WAIT_S
from tests.system.play.cgroups import cgroups_of


def holdings(pid: int, data: Path) -> dict[str, int]:
    """Return what the arena of this process id and data folder holds now; zombies are processes too."""
    process = Path(f"/proc/{pid}")
    status = dict(line.split(":", 1) for line in (process / "status").read_text().splitlines())
    return {
        "KiB": int(status["VmRSS"].split()[0]),
        "open files": len(list((process / "fd").iterdir())),
        "threads": int(status["Threads"]),
        "processes": len(descendants(pid)),
        "cgroups": len(cgroups_of(data)),
        "folders": folders_in(data),
    }


def folders_in(data: Path) -> int:
    """Count what is in the folders that exist only while a program runs."""
    places = (data / "hosted", data / "sandbox", data / "versions" / ".work")
    return sum(len(list(place.iterdir())) for place in places if place.is_dir())


def wait_until_gone(processes: Iterable[int]) -> None:
    """Wait until the processes have ended."""
    deadline = time.monotonic() + WAIT_S
    while left := list(filter(_is_alive, processes)):
        assert time.monotonic() < deadline, left
        time.sleep(0.02)  # the kernel tells nobody else of it


def _is_alive(pid: int) -> bool:
    """Return whether the process is there and no zombie of another process."""
    with suppress(
        OSError
    ):  # a sandbox made in this process before lets it inherit them, and then it has to reap
        os.waitpid(pid, os.WNOHANG)
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def parent_of(pid: int) -> int:
    """Return the process that has started it."""
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def trial_workers(pid: int) -> list[int]:
    """Return the processes that try submissions for this one."""
    found = []
    for each in descendants(pid):
        with suppress(OSError):
            if b"arena.conformance.worker" in Path(f"/proc/{each}/cmdline").read_bytes():
                found.append(each)
    return found
