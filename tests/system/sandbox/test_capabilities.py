"""What a machine offers is found out, and said in words where it lacks something."""

import json
import os
import shutil
import subprocess
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest

from arena.sandbox.capabilities import Capabilities, find_capabilities
from arena.sandbox.cgroups.cgroup import Cgroups
from arena.sandbox.cgroups.mounts import Mount
from arena.sandbox.cgroups.v1 import CgroupV1, find_v1
from arena.sandbox.protections import Protection
from arena.sandbox.seccomp.system_calls import ARCHITECTURES
from tests.checkout import ROOT
from tests.system.sandbox.sandbox_fixture import need_sandbox

LIMITED = frozenset({Protection.MEMORY, Protection.PIDS, Protection.CPU})
MACHINE = Capabilities(
    bwrap=Path("/usr/bin/bwrap"),
    version="bubblewrap 0.8.0",
    root=True,
    setpriv=Path("/usr/bin/setpriv"),
    env=Path("/usr/bin/env"),
    architecture=ARCHITECTURES["x86_64"],
    cgroups=Cgroups(1, {}, frozenset({"memory", "pids", "cpu"}), CgroupV1),
    why_not="",
)
"""A machine that has all."""


@pytest.mark.parametrize(
    ("lacks", "missing"),
    [
        ({}, set()),
        ({"cgroups": None}, {Protection.MEMORY, Protection.CPU}),
        ({"root": False}, {Protection.UID}),
        ({"root": False, "cgroups": None}, {*LIMITED, Protection.UID}),
        ({"architecture": None}, {Protection.SECCOMP}),
        (
            {"root": False, "cgroups": None, "architecture": None},
            {*LIMITED, Protection.UID, Protection.SECCOMP},
        ),
        ({"why_not": "no"}, set(Protection)),
    ],
)
def test_missing_protections_say_what_still_holds_and_what_to_do(lacks, missing):
    machine = replace(MACHINE, **lacks)
    states = machine.protection_states()
    assert {each.protection for each in states if not each.live} == missing
    for each in states:
        assert each.how
        assert bool(each.advice) is not each.live
        assert each.live or each.advice.endswith(".")
    needed = (Protection.MEMORY, Protection.PIDS, Protection.SECCOMP, Protection.NETWORK)
    assert machine.missing_in_public() == tuple(each for each in needed if each in missing)


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ("", "apt-get install bubblewrap"),
        ("No permissions to create a new namespace", "to create a new namespace"),
    ],
    ids=["missing", "broken"],
)
def test_a_bubblewrap_that_does_not_work_is_reported_with_a_remedy(monkeypatch, tmp_path, message, words):
    if message:
        broken = tmp_path / "bwrap"
        broken.write_text(f"#!/bin/sh\necho 'bwrap: {message}' >&2\nexit 1\n")
        broken.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}" if message else str(tmp_path))
    found = find_capabilities()
    assert not found.can_run
    assert words in found.why_not
    assert "dial in from elsewhere" in found.why_not


def test_groups_of_version_1_are_made_in_each_tree_below_ones_own(tmp_path):
    mounts = []
    for name in ("memory", "cpu,cpuacct", "pids", "freezer"):
        group = tmp_path / name / "service"
        group.mkdir(parents=True)
        (group / "cgroup.procs").write_text("", encoding="ascii")
        mounts.append(Mount(tmp_path / name, "/", frozenset(name.split(","))))
    own = dict.fromkeys(("memory", "cpu", "cpuacct", "pids", "freezer"), "/service")
    found = find_v1(mounts, own, "bots")
    assert found is not None
    assert found.covers() == LIMITED
    assert find_v1(mounts[-1:], own, "bots") is None


SCRIPT = """
import asyncio, json, sys
from pathlib import Path
from arena.sandbox.capabilities import find_capabilities
from arena.sandbox.process_spec import MIB, ProcessLimits, ProcessSpec
from arena.sandbox.sandbox import Sandbox

async def main(folder):
    machine = find_capabilities()
    told = {"why": machine.why_not, "dead": [s.protection.value for s in machine.protection_states() if not s.live]}
    async def ending(key, script, limits=ProcessLimits(wall_seconds=60)):
        program = ProcessSpec(("sh", "-c", script), "cpp", folder)
        running = await Sandbox(machine, folder=folder).start(program, limits)
        ended = await running.wait()
        told[key] = [ended.reason.value, ended.code, ended.tail]
    if machine.can_run:
        await ending("seen", "ls /bot; ls / | tr '\\\\n' ' '; grep CapEff /proc/self/status")
        await ending("refused", "touch /x; touch /dev/x; touch /bot/x; unshare -U true")
        await ending("environment", "cat /proc/1/environ /proc/self/environ")
        small = ProcessLimits(memory_bytes=40 * MIB, wall_seconds=60)
        await ending("memory", "(head -c 200000000 /dev/zero; sleep 60) | tail", small)  # held until it is seen
        many = "for each in 1 2 3 4 5 6 7 8 9; do sleep 1 & done; wait; echo survived"
        await ending("pids", many, ProcessLimits(pids=5, wall_seconds=60))
    print(json.dumps(told))

asyncio.run(main(Path(sys.argv[1])))
"""


@pytest.fixture(scope="module")
def without_root():
    """Run the sandbox as a user without rights; return the diagnosis and the output of a program in it."""
    need_sandbox()
    if os.geteuid() != 0:
        pytest.skip("only root can take on the rights of somebody who has none")
    python = "/usr/bin/python3"
    newer = [python, "-c", "import sys; sys.exit(sys.version_info < (3, 11))"]
    if not Path(python).exists() or subprocess.run(newer, check=False).returncode:
        pytest.skip("the system has no Python 3.11 that somebody else than root can run")
    with tempfile.TemporaryDirectory(dir="/var/tmp") as name:  # not below what pytest keeps to itself
        folder = Path(name)
        (folder / "arena").mkdir()
        (folder / "bot").mkdir()
        shutil.copy(ROOT / "arena" / "__init__.py", folder / "arena")
        for package in ("core", "sandbox"):
            shutil.copytree(ROOT / "arena" / package, folder / "arena" / package)
        (folder / "bot" / "mine").write_text("", encoding="utf-8")
        subprocess.run(["chmod", "-R", "a+rX", folder], check=True)
        ran = subprocess.run(
            ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", python, "-B", "-c", SCRIPT, folder / "bot"],
            env={"PATH": "/usr/bin:/bin", "PYTHONPATH": name, "ARENA_TOKEN": "secret"},
            capture_output=True, text=True, check=False,
        )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    told = json.loads(ran.stdout)
    if told["why"]:
        pytest.skip(told["why"])
    return told


def test_without_root_the_sandbox_holds(without_root):
    verdict, code, said = without_root["seen"]
    assert (verdict, code) == ("exited", 0)
    assert said.startswith("mine\nbin bot dev")
    assert "CapEff:\t0000000000000000" in said
    _, code, said = without_root["refused"]
    assert code != 0
    assert said.count("Read-only file system") == 3, said
    _, code, said = without_root["environment"]
    assert code == 0, "one's own first process can be read"
    assert "HOME=/tmp" in said
    assert "secret" not in said


def test_without_root_and_cgroup_memory_is_added_up_and_processes_are_counted(without_root):
    if "memory" not in without_root["dead"]:
        pytest.skip("here even a user without rights has a cgroup")
    assert without_root["memory"][0] == "memory"
    verdict, code, said = without_root["pids"]
    assert (verdict, code == 0) == ("exited", False)
    assert "survived" not in said
