"""Archives in pieces: a file each, which a later connection can complete."""

from __future__ import annotations

import asyncio
import hashlib
import os
import threading
import time
from collections.abc import Callable, Collection
from contextlib import suppress
from pathlib import Path
from typing import Final, ParamSpec, TypeVar

from arena.core.errors import (
    ErrorReason,
    FailedPreconditionError,
    ResourceExhaustedError,
    UnavailableError,
    invalid_field,
)

CHUNK_BYTES: Final = 64 * 1024
"""The longest piece."""

_READ_BYTES: Final = 1 << 20

P = ParamSpec("P")
T = TypeVar("T")


class Uploads:
    """The archives that are being sent, by the numbers of their submissions."""

    def __init__(self, folder: Path, *, why_full: Callable[[], str] = str) -> None:
        """`folder` is made if it is not there; `why_full`: why nothing may be stored for want of room, or empty.

        Raises OSError: the folder cannot be made.
        """
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._folder = folder
        self.why_full = why_full
        """Why nothing may be stored or worked on for want of room; empty if it may."""
        self._open: dict[int, Upload] = {}

    def path(self, number: int) -> Path:
        """Return where the archive is."""
        return self._folder / str(number)

    def received(self, number: int) -> int:
        """Return how many bytes of it are there."""
        found = self._found(number)
        return 0 if found is None else found.st_size

    def is_coming(self, number: int) -> bool:
        """Return whether it is being sent now."""
        return number in self._open

    def silent_s(self, number: int) -> float | None:
        """Return for how many seconds nothing of it has come; None if nothing of it ever did."""
        found = self._found(number)
        return None if found is None else max(0.0, time.time() - found.st_mtime)

    def _found(self, number: int) -> os.stat_result | None:
        with suppress(OSError):
            return self.path(number).stat()
        return None

    async def begin(self, number: int, size: int) -> Upload:
        """Open the rest of an archive of `size` bytes for writing; another sender is cut off.

        Raises:
            FailedPreconditionError: SUBMISSION_STATE, another sender begins at the same moment.
            UnavailableError: STORAGE, it cannot be written, or the disk is full.
        """
        if (full := self.why_full()) and self.received(number) < size:
            raise UnavailableError(
                ErrorReason.STORAGE, f"The arena takes no archives now: {full}. Try again later."
            )
        before = self._open.get(number)
        upload = self._open[number] = Upload(self.path(number), size)
        try:
            if before is not None:
                await before.close()
            await _on_disk(upload.open)
        except BaseException:
            await self.end(number, upload)
            raise
        return upload

    async def end(self, number: int, upload: Upload) -> None:
        """End the writing by this sender; what has come stays."""
        if self._open.get(number) is upload:
            del self._open[number]
        await upload.close()

    async def remove(self, number: int) -> None:
        """Delete it."""
        if (upload := self._open.pop(number, None)) is not None:
            await upload.close()
        with suppress(OSError):
            await asyncio.to_thread(self.path(number).unlink, missing_ok=True)

    def keep_only(self, numbers: Collection[int]) -> int:
        """Remove what is there of others. Return how many. Blocks. Raises OSError."""
        wanted = {str(number) for number in numbers}
        waste = [path for path in self._folder.iterdir() if path.name not in wanted]
        for path in waste:
            path.unlink()
        return len(waste)


class Upload:
    """One archive while it is written.

    All on one event loop; the disk is left to threads. A thread continues when its caller is cancelled, so the threads
    take turns: a handle is never closed while one writes.
    """

    def __init__(self, path: Path, size: int) -> None:
        """`size`: bytes of the whole archive. Not open yet."""
        self._path = path
        self._size = size
        self._received = 0
        self._digest = hashlib.sha256()
        self._handle: int | None = None
        self._closed = False
        self._turn = threading.Lock()

    @property
    def whole(self) -> bool:
        """Whether all of it has come."""
        return self._received == self._size

    def open(self) -> None:
        """Read what is there, for its hash. Blocks. Raises OSError; ArenaError as `write` once it is closed."""
        with self._turn:
            if self._closed:
                raise _sent_by_another()
            handle = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
            self._handle = handle
            while data := os.read(handle, _READ_BYTES):
                self._digest.update(data)
                self._received += len(data)

    async def write(self, offset: int, data: bytes) -> None:
        """Write a piece at its place.

        Raises:
            InvalidArgumentError: FIELD_INVALID, it is no piece, or not the next one.
            ResourceExhaustedError: ARCHIVE_TOO_LARGE, more comes than was announced.
            FailedPreconditionError: SUBMISSION_STATE, another sender sends the same archive now.
            UnavailableError: STORAGE, it could not be written; nothing of this piece is there then.
        """
        if not 1 <= len(data) <= CHUNK_BYTES:
            raise invalid_field("data", f"data has {len(data)} bytes, but must have 1 to {CHUNK_BYTES}.")
        await _on_disk(self._write, offset, data)

    async def finish(self) -> str:
        """Return the SHA-256 of what has come, 64 hex digits, after it is on disk.

        Raises:
            FailedPreconditionError: as `write`.
            UnavailableError: STORAGE.
        """
        return await _on_disk(self._finish)

    async def close(self) -> None:
        """Allow no more writing or opening, even by a sender that has begun to. Done even if cancelled."""
        await asyncio.shield(asyncio.to_thread(self._close))

    def _write(self, offset: int, data: bytes) -> None:
        with self._turn:
            handle = self._file()
            self._check(offset, len(data))
            left = memoryview(data)
            try:
                while left:
                    left = left[os.write(handle, left) :]
            except OSError:
                with suppress(OSError):
                    os.ftruncate(handle, self._received)
                    os.lseek(handle, self._received, os.SEEK_SET)
                raise
            self._digest.update(data)
            self._received += len(data)

    def _check(self, offset: int, length: int) -> None:
        if offset != self._received:
            there = f"{self._received} bytes of the archive are there; go on from there."
            raise invalid_field("offset", f"offset is {offset}, but {there}")
        if offset + length > self._size:
            sentence = (
                f"The archive was announced with {self._size} bytes, and more comes; announce its true size."
            )
            raise ResourceExhaustedError(ErrorReason.ARCHIVE_TOO_LARGE, sentence, bound=str(self._size))

    def _finish(self) -> str:
        with self._turn:
            os.fsync(self._file())
            return self._digest.hexdigest()

    def _close(self) -> None:
        with self._turn:
            self._closed = True
            if self._handle is not None:
                os.close(self._handle)
                self._handle = None

    def _file(self) -> int:
        if self._handle is None:
            raise _sent_by_another()
        return self._handle


def _sent_by_another() -> FailedPreconditionError:
    return FailedPreconditionError(
        ErrorReason.SUBMISSION_STATE,
        "The same archive is sent by another call, or the submission has ended; look at it again.",
    )


async def _on_disk(work: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
    """Do the work in a thread. Raises UnavailableError (STORAGE) if the disk fails."""
    try:
        return await asyncio.to_thread(work, *args, **kwargs)
    except OSError as error:
        raise UnavailableError(
            ErrorReason.STORAGE,
            f"The archive cannot be stored now ({error.strerror}); what came before is kept, go on later.",
        ) from error
