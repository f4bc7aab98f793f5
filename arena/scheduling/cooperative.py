"""Long work on the event loop, in slices."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from typing import Final, TypeVar

T = TypeVar("T")

_SLICE: Final = 200
"""Items in a row; a few microseconds each."""


async def in_slices(items: Iterable[T]) -> AsyncIterator[T]:
    """Yield the items; after each slice, let the event loop run what else is ready."""
    for number, item in enumerate(items, start=1):
        yield item
        if number % _SLICE == 0:
            await asyncio.sleep(0)
