"""One connection of a bot: it stamps incoming frames, gathers outgoing messages, and starts the clocks.

The reader only stamps frames and queues them; they are handled in later turns of the loop (`FrameQueue`), so that no
answer waits for its stamp while another is handled. The writer puts everything that is ready into one frame.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sized
from typing import Final, Protocol

from arena.core.clock.round_trip import RoundTrip
from arena.core.errors import ArenaError, DeadlineExceededError, ErrorReason
from arena.core.tokens import redact
from arena.runner.timers import Timers
from arena.server.errors import retry_after_s
from arena.server.play.encoding_turns import EncodingTurns
from arena.server.play.frame_queue import TURN_NS, FrameQueue
from arena.server.play.keepalive import WRITE_WITHIN_S, WriteWatch
from arena.sessions import outgoing
from arena.sessions.decision_window import Asked
from arena.sessions.handshake import Preferences
from arena.v1 import play_pb2
from arena.wire.play.frames import FRAME_BYTES, FRAME_MESSAGES, frame
from arena.wire.play.incoming import PING_S
from arena.wire.play.outgoing import encode_message

KEPT_PINGS: Final = 240
"""Pings whose answers are awaited, an hour's; a bot need not answer any."""

SILENT_PINGS: Final = 5
SILENT_NS: Final = 60_000_000_000
"""A connection is silent when nothing was received for so many pings and for so long."""

MOST_UNWRITTEN: Final = 1_024
"""While more messages wait to be written, nothing is read. This holds back a bot that floods without reading."""

FIRST_PINGS: Final = 3
"""So many pings follow one another at once, for a first measurement of the network."""


class Transport(Protocol):
    """The gRPC side of the connection."""

    def read(self) -> Awaitable[object]:
        """Return the next frame; anything else than bytes when the bot has half-closed."""
        ...

    def write(self, data: bytes, /) -> Awaitable[None]:
        """Return when gRPC has taken the frame."""
        ...


