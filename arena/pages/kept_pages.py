"""Pages that are kept for a moment, so that many readers cost the arena no more than one."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import Final

from arena.pages.reads import PageError

FRESH_S: Final = 2.0
"""A page is made at most once in so long, for all its readers."""
KEPT_PAGES: Final = 256
"""Pages kept for that."""
MOST_MAKING: Final = 128
"""Pages that are made or wait for it; readers of further ones are asked to try again."""

Make = Callable[[], Awaitable[str]]


class KeptPages:
    """Pages that are fresh enough for another reader; each is made once at a time."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, tuple[float, str]] = OrderedDict()
        self._making: dict[str, asyncio.Task[str]] = {}

    async def get(self, key: str, make: Make, fresh_s: float = FRESH_S) -> str:
        """Return a page at most so old."""
        now = asyncio.get_running_loop().time()
        if (kept := self._kept.get(key)) is not None and now - kept[0] <= fresh_s:
            return kept[1]
        task = self._making.get(key)
        if task is None:
            # Readers who leave do not end what they have asked for.
            if len(self._making) >= MOST_MAKING:
                raise PageError(503, "Too many pages are being made. Try again in a moment.")
            task = self._making[key] = asyncio.create_task(self._make(key, make))
            task.add_done_callback(lambda _task: self._making.pop(key, None))
        return await asyncio.shield(task)

    async def _make(self, key: str, make: Make) -> str:
        begun = asyncio.get_running_loop().time()
        html = await make()
        self._kept.pop(key, None)
        self._kept[key] = begun, html
        while len(self._kept) > KEPT_PAGES:
            self._kept.popitem(last=False)
        return html
