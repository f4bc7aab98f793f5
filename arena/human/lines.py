"""Lines that a person types, read as long as the arena waits for them."""

import math
import os
import select
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

if sys.platform != "win32":
    import termios

_NOTICES_S: Final = (60.0, 30.0, 10.0)
"""Seconds that are left when a person who has not answered yet is reminded of the clock."""

POLL_S: Final = 0.25
"""How often it is looked whether the arena still waits for the answer, in seconds."""


class ClosedError(Exception):
    """The arena waits for the answer no longer: the time is over, or the match has ended."""


@dataclass(frozen=True, slots=True)
class Question:
    """How long an answer of a person may take."""

    is_open: Callable[[], bool] = lambda: True
    """Whether the arena still waits for it."""
    deadline: float | None = None
    """On `time.monotonic()`, in seconds; None: there is no clock."""

    def time_left(self) -> str:
        """Return the time until the deadline: "42 s", "12:05 min"; empty without a clock."""
        if self.deadline is None:
            return ""
        seconds = max(0, round(self.deadline - time.monotonic()))
        return f"{seconds} s" if seconds < 120 else f"{seconds // 60}:{seconds % 60:02} min"


class Lines:
    """The lines of standard input."""

    def __init__(self, show: Callable[[str], None], source: int = 0) -> None:
        """`show`: writes text as it is, without a new line. `source`: a file descriptor."""
        self._show, self._source = show, source
        self._read = b""

    def read(self, prompt: str, question: Question) -> str:
        """Show the prompt and return a line.

        Raises EOFError: the input has ended. Raises ClosedError: the question is not open any more; what was typed is
        dropped.
        """
        deadline = math.inf if question.deadline is None else question.deadline
        notices = [each for each in _NOTICES_S if each < deadline - time.monotonic() < math.inf]
        self._show(_with_clock(prompt, question))
        while b"\n" not in self._read:
            if not question.is_open():
                self._drop()
                self._show("\n")
                raise ClosedError
            if notices and deadline - time.monotonic() <= notices[0]:
                notices.pop(0)
                self._show("\n" + _with_clock(prompt, question))
            if select.select([self._source], [], [], POLL_S)[0]:
                read = os.read(self._source, 65_536)
                if not read:
                    break
                self._read += read
        line, newline, self._read = self._read.partition(b"\n")
        if not line and not newline:
            raise EOFError
        return line.decode(errors="replace")

    def _drop(self) -> None:
        """Forget what was typed for a question that is closed."""
        self._read = b""
        if sys.platform != "win32" and os.isatty(self._source):
            termios.tcflush(self._source, termios.TCIFLUSH)


def _with_clock(prompt: str, question: Question) -> str:
    left = question.time_left()
    return f"{left} left. {prompt}" if left else prompt
