"""Background tasks that must have ended before the arena does."""

import asyncio
from collections.abc import Coroutine

import structlog

_log = structlog.get_logger(__name__)


class BackgroundTasks:
    """Tasks of one event loop; a failure in one is the arena's, and is logged."""

    def __init__(self, failure: str) -> None:
        """`failure`: what is logged of a failure."""
        self._failure = failure
        self._tasks: set[asyncio.Task[None]] = set()
        self._optional: set[asyncio.Task[None]] = set()

    def begin(self, work: Coroutine[None, None, None], *, optional: bool = False) -> None:
        """Start a task; an optional one is cancelled when the arena ends."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        if optional:
            self._optional.add(task)
        task.add_done_callback(self._done)

    async def finish(self) -> None:
        """Wait for all of them, also those that begin meanwhile; cancel them if this is cancelled."""
        for task in self._optional:
            task.cancel()
        while self._tasks:
            await asyncio.gather(*self._tasks, return_exceptions=True)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        self._optional.discard(task)
        if not task.cancelled() and task.exception() is not None:
            _log.error(self._failure, exc_info=task.exception())
