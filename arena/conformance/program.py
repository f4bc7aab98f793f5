"""The bot's program as the kit sees it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Protocol


class Program(Protocol):
    """A running process and all that it has started."""

    def code(self) -> int | None:
        """The exit code, negative for a signal; None while it runs."""
        ...

    def send(self, number: int) -> None:
        """Sends it a signal, if it still runs."""
        ...

    def kill(self) -> None:
        """It has ended afterwards, and all that it has started with it."""
        ...


Launch = Callable[[Mapping[str, str], Path], Program]
"""Starts the program with these variables set in its environment; what it writes goes into the file."""


def how_ended(code: int) -> str:
    """An exit code in words."""
    return f"exit code {code}" if code >= 0 else f"signal {-code}"
