"""Child processes, each in its own process group, so that stopping one leaves nothing behind."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.cli.framework.errors import CliError

KILL_AFTER_SECONDS: Final = 15.0
"""Seconds between SIGTERM and SIGKILL, if no others are given."""


@dataclass(frozen=True, slots=True)
class Streams:
    """The standard streams of a child, as file descriptors; None: that of this process."""

    stdin: int | None = subprocess.DEVNULL
    stdout: int | None = None
    stderr: int | None = None


UNREAD: Final = Streams()
"""The child reads nothing, and its output goes where that of this process goes."""

TERMINAL: Final = Streams(stdin=None)
"""The child has the terminal of this process."""

_PARENT_DEATH = Path(__file__).with_name("parent_death.py")
_POLL_SECONDS = 0.02
_TAIL_BYTES = 4096


class Child:
    """A child process with all that it starts. It gets SIGTERM if this process dies."""

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        *,
        environment: Mapping[str, str],
        log: Path | None = None,
        streams: Streams = UNREAD,
    ) -> None:
        """Start it; its output is appended to `log`, or goes to `streams`. Raises CliError if it cannot start."""
        self.name = name
        self._log = log
        self._log_start = log.stat().st_size if log is not None and log.exists() else 0
        if shutil.which(command[0], path=environment.get("PATH")) is None:
            raise CliError(f"{name} cannot be started: no program {command[0]}.")
        try:
            with nullcontext() if log is None else log.open("ab") as output:
                self._process = subprocess.Popen(
                    [sys.executable, "-I", "-S", str(_PARENT_DEATH), str(os.getpid()), *command],
                    env=dict(environment),
                    stdin=streams.stdin,
                    stdout=streams.stdout if output is None else output,
                    stderr=streams.stderr if output is None else subprocess.STDOUT,
                    start_new_session=True,
                )
        except OSError as error:
            raise CliError(f"{name} cannot be started: {error.strerror}.") from error

    @property
    def pid(self) -> int:
        """Its process id, which is also its group's."""
        return self._process.pid

    def code(self) -> int | None:
        """Return the exit code, negative for a signal; None while it runs. When it has ended, kill its group."""
        if self._process.returncode is None:
            if not _has_ended(self.pid):
                return None
            self._kill_group()
        return self._process.poll()

    def send(self, number: int) -> None:
        """Send a signal to the whole group, if the child still runs."""
        if self.code() is None:
            with suppress(ProcessLookupError):
                os.killpg(self.pid, number)

    def kill(self) -> None:
        """Kill the child and its whole group."""
        if self.code() is None:
            self._kill_group()
            self._process.wait()

    def tail(self, lines: int = 12) -> str:
        """Return its last lines of output since the start; empty without a log."""
        if self._log is None:
            return ""
        with self._log.open("rb") as file:
            file.seek(max(self._log_start, self._log.stat().st_size - _TAIL_BYTES))
            return "\n".join(file.read().decode(errors="replace").splitlines()[-lines:])

    def _kill_group(self) -> None:
        """Kill the group before the child is reaped: until then its id cannot name another group."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)


def stop_all(
    children: Iterable[Child],
    number: int = signal.SIGTERM,
    *,
    within: float = KILL_AFTER_SECONDS,
    hurry: Callable[[], bool] = lambda: False,
) -> None:
    """Stop all by a signal; SIGKILL after so many seconds, or at once if in a hurry."""
    running = list(children)
    for child in running:
        child.send(number)
    deadline = time.monotonic() + within
    for child in running:
        while child.code() is None and time.monotonic() < deadline and not hurry():
            time.sleep(_POLL_SECONDS)
        child.kill()


def without_arena(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the environment without variables that would lead a child to another arena."""
    return {name: value for name, value in environment.items() if not name.startswith("ARENA_")}


def format_exit(code: int) -> str:
    """Format how a process ended: "exit code 1" or "signal SIGKILL"."""
    if code >= 0:
        return f"exit code {code}"
    known = -code in {*signal.Signals}
    return f"signal {signal.Signals(-code).name if known else -code}"


def _has_ended(pid: int) -> bool:
    """Return whether the child has ended, without reaping it."""
    with suppress(ChildProcessError):
        return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
    return True
