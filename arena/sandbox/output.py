"""Captures the beginning and the end of a program's output, and counts its bytes."""

from enum import Enum
from typing import Final

TAIL_BYTES: Final = 4096
"""Length of `ExitStatus.tail`."""


class Stream(Enum):
    """An output stream of a program."""

    STDOUT = "stdout"
    STDERR = "stderr"


class CapturedOutput:
    """The output of a program, cut in the middle if it is too long."""

    def __init__(self, most_bytes: int) -> None:
        """`most_bytes`: kept at most, without the mark of a cut."""
        self._half = max(1, most_bytes // 2)
        self._most = most_bytes
        self._head = bytearray()
        self._last = bytearray()
        self.total_bytes = 0
        """Bytes written in all."""

    def add(self, data: bytes) -> None:
        """Add output."""
        self.total_bytes += len(data)
        room = self._half - len(self._head)
        self._head += data[:room] if room > 0 else b""
        self._last += data[max(room, 0) :]
        if len(self._last) > 2 * self._half:
            del self._last[: -self._half]

    def content(self) -> bytes:
        """Return the output, with a mark where it is cut."""
        last = self._last if self.total_bytes <= self._most else self._last[-self._half :]
        cut = self.total_bytes - len(self._head) - len(last)
        if cut <= 0:
            return bytes(self._head + last)
        return bytes(self._head) + f"\n[... {cut} bytes cut ...]\n".encode() + bytes(last)

    def tail(self) -> str:
        """Return the last TAIL_BYTES of the output as text."""
        return self.content()[-TAIL_BYTES:].decode("utf-8", errors="replace")
