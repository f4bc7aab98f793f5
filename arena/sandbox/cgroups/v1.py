"""Cgroups of version 1: a tree for each controller, and a group in each tree."""

import contextlib
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from arena.core.units import NS_PER_S
from arena.sandbox.cgroups.cgroup import PERIOD_US, Cgroup, Cgroups, pids_in, put
from arena.sandbox.cgroups.mounts import Mount
from arena.sandbox.process_spec import ProcessLimits

_USED: Final = ("memory", "pids", "cpu", "cpuacct")


class CgroupV1(Cgroup):
    """The groups of one program, one in each tree."""

    _oom_event: int | None = None

    def limit(self, limits: ProcessLimits) -> None:
        """Set the limits, and register for the out-of-memory event. Raises OSError if the kernel refuses one."""
        if (memory := self._by_controller.get("memory")) is not None:
            put(memory / "memory.limit_in_bytes", limits.memory_bytes)
            with contextlib.suppress(OSError):  # missing if the kernel does not count swap
                put(memory / "memory.memsw.limit_in_bytes", limits.memory_bytes)
            with contextlib.suppress(OSError):
                put(memory / "memory.swappiness", 0)
            self._oom_event = _register_oom_event(memory)
        if (pids := self._by_controller.get("pids")) is not None:
            put(pids / "pids.max", limits.pids)
        if (cpu := self._by_controller.get("cpu")) is not None:
            put(cpu / "cpu.cfs_period_us", PERIOD_US)
            put(cpu / "cpu.cfs_quota_us", round(limits.cpu_cores * PERIOD_US))

    def cpu_s(self) -> float | None:  # noqa: D102
        used = self._number("cpuacct", "cpuacct.usage")
        return None if used is None else used / NS_PER_S

    def throttled_ns(self) -> int:  # noqa: D102
        return self._count("cpu", "cpu.stat", "throttled_time") or 0

    def memory_peak_bytes(self) -> int | None:  # noqa: D102
        return self._number("memory", "memory.max_usage_in_bytes")

    def oom_kills(self) -> int:  # noqa: D102
        return self._count("memory", "memory.oom_control", "oom_kill") or 0

    def threads(self) -> list[int]:  # noqa: D102
        folder = self._by_controller.get("cpuacct")  # whose processor time is counted
        return [] if folder is None else pids_in(folder / "tasks")

    def oom_event_fd(self) -> int | None:  # noqa: D102
        return self._oom_event

    def remove(self) -> bool:  # noqa: D102
        if self._oom_event is not None:
            os.close(self._oom_event)
            self._oom_event = None
        return super().remove()


def _register_oom_event(memory: Path) -> int | None:
    """Return an eventfd that is readable when the group's memory has run out; None if the kernel refuses it."""
    event = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
    try:
        with (memory / "memory.oom_control").open("rb") as control:
            put(memory / "cgroup.event_control", f"{event} {control.fileno()}")
    except OSError:
        os.close(event)
        return None
    return event


def find_v1(mounts: Iterable[Mount], own: Mapping[str, str], name: str) -> Cgroups | None:
    """Return where groups of version 1 can be made; None if nowhere.

    `own`: this process's group by controller. `name`: for the folder of the arena's groups.
    """
    folders: dict[str, Path] = {}
    for mount in mounts:
        for controller in sorted(mount.controllers & set(_USED)):
            base = mount.folder_of(own.get(controller, "/"))
            if os.access(base, os.W_OK) and (base / "cgroup.procs").exists():
                folders[controller] = base / name
    # The share of the processors is set by one controller, and what was used is counted by another.
    covered = folders.keys() - ({"cpu"} if "cpuacct" not in folders else {"cpuacct"})
    return Cgroups(1, folders, frozenset(covered), CgroupV1) if folders else None
