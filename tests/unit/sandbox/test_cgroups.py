"""Cgroups of version 2, on a tree of plain files that stands for the kernel's; and where they are mounted."""

import os
import threading
from pathlib import Path

import pytest

from arena.sandbox.cgroups.cgroup import Cgroups
from arena.sandbox.cgroups.mounts import Mount, cgroup_mounts, own_groups
from arena.sandbox.cgroups.v2 import CgroupV2, enable_controllers, find_v2
from arena.sandbox.process_spec import MIB, ProcessLimits
from arena.sandbox.protections import Protection


def a_group(path: Path, *, offered: str = "cpuset cpu io memory pids", given: str = "") -> Path:
    """Return a group as the kernel shows one that may be divided."""
    path.mkdir(exist_ok=True)
    for name, text in (
        ("cgroup.controllers", offered),
        ("cgroup.subtree_control", given),
        ("cgroup.procs", ""),
    ):
        (path / name).write_text(text, encoding="ascii")
    return path


def delegated(path: Path) -> Path:
    """Mark the group as systemd marks one delegated to a service."""
    os.setxattr(path, "user.delegate", b"1")
    return path


def find(top: Path, own: str) -> Cgroups | None:
    return find_v2(Mount(top, "/", frozenset()), own, "bots")


@pytest.mark.parametrize(
    ("own", "place", "groups"),
    [
        ("service", "service", {"service": {"given": "cpu memory pids"}}),
        (
            "service/main",
            "service",
            {"service": {"given": "cpu memory pids"}, "service/main": {"offered": ""}},
        ),
        ("session", "", {"session": {"offered": "pids", "given": "pids"}}),
        ("others", "", {"others": {"given": "memory pids cpu"}}),
    ],
    ids=["the own one", "above a leaf", "more controllers", "not delegated"],
)
def test_groups_are_made_where_the_arena_may_and_gets_most(tmp_path, monkeypatch, own, place, groups):
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    top = a_group(tmp_path / "top", given="memory pids cpu" if not place else "")
    for name, files in groups.items():
        group = a_group(top / name, **files)
        if name in {"service", "session"}:
            delegated(group)
    found = find(top, f"/{own}")
    assert found is not None
    assert found.covers() == {Protection.MEMORY, Protection.PIDS, Protection.CPU}
    found.make("one", ProcessLimits())
    assert (top / place / "bots" / "one").is_dir()


@pytest.mark.parametrize(
    ("pids", "moved"),
    [(f"{os.getpid()}\n", True), (f"{os.getpid()}\n1\n", False)],
    ids=["alone", "with others"],
)
def test_this_process_moves_into_a_leaf_and_others_are_not_moved(tmp_path, pids, moved):
    top = a_group(tmp_path / "top", offered="hugetlb")
    own = delegated(a_group(top / "arena.service"))
    (own / "cgroup.procs").write_text(pids, encoding="ascii")
    find(top, "/arena.service")
    leaf = own / "bots-itself" / "cgroup.procs"
    assert leaf.exists() is moved
    assert not moved or leaf.read_text(encoding="ascii") == str(os.getpid())


def test_a_tree_without_controllers_or_of_others_is_no_place(tmp_path):
    assert find(a_group(tmp_path / "top", offered="hugetlb"), "/") is None
    assert find(tmp_path / "nothing", "/") is None


def test_offered_controllers_are_enabled(tmp_path):
    group = a_group(tmp_path / "group", offered="cpu memory", given="memory")
    enable_controllers(group)
    assert (group / "cgroup.subtree_control").read_text(encoding="ascii") == "+cpu"


def of_all(path: Path) -> CgroupV2:
    return CgroupV2(dict.fromkeys(("memory", "pids", "cpu"), path))


def a_leaf(path: Path, *files: str) -> CgroupV2:
    path.mkdir()
    for name in files:
        (path / name).write_text("", encoding="ascii")
    return of_all(path)


def test_the_limits_are_written_as_the_kernel_reads_them(tmp_path):
    path = tmp_path / "leaf"
    files = ("memory.max", "memory.swap.max", "memory.oom.group", "pids.max", "cpu.max")
    a_leaf(path, *files).limit(ProcessLimits(memory_bytes=64 * MIB, pids=10, cpu_cores=0.5))
    assert {name: (path / name).read_text(encoding="ascii") for name in files} == {
        "memory.max": "67108864",
        "memory.swap.max": "0",
        "memory.oom.group": "1",
        "pids.max": "10",
        "cpu.max": "50000 100000",
    }


def test_a_missing_controller_is_skipped(tmp_path):
    path = tmp_path / "leaf"
    a_leaf(path, "pids.max").limit(ProcessLimits(pids=3))
    assert [each.name for each in path.iterdir()] == ["pids.max"]


