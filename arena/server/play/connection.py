"""One connection of a bot: it stamps what comes in, gathers what goes out, and starts the clocks.

The reader only stamps frames and queues them; they are handled on the loop's next turn, so that no other bot's answer
waits for its stamp while this one's is being judged. The writer puts into a frame whatever is ready.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final, Protocol

from arena.core.errors import ArenaError, DeadlineExceededError, ErrorReason, FailedPreconditionError
from arena.core.round_trip import RoundTrip
from arena.players import outgoing
from arena.players.hello import Preferences
from arena.runner.timers import Handle, Timers
from arena.server.errors import retry_after_s
from arena.server.play.frames import FRAME_BYTES, FRAME_MESSAGES, frame
from arena.server.play.outgoing_words import words
from arena.v1 import play_pb2

WRITE_WITHIN_S: Final = 5.0
"""A write that takes longer means that the bot does not read."""

WRITE_LOOKS: Final = 10
"""So often a write is looked at within that time. If the arena itself stands still, that takes up one look at most."""

PING_EVERY_NS: Final = 15_000_000_000
KEPT_PINGS: Final = 240
"""So many pings are waited for, an hour's: a bot need not answer any."""

SILENT_PINGS: Final = 5
"""A connection is silent when nothing was heard since so many pings were written: for a minute at least."""

FIRST_PINGS: Final = 3
"""So many pings follow one another at once, for a first idea of the network."""


_NS_PER_S: Final = 1_000_000_000


class Transport(Protocol):
    """The gRPC side of the connection."""

    def read(self) -> Awaitable[bytes | None]:
        """The next frame; None when the bot has half-closed."""
        ...

    def write(self, data: bytes) -> Awaitable[None]:
        """Returns when gRPC has taken the frame."""
        ...


class Connection:
    """The frames of one connection. `ended` is its last word, set once."""

    def __init__(self, transport: Transport, timers: Timers, *, local: bool) -> None:
        """`local`: a Unix socket."""
        self.round_trip = RoundTrip(local=local)
        self.preferences = Preferences()
        self.ended: asyncio.Future[outgoing.Goodbye | ArenaError | None] = (
            asyncio.get_running_loop().create_future()
        )
        self._transport = transport
        self._timers = timers
        self._handle: Callable[[bytes, int], None] = _nobody_listens
        self._inbox: deque[tuple[bytes, int]] = deque()
        self._outbox: deque[outgoing.Outgoing | play_pb2.Ping | play_pb2.Welcome] = deque()
        self._ready = asyncio.Event()
        self._said_goodbye = False
        self._pings: dict[int, int] = {}
        self._ping_count = 0
        self._unheard_pings = 0
        self._ping_alarm: Handle | None = None
        self._frames = 0
        """Begun to be written so far."""
        self._writing = False
        self._watched = False

    def listen(self, handle: Callable[[bytes, int], None]) -> None:
        """From now on `handle` is given each frame and when it was received; it may raise ArenaError."""
        self._handle = handle

    @property
    def silent(self) -> bool:
        """Whether nothing was heard since several pings. It is no fault: the bot may think in its only thread."""
        return self._unheard_pings >= SILENT_PINGS

    # Out

    def push(self, message: outgoing.Outgoing | play_pb2.Ping | play_pb2.Welcome) -> None:
        """The message will be written, in order."""
        self._outbox.append(message)
        self._ready.set()

    def end(self, ending: outgoing.Goodbye | ArenaError | None) -> None:
        """The connection ends with these words; None: the bot is gone already. Only the first call counts."""
        if not self.ended.done():
            self.ended.set_result(ending)

    async def write_all(self) -> None:
        """Writes what is ready until the last word is written; ends the connection if the bot does not read.

        It must not be cancelled as long as the bot may still hear something: gRPC loses a stream whose write is broken
        off.
        """
        while not self._said_goodbye or self._outbox:
            await self._ready.wait()
            self._ready.clear()
            while self._outbox:
                await self._write_frame()

    def say_goodbye(self, goodbye: outgoing.Goodbye) -> None:
        """The last message; `write_all` returns when it is written."""
        self.push(goodbye)
        self._said_goodbye = True

    async def _write_frame(self) -> None:
        messages, asked = self._gather()
        self._frames += 1
        self._writing = True
        if not self._watched:
            self._watch_write(self._frames, WRITE_LOOKS)
        try:
            await self._transport.write(frame(messages))
        finally:
            self._writing = False
        now = self._timers.now()
        for each in asked:
            each.seat.written(each.question.decision, now)

    def _gather(self) -> tuple[list[bytes], list[outgoing.Asked]]:
        """Whatever is ready, as far as it goes into one frame."""
        messages: list[bytes] = []
        asked: list[outgoing.Asked] = []
        size = 0
        while self._outbox and len(messages) < FRAME_MESSAGES:
            message = self._outbox[0]
            data = self._words(message)
            if messages and size + len(data) > FRAME_BYTES:
                break
            self._outbox.popleft()
            size += len(data)
            messages.append(data)
            if isinstance(message, outgoing.Asked):
                asked.append(message)
            elif isinstance(message, play_pb2.Ping):
                self._note_ping(message.id)
        return messages, asked

    def _words(self, message: outgoing.Outgoing | play_pb2.Ping | play_pb2.Welcome) -> bytes:
        if isinstance(message, play_pb2.Ping):
            return play_pb2.ServerMessage(ping=message).SerializeToString()
        if isinstance(message, play_pb2.Welcome):
            return play_pb2.ServerMessage(welcome=message).SerializeToString()
        return words(message, self.preferences)

    def _watch_write(self, number: int, looks: int) -> None:
        """The connection ends if frame `number` is still being written after so many more looks.

        The looks go on from frame to frame as long as one is being written, so that a frame that is taken at once, as
        nearly all are, needs no alarm of its own.
        """
        if not looks:
            self._too_slow()
            return
        look_at = self._timers.now() + round(WRITE_WITHIN_S * _NS_PER_S / WRITE_LOOKS)
        self._timers.call_at(look_at, partial(self._look_at_write, number, looks - 1))
        self._watched = True

    def _look_at_write(self, number: int, looks: int) -> None:
        self._watched = False
        if self._writing:
            self._watch_write(self._frames, looks if number == self._frames else WRITE_LOOKS)

    def _too_slow(self) -> None:
        self.end(
            DeadlineExceededError(
                ErrorReason.SLOW_READER,
                f"The bot did not read for {WRITE_WITHIN_S:g} s. Read the stream while you think.",
            )
        )

    # In

    async def read_all(self) -> None:
        """Stamps and queues frames until the bot half-closes."""
        loop = asyncio.get_running_loop()
        while (data := await self._transport.read()) is not None:
            self._unheard_pings = 0
            if not self._inbox:
                loop.call_soon(self._handle_inbox)
            self._inbox.append((data, self._timers.now()))
        self._handle_inbox()

    def _handle_inbox(self) -> None:
        while self._inbox and not self.ended.done():
            data, received = self._inbox.popleft()
            try:
                self._handle(data, received)
            except ArenaError as error:
                self.end(error)
        self._inbox.clear()

    # Pings

    def start_pings(self) -> None:
        """The first pings go out, and then one now and then."""
        self._ping()

    def stop_pings(self) -> None:
        """No more pings."""
        if self._ping_alarm is not None:
            self._ping_alarm.cancel()

    def _ping(self) -> None:
        self._ping_count += 1
        self.push(play_pb2.Ping(id=self._ping_count))
        self._ping_alarm = self._timers.call_at(self._timers.now() + PING_EVERY_NS, self._ping)

    def _note_ping(self, ping: int) -> None:
        """The ping is about to be written."""
        self._pings[ping] = self._timers.now()
        self._pings.pop(ping - KEPT_PINGS, None)
        self._unheard_pings += 1

    def pong(self, ping: int, received: int) -> bool:
        """A pong came back. False if nobody asked for it."""
        sent = self._pings.pop(ping, None)
        if sent is None:
            return False
        self.round_trip.note_pong(received - sent)
        if self._ping_count < FIRST_PINGS:
            self.stop_pings()
            self._ping()
        return True


