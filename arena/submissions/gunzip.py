"""A gzip stream, unpacked no further than it is asked for."""

from __future__ import annotations

import zlib
from typing import Final

from arena.submissions.entries import CHUNK, ByteSource
from arena.submissions.errors import malformed

_GZIP: Final = 16 + zlib.MAX_WBITS
"""zlib's word for a gzip header and trailer around the data."""


class Gunzip:
    """What is packed in a gzip file of one member."""

    def __init__(self, packed: ByteSource) -> None:
        """`packed` is read as far as needed, and to its end at the end."""
        self._packed = packed
        self._inflate = zlib.decompressobj(_GZIP)

    def read(self, size: int) -> bytes:
        """At most `size` bytes, at least one of them; none at the end.

        Raises:
            InvalidArgumentError: it is damaged, ends early, or something follows it (ARCHIVE_MALFORMED).
        """
        if size <= 0:
            raise ValueError("read at least one byte at a time")
        while not self._inflate.eof:
            packed = self._inflate.unconsumed_tail or self._packed.read(CHUNK)
            try:
                data = self._inflate.decompress(packed, size)
            except zlib.error as error:
                raise malformed(
                    "The archive is damaged inside its compression: pack or send it again."
                ) from error
            if data:
                return data
            if not packed and not self._inflate.eof:
                raise malformed("The archive ends in the middle: pack or send it again.")
        if self._inflate.unused_data or self._packed.read(1):
            raise malformed("Something follows the end of the archive: pack the bot with `arena bot pack`.")
        return b""
