"""Cgroups of version 2, on a tree of plain files that stands for the kernel's; and where they are mounted."""

import os
from pathlib import Path

import pytest

from arena.sandbox.cgroups.mounts import Mount, cgroup_mounts, own_groups
from arena.sandbox.cgroups.v2 import CgroupV2, enable_controllers, find_v2
from arena.sandbox.process_spec import MIB, ProcessLimits
from arena.sandbox.protections import Protection

ALL_THREE = {Protection.MEMORY, Protection.PIDS, Protection.CPU}


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


def handed_over(path: Path) -> Path:
    """Mark the group as systemd marks one delegated to a service."""
    os.setxattr(path, "user.delegate", b"1")
    return path


def mount(top: Path) -> Mount:
    return Mount(top, "/", frozenset())


def test_groups_are_made_in_the_own_group_if_it_may_be_divided(tmp_path):
    top = a_group(tmp_path / "top")
    own = handed_over(a_group(top / "arena.service", given="cpu memory pids"))
    found = find_v2(mount(top), "/arena.service", "bots")
    assert found is not None
    assert found.covers() == ALL_THREE
    found.make("one", ProcessLimits())
    assert (own / "bots" / "one").is_dir()


def test_a_group_that_was_handed_over_as_a_leaf_is_left_for_the_one_above(tmp_path):
    top = a_group(tmp_path / "top")
    service = handed_over(a_group(top / "arena.service", given="cpu memory pids"))
    a_group(service / "main", offered="")
    found = find_v2(mount(top), "/arena.service/main", "bots")
    assert found is not None
    found.make("one", ProcessLimits())
    assert (service / "bots" / "one").is_dir()


def test_the_place_that_gives_most_is_taken(tmp_path):
    top = a_group(tmp_path / "top", given="memory pids cpu")
    handed_over(a_group(top / "session", offered="pids", given="pids"))
    found = find_v2(mount(top), "/session", "bots")
    assert found is not None
    assert found.covers() == ALL_THREE


def test_a_group_that_was_not_handed_over_is_left_alone(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    top = a_group(tmp_path / "top", given="memory pids cpu")
    a_group(top / "somebodys.scope", given="memory pids cpu")
    found = find_v2(mount(top), "/somebodys.scope", "bots")
    assert found is not None
    found.make("one", ProcessLimits())
    assert (top / "bots" / "one").is_dir()


def test_this_process_moves_into_a_leaf_if_it_stands_in_the_way_and_others_are_not_moved(tmp_path):
    top = a_group(tmp_path / "top", offered="hugetlb")
    own = handed_over(a_group(top / "arena.service"))
    (own / "cgroup.procs").write_text(f"{os.getpid()}\n", encoding="ascii")
    find_v2(mount(top), "/arena.service", "bots")
    assert (own / "bots-itself" / "cgroup.procs").read_text(encoding="ascii") == str(os.getpid())

    others = handed_over(a_group(top / "shared.scope"))
    (others / "cgroup.procs").write_text(f"{os.getpid()}\n1\n", encoding="ascii")
    find_v2(mount(top), "/shared.scope", "bots")
    assert not (others / "bots-itself").exists()


def test_a_tree_without_the_controllers_is_no_place(tmp_path):
    top = a_group(tmp_path / "top", offered="hugetlb")
    assert find_v2(mount(top), "/", "bots") is None


def test_a_tree_that_others_own_is_no_place(tmp_path):
    assert find_v2(mount(tmp_path / "nothing"), "/", "bots") is None


def test_what_is_offered_and_not_yet_handed_down_is_asked_for(tmp_path):
    group = a_group(tmp_path / "group", offered="cpu memory", given="memory")
    enable_controllers(group)
    assert (group / "cgroup.subtree_control").read_text(encoding="ascii") == "+cpu"


def a_leaf(path: Path, *files: str) -> CgroupV2:
    path.mkdir()
    for name in files:
        (path / name).write_text("", encoding="ascii")
    return CgroupV2(path)


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


def test_a_controller_that_is_not_there_is_passed_over(tmp_path):
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


def test_a_kernel_that_does_not_tell_is_no_error(tmp_path):
    leaf = a_leaf(tmp_path / "leaf")
    assert (leaf.cpu_s(), leaf.memory_peak_bytes(), leaf.pids_peak()) == (None, None, None)
    assert (leaf.oom_kills(), leaf.pids_refused()) == (0, 0)


def test_a_removed_group_is_gone_and_the_place_with_the_last(tmp_path):
    top = a_group(tmp_path / "top", given="memory pids cpu")
    found = find_v2(mount(top), "/", "bots")
    assert found is not None
    groups = [found.make(name, ProcessLimits()) for name in ("one", "two")]
    assert found.names() == ["one", "two"]
    assert groups[0].remove()
    found.remove_if_empty()
    assert found.names() == ["two"]
    assert groups[1].remove()
    assert groups[1].remove(), "twice is no error"
    found.remove_if_empty()
    assert not (top / "bots").exists()


@pytest.mark.parametrize("file", ["cgroup.procs"])
def test_a_process_that_is_gone_cannot_be_added(tmp_path, file):
    leaf = CgroupV2(tmp_path / "never made")
    with pytest.raises(OSError, match=file):
        leaf.add(1)


SERVER = """\
22 28 0:20 / /proc rw,nosuid,nodev,noexec,relatime shared:12 - proc proc rw
30 23 0:26 / /sys/fs/cgroup rw,nosuid,nodev,noexec,relatime shared:4 - cgroup2 cgroup2 rw,nsdelegate
"""
OLDER = """\
31 30 0:27 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw
32 30 0:28 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory
33 30 0:29 /docker/abc /sys/fs/cgroup/cpu\\040acct rw,relatime - cgroup cgroup rw,cpu,cpuacct
"""


def test_the_one_tree_of_version_2():
    v2, v1 = cgroup_mounts(SERVER)
    assert v2 == Mount(Path("/sys/fs/cgroup"), "/", frozenset())
    assert v1 == ()


def test_the_trees_of_version_1_with_what_they_control():
    v2, v1 = cgroup_mounts(OLDER)
    assert v2 is not None
    assert v2.folder == Path("/sys/fs/cgroup/unified")
    assert [mount.folder.name for mount in v1] == ["memory", "cpu acct"]
    assert {"cpu", "cpuacct"} <= v1[1].controllers
    assert v1[1].root == "/docker/abc"


def test_what_is_no_mount_is_passed_over():
    assert cgroup_mounts("nonsense\n\n1 2 3\n") == (None, ())


def test_ones_own_groups_by_controller():
    groups = own_groups("4:memory:/a\n2:cpu,cpuacct:/b:c\n1:name=systemd:/s\n0::/user.slice/x\n")
    assert groups["memory"] == "/a"
    assert groups["cpuacct"] == "/b:c"
    assert groups[""] == "/user.slice/x"


def test_a_group_is_found_below_its_mount(tmp_path):
    (tmp_path / "a" / "b").mkdir(parents=True)
    whole = Mount(tmp_path, "/", frozenset())
    assert whole.folder_of("/a/b") == tmp_path / "a" / "b"
    assert whole.folder_of("/") == tmp_path
    part = Mount(tmp_path / "a", "/docker/abc", frozenset())
    assert part.folder_of("/docker/abc/b") == tmp_path / "a" / "b"


def test_a_group_that_is_not_shown_is_taken_for_the_mounts_own(tmp_path):
    mount = Mount(tmp_path, "/", frozenset())
    assert mount.folder_of("/elsewhere") == tmp_path
    assert mount.folder_of("/../..") == tmp_path