class Connection:
    """The frames of one connection. `ended` is set once, to how it ends."""

    def __init__(
        self,
        transport: Transport,
        timers: Timers,
        watch: WriteWatch,
        frames: FrameQueue,
        encoding: EncodingTurns,
        *,
        local: bool,
    ) -> None:
        """`watch`, `frames`, `encoding`: of all connections; `local`: a Unix socket."""
        self.round_trip = RoundTrip(local=local)
        self.preferences = Preferences()
        self.holder = ("", 0)
        """The id of its token, and the number of the hosted process."""
        self.owner = ""
        """Owner of the bot; empty until known."""
        self.half_closed = False
        """Whether the bot has half-closed with matches in play, known after a short wait for a reset."""
        self.ended: asyncio.Future[outgoing.Goodbye | ArenaError | None] = (
            asyncio.get_running_loop().create_future()
        )
        self._transport = transport
        self._timers = timers
        self._handle: Callable[[bytes, int], None] = ignore
        self._encoding_failed: Callable[[outgoing.Outgoing], None] = ignore
        self._watch = watch
        self._frames = frames
        self._encoding = encoding
        # A list and bare futures: an empty deque takes 760 bytes, and most connections are idle.
        self._outbox: list[outgoing.Outgoing | play_pb2.Ping | play_pb2.Welcome] = []
        self._ready: asyncio.Future[None] | None = None
        """The writer waits for it while there is nothing to write."""
        self._room: asyncio.Future[None] | None = None
        """The reader waits for it while too much is unwritten."""
        self._said_goodbye = False
        self._pings: dict[int, int] = {}
        self._ping_count = 0
        self._idle_rounds = 1
        self._seats: Sized = ()
        self._unheard_pings = 0
        self._heard_at = timers.now()

    def listen(
        self, handle: Callable[[bytes, int], None], encoding_failed: Callable[[outgoing.Outgoing], None]
    ) -> None:
        """Set what handles each frame with its receive time; it may raise ArenaError.

        `encoding_failed` gets each message that the arena failed to encode, while the exception is handled.
        """
        self._handle = handle
        self._encoding_failed = encoding_failed

    @property
    def silent(self) -> bool:
        """Whether nothing was received for several pings. That is allowed: the bot may compute in its only thread."""
        return self._unheard_pings >= SILENT_PINGS and self._timers.now() - self._heard_at >= SILENT_NS

    # Out

    def push(self, message: outgoing.Outgoing | play_pb2.Ping | play_pb2.Welcome) -> None:
        """Write the message, after those before it."""
        self._outbox.append(message)
        if self._ready is not None and not self._ready.done():
            self._ready.set_result(None)

    def end(self, ending: outgoing.Goodbye | ArenaError | None) -> None:
        """End the connection with this message; None: the bot is gone. Only the first call counts."""
        if not self.ended.done():
            self.ended.set_result(ending)

    async def write_all(self) -> None:
        """Write what is ready until the last message is written; end the connection if the bot does not read.

        Do not cancel it while the bot may still receive: gRPC loses a stream whose write is cancelled.
        """
        loop = asyncio.get_running_loop()
        while self._outbox or not self._said_goodbye:
            if not self._outbox:
                self._ready = loop.create_future()
                await self._ready
            await self._write_frame()

    def say_goodbye(self, goodbye: outgoing.Goodbye) -> None:
        """Queue the last message; `write_all` returns when it is written."""
        self.push(goodbye)
        self._said_goodbye = True

    async def _write_frame(self) -> None:
        waited = 0 if self._encoding.is_free else await self._encoding.wait(self.owner)
        began = time.monotonic_ns()
        try:
            messages, asked = self._gather(began)
        finally:
            self._encoding.used(self.owner, time.monotonic_ns() - began)
        if waited:
            for each in asked:
                each.seat.delayed(each.question.decision, waited)
        self._watch.begin(self)
        try:
            await self._transport.write(frame(messages))
        finally:
            self._watch.end(self)
        now = self._timers.now()
        for each in asked:
            each.seat.written(each.question.decision, now)

    def _gather(self, began: int) -> tuple[list[bytes], list[Asked]]:
        """Return the messages that are ready, up to one frame, or as many as are encoded in a turn from `began` on."""
        messages: list[bytes] = []
        asked: list[Asked] = []
        size = taken = 0
        for message in self._outbox[:FRAME_MESSAGES]:
            if taken and time.monotonic_ns() - began > TURN_NS:
                break
            data = self._words(message)
            if messages and size + len(data) > FRAME_BYTES:
                break
            taken += 1
            if not data:
                continue
            size += len(data)
            messages.append(data)
            if isinstance(message, Asked):
                asked.append(message)
            elif isinstance(message, play_pb2.Ping):
                self._pings[message.id] = self._timers.now()
                self._pings.pop(message.id - KEPT_PINGS, None)
                self._unheard_pings += 1
        del self._outbox[:taken]
        if self._room is not None and not self._room.done() and len(self._outbox) <= MOST_UNWRITTEN:
            self._room.set_result(None)
        return messages, asked

    def _words(self, message: outgoing.Outgoing | play_pb2.Ping | play_pb2.Welcome) -> bytes:
        if isinstance(message, play_pb2.Ping):
            return play_pb2.ServerMessage(ping=message).SerializeToString()
        if isinstance(message, play_pb2.Welcome):
            return play_pb2.ServerMessage(welcome=message).SerializeToString()
        try:
            return encode_message(message, self.preferences)
        # The arena's own fault: the message's match is void, and the bot gets all other messages.
        except Exception:  # noqa: BLE001
            self._encoding_failed(message)
            return b""

    def too_slow(self) -> None:
        """End the connection: a write takes too long."""
        self.end(
            DeadlineExceededError(
                ErrorReason.SLOW_READER,
                f"The bot did not read for {WRITE_WITHIN_S:g} s. Read the stream while you think.",
            )
        )

    # In

    async def read_all(self) -> None:
        """Stamp and queue frames until the bot half-closes; pause while too much is unwritten."""
        while isinstance(data := await self._next(), bytes):
            self._unheard_pings = 0
            self._heard_at = self._timers.now()
            self._frames.put(self, data, self._heard_at)
        await self._frames.handled()

    async def _next(self) -> object:
        """Return the next frame, once there is room for the replies to it."""
        while len(self._outbox) > MOST_UNWRITTEN:
            self._room = asyncio.get_running_loop().create_future()
            await self._room
        return await self._transport.read()

    def handle_frame(self, data: bytes, received: int) -> None:
        """Handle a frame, unless the connection has ended meanwhile."""
        if self.ended.done():
            return
        try:
            self._handle(data, received)
        except ArenaError as error:
            self.end(error)

    # Pings

    def set_idle_pings(self, every_s: int, seats: Sized) -> None:
        """Leave up to `every_s` seconds between two pings, in whole rounds, while its session has no seats.

        `seats`: the session's, as they are at any time.
        """
        self._idle_rounds = every_s // PING_S
        self._seats = seats

    def ping_in_round(self, number: int) -> None:
        """Send the ping of a round; without a match only in one round of several if the bot accepts that."""
        if self._seats or number % self._idle_rounds == 0:
            self.ping()

    def ping(self) -> None:
        """Send a ping; the first few follow one another at once."""
        self._ping_count += 1
        self.push(play_pb2.Ping(id=self._ping_count))

    def pong(self, ping: int, received: int) -> bool:
        """Note the answer to a ping. Return False if there was none of this number."""
        sent = self._pings.pop(ping, None)
        if sent is None:
            return False
        self.round_trip.note_pong(received - sent)
        if self._ping_count < FIRST_PINGS:
            self.ping()
        return True


