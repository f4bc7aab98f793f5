"""The bot's program as the kit sees it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Protocol


class BotProcess(Protocol):
    """A running program and all that it has started."""

    def code(self) -> int | None:
        """Return the exit code, negative for a signal; None while it runs."""
        ...

    def send_signal(self, number: int) -> None:
        """Send a signal, if it still runs."""
        ...

    async def kill(self) -> None:
        """End it with all that it has started."""
        ...

    def waited_s(self) -> float:
        """Return how long it was ready to run and got no processor; 0 where that is not known."""
        ...

    async def output(self) -> str:
        """Return its output, or what is kept of it if that is very much."""
        ...


Launch = Callable[[Mapping[str, str], Path], Awaitable[BotProcess]]
"""Starts the program with these variables added to its environment; it may use the empty folder."""


def how_ended(code: int) -> str:
    """Return an exit code in words."""
    return f"exit code {code}" if code >= 0 else f"signal {-code}"
