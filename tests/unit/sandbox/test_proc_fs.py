"""Processes by /proc: when one counts as ended, and what is killed with it."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest

from arena.sandbox.proc_fs import descendants, kill_tree, started_at

LONG_S = 600
FAMILY = f"""
import subprocess, sys, time
subprocess.Popen([sys.executable, "-c", "import time; print('up', flush=True); time.sleep({LONG_S})"])
time.sleep({LONG_S})
"""


@pytest.fixture
def family() -> Iterator[subprocess.Popen[bytes]]:
    """Yield a process that has a child."""
    with subprocess.Popen([sys.executable, "-c", FAMILY], stdout=subprocess.PIPE) as first:
        assert first.stdout is not None
        assert first.stdout.readline() == b"up\n"
        yield first
        kill_tree(first.pid, started_at(first.pid), 60)


def test_a_process_that_is_not_reaped_has_ended() -> None:
    child = subprocess.Popen([sys.executable, "-c", ""])
    assert started_at(os.getpid())
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    assert started_at(child.pid) == ""
    child.wait()


@pytest.mark.parametrize("frozen", [False, True])
def test_a_process_is_killed_with_all_below_it(family: subprocess.Popen[bytes], frozen: bool) -> None:
    [child] = descendants(family.pid)
    if frozen:
        for pid in (family.pid, child):
            os.kill(pid, signal.SIGSTOP)
    assert kill_tree(family.pid, started_at(family.pid), 60)
    assert (started_at(family.pid), started_at(child)) == ("", "")
    assert kill_tree(family.pid, started_at(family.pid), 60), "it has ended"


def test_another_process_with_its_pid_is_left_alone(family: subprocess.Popen[bytes]) -> None:
    assert kill_tree(family.pid, "1", 60)
    assert family.poll() is None
    assert len(descendants(family.pid)) == 1
