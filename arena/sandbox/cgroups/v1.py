"""Cgroups of version 1: a tree for each controller, and a group in each of them."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from arena.core.units import NS_PER_S
from arena.sandbox.cgroups.cgroup import (
    PERIOD_US,
    Cgroup,
    Cgroups,
    count_in,
    kill_each,
    number_in,
    pids_in,
    put,
    remove_folder,
)
from arena.sandbox.cgroups.mounts import Mount
from arena.sandbox.process_spec import ProcessLimits
from arena.sandbox.protections import Protection

_USED: Final = ("memory", "pids", "cpu", "cpuacct")


class CgroupV1(Cgroup):
    """One program's groups, one in each tree."""

    def __init__(self, paths: Mapping[str, Path]) -> None:
        """`paths`: the group's folder by controller."""
        self._paths = paths
        self._bell: int | None = None

    def limit(self, limits: ProcessLimits) -> None:
        """Sets the limits of those controllers that are there, and listens for the end of memory.

        Raises:
            OSError: the kernel does not take one.
        """
        if (memory := self._paths.get("memory")) is not None:
            put(memory / "memory.limit_in_bytes", limits.memory_bytes)
            with contextlib.suppress(OSError):  # a kernel that does not count swap does not have it
                put(memory / "memory.memsw.limit_in_bytes", limits.memory_bytes)
            with contextlib.suppress(OSError):
                put(memory / "memory.swappiness", 0)
            self._bell = _oom_bell(memory)
        if (pids := self._paths.get("pids")) is not None:
            put(pids / "pids.max", limits.pids)
        if (cpu := self._paths.get("cpu")) is not None:
            put(cpu / "cpu.cfs_period_us", PERIOD_US)
            put(cpu / "cpu.cfs_quota_us", round(limits.cpu_cores * PERIOD_US))

    def add(self, pid: int) -> None:  # noqa: D102
        for path in self._folders():
            put(path / "cgroup.procs", pid)

    def cpu_s(self) -> float | None:  # noqa: D102
        used = self._number("cpuacct", "cpuacct.usage")
        return None if used is None else used / NS_PER_S

    def throttled_ns(self) -> int:  # noqa: D102
        return self._count("cpu", "cpu.stat", "throttled_time")

    def memory_peak_bytes(self) -> int | None:  # noqa: D102
        return self._number("memory", "memory.max_usage_in_bytes")

    def pids_peak(self) -> int | None:  # noqa: D102
        peak = self._number("pids", "pids.peak")
        return self._number("pids", "pids.current") if peak is None else peak

    def oom_kills(self) -> int:  # noqa: D102
        return self._count("memory", "memory.oom_control", "oom_kill")

    def pids_refused(self) -> int:  # noqa: D102
        return self._count("pids", "pids.events", "max")

    def oom_bell(self) -> int | None:  # noqa: D102
        return self._bell

    def members(self) -> list[int]:  # noqa: D102
        return sorted({pid for path in self._folders() for pid in pids_in(path / "cgroup.procs")})

    def threads(self) -> list[int]:  # noqa: D102
        path = self._paths.get("cpuacct")  # whoever is counted there
        return [] if path is None else pids_in(path / "tasks")

    def kill(self) -> None:  # noqa: D102
        kill_each(self.members())

    def remove(self) -> bool:  # noqa: D102
        if self._bell is not None:
            os.close(self._bell)
            self._bell = None
        gone = [remove_folder(path) for path in self._folders()]
        return all(gone)

    def _folders(self) -> list[Path]:
        """Each folder once: one tree may have several controllers."""
        return list(dict.fromkeys(self._paths.values()))

    def _number(self, controller: str, file: str) -> int | None:
        path = self._paths.get(controller)
        return None if path is None else number_in(path / file)

    def _count(self, controller: str, file: str, key: str) -> int:
        path = self._paths.get(controller)
        return 0 if path is None else count_in(path / file, key) or 0


def _oom_bell(memory: Path) -> int | None:
    """An eventfd that the kernel rings when the group's memory has run out; None if it cannot be had."""
    bell = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
    try:
        with (memory / "memory.oom_control").open("rb") as control:
            put(memory / "cgroup.event_control", f"{bell} {control.fileno()}")
    except OSError:
        os.close(bell)
        return None
    return bell


class CgroupsV1(Cgroups):
    """Groups below this process's own, in each tree."""

    version = 1

    def __init__(self, bases: Mapping[str, Path], name: str) -> None:
        """`bases`: by controller, the group to divide. `name`: of the folder that holds the arena's groups."""
        self._folders = {controller: base / name for controller, base in bases.items()}

    def covers(self) -> frozenset[Protection]:  # noqa: D102
        has = self._folders.keys()
        return frozenset(
            protection
            for protection, needed in (
                (Protection.MEMORY, {"memory"}),
                (Protection.PIDS, {"pids"}),
                (Protection.CPU, {"cpu", "cpuacct"}),
            )
            if needed <= has
        )

    def make(self, name: str, limits: ProcessLimits) -> Cgroup:  # noqa: D102
        group = self._group(name)
        try:
            for folder in dict.fromkeys(self._folders.values()):
                folder.mkdir(exist_ok=True)
                (folder / name).mkdir()
            group.limit(limits)
        except OSError:
            group.remove()
            raise
        return group

    def names(self) -> list[str]:  # noqa: D102
        return sorted({path.name for path in _below(self._folders.values()) if path.is_dir()})

    def find(self, name: str) -> Cgroup:  # noqa: D102
        return self._group(name)

    def tidy(self) -> None:  # noqa: D102
        for folder in self._folders.values():
            remove_folder(folder)

    def _group(self, name: str) -> CgroupV1:
        return CgroupV1({controller: folder / name for controller, folder in self._folders.items()})


def _below(folders: Iterable[Path]) -> list[Path]:
    return [path for folder in folders if folder.is_dir() for path in folder.iterdir()]


def find_v1(mounts: Iterable[Mount], own: Mapping[str, str], name: str) -> CgroupsV1 | None:
    """Where groups of version 1 can be made; None if there is no such place.

    `own`: this process's group by controller. `name`: for the folder of the arena's groups.
    """
    bases: dict[str, Path] = {}
    for mount in mounts:
        for controller in sorted(mount.controllers & set(_USED)):
            base = mount.folder_of(own.get(controller, "/"))
            if os.access(base, os.W_OK) and (base / "cgroup.procs").exists():
                bases[controller] = base
    return CgroupsV1(bases, name) if bases else None
