"""Supervision of a bot's process."""

import time
from collections.abc import Callable, Iterator
from typing import Final

from arena.cli.framework.processes import Child, format_exit, stop_all
from arena.cli.framework.signals import Interruption, interruptible

FINAL_CODES: Final = (0, 3)
"""Exit codes that prevent a restart: done, refused (docs/cli.md). Not 2, the code of a panic in Go."""

STEADY_SECONDS: Final = 60.0
"""A bot that ran longer restarts after the shortest pause."""

LEAVE_SECONDS: Final = 120.0
"""How long a bot may keep playing after a stop request, in seconds."""

_POLL_SECONDS: Final = 0.1


def backoff() -> Iterator[float]:
    """Yield the pauses before restarts, in seconds: 1, 2, 4 ... 30."""
    pause = 1.0
    while True:
        yield pause
        pause = min(2 * pause, 30.0)


def supervise(
    start: Callable[[], Child],
    report: Callable[[str], None],
    *,
    pauses: Callable[[], Iterator[float]] = backoff,
) -> int:
    """Restart a bot that dies, until it exits by itself or on a signal.

    Return the exit code of the last process, negative for a signal; 0 if it was asked to stop. `report` gets a
    message for every end.
    """
    with interruptible() as signals:
        signals.ignore()  # the loops look at `arrived()`
        coming = pauses()
        while signals.arrived() is None:
            began = time.monotonic()
            child = start()
            try:
                code = _wait_for_end(child, signals, report)
            finally:
                child.kill()
            if signals.arrived() is not None or code in FINAL_CODES:
                report(f"{child.name} ended ({format_exit(code)}).")
                return code if signals.arrived() is None else 0
            if time.monotonic() - began > STEADY_SECONDS:
                coming = pauses()
            pause = next(coming)
            report(f"{child.name} died ({format_exit(code)}). Restarting in {pause:g} s.")
            deadline = time.monotonic() + pause
            while signals.arrived() is None and time.monotonic() < deadline:
                time.sleep(_POLL_SECONDS)
    return 0


def _wait_for_end(child: Child, signals: Interruption, report: Callable[[str], None]) -> int:
    """Return the exit code. One signal is passed on, the next kills."""
    while (code := child.code()) is None:
        if (number := signals.arrived()) is None:
            time.sleep(_POLL_SECONDS)
        else:
            report(f"Stopping {child.name}. Send the signal again to kill it.")
            stop_all([child], number, within=LEAVE_SECONDS, hurry=signals.again)
    return code


def as_exit_code(code: int) -> int:
    """Return the exit code that a shell reports for a child's code: 128 + the number of a signal."""
    return code if code >= 0 else 128 - code
