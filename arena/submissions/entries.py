"""What the readers of all kinds of archives have in common: one entry after the other, unchecked and unwritten."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Final, Protocol

CHUNK: Final = 64 * 1024
"""Bytes that are read and written at a time."""


class EntryKindInArchive(Enum):
    """What an entry is; links and everything else do not come this far."""

    FILE = "file"
    FOLDER = "folder"


@dataclass(frozen=True, slots=True)
class ArchiveEntry:
    """A file or a folder of an archive."""

    path: str
    """As the archive says it, which proves nothing."""
    kind: EntryKindInArchive
    executable: bool
    size: int
    """Bytes, as the archive says it."""
    data: Iterator[bytes]
    """The bytes of a file, to be read before the next entry is asked for; nothing for a folder. Exactly `size` in all,
    or InvalidArgumentError (ARCHIVE_MALFORMED)."""


class ByteSource(Protocol):
    """A stream of bytes."""

    def read(self, size: int, /) -> bytes:
        """At most so many bytes; none at the end."""