def ignore(*_: object) -> None:
    """Ignore a frame, or a message that could not be encoded: the connection has no session."""


_GOODBYES: Final = {
    ErrorReason.TOKEN_MISSING: outgoing.GoodbyeCode.UNAUTHENTICATED,
    ErrorReason.TOKEN_INVALID: outgoing.GoodbyeCode.UNAUTHENTICATED,
    ErrorReason.ROLE_REQUIRED: outgoing.GoodbyeCode.UNAUTHENTICATED,
    ErrorReason.BOT_HOSTED: outgoing.GoodbyeCode.UNAUTHENTICATED,
    ErrorReason.HELLO_EXPECTED: outgoing.GoodbyeCode.HELLO_EXPECTED,
    ErrorReason.FIELD_INVALID: outgoing.GoodbyeCode.HELLO_EXPECTED,
    ErrorReason.VERSION_UNSUPPORTED: outgoing.GoodbyeCode.VERSION_UNSUPPORTED,
    ErrorReason.MALFORMED_MESSAGE: outgoing.GoodbyeCode.MALFORMED_MESSAGE,
    ErrorReason.MESSAGE_FLOOD: outgoing.GoodbyeCode.MESSAGE_FLOOD,
    ErrorReason.SLOW_READER: outgoing.GoodbyeCode.SLOW_READER,
    ErrorReason.RESUME_INVALID: outgoing.GoodbyeCode.RESUME_INVALID,
    ErrorReason.DRAINING: outgoing.GoodbyeCode.SHUTTING_DOWN,
    ErrorReason.RATE_LIMITED: outgoing.GoodbyeCode.RATE_LIMITED,
    ErrorReason.QUOTA_EXCEEDED: outgoing.GoodbyeCode.RATE_LIMITED,
}

CONNECTION_FAULTS: Final = {ErrorReason.MALFORMED_MESSAGE, ErrorReason.MESSAGE_FLOOD, ErrorReason.SLOW_READER}
"""Faults of the bot that count against its session."""

_TOO_MANY: Final = {ErrorReason.RATE_LIMITED, ErrorReason.QUOTA_EXCEEDED}

_COME_BACK: Final = {*CONNECTION_FAULTS, ErrorReason.DRAINING, ErrorReason.STORAGE, *_TOO_MANY}

_COME_BACK_AFTER_MS: Final = 1_000


def goodbye_for(error: ArenaError) -> outgoing.Goodbye:
    """Return the last message of a connection that ends with this error."""
    # Bots retry sooner than people.
    after_ms = _COME_BACK_AFTER_MS if error.reason is ErrorReason.DRAINING else 0
    if error.reason in _TOO_MANY:
        after_ms = (retry_after_s(error) or 0) * 1_000
    return outgoing.Goodbye(
        _GOODBYES.get(error.reason, outgoing.GoodbyeCode.INTERNAL),
        redact(error.sentence),
        reason=error.reason.value,
        come_back=error.reason in _COME_BACK,
        come_back_after_ms=after_ms,
    )
