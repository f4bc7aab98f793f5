"""A pseudo-terminal with a command of the arena in it."""

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from typing import Final

from tests.unit.cli.programs import environment

WITHIN_S: Final = 120.0
"""How long something may take to appear."""

_TAKE_TERMINAL: Final = (
    "import os, sys; os.close(os.open(os.ttyname(0), os.O_RDWR)); os.execv(sys.argv[1], sys.argv[1:])"
)
"""A program that makes the terminal its own, as a shell's is, and becomes the command that follows."""

_CONTROL: Final = re.compile(rb"\x1b\[[0-9;?]*[A-Za-z]|\r")


class Terminal:
    """A pseudo-terminal with `arena ARGS...` in it."""

    def __init__(self, *args: str, columns: int = 200) -> None:
        self._end, inside = pty.openpty()
        fcntl.ioctl(inside, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        self._process = subprocess.Popen(
            [sys.executable, "-c", _TAKE_TERMINAL, sys.executable, "-m", "arena.cli.app", *args],
            stdin=inside,
            stdout=inside,
            stderr=inside,
            env=environment(TERM="dumb", COLUMNS=str(columns)),
            start_new_session=True,
        )
        os.close(inside)
        self.seen = b""

    @property
    def pid(self) -> int:
        """The process of the command."""
        return self._process.pid

    def expect(self, what: bytes) -> bytes:
        """Return all up to `what`; fail if it does not come."""
        deadline = time.monotonic() + WITHIN_S
        while what not in self.seen:
            assert select.select([self._end], [], [], max(0.0, deadline - time.monotonic()))[0], self.seen
            self.seen += os.read(self._end, 65_536)
        before, _, self.seen = self.seen.partition(what)
        return before

    def prompt(self, *prompts: str) -> str:
        """Return what is shown up to one of these prompts, or to the end of the program, without control characters."""
        deadline = time.monotonic() + WITHIN_S
        shown = ""
        while not shown.endswith(prompts):
            assert select.select([self._end], [], [], max(0.0, deadline - time.monotonic()))[0], self.seen
            try:
                read = os.read(self._end, 65_536)
            except OSError:  # nothing holds the other end any more
                read = b""
            self.seen += read
            shown = _CONTROL.sub(b"", self.seen).decode(errors="replace")
            if not read:
                break
        self.seen = b""
        return shown

    def until(self, *texts: str) -> str:
        """Return what is shown up to the first of these texts, with it; fail if none comes. What follows is kept."""
        deadline = time.monotonic() + WITHIN_S
        while True:
            shown = _CONTROL.sub(b"", self.seen).decode(errors="replace")
            ends = [shown.index(text) + len(text) for text in texts if text in shown]
            if ends:
                self.seen = shown[min(ends) :].encode()
                return shown[: min(ends)]
            assert select.select([self._end], [], [], max(0.0, deadline - time.monotonic()))[0], shown
            self.seen += os.read(self._end, 65_536)

    def type(self, text: str) -> None:
        """Type the text."""
        os.write(self._end, text.encode())

    def echoes(self) -> bool:
        """Return whether the terminal shows what is typed."""
        return bool(termios.tcgetattr(self._end)[3] & termios.ECHO)

    def finish(self) -> tuple[int, bytes]:
        """Return the exit code and what was not read yet."""
        try:
            while data := os.read(self._end, 65_536):
                self.seen += data
        except OSError:  # nothing holds the other end any more
            pass
        os.close(self._end)
        return self._process.wait(WITHIN_S), self.seen