def _nobody_listens(_data: bytes, _received: int) -> None:
    """Frames before anybody listens are not read at all."""
    raise FailedPreconditionError(ErrorReason.HELLO_EXPECTED, "The first message must be `hello`.")


_GOODBYES: Final = {
    ErrorReason.TOKEN_MISSING: outgoing.GoodbyeCode.UNAUTHENTICATED,
    ErrorReason.TOKEN_INVALID: outgoing.GoodbyeCode.UNAUTHENTICATED,
    ErrorReason.ROLE_REQUIRED: outgoing.GoodbyeCode.UNAUTHENTICATED,
    ErrorReason.HELLO_EXPECTED: outgoing.GoodbyeCode.HELLO_EXPECTED,
    ErrorReason.FIELD_INVALID: outgoing.GoodbyeCode.HELLO_EXPECTED,
    ErrorReason.VERSION_UNSUPPORTED: outgoing.GoodbyeCode.VERSION_UNSUPPORTED,
    ErrorReason.MALFORMED_MESSAGE: outgoing.GoodbyeCode.MALFORMED_MESSAGE,
    ErrorReason.MESSAGE_FLOOD: outgoing.GoodbyeCode.MESSAGE_FLOOD,
    ErrorReason.SLOW_READER: outgoing.GoodbyeCode.SLOW_READER,
    ErrorReason.RESUME_INVALID: outgoing.GoodbyeCode.RESUME_INVALID,
    ErrorReason.DRAINING: outgoing.GoodbyeCode.SHUTTING_DOWN,
    ErrorReason.RATE_LIMITED: outgoing.GoodbyeCode.RATE_LIMITED,
}

CONNECTION_FAULTS: Final = {ErrorReason.MALFORMED_MESSAGE, ErrorReason.MESSAGE_FLOOD, ErrorReason.SLOW_READER}
"""Faults of the bot's making that count against its session."""

_COME_BACK: Final = {*CONNECTION_FAULTS, ErrorReason.DRAINING, ErrorReason.STORAGE, ErrorReason.RATE_LIMITED}

_COME_BACK_AFTER_MS: Final = 1_000


def goodbye_for(error: ArenaError) -> outgoing.Goodbye:
    """The last word of a connection that ends with this error."""
    return outgoing.Goodbye(
        _GOODBYES.get(error.reason, outgoing.GoodbyeCode.INTERNAL),
        error.sentence,
        reason=error.reason.value,
        come_back=error.reason in _COME_BACK,
        come_back_after_ms=_come_back_after_ms(error),
    )


def _come_back_after_ms(error: ArenaError) -> int:
    """A bot comes back to an arena that starts again sooner than people ask it anything."""
    if error.reason is ErrorReason.DRAINING:
        return _COME_BACK_AFTER_MS
    if error.reason is ErrorReason.RATE_LIMITED:
        return (retry_after_s(error) or 0) * 1_000
    return 0
