"""Interleaved measurements: ours, theirs, ours, theirs, so that both see the same machine."""

from collections.abc import Callable
from typing import TypeVar

Ours = TypeVar("Ours")
Theirs = TypeVar("Theirs")


def interleaved(
    ours: Callable[[], Ours], theirs: Callable[[], Theirs], pairs: int
) -> list[tuple[Ours, Theirs]]:
    """So many pairs, measured in turns. One more of each comes first and is dropped: caches fill, code gets warm."""
    ours()
    theirs()
    return [(ours(), theirs()) for _ in range(pairs)]
