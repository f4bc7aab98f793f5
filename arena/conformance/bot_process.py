"""The bot's program as the kit sees it."""

import asyncio
import os
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Final, Protocol

MOST_BYTES: Final = 16 << 20
"""More than this of a program's output is not kept."""

_LOOK_SECONDS: Final = 0.1


class Process(Protocol):
    """A running process and all that it has started."""

    def code(self) -> int | None:
        """Return the exit code, negative for a signal; None while it runs."""

    def send(self, number: int) -> None:
        """Send a signal, if it still runs."""

    def kill(self) -> None:
        """End it with all that it has started. Blocks."""


class LocalBotProcess:
    """A process whose output goes into a file."""

    def __init__(self, process: Process, log: Path) -> None:
        """`log`: where the output goes. On the event loop."""
        self._process = process
        self._log = log
        self._looking = asyncio.create_task(_keep_short(log))

    def code(self) -> int | None:
        """Return the exit code, negative for a signal; None while it runs."""
        return self._process.code()

    def send_signal(self, number: int) -> None:
        """Send a signal, if it still runs."""
        self._process.send(number)

    async def kill(self) -> None:
        """End it with all that it has started."""
        await asyncio.to_thread(self._process.kill)
        self._looking.cancel()

    def waited_s(self) -> float:
        """Return 0: it has no group of its own, so nobody knows."""
        return 0.0

    async def output(self) -> str:
        """Return its output, or the end of it if that is very much."""
        if not self._log.exists():
            return ""
        with self._log.open("rb") as file:
            file.seek(max(0, self._log.stat().st_size - MOST_BYTES))
            return file.read(MOST_BYTES).decode(errors="replace")


def shorten(log: Path) -> None:
    """Empty the log of a program if it is too long; the program continues to write at the end of the file."""
    if log.exists() and log.stat().st_size > MOST_BYTES:
        os.truncate(log, 0)


async def _keep_short(log: Path) -> None:
    """Keep the log short while the program runs, so that endless output fills no disk."""
    while True:
        await asyncio.sleep(_LOOK_SECONDS)
        shorten(log)


class BotProcess(Protocol):
    """A running program and all that it has started."""

    def code(self) -> int | None:
        """Return the exit code, negative for a signal; None while it runs."""

    def send_signal(self, number: int) -> None:
        """Send a signal, if it still runs."""

    async def kill(self) -> None:
        """End it with all that it has started."""

    def waited_s(self) -> float:
        """Return how long it was ready to run and got no processor; 0 where that is not known."""

    async def output(self) -> str:
        """Return its output, or what is kept of it if that is very much."""


Launch = Callable[[Mapping[str, str], Path], Awaitable[BotProcess]]
"""Starts the program with these variables added to its environment; it may use the empty folder."""


def how_ended(code: int) -> str:
    """Return an exit code in words."""
    return f"exit code {code}" if code >= 0 else f"signal {-code}"
