"""The process of a match worker: `python -m arena.server.match_workers.worker DESCRIPTOR`.

It is started by the arena, which it reaches by the socket of that descriptor, and ends with it.
"""

import asyncio
import contextlib
import secrets
import signal
import socket
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, cast

import structlog

from arena.core.clock.stalls import StallMeter
from arena.core.endings import arena_faults
from arena.core.units import NS_PER_S
from arena.hosting.environment import WorkFolder
from arena.hosting.host.process import HostedProcess, Launcher, ProcessDeparture, ProcessEnd
from arena.hosting.host.program_pool import ProgramPool, ProgramReports, WantedProgram
from arena.runner.timers import LoopTimers
from arena.sandbox.capabilities import find_capabilities
from arena.sandbox.proc_fs import die_with_parent
from arena.sandbox.runtime_registry import RuntimeRegistry
from arena.sandbox.sandbox import Sandbox
from arena.scheduling.dispatch import NotBegun
from arena.scheduling.heartbeat import beat_while
from arena.server import event_loop
from arena.server.match_workers import messages
from arena.server.match_workers.channel import Channel
from arena.server.match_workers.messages import Configure, FromArena, FromWorker
from arena.server.match_workers.worker_match import WorkerMatch
from arena.server.play.program_socket import ProgramSocket, open_program_socket
from arena.server.play.service import PlayService
from arena.server.service_log import configure
from arena.sessions.handshake import Identity
from arena.sessions.registry import SessionRegistry
from arena.sessions.session import Session
from arena.submissions.version_folders import VersionFolders

BEAT_S: Final = 1.0
"""The arena hears of the worker so often."""

_log = structlog.get_logger(__name__)


class _Reports(ProgramReports):
    """Tells the arena of the programs."""

    def __init__(self, send: Callable[[FromWorker], None]) -> None:
        self._send = send
        self.pool: ProgramPool | None = None

    def started(self) -> None:
        self._send(messages.ProgramStarted())

    def unstarted(self, wanted: WantedProgram, error: OSError) -> None:
        if isinstance(error, FileNotFoundError):
            self._send(messages.ProgramMissing(wanted.bot, wanted.version, error.strerror or str(error)))
        else:
            departure = ProcessDeparture(ProcessEnd.NOT_STARTED, str(error))
            self._send(messages.ProgramDeparted(wanted.bot, wanted.version, departure, 0, 0.0))

    def said_hello(self, process: HostedProcess) -> None:
        identity, session = process.identity, process.sessions[-1]
        after_s = (process.idle_since - process.begun_at) / NS_PER_S
        takes = (session.match_limit, session.games, after_s)
        self._send(messages.ProgramHello(identity.bot, identity.version, *takes))

    def departed(self, process: HostedProcess, departure: ProcessDeparture) -> None:
        identity = process.identity
        outcome = (departure, process.played, process.waited_ns / NS_PER_S)
        self._send(messages.ProgramDeparted(identity.bot, identity.version, *outcome))

    def changed(self) -> None:
        assert self.pool is not None
        self._send(messages.Programs(tuple(process.identity.bot for process in self.pool)))


