"""One connection of the bot, as the scripted server sees it."""

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

import grpc
from google.protobuf.message import DecodeError, Message
from grpc import aio

from arena.conformance import requirements
from arena.conformance.limits import UNREAD_BYTES, UNREAD_MESSAGES
from arena.conformance.protocol_rules import ProtocolRules
from arena.conformance.transcript import Transcript
from arena.conformance.verdict import NotTriedError, Requirement, UnmetError
from arena.conformance.waiter import Waiter
from arena.v1 import play_pb2

Context = aio.ServicerContext[bytes, bytes]
Rewrite = Callable[[play_pb2.PlayResponse], None]

_KINDS: Final = {
    field.message_type.full_name: field.name
    for field in play_pb2.ServerMessage.DESCRIPTOR.fields
    if field.message_type is not None
}


class BotConnection:
    """One Play call. The bot's messages are queued here until the script receives them."""

    def __init__(
        self,
        context: Context,
        waiter: Waiter,
        *,
        rules: ProtocolRules,
        transcript: Transcript,
        token: str,
        on_debug: Callable[[play_pb2.Debug], None],
    ) -> None:
        """`token`: what must not occur in a message; `rules` judges each one; `on_debug` takes debug lines."""
        self.metadata = dict(context.invocation_metadata() or ())
        self.called_at = asyncio.get_running_loop().time()
        """On the loop's clock, in seconds."""
        self.hello = play_pb2.Hello()
        """The bot's hello; empty until it has come."""
        self.half_closed = False
        self.gone = False
        """True once the bot has left the connection, or it was cut."""
        self.rewrite: Rewrite | None = None
        """What is done to each frame before it is sent; None: nothing."""
        self.goodbye_sentence = ""
        """The sentence of the goodbye, once sent; it is in the status too, as with any arena."""
        self._context = context
        self._waiter = waiter
        self._rules = rules
        self._transcript = transcript
        self._token = token.encode()
        self._on_debug = on_debug
        self._inbox: deque[play_pb2.ClientMessage] = deque()
        self._unread_bytes = 0
        self._end: asyncio.Future[grpc.StatusCode] = asyncio.get_running_loop().create_future()

    # Messages to the bot

    async def accept(self) -> None:
        """Send the call's initial metadata."""
        with suppress(aio.BaseError):  # The bot is gone; the next wait reports it.
            await self._context.send_initial_metadata(())

    async def send(self, *bodies: Message) -> None:
        """Send one frame with these messages, for example a Welcome and a Ping."""
        frame = play_pb2.PlayResponse()
        for body in bodies:
            message = frame.messages.add()
            getattr(message, _KINDS[body.DESCRIPTOR.full_name]).CopyFrom(body)
            self.goodbye_sentence = message.goodbye.sentence or self.goodbye_sentence
            self._rules.note_sent(message)
            self._transcript.note(message)
        if self.rewrite is not None:
            self.rewrite(frame)
        with suppress(aio.BaseError, asyncio.InvalidStateError):  # The bot is gone; the next wait reports it.
            await self._context.write(frame.SerializeToString())

    def end(self, status: grpc.StatusCode = grpc.StatusCode.OK) -> None:
        """End the call with this status, after all messages sent before."""
        if not self._end.done():
            self._transcript.note(f"the arena ends the call with the status {status.name}")
            self._end.set_result(status)

    # Messages of the bot

    async def receive(
        self,
        kind: str,
        requirement: Requirement,
        *,
        where: Callable[[Any], bool] = lambda _: True,
        what: str = "",
    ) -> Any:
        """Return the next message of this kind for which `where` is true; others stay queued.

        `what`: names it for people. Raises UnmetError with the requirement if it does not come.
        """

        def found() -> play_pb2.ClientMessage | None:
            for message in self._inbox:
                if message.WhichOneof("kind") == kind and where(getattr(message, kind)):
                    return message
            return None

        message = await self._waiter.until(found, f"send {what or f'`{kind}`'}", requirement, lost=self._lost)
        self._inbox.remove(message)
        self._unread_bytes -= message.ByteSize()
        return getattr(message, kind)

    async def receive_hello(self) -> play_pb2.Hello:
        """Return the bot's hello. Raises UnmetError."""
        hello: play_pb2.Hello = await self.receive("hello", requirements.HELLO_FIRST)
        self.hello = hello
        return hello

    async def receive_half_close(self, requirement: Requirement, what: str = "half-close") -> None:
        """Wait until the bot has half-closed the call. `what`: names it for people. Raises UnmetError."""
        await self._waiter.until(lambda: self.half_closed or None, what, requirement, lost=self._lost)

    def is_leaving(self) -> bool:
        """Return whether the bot has sent `capacity` 0 or half-closed the call, or is gone."""
        said = (message.capacity for message in self._inbox if message.HasField("capacity"))
        return bool(self._lost()) or any(capacity.matches == 0 for capacity in said)

    async def never(self, kind: str, requirement: Requirement, *, when: str) -> None:
        """Check for a short while that no message of this kind comes. Raises UnmetError with the requirement.

        `when`: the end of the sentence "It sent `ready` ...".
        """
        await self._waiter.pause()
        if any(message.WhichOneof("kind") == kind for message in self._inbox):
            raise UnmetError(f"It sent `{kind}` {when}.", requirement)

    @property
    def matches(self) -> int:
        """How many matches the bot takes at once."""
        return self.hello.capacity.matches if self.hello.HasField("capacity") else 1

    @property
    def open_decisions(self) -> int:
        """How many decisions may be open at once."""
        return self.hello.capacity.open_decisions or self.matches

    def _lost(self) -> str:
        """Return how the bot has left the connection; empty if it has not."""
        if self.gone:
            return "closed the connection"
        return "half-closed the stream" if self.half_closed else ""

    # The server's handler

    async def serve(self) -> grpc.StatusCode:
        """Read the bot's messages until the script ends the call; return the status to end it with."""
        reading = asyncio.create_task(self._read())
        try:
            return await self._end
        except asyncio.CancelledError:
            self.gone = True
            self._transcript.note("the connection is gone")
            self._waiter.wake()
            raise
        finally:
            reading.cancel()

    async def _read(self) -> None:
        with suppress(aio.BaseError):
            while isinstance(data := await self._context.read(), bytes):
                try:
                    self._take(data)
                except (UnmetError, NotTriedError) as error:
                    self._waiter.fail(error)
                    return
                self._waiter.wake()
        self.half_closed = True
        self._waiter.wake()

    def _take(self, data: bytes) -> None:
        """Handle the messages of one frame. Raises UnmetError, and NotTriedError if the bot does not play on."""
        try:
            frame = play_pb2.PlayRequest.FromString(data)
        except DecodeError:
            raise UnmetError("It sent bytes that are no arena.v1.PlayRequest.", requirements.FRAME) from None
        self._rules.check_frame(frame, len(data))
        for message in frame.messages:
            self._transcript.note(message)
            self._rules.check(message)
            if message.HasField("debug"):  # no script asks for it
                self._on_debug(message.debug)
            else:
                self._keep(message)
        if self._token in data:
            raise UnmetError("It put its token into a message.", requirements.TOKEN_IS_SECRET)

    def _keep(self, message: play_pb2.ClientMessage) -> None:
        """Queue a message. Raises UnmetError if too many unexpected ones are queued."""
        self._inbox.append(message)
        self._unread_bytes += message.ByteSize()
        if len(self._inbox) > UNREAD_MESSAGES or self._unread_bytes > UNREAD_BYTES:
            what = f"{len(self._inbox)} messages of {self._unread_bytes} bytes came that no script had asked for."
            raise UnmetError(what, requirements.FLOOD)
