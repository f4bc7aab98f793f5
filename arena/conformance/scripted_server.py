"""The scripted server of one scenario: a gRPC server, a proxy before it, and the bot's program."""

import asyncio
import secrets
import signal
from collections import deque
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Final

import grpc
from grpc import aio

from arena.conformance import requirements
from arena.conformance.bot_connection import BotConnection, Context
from arena.conformance.bot_process import Launch
from arena.conformance.faulty_proxy import FaultyProxy
from arena.conformance.limits import (
    CALLS,
    CONNECTIONS,
    DECISION_BYTES,
    FRAME_BYTES,
    FRAME_MESSAGES,
    IDLE_MESSAGES,
    STREAMS,
)
from arena.conformance.protocol_rules import ProtocolRules
from arena.conformance.transcript import Transcript
from arena.conformance.verdict import Requirement, UnmetError
from arena.conformance.waiter import Waiter
from arena.core.evaluation import LINE_BYTES
from arena.v1 import play_pb2
from engine.game import Game
from engine.registry import GAMES

PROTOCOL: Final = 1
"""The protocol version that the kit speaks."""

_RECEIVED_BYTES: Final = 1 << 20
"""The limit for gRPC: higher than in an arena, so that the kit can say what is wrong with a frame."""
_OPTIONS: Final = (
    ("grpc.max_receive_message_length", _RECEIVED_BYTES),
    ("grpc.absolute_max_metadata_size", 8 * 1024),
    ("grpc.so_reuseport", 0),
    # Otherwise unread data fills megabytes of each stream before its sender is blocked.
    ("grpc.http2.bdp_probe", 0),
    ("grpc.http2.lookahead_bytes", 64 * 1024),
    ("grpc.max_concurrent_streams", STREAMS),
)
_TAIL_LINES: Final = 12
_FOR_ALL: Final = 0o755


class Transport(Enum):
    """How the bot reaches the arena."""

    TCP = "tcp"
    TLS = "tls"
    UNIX = "unix"


@dataclass(frozen=True, slots=True)
class BotUnderTest:
    """The bot that is tried, and how."""

    launch: Launch
    game: str | None = None
    """The game to be played; None: the first that its hello names and that there is."""
    patience: float = 20.0
    """Seconds to wait for a message."""
    lull: float = 0.3
    """Length of a pause, in seconds, in which the bot has to wait."""
    is_hosted: bool = False
    """Whether an arena runs it: then it connects to a Unix socket in a folder of its own, and has no token."""
    on_debug: Callable[[play_pb2.Debug], None] = lambda _: None
    """Takes its debug lines."""


