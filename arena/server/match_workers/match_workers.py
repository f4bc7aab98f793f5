"""The workers of an arena: started, watched, given matches, and started again when they end."""

import asyncio
import os
import socket
import subprocess
import sys
from collections import Counter
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Final, cast

import structlog

from arena.core.endings.arena_faults import worker_lost
from arena.core.units import NS_PER_S
from arena.hosting.environment import MOST_WORKERS, HostingEnvironment
from arena.hosting.host.host import Host
from arena.sandbox.sandbox import UIDS
from arena.scheduling.dispatch import MatchTicket, PlayedMatch
from arena.server.match_workers import messages
from arena.server.match_workers.channel import Channel
from arena.server.match_workers.messages import FromArena, FromWorker
from arena.server.match_workers.remote_match import RemoteMatch
from arena.server.metered_log import MatchCounts
from arena.store.audit.entries import AuditKind
from arena.store.audit.writer import AuditSink
from engine.game import GameError

SILENT_S: Final = 20
"""A worker that says nothing for so many seconds, by the arena's own count of them, does not run any more."""

STARTS_WITHIN_S: Final = 120
"""The same before its first word."""

_FIRST_PAUSE_S: Final = 1.0
_LONGEST_PAUSE_S: Final = 60.0
_STOP_WITHIN_S: Final = 5.0
_TICK_S: Final = 1.0

_log = structlog.get_logger(__name__)


class _Worker:
    """One worker process, or the place for one while none runs."""

    def __init__(self, number: int) -> None:
        self.name = f"worker {number}"
        self.number = number
        self.channel: Channel | None = None
        """None while it does not run."""
        self.heard = False
        """Whether it has said anything since it was started."""
        self.match: RemoteMatch | None = None
        self.programs: Counter[str] = Counter()
        """By bot, as it has said."""
        self.silent = 0
        """Seconds without a word of it."""
        self.needed = asyncio.Event()
        """Set once there was a match for it."""

    @property
    def held(self) -> int:
        """Places for programs that it takes up, or will soon."""
        needed = 0 if self.match is None else len(self.match.ticket.bots)
        return max(needed, self.programs.total())

    @property
    def free(self) -> bool:
        """Whether it could play a match now."""
        return self.heard and self.match is None

    @property
    def is_silent(self) -> bool:
        """Whether nothing was heard of it for so long that it does not run any more."""
        return self.silent >= (SILENT_S if self.heard else STARTS_WITHIN_S)

    def send(self, message: FromArena) -> None:
        """Send a message, if it runs."""
        if self.channel is not None:
            self.channel.send(message)


