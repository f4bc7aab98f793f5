"""A TCP proxy between a bot and its arena that cuts the connection in every way a network can."""

import socket
import struct
import threading
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

_PIECE: Final = 65_536
_RESET: Final = struct.pack("ii", 1, 0)
"""SO_LINGER with 0 seconds: closing sends RST and throws away what was not delivered."""
_GOAWAY: Final = bytes([0, 0, 8, 7, 0, 0, 0, 0, 0]) + struct.pack(">II", 0, 11)
"""An HTTP/2 frame (RFC 9113, 6.8): nothing from stream 0 on was handled, ENHANCE_YOUR_CALM."""


@dataclass
class _Direction:
    """Bytes from one socket to the other, as far as they may pass."""

    source: socket.socket
    target: socket.socket
    left: int | None = None
    """Bytes that still pass before the connection is reset; None: all."""


class CuttingProxy:
    """Passes one connection on to the arena, until it is told to cut it."""

    def __init__(self, arena: str) -> None:
        """`arena`: host:port."""
        host, _, port = arena.rpartition(":")
        self._arena = (host, int(port))
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self._listener.getsockname()[1]}"
        self._lock = threading.Lock()
        self._muted = threading.Event()
        self._limits: tuple[int | None, int | None] = (None, None)
        self._connected = threading.Event()
        self._ways: list[_Direction] = []
        self._threads: list[threading.Thread] = []
        self._accepting = threading.Thread(target=self._accept, daemon=True)
        self._accepting.start()

    def _accept(self) -> None:
        """Serve the one connection; a bot that was cut off reconnects through another proxy."""
        try:
            bot, _ = self._listener.accept()
        except OSError:
            return  # closed before anybody came
        try:
            arena = socket.create_connection(self._arena)
        except OSError:
            bot.close()  # the arena is gone: the bot gets to know it as it would without a proxy
            return
        up, down = _Direction(bot, arena), _Direction(arena, bot)
        up.left, down.left = self._limits
        self._ways = [up, down]
        self._threads = [threading.Thread(target=self._pass, args=(way,), daemon=True) for way in self._ways]
        for thread in self._threads:
            thread.start()
        self._connected.set()

    def _pass(self, way: _Direction) -> None:
        try:
            while data := way.source.recv(_PIECE):
                if self._muted.is_set():
                    continue
                if way.left is not None and len(data) >= way.left:
                    way.target.sendall(data[: way.left])
                    self.reset()
                    return
                with self._lock:
                    way.target.sendall(data)
                way.left = None if way.left is None else way.left - len(data)
            way.target.shutdown(socket.SHUT_WR)
        except OSError:
            return  # cut by the other direction, or by the test

    def wait_connected(self) -> None:
        """Return when the bot is connected to the arena."""
        assert self._connected.wait(20)

    # The ways to cut

    def reset(self) -> None:
        """Both sides get a RST: what was under way is lost."""
        for way in self._ways:
            way.source.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
            _close(way.source, socket.SHUT_RD)

    def hang_up(self) -> None:
        """Both sides get a FIN, as when a program has ended."""
        for way in self._ways:
            _close(way.source, socket.SHUT_RDWR)

    def mute(self) -> None:
        """Nothing passes any more, and nobody is told: the connection is half open."""
        self._muted.set()

    def go_away(self) -> None:
        """Send the bot a GOAWAY as its arena would, so that it gives the connection up."""
        with self._lock:
            self._ways[1].target.sendall(_GOAWAY)

    def reset_after(self, *, up: int | None = None, down: int | None = None) -> None:
        """Reset the connection after so many bytes from the bot (`up`) or to it (`down`)."""
        self._limits = (up, down)

    def close(self) -> None:
        """Nothing is left open."""
        _close(self._listener, socket.SHUT_RDWR)
        self._accepting.join()
        self.hang_up()
        for thread in self._threads:
            thread.join()


def _close(end: socket.socket, how: int) -> None:
    """Wakes the thread that reads from it, which would keep it open; SHUT_RD tells the other side nothing."""
    with suppress(OSError):
        end.shutdown(how)
    end.close()
