"""A real server on a real socket with a real database; only the running matches are a fake."""

import asyncio
import importlib
import pkgutil
import shutil
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from time import monotonic_ns
from typing import Any, TypeVar

import grpc
import pytest
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message_factory import GetMessageClass
from google.rpc.error_details_pb2 import ErrorInfo, RetryInfo
from google.rpc.status_pb2 import Status

import arena.v1
from arena.codecs.codec import codec_for
from arena.core.errors import ArenaError
from arena.core.match import DebugLine
from arena.core.tokens import TokenText, new_token
from arena.hosting.admission.admission import Admission, AdmissionTools
from arena.hosting.admission.uploads import Uploads
from arena.match_log.files import LogFiles
from arena.match_log.keys import KeyRing, PublicKey, SigningKey
from arena.runner.change_signal import ChangeSignal
from arena.runner.spectator_view import SpectatorView
from arena.sandbox.runtime_registry import RuntimeRegistry
from arena.sandbox.runtime_versions import RuntimeVersion
from arena.sandbox.runtimes import BUILT_IN
from arena.scheduling.debug_lines import DebugLines
from arena.scheduling.queue_report import QueuePlace
from arena.server.announcements_in_force import AnnouncementsInForce
from arena.server.auth.admission_control import AdmissionControl
from arena.server.auth.authentication import Authenticator
from arena.server.auth.interceptor import CallInterceptor
from arena.server.auth.limiters import RateLimiter, TimeBudgets
from arena.server.auth.quotas import check_space
from arena.server.auth.revocation import OpenCalls
from arena.server.cluster.node import NoCluster, Nodes
from arena.server.metrics import Metrics
from arena.server.nearest_names import NearestNames
from arena.server.services.freezes import Freezes
from arena.server.services.paging import Pages
from arena.server.services.registration import add_management_services
from arena.server.services.service_context import ServiceContext
from arena.server.webhooks.deliveries import Deliveries
from arena.server.webhooks.sender import Sender
from arena.sessions.registry import Presence
from arena.store.accounts.tokens import Role, TokenRow
from arena.store.audit.entries import AuditEntry, AuditFilter
from arena.store.bots.bots import BotRow
from arena.store.database import Database
from arena.store.store import Store, Transaction
from arena.submissions.version_folders import VersionFolders
from arena.wire.game_catalogue import GameCatalogue
from engine.registry import GAMES
from tests.unit.hosting.admissions import FakeBuilds, FakeTries
from tests.unit.runner.fakes import FakeTimers

T = TypeVar("T")
SIGNING_KEY = SigningKey.new()
KEYS = (SIGNING_KEY.public, PublicKey(bytes(32)))
FIELD_INVALID = ("INVALID_ARGUMENT", "FIELD_INVALID")
PAGE_TOKEN_INVALID = ("INVALID_ARGUMENT", "PAGE_TOKEN_INVALID")
REQUEST_ID_REUSED = ("ALREADY_EXISTS", "REQUEST_ID_REUSED")
DAY_US = 24 * 3600 * 1_000_000
WITHIN_S = 300


def methods() -> dict[str, MethodDescriptor]:
    """Return every method of every service in `arena/v1`, by its path."""
    found: dict[str, MethodDescriptor] = {}
    for module in pkgutil.iter_modules(arena.v1.__path__, "arena.v1."):
        if module.name.endswith("_pb2"):
            file = importlib.import_module(module.name).DESCRIPTOR
            for service in file.services_by_name.values():
                found |= {f"/{service.full_name}/{method.name}": method for method in service.methods}
    return found


METHODS = methods()
_ARITY = ("unary", "stream")


class RefusedError(Exception):
    """A call that ended with another status than OK, taken apart."""

    def __init__(self, error: grpc.aio.AioRpcError) -> None:
        super().__init__(error.details())
        self.code = error.code()
        self.sentence = error.details() or ""
        status = Status()
        for key, value in error.trailing_metadata() or ():
            if key == "grpc-status-details-bin":
                status.ParseFromString(value if isinstance(value, bytes) else value.encode())
        self.infos, self.retries = _details(status, ErrorInfo), _details(status, RetryInfo)

    @property
    def status(self) -> tuple[str, str]:
        """Names of the status code and of the reason."""
        return self.code.name, self.reason

    @property
    def metadata(self) -> dict[str, str]:
        """Details of its one ErrorInfo."""
        (info,) = self.infos
        return dict(info.metadata)

    @property
    def reason(self) -> str:
        """The reason of its one ErrorInfo."""
        (info,) = self.infos
        assert info.domain == "arena.v1"
        return str(info.reason)


def refusal_of(work: Callable[..., object], *arguments: Any, **fields: Any) -> RefusedError:
    """Return the error with which the work is refused."""
    with pytest.raises(RefusedError) as caught:
        work(*arguments, **fields)
    return caught.value


def _details(status: Status, kind: Any) -> list[Any]:
    """Return the details of this kind."""
    found = [(detail, kind()) for detail in status.details]
    return [message for detail, message in found if detail.Unpack(message)]


