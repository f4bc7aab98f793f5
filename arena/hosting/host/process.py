"""One process of a hosted bot from its start to its end: its folder, its socket, its sessions, how it ended."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from enum import Enum
from errno import ENOENT
from pathlib import Path
from typing import Any, Final, Protocol

import structlog

from arena.core.clock.processor_use import WAIT_AGAIN_NS, ProcessorUse
from arena.core.endings.arena_faults import program_lost
from arena.core.units import NS_PER_S
from arena.hosting.environment import SOCKET_NAME, WorkFolder
from arena.hosting.host.output import OutputLines
from arena.hosting.host.processor_history import READ_EVERY_NS, ProcessorHistory
from arena.hosting.process_specs import Run, match_run
from arena.runner.timers import Timers
from arena.sandbox.exit_status import ExitReason, ExitStatus
from arena.sandbox.output import Stream
from arena.sandbox.process import SandboxedProcess
from arena.sandbox.process_spec import SandboxError
from arena.sandbox.sandbox import Sandbox
from arena.sessions import outgoing
from arena.sessions.handshake import Identity
from arena.sessions.seat import AssignedSeat
from arena.sessions.session import Session
from arena.store.json_columns import VersionProgram
from arena.submissions.version_folders import VersionFolders

HELLO_WITHIN_S: Final = 10.0
"""How long a process has from its start to its hello (docs/bad_inputs.md row 34), time in which it got no processor
left out; the runtimes of an organiser may allow another time."""

START_WALL_S: Final = 120.0
"""A process that has said no hello after this time on the wall is ended in any case. If it was waiting for a processor,
the machine is to blame, and not the bot."""

_LOOK_S: Final = 0.25
"""A process that starts is read so often: the waiting time of a thread is known only as long as the thread is
there."""

LEAVE_WITHIN_S: Final = 1.0
"""How long a process has from the arena's goodbye until it is ended (row 40)."""

STOP_GRACE_S: Final = 1.0
"""From SIGTERM to SIGKILL."""

_log = structlog.get_logger(__name__)

_NOT_NEEDED: Final = outgoing.Goodbye(
    outgoing.GoodbyeCode.DONE,
    "The arena has no match for this program now; it starts it again when there is one.",
)


class ProcessSocket(Protocol):
    """A socket at which one process finds the arena."""

    async def close(self) -> None:
        """Close the socket."""


OpenSocket = Callable[[Path, Identity, Callable[[Session], None]], Awaitable[ProcessSocket]]
"""Serves Play at a socket to one process, identified by the socket; calls back with each session that it opens."""


class ProcessEnd(Enum):
    """How a process has ended."""

    LEFT = "left"
    """It was asked to."""
    ENDED = "ended"
    """By itself, or by a limit of its sandbox."""
    SILENT = "silent"
    """It said no hello in time."""
    STARVED = "starved"
    """It said no hello because it got no processor: no fault of the bot."""
    NOT_STARTED = "not started"
    """The arena could not start it: no fault of the bot."""
    LOST = "lost"
    """The arena has lost it while it ran: no fault of the bot either, and its matches are void."""


@dataclass(frozen=True, slots=True)
class ProcessDeparture:
    """The end of a process."""

    how: ProcessEnd
    sentence: str
    """What happened."""
    ending: ExitStatus | None = None
    """None if there was no process."""
    overstayed: bool = False
    """Whether it had to be ended after it was asked to leave."""
    blamed: bool = False
    """Whether it was the bot's fault."""


