"""A host with everything around it that a test needs: a real store, a clock that is moved, a sandbox that is told."""

import asyncio
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from arena.core.pairing.start_order import PendingMatch
from arena.hosting.environment import WorkFolder
from arena.hosting.host.host import Host
from arena.hosting.host.process import Launcher
from arena.sandbox.exit_status import ExitReason, ExitStatus, ResourceUsage
from arena.sandbox.output import Stream
from arena.sandbox.process_spec import ProcessLimits, ProcessSpec, SandboxError
from arena.sandbox.processor_time import ProcessorReading
from arena.sandbox.runtime_registry import RuntimeRegistry
from arena.sessions.handshake import Capacity, Identity, Preferences
from arena.sessions.registry import SessionRegistry
from arena.sessions.session import Session
from arena.store.bots.hosting import HostedRow
from arena.store.database import Database
from arena.submissions.version_folders import VersionFolders
from tests.unit.hosting.sample_submissions import a_content, admit
from tests.unit.runner.fakes import FakeTimers, MatchFixture
from tests.unit.sessions.test_sessions import FakeLink
from tests.unit.store.store_fixture import open_store

RULES = {"caravan": frozenset({1})}
VERSION = "ab" * 32
OTHER_VERSION = "cd" * 32
NOW_US = 1_000_000_000


def ended(verdict: ExitReason = ExitReason.EXITED, *, code: int | None = 1, tail: str = "") -> ExitStatus:
    """Return an exit status."""
    name = verdict.value
    return ExitStatus(
        verdict, code, None, (("code", str(code)),), f"The bot's program {name}.", ResourceUsage(), tail
    )


@dataclass
class FakeProcess:
    """A program that ends when the test, or the arena, says so."""

    bot: str
    program: ProcessSpec
    limits: ProcessLimits
    stopped_after: list[float] = field(default_factory=list)
    piped: list[tuple[Stream, bytes]] = field(default_factory=list)
    """What it has written and nobody has read yet."""
    forgiven: int = 0
    is_ending: bool = False
    """Whether it has ended, and the arena does not know how."""
    reading: ProcessorReading | None = None
    """What it has had of the processors; None: the machine does not tell."""
    looks: int = 0
    """How often it was asked for that."""

    def __post_init__(self) -> None:
        self.ending: asyncio.Future[ExitStatus] = asyncio.get_running_loop().create_future()

    async def wait(self) -> ExitStatus:
        return await asyncio.shield(self.ending)

    async def stop(self, grace_s: float = 1.0) -> ExitStatus:
        if not self.ending.done():
            self.stopped_after.append(grace_s)
            self.ending.set_result(ended(ExitReason.STOPPED, code=None))
        return await self.wait()

    def end(self, ending: ExitStatus) -> None:
        self.ending.set_result(ending)

    def on_output(self, heard: Callable[[Stream, bytes], None]) -> None:
        self.heard = heard

    def read_pending(self) -> None:
        while self.piped:
            self.heard(*self.piped.pop(0))

    def reset_output_limit(self) -> None:
        self.forgiven += 1

    def processor(self, now_ns: int) -> ProcessorReading | None:
        self.looks += 1
        return self.reading


@dataclass
class FakeSocket:
    """The socket of one program: the test comes in."""

    identity: Identity
    opened: Callable[[Session], None]
    closed: bool = False

    async def close(self) -> None:
        self.closed = True


