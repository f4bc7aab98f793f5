"""Cgroups of version 2: one tree, in which a group has all controllers."""

import contextlib
import os
from pathlib import Path
from typing import Final

from arena.core.units import NS_PER_US, US_PER_S
from arena.sandbox.cgroups.cgroup import PERIOD_US, Cgroup, Cgroups, pids_in, put, remove_folder, words_in
from arena.sandbox.cgroups.mounts import Mount
from arena.sandbox.proc_fs import descendants
from arena.sandbox.process_spec import ProcessLimits

_CONTROLLERS: Final = ("memory", "pids", "cpu")


class CgroupV2(Cgroup):
    """A group; the kernel kills all of it when its memory has run out."""

    def limit(self, limits: ProcessLimits) -> None:  # noqa: D102
        values = {
            "memory.max": limits.memory_bytes,
            "memory.swap.max": 0,  # missing if the kernel does not count swap
            "memory.oom.group": 1,
            "pids.max": limits.pids,
            "cpu.max": f"{round(limits.cpu_cores * PERIOD_US)} {PERIOD_US}",
        }
        for name, value in values.items():
            if (self._folder / name).exists():
                put(self._folder / name, value)

    def cpu_s(self) -> float | None:  # noqa: D102
        used = self._count("cpu", "cpu.stat", "usage_usec")
        return None if used is None else used / US_PER_S

    def throttled_ns(self) -> int:  # noqa: D102
        return (self._count("cpu", "cpu.stat", "throttled_usec") or 0) * NS_PER_US

    def memory_peak_bytes(self) -> int | None:  # noqa: D102
        return self._number("memory", "memory.peak", "memory.current")

    def oom_kills(self) -> int:  # noqa: D102
        return self._count("memory", "memory.events", "oom_kill") or 0

    def threads(self) -> list[int]:  # noqa: D102
        return pids_in(self._folder / "cgroup.threads")

    def kill(self) -> None:  # noqa: D102
        try:
            put(self._folder / "cgroup.kill", 1)
        except OSError:  # missing before Linux 5.14
            super().kill()

    @property
    def _folder(self) -> Path:
        return self._folders[0]


def enable_controllers(group: Path) -> frozenset[str]:
    """Enable the sandbox's controllers for the groups below this one, and return those that are enabled."""
    offered = set(words_in(group / "cgroup.controllers"))
    for controller in _CONTROLLERS:
        if controller in offered and controller not in words_in(group / "cgroup.subtree_control"):
            with contextlib.suppress(OSError):  # a group with processes of its own may not be divided
                put(group / "cgroup.subtree_control", f"+{controller}")
    return frozenset(words_in(group / "cgroup.subtree_control")) & set(_CONTROLLERS)


def find_v2(mount: Mount, own: str, name: str) -> Cgroups | None:
    """Return where groups of version 2 can be made; None if nowhere.

    That is this process's group or the one above it, if delegated (systemd's Delegate=yes), else the root of the tree.
    A group with processes cannot be divided: if they all belong to this process, they move to a leaf.

    `own`: the path of this process's group, from /proc/self/cgroup. `name`: for the folder of the arena's groups.
    """
    top, here = mount.folder, mount.folder_of(own)
    best: tuple[frozenset[str], Path] | None = None
    for candidate in dict.fromkeys((here, here.parent, top)):
        if not candidate.is_relative_to(top) or not (candidate == top or _is_delegated(candidate)):
            continue
        enabled = _divide(candidate, name)
        is_best = bool(enabled) and (best is None or len(enabled) > len(best[0]))
        if is_best and _may_make(candidate / f"{name}-probe"):
            best = (enabled, candidate)
    if best is None:
        return None
    enabled, base = best
    return Cgroups(2, dict.fromkeys(_CONTROLLERS, base / name), enabled, CgroupV2, enable_controllers)


def _is_delegated(group: Path) -> bool:
    """Return whether systemd or another owner has delegated a group to this process."""
    for attribute in ("trusted.delegate", "user.delegate"):
        with contextlib.suppress(OSError):
            if os.getxattr(group, attribute) == b"1":
                return True
    # A group owned by a user was delegated to it; root owns all others.
    with contextlib.suppress(OSError):
        return os.geteuid() != 0 and group.stat().st_uid == os.geteuid()
    return False


def _divide(group: Path, name: str) -> frozenset[str]:
    """Enable the controllers for groups below this one, moving this process to a leaf if it is in the way."""
    enabled = enable_controllers(group)
    wanted = set(words_in(group / "cgroup.controllers")) & set(_CONTROLLERS)
    members = set(pids_in(group / "cgroup.procs"))
    ours = {os.getpid(), *descendants(os.getpid())}
    if enabled >= wanted or not members or not members <= ours:
        return enabled
    leaf = group / f"{name}-itself"
    try:
        leaf.mkdir(exist_ok=True)
        for pid in members:
            put(leaf / "cgroup.procs", pid)
    except OSError:
        return enabled
    return enable_controllers(group)


def _may_make(path: Path) -> bool:
    try:
        path.mkdir()
    except FileExistsError:
        pass
    except OSError:
        return False
    return remove_folder(path)