class HostedProcess:
    """A process of a hosted bot, from before its start until nothing of it is left. Make it with the loop running."""

    def __init__(self, identity: Identity, run: Run, socket: Path, launcher: Launcher) -> None:
        """Nothing happens before `run`. `run`: what is run; `socket`: where it finds the arena."""
        self.identity = identity
        self.sessions: list[Session] = []
        self.retired = False
        """Whether it plays no match that has not begun."""
        self.stopped = False
        """Whether it has ended, or is being ended."""
        self.seated = False
        """Whether it has ever had a seat."""
        self.played = 0
        """Matches that it has played to their end."""
        self.begun_at = launcher.timers.now()
        self.idle_since = self.begun_at
        """When it was last seen to play, or has said hello."""
        self.hello_within_s = launcher.sandbox.runtimes.start_s(run[0].runtime, HELLO_WITHIN_S)
        """How long it has from its start to its hello."""
        self._starved = False
        """Whether its start was given up because the machine had no processor for it."""
        self._spec = run
        self._socket = socket
        self._launcher = launcher
        self._timers = launcher.timers
        self._history: ProcessorHistory | None = None
        self._running: SandboxedProcess | None = None
        self._output = OutputLines(self._seats)
        loop = asyncio.get_running_loop()
        self._hello: asyncio.Future[None] = loop.create_future()
        self._asked: asyncio.Future[str] = loop.create_future()

    def when_said_hello(self, call: Callable[[], None]) -> None:
        """Have `call` called soon after its first hello."""
        self._hello.add_done_callback(lambda _: call())

    @property
    def said_hello(self) -> bool:
        """Whether it has said hello."""
        return self._hello.done()

    @property
    def leaving(self) -> bool:
        """Whether it was asked to leave."""
        return self._asked.done()

    @property
    def busy(self) -> bool:
        """Whether it has seats, also of matches whose end it was not sent yet."""
        return any(session.seats for session in self.sessions)

    @property
    def present(self) -> bool:
        """Whether it has a connection."""
        return any(session.present for session in self.sessions)

    def retire(self) -> None:
        """Take no more matches; those that it plays continue."""
        self.retired = True
        for session in self.sessions:
            session.retired = True

    def leave(self, blame: str = "") -> None:
        """Ask it to leave; `blame`: a sentence if that is because of a fault of its own."""
        self.retire()
        if not self._asked.done():
            self._asked.set_result(blame)

    def take_session(self, session: Session) -> None:
        """Take a session that has said hello."""
        session.retired = self.retired
        session.process = self
        self.sessions = [each for each in self.sessions if each.present or each.seats]
        if session not in self.sessions:
            self.sessions.append(session)
        self.idle_since = self._timers.now()
        if not self._hello.done():
            self._hello.set_result(None)

    def void_matches(self, why: str) -> None:
        """Make what it plays void by the arena's fault. `why`: a sentence part for everybody."""
        cause = program_lost(self.identity.bot, why)
        for session in self.sessions:
            session.void_seats(cause)

    def note_played(self) -> None:
        """Note that it has played a match to its end."""
        self.played += 1
        self.idle_since = self._timers.now()
        if self._running is not None:
            self._running.reset_output_limit()

    # The processors

    def processor(self, started: int, now: int) -> ProcessorUse | None:
        """Return its processor use from soon after `started` until now; None if that is not known."""
        return None if self._history is None or self.stopped else self._history.since(started, now)

    def look(self, now: int) -> None:
        """Read its processor use if it has something to answer, and that is due."""
        history = self._history
        if history is None or self.stopped:
            return
        asked = [since for seat in self._seats() if (since := seat.expected_since) is not None]
        if asked and (max(asked) > history.read_at or now - history.read_at >= READ_EVERY_NS):
            history.look(now)

    @property
    def waited_ns(self) -> int:
        """How long it was ready to run and got no processor, as far as that was read."""
        return 0 if self._history is None else self._history.waited_ns

    def _seats(self) -> Iterable[AssignedSeat]:
        return (seat for session in self.sessions for seat in session.seats.values())

    @property
    def is_ending(self) -> bool:
        """Whether it has ended in a way that is not known yet."""
        return not self.stopped and self._running is not None and self._running.is_ending

    def read_output(self) -> None:
        """Keep what it has printed so far; what it printed before its match goes to that."""
        if self._running is not None:
            self._running.read_pending()
        self._output.add(Stream.STDOUT, b"")

    async def run(self) -> ProcessDeparture:
        """Start the process, and wait until it has ended or was asked to leave; then remove all of it."""
        socket: ProcessSocket | None = None
        try:
            socket = await self._launcher.open_socket(self._socket, self.identity, self.take_session)
            return await self._run()
        except (SandboxError, OSError) as error:
            self.void_matches("the sandbox failed")
            return ProcessDeparture(ProcessEnd.NOT_STARTED, str(error))
        finally:
            self.stopped = True
            if socket is not None:
                await socket.close()
            self._launcher.work.remove(self.identity.program)

    async def _run(self) -> ProcessDeparture:
        """Start it when it is its turn. Wait until it ends or is asked to leave."""
        async with AsyncExitStack() as starting:
            await starting.enter_async_context(self._launcher.starting)
            if self.leaving:
                return ProcessDeparture(ProcessEnd.LEFT, "It was asked to leave before it was started.")
            running = self._running = await self._launcher.sandbox.start(*self._spec)
            self.begun_at = self._timers.now()
            running.on_output(self._output.add)
            self._history = ProcessorHistory(running.processor, self._launcher.stalled, self.begun_at)
            ended = asyncio.create_task(running.wait())
            try:
                await self._wait_for_hello(ended)
                await starting.aclose()  # the next one is started
                if self._hello.done():
                    await _first({ended, self._asked}, None)
                if ended.done():
                    return self._ended(ended.result())
                return await self._say_goodbye(running, ended)
            finally:
                self.stopped = True
                ended.cancel()
                # Without effect once it has ended; otherwise the arena itself is being broken off.
                await running.stop(0.0)

    async def _wait_for_hello(self, ended: asyncio.Task[ExitStatus]) -> None:
        """Wait until it has said hello, has ended, was asked to leave, or its time for that is up."""
        waiting: set[asyncio.Future[Any]] = {ended, self._hello, self._asked}
        left_s: float | None = self.hello_within_s
        while left_s is not None:
            await _first(waiting, min(left_s, _LOOK_S))
            left_s = None if any(each.done() for each in waiting) else self._hello_left_s()

    def _hello_left_s(self) -> float | None:
        """Return how much longer to wait for its hello, time without a processor left out; None: no longer."""
        now = self._timers.now()
        use = self.processor(self.begun_at, now) or ProcessorUse(0, 0)
        elapsed_ns = now - self.begun_at
        _, waited_ns = use.credited(elapsed_ns, 0)
        left_ns = round(self.hello_within_s * NS_PER_S) - elapsed_ns + waited_ns
        if left_ns <= 0 and use.is_settled(-left_ns):
            return None
        wall_s = START_WALL_S - elapsed_ns / NS_PER_S
        self._starved = wall_s <= 0
        return None if self._starved else min(max(left_ns, WAIT_AGAIN_NS) / NS_PER_S, wall_s)

    def _ended(self, ending: ExitStatus) -> ProcessDeparture:
        """Forfeit what it plays, with the evidence: it has ended by itself. Its owner can read its last words."""
        self.stopped = True
        self.retire()
        self._output.close()  # before its matches hear of it, and have their result
        if ending.reason is ExitReason.LOST:
            self.void_matches("its launcher was ended from outside")
            return ProcessDeparture(ProcessEnd.LOST, ending.sentence, ending)
        played_on = self.busy
        for session in self.sessions:
            session.end_seats(ending.seat_ending)
        orderly = ending.code == 0 and self.played > 0 and not played_on
        return ProcessDeparture(ProcessEnd.ENDED, ending.sentence, ending, blamed=not orderly)

    async def _say_goodbye(
        self, running: SandboxedProcess, ended: asyncio.Task[ExitStatus]
    ) -> ProcessDeparture:
        """Say goodbye if it is connected, and give it a moment to end by itself."""
        self.stopped = True
        asked = self._asked.done()
        overstayed = asked and self.present
        if overstayed:
            for session in self.sessions:
                if session.link is not None:
                    session.link.end(_NOT_NEEDED)
            await _first({ended}, LEAVE_WITHIN_S)
            overstayed = not ended.done()
        ending = await running.stop(STOP_GRACE_S)
        if self._starved:
            why = f"It got no processor for its start within {START_WALL_S:g} s: the machine is overloaded."
            return ProcessDeparture(ProcessEnd.STARVED, why, ending)
        if not asked:
            why = f"It said no hello within {self.hello_within_s:g} s of its start."
            return ProcessDeparture(ProcessEnd.SILENT, why, ending, blamed=True)
        blame = self._asked.result()
        why = blame or "It was asked to leave."
        return ProcessDeparture(ProcessEnd.LEFT, why, ending, overstayed=overstayed, blamed=bool(blame))


