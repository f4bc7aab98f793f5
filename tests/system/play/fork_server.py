"""Arenas that are forks of one process, which has imported the modules: they start in a third of the time."""

import atexit
import functools
import json
import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TextIO

PROGRAM = Path(__file__).with_name("fork_server_main.py")
"""It runs the arena that is installed: of this checkout, or compiled where tests/system/compiled runs these tests."""


class ForkServer:
    """The process that the arenas of this test process are forks of."""

    def __init__(self) -> None:
        self._orders, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._process = subprocess.Popen([sys.executable, "-P", PROGRAM], stdin=theirs.fileno())
        theirs.close()

    def start(self, order: Mapping[str, object], log: int, ends: int) -> int:
        """Start an arena; return its process id. `log`, `ends`: files for its log and its exit code."""
        socket.send_fds(self._orders, [json.dumps(order).encode()], [log, ends])
        pid = self._orders.recv(32)
        assert pid, "the fork server has ended"
        return int(pid)

    def close(self) -> None:
        """End it."""
        self._orders.close()
        self._process.wait()


@functools.cache
def fork_server() -> ForkServer:
    """Return the one of this test process, with which it ends."""
    process = ForkServer()
    atexit.register(process.close)
    return process


class ForkedArena:
    """`arena ARGUMENTS...`, as far as tests look at a process."""

    def __init__(
        self,
        arguments: Sequence[str],
        environment: Mapping[str, str],
        kill_at: Mapping[str, object] | None = None,
    ) -> None:
        """`kill_at`: the arguments of `tests.system.crash.points.Points`, at one of which it is killed."""
        order = {
            "arguments": arguments,
            "environment": dict(environment),
            "folder": str(Path.cwd()),
            "kill_at": kill_at,
        }
        reading, log = os.pipe()
        self._ends, ends = os.pipe()
        self.pid = fork_server().start(order, log, ends)
        os.close(log)
        os.close(ends)
        self.stderr: TextIO = os.fdopen(reading, encoding="utf-8")
        self.returncode: int | None = None

    def poll(self) -> int | None:
        """Return the exit code, negative for a signal; None while it runs."""
        return self._look(0)

    def wait(self, timeout: float) -> int:
        """Return the exit code, as soon as it has ended. `timeout`: seconds."""
        code = self._look(timeout)
        if code is None:
            raise subprocess.TimeoutExpired("arena", timeout)
        return code

    def _look(self, within_s: float) -> int | None:
        if self.returncode is None and select.select([self._ends], [], [], within_s)[0]:
            told = os.read(self._ends, 32)
            os.close(self._ends)
            assert told, "the fork server has ended"
            self.returncode = int(told)
        return self.returncode

    def send_signal(self, number: int) -> None:
        """Kill it, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        """SIGTERM."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """SIGKILL."""
        self.send_signal(signal.SIGKILL)
