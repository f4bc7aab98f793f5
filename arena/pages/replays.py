"""Replay pages of finished matches, made in another process so that other pages do not wait, and kept."""

import asyncio
import gzip
import multiprocessing
import os
import threading
from collections import OrderedDict
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from typing import Final

from arena.codecs.codec import codec_for
from arena.core.errors import ArenaError
from arena.match_log.reader import read_log
from arena.pages.reads import ArenaReads, PageError
from arena.v1 import match_pb2
from arena.viewer.page import replay_page
from arena.viewer.replay import UnfitLogError
from engine.registry import GAMES

KEPT_BYTES: Final = 64 * 1024 * 1024
"""Of compressed replay pages: some hundred matches."""
MOST_MAKING: Final = 32
"""Replays that are made or wait for it; readers of further ones are asked to try again."""
_DOWNLOADED: Final = 2
"""Logs in memory for that."""
_LEVEL: Final = 6


def replay_of_log(data: bytes) -> str:
    """Return the replay page of a log file. Raises PageError: it is of rules that are not installed here."""
    try:
        log = read_log(data)
        if log.setup.game not in GAMES:
            raise PageError(409, f"The pages do not know the game {log.setup.game}.")
        return replay_page(log, codec_for(log.setup.game))
    except UnfitLogError as error:
        raise PageError(409, "The log follows another version of the rules than these pages have.") from error
    except ArenaError as error:
        raise PageError(409, str(error)) from error


def _compressed_replay(data: bytes) -> bytes | str:
    """Return the compressed page, or a sentence why there is none: exceptions do not pass between processes."""
    try:
        return gzip.compress(replay_of_log(data).encode(), _LEVEL)
    except PageError as error:
        return error.sentence


def _end_with_parent() -> None:
    """End this process with the one that has started it, even if that is killed."""
    parent = multiprocessing.parent_process()
    assert parent is not None

    def watch() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


class Replays:
    """Replay pages by match. Use `close` at the end."""

    def __init__(self, reads: ArenaReads) -> None:
        """Start the process with the first replay."""
        self._reads = reads
        self._workers: ProcessPoolExecutor | None = None
        self._kept: OrderedDict[str, bytes] = OrderedDict()
        self._bytes = 0
        self._making: dict[str, asyncio.Task[bytes]] = {}
        self._downloaded = asyncio.Semaphore(_DOWNLOADED)

    async def page(self, match: str) -> bytes:
        """Return the replay page of a match, compressed with gzip. Raises PageError."""
        kept = self._kept.get(match)
        if kept is not None:
            self._kept.move_to_end(match)
            return kept
        task = self._making.get(match)
        if task is None:
            # Readers who leave do not end what they have asked for.
            if len(self._making) >= MOST_MAKING:
                raise PageError(503, "Too many replays are being made. Try again in a moment.")
            task = self._making[match] = asyncio.create_task(self._make(match))
            task.add_done_callback(lambda _task: self._making.pop(match, None))
        return await asyncio.shield(task)

    async def _make(self, match: str) -> bytes:
        request = match_pb2.DownloadMatchLogRequest(name=match)
        async with self._downloaded:
            data = await self._reads.bytes_of(self._reads.matches.DownloadMatchLog, request)
            loop = asyncio.get_running_loop()
            try:
                made = await loop.run_in_executor(self._pool(), _compressed_replay, data)
            except BrokenExecutor as error:
                self._workers = None
                raise PageError(503, "The replay could not be made. Try again.") from error
        if isinstance(made, str):
            raise PageError(409, made)
        self._kept[match] = made
        self._bytes += len(made)
        while self._bytes > KEPT_BYTES:
            _, oldest = self._kept.popitem(last=False)
            self._bytes -= len(oldest)
        return made

    def _pool(self) -> ProcessPoolExecutor:
        if self._workers is None:
            # A fork would copy the threads and locks of gRPC.
            self._workers = ProcessPoolExecutor(
                1, mp_context=multiprocessing.get_context("spawn"), initializer=_end_with_parent
            )
        return self._workers

    def close(self) -> None:
        """End the process."""
        if self._workers is not None:
            self._workers.shutdown(wait=False, cancel_futures=True)
