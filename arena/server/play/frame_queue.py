"""The frames that bots have sent, handled in the order in which they were read, a few milliseconds at a time.

Many frames that are read at once would keep the event loop busy, and the heartbeat would count that as a stall. So the
loop gets a turn in between: nobody can stall the arena by sending frames.
"""

import asyncio
import time
from collections import deque
from collections.abc import Callable
from typing import Final, Protocol

TURN_NS: Final = 4_000_000
"""How long frames are handled before the loop may do other things."""

NOTED_NS: Final = 500_000
"""A frame that takes longer than this is noted for the bot's owner."""

NoteMessages = Callable[[str, int], None]
"""Called with an owner, and with how many nanoseconds a frame of one of their bots has taken."""


class FrameReceiver(Protocol):
    """A connection whose frames are handled."""

    owner: str

    def handle_frame(self, data: bytes, received: int) -> None:
        """Handle a frame that was read at `received`; errors in it end the connection and are not raised."""
        ...


class FrameQueue:
    """The frames of all connections that were read and not handled yet."""

    def __init__(self, note_messages: NoteMessages) -> None:
        """Start empty."""
        self._note_messages = note_messages
        self._frames: deque[tuple[FrameReceiver | None, bytes, int]] = deque()
        self._waiting: deque[asyncio.Future[None]] = deque()
        """The futures of `handled`, in the order of the entries without a frame."""
        self._scheduled = False

    def put(self, receiver: FrameReceiver, data: bytes, received: int) -> None:
        """Add a frame. `received`: when it was read, in nanoseconds of the monotonic clock."""
        self._add(receiver, data, received)

    async def handled(self) -> None:
        """Return when all frames that are in the queue now have been handled."""
        if not self._frames:
            return
        passed = asyncio.get_running_loop().create_future()
        self._waiting.append(passed)
        self._add(None, b"", 0)
        await passed

    def _add(self, receiver: FrameReceiver | None, data: bytes, received: int) -> None:
        self._frames.append((receiver, data, received))
        if not self._scheduled:
            self._scheduled = True
            asyncio.get_running_loop().call_soon(self._handle_some)

    def _handle_some(self) -> None:
        frames = self._frames
        began = before = time.monotonic_ns()
        while frames and before - began < TURN_NS:
            receiver, data, received = frames.popleft()
            if receiver is None:
                passed = self._waiting.popleft()
                if not passed.done():
                    passed.set_result(None)
                continue
            receiver.handle_frame(data, received)
            now = time.monotonic_ns()
            if now - before > NOTED_NS:
                self._note_messages(receiver.owner, now - before)
            before = now
        self._scheduled = bool(frames)
        if frames:
            asyncio.get_running_loop().call_soon(self._handle_some)
