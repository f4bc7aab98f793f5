"""Where cgroups are mounted is read out of what the kernel writes of it."""

from __future__ import annotations

from pathlib import Path

from arena.sandbox.cgroups.mounts import Mount, cgroup_mounts, own_groups

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