async def supervised(process: HostedProcess) -> ProcessDeparture:
    """Run a process until nothing of it is left. An error of the arena makes what it plays void; no bot is blamed."""
    try:
        return await process.run()
    # Whatever it is, it is the arena's fault, and must not be tried again and again at once.
    except Exception as error:  # noqa: BLE001
        _log.exception("a hosted program could not be looked after", bot=process.identity.bot)
        process.void_matches("the arena could not look after it")
        return ProcessDeparture(ProcessEnd.NOT_STARTED, str(error))


async def _first(waiting: Iterable[asyncio.Future[Any]], within_s: float | None) -> None:
    """Wait until one of them is done, or for this time."""
    await asyncio.wait(set(waiting), timeout=within_s, return_when=asyncio.FIRST_COMPLETED)


@dataclass(frozen=True, slots=True)
class Launcher:
    """Makes the processes of a host."""

    sandbox: Sandbox
    versions: VersionFolders
    work: WorkFolder
    """Where the sockets are."""
    open_socket: OpenSocket
    timers: Timers
    starting: asyncio.Semaphore
    """Held by each process from its start to its hello."""
    stalled: Callable[[int, int], int]
    """How much of a span of time the arena stood still."""

    def __call__(self, identity: Identity, program: VersionProgram) -> HostedProcess:
        """Return a process that is ready to run.

        Raises:
            FileNotFoundError: the files of its version are not there.
            OSError: there is no room for what it needs.
        """
        folder = self.versions.folder(identity.version)
        if not folder.is_dir():
            raise FileNotFoundError(ENOENT, "the files of its version are not there", str(folder))
        socket = self.work.add(identity.program) / SOCKET_NAME
        return HostedProcess(identity, match_run(program, folder, socket), socket, self)
