"""The bot's program as the kit sees it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Protocol


class BotProcess(Protocol):
    """A running program and all that it has started."""

    def code(self) -> int | None:
        """The exit code, negative for a signal; None while it runs."""
        ...

    def send(self, number: int) -> None:
        """Sends it a signal, if it still runs."""
        ...

    async def kill(self) -> None:
        """It has ended afterwards, and all that it has started with it."""
        ...

    def waited_s(self) -> float:
        """How long it was ready to run since its start and got no processor; 0 where that is not known."""
        ...

    async def output(self) -> str:
        """What it has written, or what is kept of it if that is very much."""
        ...


Launch = Callable[[Mapping[str, str], Path], Awaitable[BotProcess]]
"""Starts the program with these variables set in its environment; in the empty folder it may be followed."""


def how_ended(code: int) -> str:
    """An exit code in words."""
    return f"exit code {code}" if code >= 0 else f"signal {-code}"
