"""The store for asyncio: one thread writes, a few read, and the event loop never waits for the disk."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from arena.store.store import READERS, Store, Transaction

T = TypeVar("T")


class Database:
    """A store whose transactions are awaited. A caller that is cancelled does not undo what it has sent."""

    def __init__(self, store: Store) -> None:
        """`store`: migrated; it is closed with the database."""
        self._store = store
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="store-writer")
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="store-reader")

    async def write(self, change: Callable[[Transaction], T]) -> T:
        """As `Store.write`; changes happen one after the other, in the order in which they were asked for."""
        return await asyncio.get_running_loop().run_in_executor(self._writer, self._store.write, change)

    async def read(self, question: Callable[[Transaction], T]) -> T:
        """As `Store.read`."""
        return await asyncio.get_running_loop().run_in_executor(self._readers, self._store.read, question)

    def close(self) -> None:
        """Everything sent has happened, and all connections are closed."""
        self._writer.shutdown()
        self._readers.shutdown()
        self._store.close()
