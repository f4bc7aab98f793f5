"""Supervision of a bot's process."""

import time
from collections.abc import Callable, Iterator
from typing import Final

from arena.cli.framework.processes import Child, format_exit
from arena.cli.framework.signals import STOPPING, SignalQueue

FINAL_CODES: Final = (0, 3)
"""Exit codes that prevent a restart: done, refused (docs/cli.md). Not 2, the code of a panic in Go."""

STEADY_SECONDS: Final = 60.0
"""A bot that ran longer restarts after the shortest pause."""

LEAVE_SECONDS: Final = 120.0
"""How long a bot may keep playing after a stop request, in seconds."""


def backoff() -> Iterator[float]:
    """Yield the pauses before restarts, in seconds: 1, 2, 4 ... 30."""
    pause = 1.0
    while True:
        yield pause
        pause = min(2 * pause, 30.0)


class Supervisor:
    """Restarts a bot that dies, until it exits by itself or on a signal."""

    def __init__(
        self,
        start: Callable[[], Child],
        report: Callable[[str], None],
        *,
        pauses: Callable[[], Iterator[float]] = backoff,
    ) -> None:
        """`start` starts the process; `report` gets a message for every end."""
        self._start = start
        self._report = report
        self._pauses = pauses

    def run(self) -> int:
        """Return the exit code of the last process, negative for a signal; 0 if it was asked to stop."""
        with SignalQueue() as signals:
            pauses = self._pauses()
            while True:
                began = time.monotonic()
                child = self._start()
                try:
                    code, asked = self._until_end(child, signals)
                finally:
                    child.kill()
                if asked or code in FINAL_CODES:
                    self._report(f"{child.name} ended ({format_exit(code)}).")
                    return 0 if asked else code
                if time.monotonic() - began > STEADY_SECONDS:
                    pauses = self._pauses()
                pause = next(pauses)
                self._report(f"{child.name} died ({format_exit(code)}). Restarting in {pause:g} s.")
                if _asked_within(pause, signals):
                    return 0

    def _until_end(self, child: Child, signals: SignalQueue) -> tuple[int, bool]:
        """Return the exit code, and whether a stop was requested. One signal is passed on, the next kills."""
        deadline: float | None = None
        while (code := child.code()) is None:
            left = None if deadline is None else max(0.0, deadline - time.monotonic())
            asked = _asked(signals.wait(left))
            if deadline is None and asked:
                deadline = time.monotonic() + LEAVE_SECONDS
                self._report(f"Stopping {child.name}. Send the signal again to kill it.")
                child.send(asked.pop(0))
            if deadline is not None and (asked or time.monotonic() >= deadline):
                child.kill()
        return code, deadline is not None


def _asked_within(seconds: float, signals: SignalQueue) -> bool:
    """Wait, and return whether a signal asked to stop."""
    deadline = time.monotonic() + seconds
    while (left := deadline - time.monotonic()) > 0:
        if _asked(signals.wait(left)):
            return True
    return False


def _asked(numbers: list[int]) -> list[int]:
    return [number for number in numbers if number in STOPPING]


def as_exit_code(code: int) -> int:
    """Return the exit code that a shell reports for a child's code: 128 + the number of a signal."""
    return code if code >= 0 else 128 - code
