"""Parts of pages that need many calls and change seldom: they are kept, and made anew beside the readers."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from arena.pages.reads import PageError

T = TypeVar("T")

KEPT: Final = 256
"""Parts of one kind."""


@dataclass(frozen=True, slots=True)
class _Kept(Generic[T]):
    part: T
    version: object
    made_at: float
    """Seconds of the event loop's clock."""


class KeptParts(Generic[T]):
    """Parts of one kind by name, each of a version: what it depends on, for example how many matches have ended.

    A part of the same version is kept; of another version it is kept for a time, so that a busy ladder does not make
    it anew for each reader. It is then made anew for the next reader, while the present one gets the old part. Only for
    a part that is missing, or both old and of another version, a reader waits.
    """

    def __init__(self, *, fresh_s: float, old_s: float) -> None:
        """Parts are as good as new up to `fresh_s` after they were made, and old from `old_s` on."""
        self._fresh_s, self._old_s = fresh_s, old_s
        self._kept: OrderedDict[str, _Kept[T]] = OrderedDict()
        self._making: dict[str, asyncio.Task[T]] = {}

    async def get(self, name: str, version: object, make: Callable[[], Awaitable[T]]) -> T:
        """Return a part. Raises what `make` raises, if the reader has to wait for it."""
        kept = self._kept.get(name)
        if kept is None:
            return await self._make(name, version, make)
        age_s = asyncio.get_running_loop().time() - kept.made_at
        same = kept.version == version
        if age_s < self._fresh_s or (same and age_s < self._old_s):
            return kept.part
        if not same and age_s >= self._old_s:
            return await self._make(name, version, make)
        self._begin(name, version, make)
        return kept.part

    async def _make(self, name: str, version: object, make: Callable[[], Awaitable[T]]) -> T:
        return await asyncio.shield(self._begin(name, version, make))

    def _begin(self, name: str, version: object, make: Callable[[], Awaitable[T]]) -> asyncio.Task[T]:
        """Make a part, unless it is being made already."""

        async def made() -> T:
            part = await make()
            self._kept[name] = _Kept(part, version, asyncio.get_running_loop().time())
            self._kept.move_to_end(name)
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
            return part

        def ended(task: asyncio.Task[T]) -> None:
            self._making.pop(name, None)
            with suppress(asyncio.CancelledError, PageError):  # who waits for it gets the error, too
                task.result()

        task = self._making.get(name)
        if task is None:
            task = self._making[name] = asyncio.create_task(made())
            task.add_done_callback(ended)
        return task