def test_what_the_kernel_counts_is_read(tmp_path):
    path = tmp_path / "leaf"
    leaf = a_leaf(path)
    for name, text in (
        ("cpu.stat", "usage_usec 2500000\nuser_usec 1\n"),
        ("memory.peak", "1048576\n"),
        ("memory.events", "low 0\noom 3\noom_kill 2\noom_group_kill 1\n"),
        ("pids.events", "max 9\n"),
        ("pids.current", "4\n"),
        ("cgroup.procs", "0\n12\n34\n"),
    ):
        (path / name).write_text(text, encoding="ascii")
    assert (leaf.cpu_s(), leaf.memory_peak_bytes(), leaf.oom_kills()) == (2.5, MIB, 2)
    assert (leaf.pids_refused(), leaf.pids_peak(), leaf.members()) == (9, 4, [12, 34])
    leaf.add(77)
    leaf.kill()
    assert (path / "cgroup.procs").read_text(encoding="ascii") == "77"
    assert (path / "cgroup.kill").read_text(encoding="ascii") == "1"


def test_a_kernel_without_counters_is_no_error_but_a_group_that_is_gone_takes_no_process(tmp_path):
    leaf = a_leaf(tmp_path / "leaf")
    assert (leaf.cpu_s(), leaf.memory_peak_bytes(), leaf.pids_peak()) == (None, None, None)
    assert (leaf.oom_kills(), leaf.pids_refused()) == (0, 0)
    with pytest.raises(OSError, match=r"cgroup\.procs"):
        of_all(tmp_path / "never made").add(1)


def test_a_removed_group_is_gone_and_its_folder_with_the_last(tmp_path):
    top = a_group(tmp_path / "top", given="memory pids cpu")
    found = find(top, "/")
    assert found is not None
    groups = [found.make(name, ProcessLimits()) for name in ("one", "two")]
    for group, left in zip(groups, (["two"], []), strict=True):
        assert group.remove()
        assert group.remove(), "twice is no error"
        found.remove_if_empty()
        assert found.names() == left
    assert not (top / "bots").exists()


SERVER = """\
22 28 0:20 / /proc rw,nosuid,nodev,noexec,relatime shared:12 - proc proc rw
30 23 0:26 / /sys/fs/cgroup rw,nosuid,nodev,noexec,relatime shared:4 - cgroup2 cgroup2 rw,nsdelegate
"""
OLDER = """\
31 30 0:27 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw
32 30 0:28 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory
33 30 0:29 /docker/abc /sys/fs/cgroup/cpu\\040acct rw,relatime - cgroup cgroup rw,cpu,cpuacct
"""


def test_groups_are_listed_while_another_arena_makes_and_removes_their_folder(tmp_path):
    groups = Cgroups(2, {"memory": tmp_path / "arenas"}, frozenset({"memory"}), CgroupV2)
    ends = threading.Event()

    def make_and_remove() -> None:
        while not ends.is_set():
            (tmp_path / "arenas").mkdir()
            groups.remove_if_empty()

    other = threading.Thread(target=make_and_remove)
    other.start()
    try:
        for _ in range(20_000):
            assert groups.names() == []
    finally:
        ends.set()
        other.join()


def test_the_mounts_of_both_versions_are_found():
    assert cgroup_mounts(SERVER) == (Mount(Path("/sys/fs/cgroup"), "/", frozenset()), ())
    v2, v1 = cgroup_mounts(OLDER)
    assert v2 is not None
    assert v2.folder == Path("/sys/fs/cgroup/unified")
    assert [mount.folder.name for mount in v1] == ["memory", "cpu acct"]
    assert {"cpu", "cpuacct"} <= v1[1].controllers
    assert v1[1].root == "/docker/abc"
    assert cgroup_mounts("nonsense\n\n1 2 3\n") == (None, ())


def test_the_own_groups_by_controller():
    groups = own_groups("4:memory:/a\n2:cpu,cpuacct:/b:c\n1:name=systemd:/s\n0::/user.slice/x\n")
    assert (groups["memory"], groups["cpuacct"], groups[""]) == ("/a", "/b:c", "/user.slice/x")


@pytest.mark.parametrize(
    ("folder", "root", "group", "found"),
    [
        ("", "/", "/a/b", "a/b"),
        ("", "/", "/", ""),
        ("a", "/docker/abc", "/docker/abc/b", "a/b"),
        ("", "/", "/elsewhere", ""),
        ("", "/", "/../..", ""),
    ],
)
def test_a_group_is_found_below_its_mount_else_it_is_that_of_the_mount(tmp_path, folder, root, group, found):
    (tmp_path / "a" / "b").mkdir(parents=True)
    assert Mount(tmp_path / folder, root, frozenset()).folder_of(group) == tmp_path / found
