"""What an arena holds of the machine for its hosted bots: memory, open files, processes, cgroups, folders."""

from dataclasses import dataclass
from pathlib import Path

from arena.sandbox.capabilities import find_cgroups


@dataclass(frozen=True, slots=True)
class Holdings:
    """Of one arena at one moment."""

    rss_kib: int
    open_files: int
    threads: int
    processes: int
    """Below it, zombies included."""
    cgroups: int
    folders: int
    """Of sockets, and of whatever else programs have there."""

    def __str__(self) -> str:
        return (
            f"{self.rss_kib} KiB, {self.open_files} open files, {self.threads} threads, {self.processes} processes, "
            f"{self.cgroups} cgroups, {self.folders} folders"
        )


def holdings(pid: int, data: Path) -> Holdings:
    """Return what the arena of this process id and data folder holds now."""
    process = Path(f"/proc/{pid}")
    status = dict(line.split(":", 1) for line in (process / "status").read_text().splitlines())
    return Holdings(
        rss_kib=int(status["VmRSS"].split()[0]),
        open_files=len(list((process / "fd").iterdir())),
        threads=int(status["Threads"]),
        processes=len(descendants(pid)),
        cgroups=len(cgroups_of(pid)),
        folders=folders_in(data),
    )


def descendants(pid: int) -> list[int]:
    """All processes below it."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
            children.setdefault(parent, []).append(int(entry.name))
    found, waiting = [], [pid]
    while waiting:
        below = children.get(waiting.pop(), [])
        found += below
        waiting += below
    return found


def cgroups_of(pid: int) -> list[str]:
    """Return the cgroups that an arena of this process id has made."""
    cgroups = find_cgroups()
    if cgroups is None:
        return []
    return [name for name in cgroups.names() if name.split("-")[1:2] == [str(pid)]]


def folders_in(data: Path) -> int:
    """Count what is in the folders that exist only while a program runs."""
    places = (data / "hosted", data / "sandbox", data / "versions" / ".work")
    return sum(len(list(place.iterdir())) for place in places if place.is_dir())