class ScriptedServer:
    """The server of one scenario. Made by `a_server`."""

    def __init__(self, bot: BotUnderTest, folder: Path, proxy: Path | None, authority: Path | None) -> None:
        """`proxy`: the socket that the bot connects to, or None for a port.

        `authority`: the file of the certificate authority that the bot has to trust; None: it does not encrypt.
        """
        self.token = f"conformance-{secrets.token_hex(16)}"
        self.inside = folder / "inside"
        """The socket of the server, behind the proxy."""
        self.proxy = FaultyProxy(self.inside, outside=proxy, too_many=self._too_many_connections)
        self.transcript = Transcript()
        self.waiter = Waiter(bot.patience, bot.lull)
        self.calls: deque[BotConnection] = deque()
        """Connections that no script has taken up yet."""
        self._bot = bot
        self._folder = folder
        self._authority = authority
        self._rules = ProtocolRules()
        self._welcomes = 0
        self._introduced = ""
        self._calls = 0

    # Beginning

    async def start(self) -> None:
        """Start the bot's program, if it does not run. Raises what the launch raises."""
        if self.waiter.program is not None:
            return
        settings = {"ARENA_ADDRESS": self.proxy.address}
        if not self._bot.is_hosted:
            settings["ARENA_TOKEN"] = self.token
        if self._authority is not None:
            settings["ARENA_TLS_CA"] = str(self._authority)
        folder = self._folder / "program"
        folder.mkdir()
        self.waiter.program = await self._bot.launch(settings, folder)

    async def called(self, requirement: Requirement) -> BotConnection:
        """Return the next connection, its metadata not sent yet. Raises UnmetError with the requirement."""
        return await self.waiter.until(
            lambda: self.calls.popleft() if self.calls else None, "connect", requirement
        )

    async def first_call(self, requirement: Requirement = requirements.ADDRESS) -> BotConnection:
        """Start the program and return its connection, the metadata not sent yet. Raises UnmetError."""
        await self.proxy.accept()
        await self.start()
        return await self.called(requirement)

    async def hello(self, requirement: Requirement = requirements.HELLO_FIRST) -> BotConnection:
        """Return the next connection after its hello. Raises UnmetError."""
        connection = await self.called(requirement)
        await connection.accept()
        await connection.receive_hello()
        return connection

    async def first_hello(self, requirement: Requirement = requirements.ADDRESS) -> BotConnection:
        """Start the program and return its connection after its hello. Raises UnmetError."""
        await self.proxy.accept()
        await self.start()
        connection = await self.hello(requirement)
        self._introduced = connection.hello.bot_version
        return connection

    async def welcomed(self, requirement: Requirement = requirements.ADDRESS) -> BotConnection:
        """Start the program and return its connection after hello and welcome. Raises UnmetError."""
        return await self.admit(await self.first_hello(requirement))

    async def admit(self, connection: BotConnection) -> BotConnection:
        """Send a welcome and a ping; return the connection."""
        await connection.send(self.welcome(), play_pb2.Ping(id=1))
        return connection

    def welcome(self, *, resumed: bool = False, assignments: int = 0) -> play_pb2.Welcome:
        """Return the next welcome, with a resume token of its own."""
        self._welcomes += 1
        return play_pb2.Welcome(
            protocol=PROTOCOL,
            bot="bots/yours",
            bot_version=f"bots/yours/versions/{self._introduced or '1'}",
            session="s1" if resumed else f"s{self._welcomes}",
            resume_token=self.resume_token,
            resumed=resumed,
            assignments=assignments,
            features=["text"],
            limits=play_pb2.Limits(
                frame_messages=FRAME_MESSAGES,
                frame_bytes=FRAME_BYTES,
                decision_bytes=DECISION_BYTES,
                idle_messages=IDLE_MESSAGES,
                debug_line_bytes=4096,
                evaluation_line_bytes=LINE_BYTES,
                debug_match_bytes=262_144,
            ),
        )

    @property
    def resume_token(self) -> str:
        """The token of the last welcome."""
        return f"{self._welcomes}-resume-{self.token[-8:]}"

    def game(self, connection: BotConnection) -> Game:
        """Return the game to be played: the one that was asked for, else the first that the bot names.

        Raises UnmetError: the bot does not play it, or none of its games is one of ours.
        """
        named = {support.game: support.rules_versions for support in connection.hello.games}
        for game in GAMES.values():
            versions = named.get(game.spec.id)
            asked_for = self._bot.game in {None, game.spec.id}
            if asked_for and versions is not None and (not versions or game.spec.rules_version in versions):
                return game
        wanted = self._bot.game or ", ".join(
            f"{game.spec.id} (rules version {game.spec.rules_version})" for game in GAMES.values()
        )
        spoken = ", ".join(named) or "no game"
        what = f"Its hello names {spoken}; to be tried it has to play {wanted}."
        raise UnmetError(what, requirements.GAMES)

    # Breaking off

    def cut(self) -> None:
        """Reset all connections."""
        self.transcript.note("the connection is cut")
        self.proxy.cut()

    async def be_unreachable(self, requirement: Requirement, *, back: bool = True) -> None:
        """Reset connections, then refuse them for a while, then, if `back`, accept them again.

        Starts the program if it does not run. Raises UnmetError with the requirement if it does not try to connect.
        """
        before = self.proxy.rejected
        await self.proxy.accept(rejects=True)
        self.cut()
        await self.start()
        await self.waiter.until(lambda: self.proxy.rejected > before or None, "connect", requirement)
        self.waiter.has_connected = True
        self.proxy.refuse()
        await self.waiter.pause()
        if back:
            await self.proxy.accept()

    async def back(self) -> BotConnection:
        """Return the connection of the bot after it came back with the last resume token and the same version.

        Raises UnmetError.
        """
        connection = await self.hello(requirements.COME_BACK)
        if connection.hello.resume_token != self.resume_token:
            other = "with another resume token than that"
            said = other if connection.hello.resume_token else "without the resume token"
            raise UnmetError(f"It came back {said} of the last welcome.", requirements.RESUME_TOKEN)
        if connection.hello.bot_version != self._introduced:
            what = (
                f"It came back as version {connection.hello.bot_version!r} instead of {self._introduced!r}."
            )
            raise UnmetError(what, requirements.SAME_VERSION)
        return connection

    def signal(self, number: int) -> None:
        """Send the program a signal."""
        assert self.waiter.program is not None
        self.transcript.note(f"the program gets {signal.Signals(number).name}")
        self.waiter.is_to_end = True
        self.waiter.program.send_signal(number)

    async def say_goodbye(
        self, connection: BotConnection, goodbye: play_pb2.Goodbye, status: grpc.StatusCode
    ) -> int | None:
        """Say goodbye. Return None once the bot has called again; if its program ended instead, the exit code.

        Raises UnmetError: it does neither, or calls before `come_back_after_ms` have passed.
        """
        said = asyncio.get_running_loop().time()
        await connection.send(goodbye)
        connection.end(status)

        def found() -> tuple[int | None] | None:
            code = self.waiter.code()
            return (code,) if self.calls or code is not None else None

        (code,) = await self.waiter.until(found, "connect", requirements.COME_BACK_LATER)
        if self.calls and self.calls[0].called_at - said < goodbye.come_back_after_ms / 1000:
            raise UnmetError("It came back too early.", requirements.COME_BACK_LATER)
        return code

    async def ended(self, requirement: Requirement, what: str = "end") -> int:
        """Wait until the program has ended without another call; return its exit code.

        `what`: names its end for people. Raises UnmetError.
        """

        def found() -> int | None:
            if self.calls:
                raise UnmetError("It connected again instead of ending.", requirement)
            return self.waiter.code()

        return await self.waiter.until(found, what, requirement)

    # Afterwards

    async def output(self) -> str:
        """Return the program's output, or what is kept of it if that is very much."""
        return "" if self.waiter.program is None else await self.waiter.program.output()

    async def last_lines(self) -> tuple[str, ...]:
        """Return the last lines of its output."""
        return tuple((await self.output()).splitlines()[-_TAIL_LINES:])

    async def check(self) -> None:
        """Raise UnmetError if the bot has broken a rule or printed its token."""
        self.waiter.check()
        if self.token in await self.output():
            raise UnmetError("It printed its token.", requirements.SECRET_OUTPUT)

    async def stop(self) -> None:
        """End the program with all that it has started."""
        if self.waiter.program is not None:
            await self.waiter.program.kill()

    # The server

    def handler(self) -> grpc.GenericRpcHandler:
        """Return the handler for a gRPC server: bytes in, bytes out, so that unreadable messages are seen too."""
        method: grpc.RpcMethodHandler[bytes, bytes] = grpc.stream_stream_rpc_method_handler(self._play)
        return grpc.method_handlers_generic_handler("arena.v1.PlayService", {"Play": method})

    def _too_many_connections(self) -> None:
        what = f"It opened more than {CONNECTIONS} connections at once."
        self.waiter.fail(UnmetError(what, requirements.ONE_CONNECTION))

    async def _play(self, _requests: object, context: Context) -> None:
        self._calls += 1
        if self._calls > CALLS:
            what = f"It made more than {CALLS} Play calls."
            self.waiter.fail(UnmetError(what, requirements.ONE_CONNECTION))
            await context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, what)
        self._rules = ProtocolRules(before=self._rules)
        connection = BotConnection(
            context,
            self.waiter,
            rules=self._rules,
            transcript=self.transcript,
            token=self.token,
            on_debug=self._bot.on_debug,
        )
        shown = connection.metadata.get("authorization")
        if not self._bot.is_hosted and shown != f"Bearer {self.token}":
            self.waiter.fail(UnmetError("It called without its token.", requirements.TOKEN))
        self.calls.append(connection)
        self.waiter.has_connected = True
        self.waiter.wake()
        status = await connection.serve()
        if status is not grpc.StatusCode.OK:
            await context.abort(status, connection.goodbye_sentence or "the scripted arena ends the call")


@asynccontextmanager
async def a_server(
    bot: BotUnderTest, folder: Path, transport: Transport = Transport.TCP
) -> AsyncGenerator[ScriptedServer]:
    """Start a server whose proxy accepts no connections yet; afterwards nothing of it runs.

    `folder`: an empty one with a short path.
    """
    outside = folder / "bot" / "play.sock" if transport is Transport.UNIX or bot.is_hosted else None
    if outside is not None:
        outside.parent.mkdir()
        outside.parent.chmod(_FOR_ALL)
    authority = credentials = None
    if transport is Transport.TLS:
        from arena.conformance.certificates import make_certificate

        authority, credentials = make_certificate(folder)
    server = ScriptedServer(bot, folder, outside, authority)
    grpc_server = aio.server(options=_OPTIONS)
    grpc_server.add_generic_rpc_handlers((server.handler(),))
    if credentials is None:
        grpc_server.add_insecure_port(f"unix://{server.inside}")
    else:
        grpc_server.add_secure_port(f"unix://{server.inside}", credentials)
    await grpc_server.start()
    try:
        yield server
    finally:
        await server.stop()
        await grpc_server.stop(None)
        await server.proxy.close()
