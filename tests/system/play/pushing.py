"""A connection that sends as much as the arena's windows let through, and no request of it is ever whole."""

import selectors
from typing import Final

from tests.system.play.wire import INITIAL_WINDOW_SIZE, Frame, Kind, Wire, frame

_FRAME_BYTES: Final = 16_384
_DEFAULT_WINDOW: Final = 65_535
_QUIET_S: Final = 0.1
"""When nothing has come for so long, the arena lets no more through."""


class Pusher(Wire):
    """One connection with unfinished calls."""

    def __init__(self, address: str, *, acknowledges: bool = True) -> None:
        """`acknowledges`: whether it tells the arena that it has read its settings."""
        super().__init__(address)
        self._acknowledges = acknowledges
        self._left: dict[int, bytes] = {}
        self._windows: dict[int, int] = {}
        self._initial = _DEFAULT_WINDOW
        self._window = _DEFAULT_WINDOW
        self.sent = 0
        self.ended: list[int] = []
        """The streams that the arena has ended."""

    def begin(self, stream: int, path: str, token: str, size: int) -> None:
        """Begin a call whose message is to have so many bytes; the last one never comes."""
        self.call(stream, path, token)
        self._left[stream] = b"\0" + size.to_bytes(4) + bytes(size - 1)
        self._windows[stream] = self._initial

    def push(self) -> int:
        """Send until no more is let through; return how many bytes were sent in all."""
        while True:
            for stream in list(self._left):
                self._send_some(stream)
            if not self._hear():
                return self.sent

    def _send_some(self, stream: int) -> None:
        while (
            allowed := min(len(self._left[stream]), self._window, self._windows[stream], _FRAME_BYTES)
        ) > 0:
            self.send(Kind.DATA, stream=stream, payload=self._left[stream][:allowed])
            self._left[stream] = self._left[stream][allowed:]
            self._window -= allowed
            self._windows[stream] -= allowed
            self.sent += allowed

    def _hear(self) -> bool:
        """Read what has come; return False if nothing has, or the arena has closed."""
        with selectors.DefaultSelector() as selector:
            selector.register(self._socket, selectors.EVENT_READ)
            if not selector.select(_QUIET_S):
                return False
            came = next(self.frames(), None)
            while came is not None:
                self._take(came)
                came = next(self.frames(), None) if selector.select(0) else None
                if came is None:
                    return True
        return False

    def _take(self, came: Frame) -> None:
        match came.kind:
            case Kind.SETTINGS if not came.flags & 1 and self._acknowledges:
                self._take_settings(came.payload)
                self.send(Kind.SETTINGS, flags=1)
            case Kind.WINDOW_UPDATE if came.stream == 0:
                self._window += int.from_bytes(came.payload)
            case Kind.WINDOW_UPDATE:
                self._windows[came.stream] += int.from_bytes(came.payload)
            case Kind.PING if not came.flags & 1:
                self.send_bytes(frame(Kind.PING, flags=1, payload=came.payload))
            case Kind.RST_STREAM:
                self.ended.append(came.stream)
                self._left.pop(came.stream, None)
            case _:
                pass

    def _take_settings(self, payload: bytes) -> None:
        for at in range(0, len(payload), 6):
            if int.from_bytes(payload[at : at + 2]) == INITIAL_WINDOW_SIZE:
                size = int.from_bytes(payload[at + 2 : at + 6])
                for stream in self._windows:
                    self._windows[stream] += size - self._initial
                self._initial = size
