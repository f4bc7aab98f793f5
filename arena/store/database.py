"""The store for asyncio: one thread writes, a few read, and the event loop never waits for the disk.

Changes that come while the disk is busy with one are stored together afterwards: many matches may end, or begin, in the
time of a few waits for the disk.
"""

import asyncio
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import ContextVar
from typing import Any, Final, TypeVar

from arena.core.errors import ErrorReason, UnavailableError
from arena.store.store import READERS, ChangeOutcome, Store, Transaction

T = TypeVar("T")

MOST_TOGETHER: Final = 64
"""Changes in one transaction: others wait no longer than for so many."""


class ReadWork:
    """The processor time of questions, in seconds."""

    def __init__(self) -> None:
        """Start with none."""
        self.seconds = 0.0


read_work: Final[ContextVar[ReadWork | None]] = ContextVar("read_work", default=None)
"""Where the time of questions of the current task is added up; None: nowhere."""


class Database:
    """A store whose transactions are awaited. A caller that is cancelled does not undo what it has sent."""

    def __init__(self, store: Store) -> None:
        """`store`: migrated; it is closed with the database."""
        self._store = store
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="store-writer")
        self._waiting: deque[tuple[Callable[[Transaction], Any], Future[Any]]] = deque()
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="store-reader")

    async def write(self, change: Callable[[Transaction], T]) -> T:
        """Call `Store.write`; changes happen one after the other, in the order of the calls."""
        future: Future[T] = Future()
        future.set_running_or_notify_cancel()  # what is sent is sent
        self._waiting.append((change, future))
        self._writer.submit(self._write_waiting)
        return await asyncio.wrap_future(future)

    async def read(self, question: Callable[[Transaction], T]) -> T:
        """Call `Store.read`."""
        loop, work = asyncio.get_running_loop(), read_work.get()
        return await loop.run_in_executor(self._readers, self._read, question, work)

    def _read(self, question: Callable[[Transaction], T], work: ReadWork | None) -> T:
        began = time.thread_time()
        try:
            return self._store.read(question)
        finally:
            if work is not None:
                work.seconds += time.thread_time() - began

    def _write_waiting(self) -> None:
        """Store what waits. It is called for each change, and often finds that an earlier call has stored it."""
        bundle = [self._waiting.popleft() for _ in range(min(MOST_TOGETHER, len(self._waiting)))]
        if not bundle:
            return
        try:
            outcomes = self._store.write_together([change for change, _ in bundle])
        # The store itself has failed, not a change: all callers get the error, and may try again.
        except BaseException as failure:  # noqa: BLE001
            sentence = f"The thread that stores has failed ({type(failure).__name__}); nothing was stored, try again."
            error = UnavailableError(ErrorReason.STORAGE, sentence)
            error.__cause__ = failure
            outcomes = [ChangeOutcome(error=error) for _ in bundle]
        for (_, future), outcome in zip(bundle, outcomes, strict=True):
            if outcome.error is None:
                future.set_result(outcome.value)
            else:
                future.set_exception(outcome.error)

    def close(self) -> None:
        """Store everything that was sent, and close all connections."""
        self._writer.shutdown()
        self._readers.shutdown()
        self._store.close()