class HostFixture:
    """Must be made with the loop running."""

    def __init__(self, folder: Path, *bots: str, slots: int = 4, starts: int = 16) -> None:
        store = open_store(folder)
        for bot in bots:
            admit(store, bot, a_content(VERSION))
        self.store = store
        self.database = Database(store)
        self.timers = FakeTimers()
        self.sessions = SessionRegistry(self.timers, self.note_change)
        self.changes = 0
        self.started: list[FakeProcess] = []
        self.sockets: list[FakeSocket] = []
        self.runtimes = RuntimeRegistry()
        self.broken = ""
        """Why the sandbox cannot start anything; empty if it can."""
        self.trials: list[str] = []
        """What the trials to come say, in their order; nothing more: all is well."""
        self.tried: list[tuple[str, str]] = []
        self.dismissed: list[str] = []
        self.starts = starts
        self.stall_ns = 0
        """How long of each span of time the arena stood still."""
        self.work = WorkFolder(folder / "hosted")
        self.versions = folder / "versions"
        for version in (VERSION, OTHER_VERSION):
            (self.versions / version / "source").mkdir(parents=True, exist_ok=True)
        self.host = self.another_host(slots=slots)

    def another_host(self, *, slots: int, why_not: str = "") -> Host:
        """Return the host of an arena that is started on the same database."""
        sandbox: Any = self
        return Host(
            self.database,
            self.sessions,
            self.timers,
            launch=Launcher(
                sandbox,
                VersionFolders(self.versions),
                self.work,
                self.open_socket,
                self.timers,
                starting=asyncio.Semaphore(self.starts),
                stalled=lambda since, until: min(self.stall_ns, until - since),
            ),
            trial=self.try_again,
            dismiss=self.dismiss,
            slots=slots,
            wall_us=lambda: NOW_US + self.timers.now() // 1_000,
            changed=self.note_change,
            why_not=why_not,
            why_unavailable=self.runtimes.why_unavailable,
        )

    # What the host is given

    def note_change(self) -> None:
        self.changes += 1

    async def start(self, program: ProcessSpec, limits: ProcessLimits) -> FakeProcess:
        if self.broken:
            raise SandboxError(self.broken)
        assert program.sockets is not None
        number = int(program.sockets.name)
        [bot] = (each.identity.bot for each in self.sockets if each.identity.program == number)
        self.started.append(FakeProcess(bot, program, limits))
        return self.started[-1]

    async def open_socket(
        self, socket: Path, identity: Identity, opened: Callable[[Session], None]
    ) -> FakeSocket:
        self.sockets.append(FakeSocket(identity, opened))
        return self.sockets[-1]

    async def try_again(self, bot: str, version: str) -> str:
        self.tried.append((bot, version))
        if self.broken:
            raise SandboxError(self.broken)
        return self.trials.pop(0) if self.trials else ""

    def dismiss(self, bot: str) -> bool:
        self.dismissed.append(bot)
        return True

    # What tests do

    async def settle(self) -> None:
        """Let all happen that can happen without time passing."""
        for _ in range(20):
            await asyncio.sleep(0)

    async def stored(self, bot: str) -> HostedRow:
        """Return the bot as it is stored, after all pending writes."""
        await self.settle()  # what has begun to write is in line
        await self.database.write(lambda _: None)
        row = await self.database.read(lambda tx: tx.hosting.get(bot))
        assert row is not None
        return row

    async def prepare(self, *matches: str, alone: Collection[int] = ()) -> int | None:
        """Prepare the waiting matches 1, 2, ..., each given by its bots' names with spaces between them.

        `alone`: those that are played by fresh processes alone.
        """
        numbered = enumerate(matches, start=1)
        waiting = [PendingMatch(number, tuple(bots.split()), number in alone) for number, bots in numbered]
        waits = self.host.prepare(waiting)
        await self.settle()
        return waits

    async def move(self, ms: float) -> None:
        """Move the clock, and let all happen that follows."""
        self.timers.move(ms)
        await self.settle()

    async def end(self, place: int, ending: ExitStatus | None = None) -> None:
        """End the process of this index, with code 0 unless told otherwise."""
        self.started[place].end(ending or ended(code=0))
        await self.settle()

    def hello(self, place: int, capacity: int = 1) -> Session:
        """Connect the process of this index among all that were started (-1: the last one)."""
        socket = self.sockets[place]
        session = self.sessions.open(socket.identity, dict(RULES))
        session.connect(FakeLink(), Preferences())
        session.set_capacity(Capacity(capacity, capacity))
        socket.opened(session)
        return session

    async def connect(self, match: str, *, alone: Collection[int] = (), capacity: int = 1) -> Session:
        """Prepare a waiting match, and connect the process that was started last."""
        await self.prepare(match, alone=alone)
        return self.hello(-1, capacity)

    def seat(self, session: Session, *, isolated: bool) -> None:
        """Begin a match with the session on seat 0, and tell the host."""
        seat(session)
        self.host.note_seated(session.identity, isolated=isolated)

    def running(self) -> list[str]:
        """Return the bots whose processes run, in the order they were started."""
        return [running.bot for running in self.started if not running.ending.done()]

    async def close(self) -> None:
        await self.host.close()
        self.database.close()
        assert self.host.running == 0
        assert list(self.work.path.iterdir()) == []
        assert all(socket.closed for socket in self.sockets)


def with_host(*bots: str, slots: int = 4, starts: int = 16) -> pytest.MarkDecorator:
    """Give the test the fixture `hosting` with a host of these bots, loaded."""
    options = {"slots": slots, "starts": starts}
    return pytest.mark.parametrize(
        "hosting", [(bots, options)], ids=["-".join(bots) or "none"], indirect=True
    )


def seat(session: Session) -> MatchFixture:
    """Begin a match with the session on seat 0; the other player is a fake."""
    fixture = MatchFixture(2)
    fixture.players[0] = session.new_seat()  # type: ignore[call-overload]
    fixture.runner.offer()
    fixture.runner.ready(0)
    fixture.runner.ready(1)
    return fixture


def drop_seats(session: Session) -> None:
    """Take all seats from the session."""
    for each in list(session.seats.values()):
        session.drop(each)
