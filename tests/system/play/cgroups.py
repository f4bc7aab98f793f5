"""The cgroups that an arena of the tests has made on this machine."""

import time
from pathlib import Path

from arena.sandbox.capabilities import find_cgroups
from arena.sandbox.sandbox import arena_mark


def cgroups_of(data: Path) -> list[str]:
    """Return the cgroups that the arenas of this data folder have made.

    A process id would not do: another arena, killed long ago, may have had the same one.
    """
    cgroups = find_cgroups()
    mark = arena_mark(data / "sandbox")
    return [] if cgroups is None else [name for name in cgroups.names() if name.startswith(f"{mark}-")]


def remove_cgroups(data: Path, within_s: float) -> None:
    """Remove what a killed arena of this data folder has left in the machine's cgroups."""
    cgroups = find_cgroups()
    deadline = time.monotonic() + within_s
    for name in cgroups_of(data):
        assert cgroups is not None
        group = cgroups.find(name)
        while not group.remove():
            assert time.monotonic() < deadline, (name, group.members())
            group.kill()
            time.sleep(0.02)  # the kernel reports the end of a process to its parent only