class MatchWorkers:
    """The workers of an arena: `arena.scheduling.dispatch.Dispatcher`. All on its event loop."""

    def __init__(  # noqa: PLR0913 - what workers need
        self,
        environment: HostingEnvironment,
        *,
        data: Path,
        places: int,
        changed: Callable[[], None],
        counts: MatchCounts,
        audit: AuditSink,
        json_logs: bool,
    ) -> None:
        """`places`: programs that all of them may run at once; `changed`: called when more may be possible.

        `counts`: to which the decisions are added.
        """
        self._workers = [_Worker(number) for number in range(1, environment.workers + 1)]
        self._environment = environment
        self._data = data
        self._places = places
        self._changed = changed
        self._counts = counts
        self._audit = audit
        self._json_logs = json_logs
        self.host: Host | None = None
        """What happens to programs is reported there; set before the workers run."""

    # Dispatcher

    @property
    def workers(self) -> int:
        """See Dispatcher."""
        return len(self._workers)

    @property
    def idle(self) -> int:
        """Workers that run and play nothing."""
        return sum(worker.free for worker in self._workers)

    def ready_for(self, matches: int) -> int:
        """See Dispatcher. An arena without hosted bots has no worker, and one with few matches has few."""
        playing = sum(worker.match is not None for worker in self._workers)
        for worker in self._workers[: playing + matches]:
            worker.needed.set()
        return self.idle

    def room_for(self, bots: Collection[str]) -> bool:
        """See Dispatcher."""
        if self._best(bots) is not None:
            return True
        for each in self._workers:  # programs of the others only wait for a next match
            if each.free and each.programs:
                each.send(messages.LeavePrograms())
        return False

    def start(self, ticket: MatchTicket) -> RemoteMatch:
        """See Dispatcher."""
        worker = self._best(ticket.bots)
        assert worker is not None, "there is room"
        match = RemoteMatch(ticket, worker.send, lambda: self._free(worker, match))
        worker.match = match
        worker.send(messages.Play(ticket))
        return match

    def programs(self, bot: str) -> int:
        """See Dispatcher."""
        return sum(worker.programs[bot] for worker in self._workers)

    @property
    def running(self) -> int:
        """Programs that run."""
        return sum(worker.programs.total() for worker in self._workers)

    def drain(self, within_ms: int) -> None:
        """Announce to all bots that the arena closes."""
        for worker in self._workers:
            worker.send(messages.Drain(within_ms))

    def _best(self, bots: Collection[str]) -> _Worker | None:
        """Return the free worker that runs most programs of these bots, and fewest others; None if none has room."""
        held, wanted = sum(worker.held for worker in self._workers), Counter(bots)
        fitting = [
            worker
            for worker in self._workers
            if worker.free and held - worker.held + len(bots) <= self._places
        ]
        return min(
            fitting,
            key=lambda worker: (-(worker.programs & wanted).total(), worker.programs.total(), worker.number),
            default=None,
        )

    def _free(self, worker: _Worker, match: RemoteMatch) -> None:
        if worker.match is match:
            worker.match = None
            self._changed()

    # The processes

    @asynccontextmanager
    async def running_while(self) -> AsyncIterator[None]:
        """Run the workers inside; at the end they end their programs."""
        tasks = [asyncio.create_task(self._keep_running(worker)) for worker in self._workers]
        try:
            yield
        finally:
            for worker in self._workers:
                worker.send(messages.Stop())
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _keep_running(self, worker: _Worker) -> None:
        """Run a worker once it is needed, and another one in its place when it has ended, for ever."""
        await worker.needed.wait()
        pause_s = _FIRST_PAUSE_S
        loop = asyncio.get_running_loop()
        while True:
            began = loop.time()
            why = await self._run(worker)
            if loop.time() - began > _LONGEST_PAUSE_S:
                pause_s = _FIRST_PAUSE_S
            _log.error("a match worker has ended and is started again", worker=worker.name, why=why)
            self._audit(
                AuditKind.INTERNAL_ERROR,
                f"{worker.name} {why}; what it played is void, and it is started again",
                facts=(("worker", worker.name),),
            )
            await asyncio.to_thread(self._environment.sandbox.sweep)  # what it has left
            await asyncio.sleep(pause_s)
            pause_s = min(2 * pause_s, _LONGEST_PAUSE_S)

    async def _run(self, worker: _Worker) -> str:
        """Run one process to its end. Return what happened, a sentence part; end it if this is cancelled."""
        ours, theirs = socket.socketpair()
        with theirs:
            process = subprocess.Popen(  # noqa: ASYNC220 - vfork does not block
                [sys.executable, "-m", "arena.server.match_workers.worker", str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=(theirs.fileno(),),
                env={name: value for name, value in os.environ.items() if not name.startswith("ARENA_")},
                start_new_session=True,
            )
        channel = await Channel.of(ours)
        channel.send(self._settings(worker))
        watch = asyncio.create_task(self._watch(worker, process))
        try:
            worker.silent = 0
            worker.channel = channel
            why = await self._listen(worker, channel)
            return f"did not answer for {worker.silent} s" if worker.is_silent else why
        finally:
            watch.cancel()
            worker.channel, worker.heard = None, False
            worker.programs.clear()
            await _end(process)
            channel.close()
            if worker.match is not None:
                worker.match.lose(worker_lost(worker.name, "has ended"))

    def _settings(self, worker: _Worker) -> messages.Configure:
        each = len(UIDS) // 2 // MOST_WORKERS
        first = UIDS.start + len(UIDS) // 2 + (worker.number - 1) * each
        return messages.Configure(
            name=worker.name,
            data=self._data,
            runtimes=self._environment.sandbox.runtimes.added,
            sockets=self._environment.work.path / f"worker{worker.number}",
            uids=(first, first + each),
            json_logs=self._json_logs,
        )

    async def _watch(self, worker: _Worker, process: subprocess.Popen[bytes]) -> None:
        """End a worker that is silent for too long: it is frozen. Seconds are counted by turns of this loop."""
        while True:
            await asyncio.sleep(_TICK_S)
            worker.silent += 1
            if worker.is_silent:
                process.kill()
                return

    async def _listen(self, worker: _Worker, channel: Channel) -> str:
        """Take what the worker says until it is gone. Return why it is."""
        while (message := await channel.receive()) is not None:
            worker.silent = 0
            if not worker.heard:
                worker.heard = True
                self._changed()
            try:
                self._take(worker, cast("FromWorker", message))
            except (ValueError, GameError) as error:
                return f"has sent what cannot be: {error}"
            await asyncio.sleep(0)  # records of a long match come in many messages
        return "has ended"

    def _take(self, worker: _Worker, message: FromWorker) -> None:
        assert self.host is not None
        host = self.host.outcomes
        match message:
            case messages.Beat():
                pass
            case messages.Programs():
                fewer = len(message.bots) < worker.programs.total()
                worker.programs = Counter(message.bots)
                if fewer and self.idle:
                    self._changed()
            case messages.ProgramStarted():
                host.started()
            case messages.ProgramMissing():
                host.missing(message.bot, message.version, message.why)
            case messages.ProgramHello():
                host.hello(message.bot, message.version, message.match_limit, message.rules, message.after_s)
            case messages.ProgramDeparted():
                host.departed(
                    message.bot,
                    message.version,
                    message.departure,
                    played=message.played,
                    waited_ns=round(message.waited_s * NS_PER_S),
                )
            case _:
                if isinstance(message, messages.Over) and isinstance(message.how, PlayedMatch):
                    self._counts.think.add_all(message.how.think.counts, message.how.think.sum_s)
                    self._counts.turnaround.add_all(
                        message.how.turnaround.counts, message.how.turnaround.sum_s
                    )
                if worker.match is not None and worker.match.id == message.match:
                    worker.match.take(message)


async def _end(process: subprocess.Popen[bytes]) -> None:
    """Wait until the process has ended, and end it if it does not."""
    with suppress(subprocess.TimeoutExpired):
        await asyncio.to_thread(process.wait, _STOP_WITHIN_S)
    process.kill()
    await asyncio.to_thread(process.wait)