async def found_versions() -> list[RuntimeVersion]:
    """Return what a trial of two runtimes found."""
    return [
        RuntimeVersion(BUILT_IN["go"], why_no_builds="go is not installed"),
        RuntimeVersion(BUILT_IN["python"], "Python 3.11.7"),
    ]


@dataclass
class FakeRuntime:
    """The running arena as the services see it, with what they have told it."""

    open_calls: OpenCalls
    waiting: str = "two more bots"
    named: Collection[str] | None = None
    """Which bots `waiting_for` was last allowed to name."""
    places: tuple[QueuePlace, ...] = ()
    wakes: int = 0
    hosting_changes: int = 0
    presences: dict[str, Presence] = field(default_factory=dict)
    closed: list[str] = field(default_factory=list)
    connections: dict[str, int] = field(default_factory=dict)
    lines: dict[tuple[int, int], list[DebugLine]] = field(default_factory=dict)
    spectator_views: dict[int, SpectatorView] = field(default_factory=dict)
    matches_changed: ChangeSignal = field(default_factory=ChangeSignal)
    nodes: Nodes = field(default_factory=NoCluster)
    deliveries: Deliveries = field(init=False)

    def presence(self, bot: str) -> Presence:
        return self.presences.get(bot, Presence())

    def waiting_for(self, ladder: str, bots: Collection[str] | None = None) -> str:
        self.named = bots
        return self.waiting

    def tournament_waiting_for(self, tournament: str) -> str:
        return self.waiting

    async def queue(self, ladder: str) -> tuple[QueuePlace, ...]:
        return self.places

    async def debug_lines(self, match: int, seat: int) -> list[DebugLine] | None:
        return self.lines.get((match, seat))

    def wake_scheduler(self) -> None:
        self.wakes += 1

    def hosting_changed(self) -> None:
        self.hosting_changes += 1

    def spectator_view(self, match: int) -> SpectatorView | None:
        return self.spectator_views.get(match)

    def end_calls(self, tokens: Iterable[str], why: ArenaError) -> None:
        tokens = list(tokens)
        self.closed += tokens
        self.open_calls.end(tokens, why)

    def connections_of(self, owner: str) -> int:
        return self.connections.get(owner, 0)


