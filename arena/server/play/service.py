"""The Play service: the connections of bots from `hello` to their end."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from typing import Final, TypeAlias, TypeVar

import grpc
import structlog
from grpc.aio import ServicerContext

from arena.core import errors
from arena.core.clock.stalls import StallMeter
from arena.core.errors import ArenaError, ErrorReason
from arena.core.evaluation import LINE_BYTES
from arena.core.units import NS_PER_MS
from arena.runner.timers import Timers
from arena.server.auth.revocation import End
from arena.server.errors import RETRY_AFTER, abort
from arena.server.limits import BAN_S, PLAY_CONNECTIONS
from arena.server.play.connection import CONNECTION_FAULTS, Connection, goodbye_for, ignore
from arena.server.play.conversation import BYTES_A_DECISION, IDLE_MESSAGES, Conversation
from arena.server.play.encoding_turns import EncodingTurns
from arena.server.play.frame_queue import FrameQueue
from arena.server.play.keepalive import PingSchedule, WriteWatch
from arena.sessions import outgoing
from arena.sessions.handshake import Identity
from arena.sessions.registry import MassLoss, SessionRegistry
from arena.sessions.seat import DEBUG_LINE_BYTES, DEBUG_MATCH_BYTES
from arena.sessions.session import Session
from arena.v1 import play_pb2
from arena.wire.play import texts
from arena.wire.play.frames import FRAME_BYTES, FRAME_MESSAGES
from arena.wire.play.incoming import PROTOCOL, read_frame, read_hello
from arena.wire.resource_names import bot_name, version_name

HELLO_WITHIN_S: Final = 10.0
"""How long a new connection has to send `hello`."""

ABORT_WITHIN_S: Final = 0.2
"""After a half-close, how long to wait for an abort before the bot counts as lost."""

GOODBYE_WITHIN_S: Final = 4.0
"""How long a shutdown waits until the bots have read their last messages."""

SERVICE: Final = "arena.v1.PlayService"

_log = structlog.get_logger(__name__)

Context: TypeAlias = ServicerContext[bytes, bytes]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class CallPolicy:
    """How one server identifies and limits the bots that call it."""

    authenticate: Callable[[Context], Awaitable[Identity]]
    """Returns the caller, the version left empty. Raises ArenaError (TOKEN_MISSING, TOKEN_INVALID, ROLE_REQUIRED)."""
    admit: Callable[[Context], None] = lambda _: None
    """Counts the call. Raises ArenaError (RATE_LIMITED) if it is one too many."""
    register: Callable[[Identity, str], Awaitable[int | None]] | None = None
    """Stores a bot version, with its language, when it is first seen; returns how many connections the bots of its
    owner may have, None for any number."""
    entered: Callable[[Context, End], AbstractContextManager[None]] = lambda _context, _end: nullcontext()
    """Around a call: it ends when its token is revoked or expires."""
    most_connections: int = PLAY_CONNECTIONS
    """Of one token or one hosted process at the same time."""
    opened: Callable[[Session], None] = lambda _: None
    """Called with every session that is opened or resumed."""


class PlayService:
    """All connections of all bots."""

    def __init__(
        self,
        sessions: SessionRegistry,
        timers: Timers,
        *,
        mass_loss: Callable[[MassLoss], None],
        stalls: StallMeter,
    ) -> None:
        """`mass_loss`: called when so many bots disappear at once that the arena must be at fault.

        `stalls`: gets the time that messages of each owner's bots keep the arena busy.
        """
        self._sessions = sessions
        self._timers = timers
        self._mass_loss = mass_loss
        self._pings = PingSchedule(timers)
        self._watch = WriteWatch(timers)
        self._frames = FrameQueue(stalls.note_messages)
        self._encoding = EncodingTurns(stalls.note_messages)
        self._connections: dict[Connection, Session] = {}
        self._held_by: Counter[tuple[str, int]] = Counter()
        """Connections of each token or hosted process."""
        self._of_owner: Counter[str] = Counter()
        """Connections of each owner's bots, without hosted processes."""
        self._calls: set[asyncio.Task[None]] = set()
        self._draining_until: int | None = None
        """On the timers' clock; None while the arena is open."""

    def handler(self, policy: CallPolicy) -> grpc.GenericRpcHandler:
        """Return a handler for a gRPC server. It takes and gives bytes, so that the arena answers unreadable frames."""

        async def play(_requests: object, context: Context) -> None:
            await self._play(policy, context)

        method: grpc.RpcMethodHandler[bytes, bytes] = grpc.stream_stream_rpc_method_handler(play)
        return grpc.method_handlers_generic_handler(SERVICE, {"Play": method})

    def drain(self, within_ms: int) -> None:
        """Announce the shutdown to every bot; refuse bots that have no match to come back to."""
        self._draining_until = self._timers.now() + within_ms * NS_PER_MS
        for connection in list(self._connections):
            connection.push(outgoing.Draining(within_ms))

    async def shut_down(self) -> None:
        """End every connection, with a limited wait until its bot has read why."""
        for connection in list(self._connections):
            connection.end(_CLOSING)
        if self._calls:
            await asyncio.wait(self._calls, timeout=GOODBYE_WITHIN_S)

    def connections_of(self, owner: str) -> int:
        """Return how many connections the bots of an owner have, without hosted processes."""
        return self._of_owner[owner]

    def dismiss(self, bot: str, why: ArenaError) -> bool:
        """End the remote connections of a bot with this error; return False if some have matches to finish first."""
        all_gone = True
        for connection, session in list(self._connections.items()):
            if session.identity.bot == bot and not session.identity.hosted:
                all_gone = all_gone and not session.seats
                if not session.seats:
                    connection.end(why)
        return all_gone

    # One connection

    async def _play(self, policy: CallPolicy, context: Context) -> None:
        call = asyncio.current_task()
        assert call is not None
        self._calls.add(call)
        call.add_done_callback(self._calls.discard)
        too_many: ArenaError | None = None
        try:  # before anything is awaited, since the call may be cancelled
            policy.admit(context)
        except ArenaError as error:
            too_many = error
        await context.send_initial_metadata(())
        local = context.peer().startswith("unix:")
        connection = Connection(context, self._timers, self._watch, self._frames, self._encoding, local=local)
        with policy.entered(context, connection.end):
            try:
                if too_many is not None:
                    raise too_many
                session, first = await self._introduce(policy, context, connection)
            except ArenaError as error:
                await self._refuse(connection, context, error)
                return
            ending = await self._exchange(connection, session, first)
        if isinstance(ending, ArenaError):
            await abort(context, ending)

    async def _refuse(self, connection: Connection, context: Context, error: ArenaError) -> None:
        writer = asyncio.create_task(connection.write_all())
        try:
            await _write_last(connection, error, writer)
        finally:
            writer.cancel()  # also if the call is cancelled, so that a failed write is not left unnoticed
        await abort(context, error)

    async def _introduce(
        self, policy: CallPolicy, context: Context, connection: Connection
    ) -> tuple[Session, list[play_pb2.ClientMessage]]:
        """Open or resume a session; return it with the messages after `hello` in its frame."""
        caller = await policy.authenticate(context)
        messages = await _first_frame(context, connection)
        introduction = read_hello(messages[0].hello)
        identity = replace(caller, version=caller.version or introduction.version)
        quota = None if policy.register is None else await policy.register(identity, introduction.language)
        _check_not_ended(connection)
        connection.preferences = introduction.preferences
        session = self._sessions.resume(identity, introduction.resume_token)
        resumed = session is not None
        if session is None:
            session = self._sessions.open(identity, introduction.games)
            resumed = introduction.claim and self._sessions.claim(session)
        if not resumed:
            try:
                self._check_new(policy, quota, identity)
            except ArenaError:
                self._sessions.forget_if_idle(session.number)
                raise
        self._ping_others(session)
        session.connect(connection, introduction.preferences)
        self._connections[connection] = session
        connection.holder = _holder(identity)
        connection.owner = identity.owner
        self._held_by[connection.holder] += 1
        if not identity.hosted:
            self._of_owner[identity.owner] += 1
        connection.set_idle_pings(introduction.idle_ping_s, session.seats)
        connection.push(self._welcome(session, introduction.idle_ping_s, resumed=resumed))
        session.repeat_all()
        session.set_capacity(introduction.capacity)
        if self._draining_until is not None:
            left_ms = max(0, self._draining_until - self._timers.now()) // NS_PER_MS
            connection.push(outgoing.Draining(left_ms))
        policy.opened(session)
        self._sessions.changed()
        return session, messages[1:]

    def _ping_others(self, session: Session) -> None:
        """Ping the other connections of a bot that has just said hello: its machine may have failed before.

        Idle connections are pinged rarely, and a dead one is offered matches until a ping is not acknowledged. Hosted
        programs are left out, because the arena knows how they end.
        """
        if session.identity.hosted:
            return
        for other in self._sessions.of(session.identity.bot):
            if other is not session and isinstance(other.link, Connection):
                other.link.ping()

    def _check_new(self, policy: CallPolicy, quota: int | None, identity: Identity) -> None:
        """Raise ArenaError if no new session may be opened; resuming one with a match is always allowed."""
        if self._draining_until is not None:
            raise errors.UnavailableError(
                ErrorReason.DRAINING,
                "The arena is shutting down and takes no new connections. Come back in a while.",
            )
        held = self._held_by[_holder(identity)]
        if held >= policy.most_connections:
            of = "of this program" if identity.hosted else "with this token"
            raise errors.ResourceExhaustedError(
                ErrorReason.RATE_LIMITED,
                f"{held} connections {of} are open, the most there may be. Take more matches on each.",
                **{RETRY_AFTER: str(BAN_S)},
            )
        held = self._of_owner[identity.owner]
        if quota is not None and not identity.hosted and held >= quota:
            raise errors.ResourceExhaustedError(
                ErrorReason.QUOTA_EXCEEDED,
                f"Connections of {identity.owner}'s bots: {held}; the quota is {quota}. Take more matches on each, "
                "close some, or ask the organiser for more.",
                bound=str(quota),
                **{RETRY_AFTER: str(BAN_S)},
            )

    def _welcome(self, session: Session, idle_ping_s: int, *, resumed: bool) -> play_pb2.Welcome:
        identity = session.identity
        return play_pb2.Welcome(
            protocol=PROTOCOL,
            bot=bot_name(identity.bot),
            bot_version=version_name(identity.bot, identity.version),
            session=session.name,
            resume_token=self._sessions.resume_token(session),
            resumed=resumed,
            assignments=len(session.seats),
            idle_ping_s=idle_ping_s,
            features=[texts.FEATURE],
            limits=play_pb2.Limits(
                frame_messages=FRAME_MESSAGES,
                frame_bytes=FRAME_BYTES,
                idle_messages=IDLE_MESSAGES,
                decision_bytes=BYTES_A_DECISION,
                debug_line_bytes=DEBUG_LINE_BYTES,
                debug_match_bytes=DEBUG_MATCH_BYTES,
                evaluation_line_bytes=LINE_BYTES,
            ),
        )

    async def _exchange(
        self, connection: Connection, session: Session, first: list[play_pb2.ClientMessage]
    ) -> outgoing.Goodbye | ArenaError | None:
        """Exchange messages until the connection ends; return how it ended, after its last message."""
        conversation = Conversation(connection, session, self._sessions)
        connection.listen(conversation.handle_frame, conversation.encoding_failed)
        writer = asyncio.create_task(_write(connection, conversation))
        reader = asyncio.create_task(self._read(connection, session))
        ending: outgoing.Goodbye | ArenaError | None = None
        try:
            conversation.handle_first(first, self._timers.now())
            connection.ping()
            self._pings.join(connection)
            ending = await connection.ended
            self._remove(connection, session, ending)
            if ending is not None:
                await _write_last(connection, ending, writer)
        finally:
            self._remove(connection, session, ending)
            connection.listen(ignore, ignore)  # leaves no reference cycle
            writer.cancel()
            reader.cancel()
        return ending

    async def _read(self, connection: Connection, session: Session) -> None:
        """Read until the bot half-closes, then decide whether it has left or is lost."""
        await connection.read_all()
        # A connection that is cut looks like a half-close for a moment, until this task is cancelled.
        playing = session.playing
        await asyncio.sleep(ABORT_WITHIN_S)
        if playing:
            connection.half_closed = True
            connection.end(None)
        else:
            connection.end(outgoing.Goodbye(outgoing.GoodbyeCode.DONE, "All done; come back any time."))

    def _remove(
        self, connection: Connection, session: Session, ending: outgoing.Goodbye | ArenaError | None
    ) -> None:
        """Remove the connection; its session is lost, or ended."""
        self._pings.leave(connection)
        if self._connections.pop(connection, None) is not None:
            _decrement(self._held_by, connection.holder)
            if not session.identity.hosted:
                _decrement(self._of_owner, session.identity.owner)
        if not session.disconnect(connection, _ended_by_bot(connection, ending)):
            return
        if isinstance(ending, ArenaError) and ending.reason in CONNECTION_FAULTS:
            session.fault(_as_part(ending.sentence))
        orderly = isinstance(ending, outgoing.Goodbye | errors.UnavailableError)
        if orderly:
            session.leave()
            self._sessions.forget_if_idle(session.number)
        elif isinstance(ending, errors.UnauthenticatedError):
            # Its token was revoked. However many end so at once, it is no fault of the arena.
            self._sessions.forget_if_idle(session.number)
        elif (loss := self._sessions.lost(session)) is not None:
            _log.warning("many bots lost at once", lost=loss.lost, of=loss.of, owners=loss.owners)
            self._mass_loss(loss)


