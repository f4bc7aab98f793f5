"""The Play service: a bot dials in, is recognised, talks, and leaves or is lost."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from typing import Final

import grpc
import structlog
from grpc.aio import ServicerContext

from arena.core.clock.stalls import StallMeter
from arena.core.errors import (
    ArenaError,
    ErrorReason,
    FailedPreconditionError,
    ResourceExhaustedError,
    UnauthenticatedError,
    UnavailableError,
)
from arena.core.units import NS_PER_MS
from arena.runner.timers import Timers
from arena.server.auth.revocation import End
from arena.server.errors import RETRY_AFTER, abort
from arena.server.limits import BAN_S, PLAY_CONNECTIONS
from arena.server.play.connection import (
    CONNECTION_FAULTS,
    Connection,
    goodbye_for,
    nobody_listens,
    nobody_minds,
)
from arena.server.play.conversation import BYTES_A_DECISION, IDLE_MESSAGES, Conversation
from arena.server.play.frame_queue import FrameQueue
from arena.server.play.keepalive import PingSchedule, WriteWatch
from arena.sessions import outgoing
from arena.sessions.handshake import Identity
from arena.sessions.registry import MassLoss, SessionRegistry
from arena.sessions.seat import DEBUG_LINE_BYTES, DEBUG_MATCH_BYTES
from arena.sessions.session import Session
from arena.v1 import play_pb2
from arena.wire.play.frames import FRAME_BYTES, FRAME_MESSAGES
from arena.wire.play.incoming import PROTOCOL, Introduction, read_frame, read_hello
from arena.wire.resource_names import bot_name, version_name

HELLO_WITHIN_S: Final = 10.0
"""How long a new connection has to introduce itself."""

ABORT_WITHIN_S: Final = 0.2
"""After a half-close the arena waits so long for an abort before it takes the bot for lost."""

GOODBYE_WITHIN_S: Final = 4.0
"""How long an arena that shuts down waits until its last words are read."""

SERVICE: Final = "arena.v1.PlayService"

_log = structlog.get_logger(__name__)

Recognise = Callable[[ServicerContext[bytes, bytes]], Awaitable[Identity]]
"""Who is calling, the version left empty. Raises ArenaError (TOKEN_MISSING, TOKEN_INVALID, ROLE_REQUIRED)."""

Admit = Callable[[ServicerContext[bytes, bytes]], None]
"""Counts the call. Raises ArenaError (RATE_LIMITED) if it is one too many."""

Register = Callable[[Identity, str], Awaitable[None]]
"""Stores a bot version, with its language, when it is first seen."""

Entered = Callable[[ServicerContext[bytes, bytes], End], AbstractContextManager[None]]
"""Around a call that ends when its token does."""

Quota = Callable[[str], Awaitable[int | None]]
"""How many connections the bots of an owner may have; None: any number."""


def outlives_tokens(_context: ServicerContext[bytes, bytes], _end: End) -> AbstractContextManager[None]:
    """Of calls that no token of the arena opens."""
    return nullcontext()


async def no_quota(_owner: str) -> None:
    """Any number of connections."""


@dataclass(frozen=True, slots=True)
class Gate:
    """Where bots come in: who they are is found out differently at each."""

    admit: Admit
    recognise: Recognise
    register: Register
    entered: Entered = outlives_tokens
    quota: Quota = no_quota
    most_connections: int = PLAY_CONNECTIONS
    """Of one bot's token, or of one program, at the same time."""
    opened: Callable[[Session], None] = lambda _: None
    """Told of every session that is opened or resumed there."""


class _GrpcTransport:
    def __init__(self, context: ServicerContext[bytes, bytes]) -> None:
        self._context = context

    def read(self) -> Awaitable[object]:
        return self._context.read()

    def write(self, data: bytes) -> Awaitable[None]:
        return self._context.write(data)