class Arena:
    """The server under test, and a client of it."""

    def __init__(self, runner: asyncio.Runner, folder: Path, tables: Path) -> None:
        """`tables`: a database without anything in it, to begin with."""
        self._runner = runner
        self.url = f"sqlite:///{shutil.copy(tables, folder / 'arena.db')}"
        self.store = Store(self.url)
        self.now_us = 1_700_000_000_000_000
        self.timers = FakeTimers()
        self.open_calls = OpenCalls(self.timers, lambda: self.now_us)
        self.runtime = FakeRuntime(self.open_calls)
        self.logs = LogFiles(folder / "logs")
        self.debug_lines = DebugLines(folder / "debug")
        self.tokens: dict[str, TokenText] = {}
        self.folder = folder
        self.builds, self.tries = FakeBuilds(), FakeTries()
        runner.run(self._start())
        self._seeds = iter(range(256))

    async def _start(self) -> None:
        self.database = Database(self.store)
        self.runtime.deliveries = Deliveries(self.database, Sender(allow_private=False), lambda: self.now_us)
        self.errors: list[str] = []
        announcements = AnnouncementsInForce(lambda: self.now_us)
        interceptor = CallInterceptor(
            AdmissionControl(
                Authenticator(self.database, lambda: self.now_us),
                RateLimiter(monotonic_ns),
                self.open_calls,
                TimeBudgets(lambda: False),
            ),
            lambda: "error-17",
            Metrics(),
            nearest=NearestNames(self.database),
            announced_us=announcements.newest_us,
        )
        self._server = grpc.aio.server(interceptors=[interceptor])
        self.admission = self._new_admission()
        self.platform = ServiceContext(
            database=self.database,
            catalogue=GameCatalogue(GAMES, codec_for),
            runtime=self.runtime,
            pages=Pages(b"k" * 32),
            now_us=lambda: self.now_us,
            random_bytes=self.random_bytes,
            admission=self.admission,
            logs=self.logs,
            keys=KeyRing(SIGNING_KEY, KEYS),
            debug_lines=self.debug_lines,
            announcements=announcements,
            freezes=Freezes(self.database, GameCatalogue(GAMES, codec_for), lambda: self.now_us),
        )
        add_management_services(self._server, self.platform)
        port = self._server.add_insecure_port("127.0.0.1:0")
        await self._server.start()
        self._channel = grpc.aio.insecure_channel(f"127.0.0.1:{port}")

    def _new_admission(self) -> Admission:
        """Return the admission of submissions, not running."""
        folders = VersionFolders(self.folder / "versions")
        return Admission(
            self.database,
            Uploads(self.folder / "uploads"),
            AdmissionTools(folders, self.builds, self.tries, GAMES.keys(), RuntimeRegistry(), found_versions),
            now_us=lambda: self.now_us,
            admitted=self.runtime.hosting_changed,
            check_space=check_space,
        )

    def close(self) -> None:
        """Stop the server."""

        async def stop() -> None:
            await self._channel.close()
            await self._server.stop(None)

        self._runner.run(stop())
        self.database.close()

    def random_bytes(self, size: int) -> bytes:
        """Bytes that differ each time."""
        return sha256(bytes([next(self._seeds)])).digest()[:size]

    def await_(self, work: Awaitable[T]) -> T:
        """Return what the work returns."""

        async def wait() -> T:
            return await work

        return self._runner.run(wait())

    def ask(self, method: Any, request: Any, token: str | None = None) -> Any:
        """Return the response, or the list of all responses. Raises RefusedError."""

        async def work() -> Any:
            try:
                call = method(request, metadata=self.metadata(token), timeout=WITHIN_S)
                if isinstance(call, grpc.aio.UnaryStreamCall):
                    return [response async for response in call]
                return await call
            except grpc.aio.AioRpcError as error:
                raise RefusedError(error) from None

        return self._runner.run(work())

    def method(self, name: str) -> Any:
        """Return the method as gRPC has it, for example of the name "ListBots"."""
        path, method = next((path, each) for path, each in METHODS.items() if each.name == name)
        kind = f"{_ARITY[method.client_streaming]}_{_ARITY[method.server_streaming]}"
        return getattr(self._channel, kind)(
            path,
            request_serializer=GetMessageClass(method.input_type).SerializeToString,
            response_deserializer=GetMessageClass(method.output_type).FromString,
        )

    def call(self, method: str, who: str | None, /, **fields: Any) -> Any:
        """Return the response of a method such as "ListBots" to a request with these fields. Raises RefusedError."""
        return self.ask(self.method(method), self.request(method, **fields), who)

    def open(self, method: str, who: str | None, /, **fields: Any) -> Any:
        """Begin a call, and return it as gRPC has it."""
        request = self.request(method, **fields)
        return self.method(method)(request, metadata=self.metadata(who), timeout=WITHIN_S)

    def request(self, method: str, **fields: Any) -> Any:
        """Return a request of the method with these fields."""
        [kind] = (each.input_type for each in METHODS.values() if each.name == method)
        return GetMessageClass(kind)(**fields)

    def refusal(self, method: str, who: str | None, /, **fields: Any) -> RefusedError:
        """Return the error with which the call is refused."""
        return refusal_of(self.call, method, who, **fields)

    def opens(self, token: str) -> bool:
        """Return whether the token is valid."""
        try:
            self.call("ListBots", token)
        except RefusedError as refused:
            return refused.reason != "TOKEN_INVALID"
        return True

    def audited(self) -> tuple[AuditEntry, ...]:
        """Return the newest entries of the audit trail, newest first."""
        return self.store.read(lambda tx: tx.audit.page(AuditFilter(), before=None, limit=9))

    def raw(self, path: str, data: bytes, token: str | None, *, streamed: bool = False) -> bytes:
        """Return the response's bytes to any bytes, of a method with one request or a stream. Raises RefusedError."""
        if streamed:
            streaming: bytes = self.ask(self._channel.stream_unary(path), iter([data]), token)
            return streaming
        response: bytes = self.ask(self._channel.unary_unary(path), data, token)
        return response

    def metadata(self, token: str | None) -> list[tuple[str, str]]:
        """With the token of somebody the arena was peopled with, or with any text."""
        if token is None:
            return []
        return [("authorization", f"Bearer {self.tokens.get(token, token)}")]

    def change(self, work: Callable[[Transaction], T]) -> T:
        """Change the database directly."""
        return self.store.write(work)

    def add_token(
        self, name: str, role: Role, owner: str, bot: str | None = None, **fields: Any
    ) -> TokenText:
        """Somebody with a token; `fields`: of its row."""
        text = new_token(self.random_bytes)
        created_us = self.now_us - 100 + len(self.tokens)

        def add(tx: Transaction) -> None:
            tx.users.ensure(owner, Role.OWNER if role is Role.BOT else role)
            if bot is not None and tx.bots.find(bot) is None:
                tx.bots.add(BotRow(bot, owner, "", False, self.now_us))
            tx.tokens.add(TokenRow(text.id, role, owner, bot, text.secret_sha256, created_us, **fields))

        self.change(add)
        self.tokens[name] = text
        return text


def running_arena(runner: asyncio.Runner, folder: Path, tables: Path) -> Iterator[Arena]:
    """Yield an arena with an organiser, the owners ada and bob, and ada's bot ant."""
    arena = Arena(runner, folder, tables)
    arena.add_token("organiser", Role.ORGANISER, "root")
    arena.add_token("ada", Role.OWNER, "ada")
    arena.add_token("bob", Role.OWNER, "bob")
    arena.add_token("ant", Role.BOT, "ada", "ant")
    yield arena
    arena.close()
