"""What a program writes: its first and its last words are kept, and how much it was is counted."""

from __future__ import annotations

from enum import Enum
from typing import Final

TAIL_BYTES: Final = 4096
"""So much of the end goes into an `Ending`."""


class Stream(Enum):
    """Where a program has written something to."""

    STDOUT = "stdout"
    STDERR = "stderr"


class CapturedOutput:
    """The first half of what may be kept, and the last half."""

    def __init__(self, most_bytes: int) -> None:
        """`most_bytes`: kept at most, the mark of a cut not counted."""
        self._half = max(1, most_bytes // 2)
        self._most = most_bytes
        self._head = bytearray()
        self._last = bytearray()
        self.total_bytes = 0
        """So much was written in all."""

    def add(self, data: bytes) -> None:
        """More was written."""
        self.total_bytes += len(data)
        room = self._half - len(self._head)
        self._head += data[:room] if room > 0 else b""
        self._last += data[max(room, 0) :]
        if len(self._last) > 2 * self._half:
            del self._last[: -self._half]

    def content(self) -> bytes:
        """What was written; with a mark where it was cut."""
        last = self._last if self.total_bytes <= self._most else self._last[-self._half :]
        cut = self.total_bytes - len(self._head) - len(last)
        if cut <= 0:
            return bytes(self._head + last)
        return bytes(self._head) + f"\n[... {cut} bytes cut ...]\n".encode() + bytes(last)

    def tail(self) -> str:
        """The end of it as text, at most `TAIL_BYTES` of bytes."""
        return self.content()[-TAIL_BYTES:].decode("utf-8", errors="replace")