class PlayService:
    """All connections of all bots."""

    def __init__(  # noqa: PLR0913 - what a gate is made of, and what it stands on
        self,
        sessions: SessionRegistry,
        timers: Timers,
        *,
        admit: Admit,
        recognise: Recognise,
        register: Register,
        mass_loss: Callable[[MassLoss], None],
        entered: Entered = outlives_tokens,
        quota: Quota = no_quota,
        stalls: StallMeter,
    ) -> None:
        """`mass_loss`: called when so many bots vanish at once that it must be the arena's fault.

        `stalls`: learns how long the messages of each owner's bots keep the arena busy.
        """
        self._sessions = sessions
        self._timers = timers
        self._gate = Gate(admit, recognise, register, entered, quota)
        self._mass_loss = mass_loss
        self._pings = PingSchedule(timers)
        self._watch = WriteWatch(timers)
        self._frames = FrameQueue(stalls.note_messages)
        self._connections: dict[Connection, Session] = {}
        self._held_by: Counter[tuple[str, int]] = Counter()
        """How many of them each token has, or each program."""
        self._of_owner: Counter[str] = Counter()
        """How many of them the bots of each owner have, without programs that the arena runs."""
        self._calls: set[asyncio.Task[None]] = set()
        self._draining_until: int | None = None
        """On the timers' clock; None while the arena is open."""

    def handler(self) -> grpc.GenericRpcHandler:
        """What a gRPC server is given: bytes in, bytes out, so that an unreadable frame is answered by us."""
        return self.handler_at(self._gate)

    def handler_at(self, gate: Gate) -> grpc.GenericRpcHandler:
        """The same for those who come in elsewhere."""

        async def play(_requests: object, context: ServicerContext[bytes, bytes]) -> None:
            await self._play(gate, context)

        method: grpc.RpcMethodHandler[bytes, bytes] = grpc.stream_stream_rpc_method_handler(play)
        return grpc.method_handlers_generic_handler(SERVICE, {"Play": method})

    def drain(self, within_ms: int) -> None:
        """Every bot is told that the arena is going to shut down; who has no match to come back to stays outside."""
        self._draining_until = self._timers.now() + within_ms * NS_PER_MS
        for connection in list(self._connections):
            connection.push(outgoing.Draining(within_ms))

    async def shut_down(self) -> None:
        """Every connection has ended, its bot told why; one that does not read is not waited for."""
        for connection in list(self._connections):
            connection.end(_CLOSING)
        if self._calls:
            await asyncio.wait(self._calls, timeout=GOODBYE_WITHIN_S)

    def connections_of(self, owner: str) -> int:
        """How many connections the bots of an owner have, without programs that the arena runs."""
        return self._of_owner[owner]

    def dismiss(self, bot: str, why: ArenaError) -> bool:
        """Connections over which a bot has dialled in end with these words; False if some first play to the end."""
        all_gone = True
        for connection, session in list(self._connections.items()):
            if session.identity.bot == bot and not session.identity.hosted:
                all_gone = all_gone and not session.seats
                if not session.seats:
                    connection.end(why)
        return all_gone

    # One connection

    async def _play(self, gate: Gate, context: ServicerContext[bytes, bytes]) -> None:
        call = asyncio.current_task()
        assert call is not None
        self._calls.add(call)
        call.add_done_callback(self._calls.discard)
        too_many = _one_too_many(gate, context)
        await context.send_initial_metadata(())
        transport = _GrpcTransport(context)
        local = context.peer().startswith("unix:")
        connection = Connection(transport, self._timers, self._watch, self._frames, local=local)
        with gate.entered(context, connection.end):
            try:
                if too_many is not None:
                    raise too_many
                session, first = await self._introduce(gate, context, connection, transport)
            except ArenaError as error:
                await self._refuse(connection, context, error)
                return
            ending = await self._talk(connection, session, first)
        if isinstance(ending, ArenaError):
            await abort(context, ending)

    async def _refuse(
        self, connection: Connection, context: ServicerContext[bytes, bytes], error: ArenaError
    ) -> None:
        writer = asyncio.create_task(connection.write_all())
        try:
            await _say(connection, error, writer)
        finally:
            writer.cancel()  # also where the call is broken off meanwhile: nobody else would hear of its failed write
        await abort(context, error)

    async def _introduce(
        self,
        gate: Gate,
        context: ServicerContext[bytes, bytes],
        connection: Connection,
        transport: _GrpcTransport,
    ) -> tuple[Session, list[play_pb2.ClientMessage]]:
        """The session that this connection opens or resumes, and what came behind `hello` in its frame."""
        caller = await gate.recognise(context)
        messages = await _first_frame(transport, connection)
        introduction = read_hello(messages[0].hello)
        identity = replace(caller, version=caller.version or introduction.version)
        await gate.register(identity, introduction.language)
        quota = await gate.quota(identity.owner)
        _check_not_ended(connection)
        connection.preferences = introduction.preferences
        session = self._seat_session(gate, quota, connection, identity, introduction)
        gate.opened(session)
        self._sessions.changed()
        return session, messages[1:]

    def _check_connections(self, gate: Gate, caller: Identity) -> None:
        """Raises ResourceExhaustedError (RATE_LIMITED) if the bot has all the connections it may have."""
        held = self._held_by[_holder(caller)]
        if held >= gate.most_connections:
            of = "of this program" if caller.hosted else "with this token"
            raise ResourceExhaustedError(
                ErrorReason.RATE_LIMITED,
                f"{held} connections {of} are open, the most there may be. Take more matches on each.",
                **{RETRY_AFTER: str(BAN_S)},
            )

    def _check_quota(self, quota: int | None, caller: Identity) -> None:
        """Raises ResourceExhaustedError (QUOTA_EXCEEDED) if the bots of the owner have all they may have together."""
        held = self._of_owner[caller.owner]
        if quota is not None and not caller.hosted and held >= quota:
            raise ResourceExhaustedError(
                ErrorReason.QUOTA_EXCEEDED,
                f"Connections of {caller.owner}'s bots: {held}, and there may be {quota}. Take more matches on each, "
                "close some, or ask the organiser for more.",
                bound=str(quota),
                **{RETRY_AFTER: str(BAN_S)},
            )

    def _seat_session(
        self,
        gate: Gate,
        quota: int | None,
        connection: Connection,
        identity: Identity,
        introduction: Introduction,
    ) -> Session:
        session = self._sessions.resume(identity, introduction.resume_token)
        resumed = session is not None
        if session is None:
            session = self._sessions.open(identity, introduction.games)
            resumed = introduction.claim and self._sessions.claim(session)
        if not resumed:
            try:
                self._check_new(gate, quota, identity)
            except ArenaError:
                self._sessions.forget_if_idle(session.number)
                raise
        session.connect(connection, introduction.preferences)
        self._connections[connection] = session
        connection.holder = _holder(identity)
        connection.owner = identity.owner
        self._held_by[connection.holder] += 1
        if not identity.hosted:
            self._of_owner[identity.owner] += 1
        connection.push(self._welcome(session, resumed=resumed))
        session.tell_all()
        session.set_capacity(introduction.capacity)
        if self._draining_until is not None:
            left_ms = max(0, self._draining_until - self._timers.now()) // NS_PER_MS
            connection.push(outgoing.Draining(left_ms))
        return session

    def _check_new(self, gate: Gate, quota: int | None, identity: Identity) -> None:
        """Raises ArenaError if there is no place for one more session: who comes back to a match always has one."""
        if self._draining_until is not None:
            raise _draining()
        self._check_connections(gate, identity)
        self._check_quota(quota, identity)

    def _welcome(self, session: Session, *, resumed: bool) -> play_pb2.Welcome:
        identity = session.identity
        return play_pb2.Welcome(
            protocol=PROTOCOL,
            bot=bot_name(identity.bot),
            bot_version=version_name(identity.bot, identity.version),
            session=session.name,
            resume_token=self._sessions.resume_token(session),
            resumed=resumed,
            assignments=len(session.seats),
            limits=play_pb2.Limits(
                frame_messages=FRAME_MESSAGES,
                frame_bytes=FRAME_BYTES,
                idle_messages=IDLE_MESSAGES,
                decision_bytes=BYTES_A_DECISION,
                debug_line_bytes=DEBUG_LINE_BYTES,
                debug_match_bytes=DEBUG_MATCH_BYTES,
            ),
        )

    async def _talk(
        self, connection: Connection, session: Session, first: list[play_pb2.ClientMessage]
    ) -> outgoing.Goodbye | ArenaError | None:
        """Talks until the connection ends; its last word, said already."""
        conversation = Conversation(connection, session, self._sessions)
        connection.listen(conversation.handle_frame, conversation.unspeakable)
        writer = asyncio.create_task(_write(connection, conversation))
        reader = asyncio.create_task(self._read(connection, session))
        ending: outgoing.Goodbye | ArenaError | None = None
        try:
            conversation.handle_first(first, self._timers.now())
            connection.ping()
            self._pings.join(connection)
            ending = await connection.ended
            self._left(connection, session, ending)
            if ending is not None:
                await _say(connection, ending, writer)
        finally:
            self._left(connection, session, ending)
            connection.listen(nobody_listens, nobody_minds)  # no circle is left for the garbage collector
            writer.cancel()
            reader.cancel()
        return ending

    async def _read(self, connection: Connection, session: Session) -> None:
        """Reads until the bot half-closes, then decides whether it has left or is lost."""
        await connection.read_all()
        # A connection that is cut looks like a half-close for a moment, until this task is cancelled.
        playing = session.playing
        await asyncio.sleep(ABORT_WITHIN_S)
        if playing:
            connection.half_closed = True
            connection.end(None)
        else:
            connection.end(outgoing.Goodbye(outgoing.GoodbyeCode.DONE, "All done; come back any time."))

    def _left(
        self, connection: Connection, session: Session, ending: outgoing.Goodbye | ArenaError | None
    ) -> None:
        """The connection is gone: its session is lost, or over."""
        self._pings.leave(connection)
        if self._connections.pop(connection, None) is not None:
            self._held_by[connection.holder] -= 1
            if not self._held_by[connection.holder]:
                del self._held_by[connection.holder]
            self._no_longer_of(session.identity)
        if not session.disconnect(connection, _what_the_bot_did(connection, ending)):
            return
        if isinstance(ending, ArenaError) and ending.reason in CONNECTION_FAULTS:
            session.fault(_as_part(ending.sentence))
        orderly = isinstance(ending, outgoing.Goodbye | UnavailableError)
        if orderly:
            session.leave()
            self._sessions.forget_if_idle(session.number)
        elif isinstance(ending, UnauthenticatedError):
            # Its token has ended. However many do so at once: that is people's doing, and no fault of the arena.
            self._sessions.forget_if_idle(session.number)
        elif (loss := self._sessions.lost(session)) is not None:
            _log.warning("many bots lost at once", lost=loss.lost, of=loss.of, owners=loss.owners)
            self._mass_loss(loss)

    def _no_longer_of(self, identity: Identity) -> None:
        if not identity.hosted:
            self._of_owner[identity.owner] -= 1
            if not self._of_owner[identity.owner]:
                del self._of_owner[identity.owner]