def _decrement(counter: Counter[T], key: T) -> None:
    """Subtract one, and keep no zero."""
    counter[key] -= 1
    if not counter[key]:
        del counter[key]


def _holder(identity: Identity) -> tuple[str, int]:
    """Return the holder whose connections are counted together."""
    return identity.token, identity.program


async def _first_frame(context: Context, connection: Connection) -> list[play_pb2.ClientMessage]:
    """Return the messages of the first frame; the first is a `hello`. Raises ArenaError."""
    read = asyncio.ensure_future(context.read())
    try:
        waited_for = (read, connection.ended)
        await asyncio.wait(waited_for, timeout=HELLO_WITHIN_S, return_when=asyncio.FIRST_COMPLETED)
        _check_not_ended(connection)
        data = read.result() if read.done() else None
    finally:
        read.cancel()
    messages = list(read_frame(data).messages) if isinstance(data, bytes) else []
    if not messages or not messages[0].HasField("hello"):
        raise errors.FailedPreconditionError(
            ErrorReason.HELLO_EXPECTED,
            f"The first message must be `hello`, within {HELLO_WITHIN_S:g} s; see docs/protocol.md.",
        )
    return messages


def _check_not_ended(connection: Connection) -> None:
    """Raise ArenaError if the connection was ended before `hello`."""
    ending = connection.ended.result() if connection.ended.done() else None
    if isinstance(ending, ArenaError):
        raise ending


