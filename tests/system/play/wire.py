"""HTTP/2 by hand (RFC 9113), for what no gRPC library would send."""

import socket
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Self

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
WAIT_S = 60.0

CANCEL = 8
ENHANCE_YOUR_CALM = 11
INITIAL_WINDOW_SIZE = 4


class Kind(IntEnum):
    """Frame types (RFC 9113, section 6)."""

    DATA = 0
    HEADERS = 1
    RST_STREAM = 3
    SETTINGS = 4
    PING = 6
    GOAWAY = 7
    WINDOW_UPDATE = 8
    CONTINUATION = 9


@dataclass(frozen=True)
class Frame:
    """What came from the other side."""

    kind: int
    flags: int
    stream: int
    payload: bytes

    @property
    def ends_stream(self) -> bool:
        """Whether nothing more comes on its stream."""
        return self.kind in (Kind.DATA, Kind.HEADERS) and bool(self.flags & 1)


class Wire:
    """One connection. It reads only when it is asked to."""

    def __init__(self, address: str, *, window: int | None = None) -> None:
        """`window`: how many bytes the other side may send on a stream before it is allowed more."""
        self._socket = dial(address)
        self._deadline = time.monotonic() + WAIT_S
        settings = b"" if window is None else INITIAL_WINDOW_SIZE.to_bytes(2) + window.to_bytes(4)
        self._socket.sendall(PREFACE)
        self.send(Kind.SETTINGS, payload=settings)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()

    def send(self, kind: int, *, flags: int = 0, stream: int = 0, payload: bytes = b"") -> None:
        """One frame. Raises OSError once the other side has closed."""
        self._socket.sendall(frame(kind, flags=flags, stream=stream, payload=payload))

    def send_bytes(self, data: bytes) -> None:
        """Whatever it is."""
        self._socket.sendall(data)

    def call(self, stream: int, path: str, token: str, *messages: bytes, whole: bool = False) -> None:
        """Begin a gRPC call; `messages` are the first that it sends, or, if it is whole, all."""
        self._socket.sendall(call(stream, path, token, *messages, whole=whole))

    def allow(self, stream: int, size: int) -> None:
        """Let the other side send so many bytes more."""
        self.send(Kind.WINDOW_UPDATE, stream=stream, payload=size.to_bytes(4))

    def frames(self) -> Iterator[Frame]:
        """Yield what comes, until the other side closes."""
        while len(head := self._read(9)) == 9:
            size, kind, flags = int.from_bytes(head[:3]), head[3], head[4]
            stream = int.from_bytes(head[5:]) & 0x7FFF_FFFF
            yield Frame(kind, flags, stream, self._read(size))

    def _read(self, size: int) -> bytes:
        data = b""
        while len(data) < size:
            self._socket.settimeout(max(0.001, self._deadline - time.monotonic()))
            try:
                more = self._socket.recv(size - len(data))
            except ConnectionResetError:
                more = b""
            if not more:
                break
            data += more
        return data


def dial(address: str) -> socket.socket:
    """Connect to host:port or unix:///path."""
    if address.startswith("unix://"):
        connection = socket.socket(socket.AF_UNIX)
        connection.settimeout(WAIT_S)
        connection.connect(address.removeprefix("unix://"))
        return connection
    host, _, port = address.rpartition(":")
    return socket.create_connection((host, int(port)), timeout=WAIT_S)


def prefixed(message: bytes) -> bytes:
    """Return a gRPC message with its length before it."""
    return b"\x00" + len(message).to_bytes(4) + message


def messages_in(frames: Iterable[Frame]) -> Iterator[bytes]:
    """Yield the gRPC messages of a stream, as soon as each is whole, until it ends."""
    data = b""
    for each in frames:
        data += each.payload if each.kind == Kind.DATA else b""
        while len(data) >= 5 and len(data) >= (end := 5 + int.from_bytes(data[1:5])):
            yield data[5:end]
            data = data[end:]
        if each.ends_stream:
            return


def frame(kind: int, *, flags: int = 0, stream: int = 0, payload: bytes = b"") -> bytes:
    """One frame."""
    return len(payload).to_bytes(3) + bytes((kind, flags)) + stream.to_bytes(4) + payload


def call(stream: int, path: str, token: str, *messages: bytes, whole: bool = False) -> bytes:
    """Return the frames of a gRPC call, which stays open unless it is whole."""
    block = _headers(path, {"authorization": f"Bearer {token}"})
    data = b"".join(map(prefixed, messages))
    begun = frame(Kind.HEADERS, flags=4, stream=stream, payload=block)
    return begun + (frame(Kind.DATA, flags=int(whole), stream=stream, payload=data) if data else b"")


def call_with(stream: int, path: str, metadata: Mapping[str, str]) -> bytes:
    """Return the frames of a call without a token, with this metadata, however large, and an empty message."""
    block = _headers(path, metadata)
    pieces = [block[at : at + 16_000] for at in range(0, len(block), 16_000)]
    kinds = [Kind.HEADERS, *[Kind.CONTINUATION] * (len(pieces) - 1)]
    frames = [
        frame(kind, flags=4 * (piece is pieces[-1]), stream=stream, payload=piece)
        for kind, piece in zip(kinds, pieces, strict=True)
    ]
    return b"".join(frames) + frame(Kind.DATA, flags=1, stream=stream, payload=bytes(5))


def _headers(path: str, metadata: Mapping[str, str]) -> bytes:
    headers = {
        ":method": "POST",
        ":scheme": "http",
        ":path": path,
        ":authority": "localhost",
        "te": "trailers",
        "content-type": "application/grpc",
        **metadata,
    }
    return b"".join(_literal(name) + _literal(value)[1:] for name, value in headers.items())


def reset(stream: int) -> bytes:
    """Cancel the call."""
    return frame(Kind.RST_STREAM, stream=stream, payload=CANCEL.to_bytes(4))


def _literal(text: str) -> bytes:
    """Return a literal field that is not indexed (RFC 7541, section 6.2.2): its first byte, and a string."""
    data = text.encode()
    if len(data) < 127:
        return b"\x00" + bytes((len(data),)) + data
    return b"\x00\x7f" + bytes((len(data) - 127,)) + data