def _holder(identity: Identity) -> tuple[str, int]:
    """Whose connections are counted together."""
    return identity.token, identity.program


def _one_too_many(gate: Gate, context: ServicerContext[bytes, bytes]) -> ArenaError | None:
    """Why the call is not heard. It is counted before anything is waited for: a call may be broken off at once."""
    try:
        gate.admit(context)
    except ArenaError as error:
        return error
    return None


async def _first_frame(transport: _GrpcTransport, connection: Connection) -> list[play_pb2.ClientMessage]:
    """The messages of the first frame, of which the first is a `hello`. Raises ArenaError."""
    read = asyncio.ensure_future(transport.read())
    try:
        waited_for = (read, connection.ended)
        await asyncio.wait(waited_for, timeout=HELLO_WITHIN_S, return_when=asyncio.FIRST_COMPLETED)
        _check_not_ended(connection)
        data = read.result() if read.done() else None
    finally:
        read.cancel()
    messages = list(read_frame(data).messages) if isinstance(data, bytes) else []
    if not messages or not messages[0].HasField("hello"):
        raise FailedPreconditionError(
            ErrorReason.HELLO_EXPECTED,
            f"The first message must be `hello`, within {HELLO_WITHIN_S:g} s; see docs/protocol.md.",
        )
    return messages