class Worker:
    """Plays one match at a time."""

    def __init__(self, settings: Configure, send: Callable[[FromWorker], None]) -> None:
        """`send`: to the arena. The event loop must be running. Blocks for a moment."""
        self._send = send
        self._timers = timers = LoopTimers(asyncio.get_running_loop())
        self._sessions = SessionRegistry(timers, lambda: None)
        self._stalls = StallMeter(time.process_time_ns)
        self._play = PlayService(self._sessions, timers, mass_loss=lambda _: None, stalls=self._stalls)
        self._work = WorkFolder(settings.sockets)
        sandbox = Sandbox(
            find_capabilities(),
            folder=settings.data / "sandbox",
            uids=range(*settings.uids),
            runtimes=RuntimeRegistry(settings.runtimes),
        )
        launch = Launcher(
            sandbox,
            VersionFolders(settings.data / "versions"),
            self._work,
            self._open_socket,
            timers,
            starting=asyncio.Semaphore(1),
            stalled=self._stalls.overlap,
        )
        reports = _Reports(send)
        self._pool = reports.pool = ProgramPool(self._sessions, timers, launch=launch, reports=reports)
        self._match: WorkerMatch | None = None
        self._offering: asyncio.Task[None] | None = None
        self._began = asyncio.Event()

    async def _open_socket(
        self, path: Path, identity: Identity, opened: Callable[[Session], None]
    ) -> ProgramSocket:
        return await open_program_socket(self._play, path, identity, opened, self._timers.now)

    @property
    def rests(self) -> bool:
        """Whether it plays no match."""
        return self._match is None

    async def beat(self) -> None:
        """Say every second that the worker runs, for ever."""
        before_ns = 0
        while True:
            stalled_ns = self._stalls.total_ns
            self._send(messages.Beat((stalled_ns - before_ns) / NS_PER_S))
            before_ns = stalled_ns
            self._pool.leave_if_idle()
            await asyncio.sleep(BEAT_S)

    async def watch(self) -> None:
        """Look for stalls while a match is played, for ever."""
        await beat_while(
            lambda: self._match is not None,
            self._began,
            self._stalls,
            self._timers,
            beaten=self._pool.look,
        )

    def take(self, message: FromArena) -> None:
        """Do what the arena says."""
        match message:
            case messages.Play():
                self._match = WorkerMatch(
                    message.ticket,
                    self._pool,
                    self._sessions,
                    timers=self._timers,
                    stalls=self._stalls,
                    send=self._send,
                )
                self._began.set()
                self._offering = asyncio.create_task(self._offer(self._match))
            case messages.LeavePrograms():
                self._pool.leave()
            case messages.Drain():
                self._play.drain(message.within_ms)
            case _:
                playing = self._match
                if playing is not None and getattr(message, "match", None) == playing.id:
                    self._take_of(playing, message)

    def _take_of(self, playing: WorkerMatch, message: FromArena) -> None:
        """Do what the arena says about the match that is played."""
        match message:
            case messages.Begin():
                playing.begin()
            case messages.Withdraw():
                playing.withdraw(message.why)
            case messages.MakeVoid():
                playing.void(message.cause)
            case messages.ShowRecords():
                playing.show_records()
            case messages.SendLines():
                playing.send_lines(message.seat)
            case messages.Close():
                playing.close(message.report)
                self._match = None
                self._pool.leave_if_idle()

    async def _offer(self, match: WorkerMatch) -> None:
        try:
            await match.offer()
        # Whatever it is, it is the arena's fault: only this match is void.
        except Exception as failure:  # noqa: BLE001
            error_id = secrets.token_hex(4)
            _log.exception("a match could not be set up", match=match.id, error_id=error_id)
            cause = arena_faults.error(error_id, arena_faults.exception_facts(failure))
            self._send(messages.Over(match.id, NotBegun(cause=cause)))

    async def close(self) -> None:
        """End the programs."""
        await self._play.shut_down()
        await self._pool.close()
        self._work.close()


async def _work(end: socket.socket) -> None:
    channel = await Channel.of(end)
    settings = await channel.receive()
    if not isinstance(settings, Configure):
        return
    configure(json_logs=settings.json_logs)
    structlog.contextvars.bind_contextvars(worker=settings.name)
    worker = Worker(settings, channel.send)
    event_loop.tune()
    tasks = [
        asyncio.create_task(each)
        for each in (worker.beat(), worker.watch(), event_loop.collect_at_rest(lambda: worker.rests))
    ]
    while (message := await channel.receive()) is not None and not isinstance(message, messages.Stop):
        worker.take(cast("FromArena", message))
    for task in tasks:
        task.cancel()
    await worker.close()
    channel.close()


def _do_nothing(_number: int, _frame: object) -> None:
    """Take a signal."""


def main() -> None:
    """Work until the arena is gone. Signals are for the arena: it lets matches end, and then its workers."""
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, _do_nothing)  # bots would inherit SIG_IGN
    die_with_parent()
    with contextlib.suppress(ConnectionError):
        event_loop.run(_work(socket.socket(fileno=int(sys.argv[1]))))


if __name__ == "__main__":
    main()