async def _write_last(
    connection: Connection, ending: outgoing.Goodbye | ArenaError, writer: asyncio.Task[None]
) -> None:
    """Write the last message, or wait until the bot is gone.

    A bot that has stopped reading may begin again. Until then its call costs nothing, and gRPC could not end it: it
    sends no status before a message that is still on its way.
    """
    connection.say_goodbye(goodbye_for(ending) if isinstance(ending, ArenaError) else ending)
    await asyncio.wait({writer})


async def _write(connection: Connection, conversation: Conversation) -> None:
    """Write to the end, and report a failure: the bot would wait for a message that never comes."""
    try:
        await connection.write_all()
    except grpc.aio.BaseError:
        pass  # gRPC's own: the bot is gone, and the call is about to be cancelled
    except Exception:  # noqa: BLE001 - whatever the arena does wrong here costs no bot anything
        conversation.write_failed()


def _ended_by_bot(connection: Connection, ending: outgoing.Goodbye | ArenaError | None) -> str:
    """Return how the bot has ended the connection; empty if the network or the arena may have."""
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
    """Return the first sentence as a part of another one."""
    first = sentence.partition(". ")[0].rstrip(".")
    return first[0].lower() + first[1:]


_CLOSING: Final = errors.UnavailableError(
    ErrorReason.DRAINING,
    "The arena shuts down now. Matches that had not ended are void and cost nobody anything.",
)