def _check_not_ended(connection: Connection) -> None:
    """Raises ArenaError if the connection was ended before its bot has introduced itself."""
    ending = connection.ended.result() if connection.ended.done() else None
    if isinstance(ending, ArenaError):
        raise ending


async def _say(
    connection: Connection, ending: outgoing.Goodbye | ArenaError, writer: asyncio.Task[None]
) -> None:
    """The last word has gone out, or the bot is gone.

    A bot that has stopped reading may begin again. Until then its call costs nothing; gRPC could not end it, since it
    sends no status behind a message that is still on its way.
    """
    connection.say_goodbye(goodbye_for(ending) if isinstance(ending, ArenaError) else ending)
    await asyncio.wait({writer})


async def _write(connection: Connection, conversation: Conversation) -> None:
    """Writes to the end. Nobody else would tell of a failure, and the bot would wait for what never comes."""
    try:
        await connection.write_all()
    except grpc.aio.BaseError:
        pass  # gRPC's own: the bot is gone, and the call is about to be cancelled
    except Exception:  # noqa: BLE001 - whatever the arena does wrong here costs no bot anything
        conversation.unwritable()


def _what_the_bot_did(connection: Connection, ending: outgoing.Goodbye | ArenaError | None) -> str:
    """What has ended the connection, if it was the bot's own doing; otherwise it may have been the network, or us."""
    if isinstance(ending, ArenaError) and goodbye_for(ending).code in _ENDED_BY_BOTS:
        return _as_part(ending.sentence)
    return "the bot half-closed its call" if connection.half_closed else ""


_ENDED_BY_BOTS: Final = {
    outgoing.GoodbyeCode.UNAUTHENTICATED,  # its owner has revoked the token
    outgoing.GoodbyeCode.HELLO_EXPECTED,
    outgoing.GoodbyeCode.MALFORMED_MESSAGE,
    outgoing.GoodbyeCode.MESSAGE_FLOOD,
    outgoing.GoodbyeCode.SLOW_READER,
}


def _as_part(sentence: str) -> str:
    """The first sentence, to stand within another one."""
    first = sentence.partition(". ")[0].rstrip(".")
    return first[0].lower() + first[1:]


_CLOSING: Final = UnavailableError(
    ErrorReason.DRAINING,
    "The arena shuts down now. Matches that had not ended are void and cost nobody anything.",
)


def _draining() -> UnavailableError:
    return UnavailableError(
        ErrorReason.DRAINING, "The arena is shutting down and takes no new connections. Come back in a while."
    )
