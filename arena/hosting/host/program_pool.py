"""The programs of one match worker: those of the match that it plays, and those that it keeps for the next one."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Final

from arena.core.units import NS_PER_S
from arena.hosting.background_tasks import BackgroundTasks
from arena.hosting.host.process import HostedProcess, ProcessDeparture, supervised
from arena.runner.timers import Timers
from arena.sessions.handshake import Identity
from arena.sessions.registry import SessionRegistry
from arena.store.json_columns import VersionProgram

IDLE_S: Final = 30.0
"""A program that no match needs is asked to leave after so long."""

RENEW_NS: Final = 3_600 * NS_PER_S
"""A program that has run for so long plays no further match: another one takes its place."""

_NO_ROOM: Final = "It takes no matches: its capacity is 0."

Launch = Callable[[Identity, VersionProgram], HostedProcess]
"""Makes a process that is ready to run. Raises OSError: its files are not there, or there is no room for it."""


@dataclass(frozen=True, slots=True)
class WantedProgram:
    """A version whose program a match needs."""

    bot: str
    version: str
    owner: str
    program: VersionProgram


class ProgramReports:
    """What is reported of the programs of a pool; each method does nothing unless overridden."""

    def started(self) -> None:
        """Note that a program was started."""

    def unstarted(self, wanted: WantedProgram, error: OSError) -> None:
        """Note that a program could not be started: its files are not there, or there is no room for it."""

    def said_hello(self, process: HostedProcess) -> None:
        """Note what a program takes, as it says in its hello."""

    def departed(self, process: HostedProcess, departure: ProcessDeparture) -> None:
        """Note how a program has ended."""

    def changed(self) -> None:
        """Note that other programs run than before."""


class ProgramPool:
    """The programs of a worker. All on one event loop."""

    def __init__(
        self, sessions: SessionRegistry, timers: Timers, *, launch: Launch, reports: ProgramReports
    ) -> None:
        self._sessions = sessions
        self._timers = timers
        self._launch = launch
        self._reports = reports
        self._processes: dict[int, HostedProcess] = {}
        self._numbers = count(1)
        self._change = asyncio.Event()
        self._background_tasks = BackgroundTasks("something about hosted programs went wrong")

    def __iter__(self) -> Iterator[HostedProcess]:
        return iter(list(self._processes.values()))

    async def take(self, wanted: Sequence[WantedProgram], *, fresh: bool) -> list[HostedProcess] | None:
        """Return a connected process of each version; None if one has ended or cannot be started, which is reported.

        `fresh`: one that has played nothing. All others leave first, so that no more run than the match needs.
        """
        keep = [] if fresh else [each for each in map(self._idle, wanted) if each is not None]
        for process in self:
            if process not in keep:
                process.leave()
        await self._until(lambda: all(each in keep for each in self))
        ready = []
        for each in wanted:
            try:
                ready.append(self._idle(each) or self._start(each))
            except OSError as error:
                self._reports.unstarted(each, error)
                return None
        await self._until(
            lambda: all(each.said_hello for each in ready) or any(each not in self for each in ready)
        )
        if any(each not in self or not each.present for each in ready):
            return None
        for process in ready:
            if not any(session.match_limit for session in process.sessions if session.present):
                process.leave(_NO_ROOM)
        return None if any(each.leaving for each in ready) else ready

    def leave(self) -> None:
        """Ask every program to leave that does not play."""
        for process in self:
            if not process.busy:
                process.leave()

    def look(self, now: int) -> None:
        """Read whether programs that have something to answer get a processor."""
        for process in self._processes.values():
            process.look(now)

    async def close(self) -> None:
        """End every program."""
        for process in self:
            process.leave()
        await self._background_tasks.finish()

    def leave_if_idle(self) -> None:
        """Ask programs to leave that play no further match, or that none has needed for a while."""
        now = self._timers.now()
        for process in self:
            if process.busy or not process.said_hello:
                continue
            idle = now - process.idle_since >= IDLE_S * NS_PER_S
            if idle or process.retired or not process.present:
                process.leave()

    def _idle(self, wanted: WantedProgram) -> HostedProcess | None:
        """Return a process of the version that may play the next match."""
        for process in self:
            same = (process.identity.bot, process.identity.version) == (wanted.bot, wanted.version)
            young = self._timers.now() - process.begun_at < RENEW_NS
            usable = process.said_hello and process.present and not (process.busy or process.retired)
            if same and young and usable:
                return process
        return None

    def _start(self, wanted: WantedProgram) -> HostedProcess:
        """Start a process. Raises OSError."""
        number = next(self._numbers)
        identity = Identity(wanted.bot, wanted.version, wanted.owner, "", number)
        process = self._processes[number] = self._launch(identity, wanted.program)
        self._reports.started()
        process.when_said_hello(lambda: self._note_hello(process))
        self._background_tasks.begin(self._supervise(number, process))
        self._note_change()
        return process

    def _note_hello(self, process: HostedProcess) -> None:
        self._reports.said_hello(process)
        self._note_change()

    async def _supervise(self, number: int, process: HostedProcess) -> None:
        """Run a process until nothing of it is left, and report how it has ended."""
        try:
            departure = await supervised(process)
        finally:
            del self._processes[number]
        for session in process.sessions:
            session.leave()
            self._sessions.forget_if_idle(session.number)
        self._reports.departed(process, departure)
        self._note_change()

    def _note_change(self) -> None:
        self._change.set()
        self._reports.changed()

    async def _until(self, true: Callable[[], bool]) -> None:
        """Wait until it is true, which can only change with the programs."""
        while not true():
            self._change.clear()
            await self._change.wait()
