"""What a floor repeats: the frames that a real arena has sent in one match, byte by byte, to the same seats."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from arena.v1 import play_pb2

SEATS: Final = 2


@dataclass(frozen=True, slots=True)
class Script:
    """The frames of one match in order, each with the seat that it goes to."""

    frames: tuple[tuple[int, bytes], ...]

    def save(self, path: Path) -> None:
        """Write the script to the file."""
        path.write_text(json.dumps([(seat, frame.hex()) for seat, frame in self.frames]))

    @classmethod
    def load(cls, path: Path) -> Script:
        """Read what `save` has written."""
        return cls(tuple((seat, bytes.fromhex(frame)) for seat, frame in json.loads(path.read_text())))


class Writer(Protocol):
    """The way out of one stream."""

    async def write(self, frame: bytes) -> None:
        """Give the frame to the transport."""
        ...


class Pair:
    """Two streams that a script is played to, over and over: a frame goes out, its answer brings the next one."""

    def __init__(self, number: int, script: Script) -> None:
        """Make pair `number`, with both seats free."""
        self._number = number
        self._frames = script.frames
        self._next = 0
        self._streams: list[Writer] = []
        self._writing = asyncio.Lock()
        self._ready = 0

    @property
    def full(self) -> bool:
        """Whether both streams are there."""
        return len(self._streams) == SEATS

    async def join(self, stream: Writer) -> None:
        """Give the stream the next seat: welcome it and assign the seat, as an arena does."""
        seat = len(self._streams)
        self._streams.append(stream)
        assigned = play_pb2.Assigned(assignment=1, match=f"matches/{self._number}", seat=seat)
        messages = [
            play_pb2.ServerMessage(welcome=play_pb2.Welcome()),
            play_pb2.ServerMessage(assigned=assigned),
        ]
        await stream.write(play_pb2.PlayResponse(messages=messages).SerializeToString())

    async def ready(self) -> None:
        """Note that a stream has answered its assignment; when both have, send the first frame."""
        self._ready += 1
        if self._ready == SEATS:
            await self.answered()

    async def answered(self) -> None:
        """Send the next frame, whatever came back: this is all that a floor does for a decision.

        An answer can come while the call that wrote its question still waits for gRPC, which takes one write of a
        stream at a time and breaks the stream off for a second.
        """
        async with self._writing:
            seat, frame = self._frames[self._next]
            self._next = (self._next + 1) % len(self._frames)
            await self._streams[seat].write(frame)


class Pairs:
    """All streams of a floor, paired as they come."""

    def __init__(self, script: Script) -> None:
        self._script = script
        self._pairs: list[Pair] = []
        self._joining = asyncio.Lock()

    async def join(self, stream: Writer) -> Pair:
        """Give the stream a seat and return its pair."""
        async with self._joining:
            if not self._pairs or self._pairs[-1].full:
                self._pairs.append(Pair(len(self._pairs), self._script))
            pair = self._pairs[-1]
            await pair.join(stream)
        return pair
