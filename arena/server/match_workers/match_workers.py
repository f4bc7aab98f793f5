"""The workers of an arena: started, watched, given matches, and started again when they end."""

import asyncio
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator, Callable, Collection, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final, cast

import structlog

from arena.core.endings.arena_faults import worker_lost
from arena.core.match import MatchState
from arena.core.match_record import MatchRecord
from arena.core.units import NS_PER_S
from arena.hosting.host.host import Host
from arena.scheduling.dispatch import MatchNeeds, MatchTicket, PlayedMatch, places_of
from arena.server.child_process import RestartPause
from arena.server.match_workers import messages
from arena.server.match_workers.machine import Machine, MachineReports, Refusal, WorkerLink
from arena.server.match_workers.messages import FromArena, FromWorker
from arena.server.match_workers.remote_match import RemoteMatch
from arena.server.metered_log import MatchCounts
from arena.store.audit.entries import AuditKind
from arena.store.audit.writer import AuditSink
from arena.store.json_columns import VersionProgram
from engine.game import GameError

SILENT_S: Final = 20
"""A worker that says nothing for so many seconds, by the arena's own count of them, does not run any more."""

STARTS_WITHIN_S: Final = 120
"""The same before its first word."""

_TICK_S: Final = 1.0
_MOST_GROUPS: Final = 10_000
"""Match groups of which it is known what kind of machine plays them."""

_log = structlog.get_logger(__name__)


class _Worker:
    """One worker process, or the place for one while none runs."""

    def __init__(self, machine: Machine, number: int) -> None:
        self.machine = machine.name
        of = f" of node {machine.name}" if machine.name else ""
        self.name = f"worker {number}{of}"
        self.number = number
        self.link: WorkerLink | None = None
        """None while it does not run."""
        self.heard = False
        """Whether it has said anything since it was started."""
        self.match: RemoteMatch | None = None
        self.match_places = 0
        """Places for programs that its latest match needs."""
        self.programs: Counter[str] = Counter()
        """By bot, as it has said."""
        self.places_of: dict[str, int] = {}
        """By bot: places that its program takes, as its latest match says."""
        self.silent = 0
        """Seconds without a word of it."""
        self.needed = asyncio.Event()
        """Set once there was a match for it."""

    @property
    def held(self) -> int:
        """Places for programs that it takes up, or will soon."""
        needed = 0 if self.match is None else self.match_places
        running = sum(count * self.places_of.get(bot, 1) for bot, count in self.programs.items())
        return max(needed, running)

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
        if self.link is not None:
            self.link.send(message)


class _Attached:
    """A machine whose workers play matches."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.workers = [_Worker(machine, number) for number in range(1, machine.workers + 1)]
        self.tasks: list[asyncio.Task[None]] = []
        self.drained = False
        """Whether no match begins on it any more."""

    @property
    def playing(self) -> int:
        """Matches that it plays."""
        return sum(worker.match is not None for worker in self.workers)

    @property
    def programs(self) -> int:
        """Programs that run on it."""
        return sum(worker.programs.total() for worker in self.workers)

    def with_room_for(self, places: int) -> Iterable[_Worker]:
        """Return the free workers that have so many places for programs."""
        held = sum(worker.held for worker in self.workers)
        return (
            worker
            for worker in self.workers
            if worker.free and held - worker.held + places <= self.machine.places
        )

    def can_play(self, programs: Collection[VersionProgram]) -> bool:
        """Return whether a match with these programs may begin on it, now or when there is room."""
        return (
            not self.drained
            and bool(self.workers)
            and all(map(self.machine.can_run, programs))
            and sum(map(places_of, programs)) <= self.machine.places
        )


@dataclass(frozen=True, slots=True)
class MachineUse:
    """What runs on a machine now."""

    playing: int = 0
    """Matches."""
    programs: int = 0


class MatchWorkers:
    """The workers of an arena: `arena.scheduling.dispatch.Dispatcher`. All on its event loop."""

    def __init__(
        self,
        *,
        changed: Callable[[], None],
        counts: MatchCounts,
        audit: AuditSink,
        waits_for_nodes: bool = False,
    ) -> None:
        """Begin without a machine: `attach` adds one, and its workers run within `running_while`.

        `changed`: called when more may be possible; `counts`: to which the decisions are added; `audit`: for the audit
        trail; `waits_for_nodes`: whether matches of hosted bots wait for nodes when no machine is attached.
        """
        self._machines: dict[str, _Attached] = {}
        self._changed = changed
        self._counts = counts
        self._audit = audit
        self._waits_for_nodes = waits_for_nodes
        self._running = False
        self._ending: set[asyncio.Task[None]] = set()
        """Of workers whose machine is no longer attached."""
        self._kinds: OrderedDict[int, str] = OrderedDict()
        """By match group: the kind of machine that plays it."""
        self.host: Host | None = None
        """What happens to programs is reported there; set before the workers run."""
        self.reports: MachineReports | None = None
        """What happens to machines is reported there, if it is set."""

    # Machines

    def attach(self, machine: Machine) -> None:
        """Play matches at the workers of a machine, too."""
        assert machine.name not in self._machines
        attached = self._machines[machine.name] = _Attached(machine)
        if self._running:
            self._run_workers(attached)
            self._changed()

    def detach(self, name: str, why: str) -> None:
        """Let go of a machine: what it plays is void. `why`: a sentence part without a full stop."""
        attached = self._machines.pop(name, None)
        if attached is None:
            return
        for worker in attached.workers:
            self._lose(worker, why)
        for task in attached.tasks:
            task.cancel()
            self._ending.add(task)
            task.add_done_callback(self._ending.discard)
        self._changed()

    def set_drained(self, name: str, *, drained: bool) -> None:
        """Begin no more matches on a machine that may be attached, or begin them again."""
        attached = self._machines.get(name)
        if attached is None:
            return
        attached.drained = drained
        for worker in attached.workers:
            if drained and worker.free:
                worker.send(messages.LeavePrograms())
        self._changed()

    def use_of(self, name: str) -> MachineUse:
        """Return what runs on a machine; nothing if it is not attached."""
        attached = self._machines.get(name)
        return MachineUse() if attached is None else MachineUse(attached.playing, attached.programs)

    @property
    def places(self) -> int:
        """Programs that all machines run at once on which matches begin."""
        return sum(each.machine.places for each in self._machines.values() if not each.drained)

    def _all(self) -> list[_Worker]:
        """Return all workers, the first of each machine before the second ones."""
        return sorted(
            (worker for attached in self._machines.values() for worker in attached.workers),
            key=lambda worker: worker.number,
        )

    # Dispatcher

    @property
    def plays_hosted(self) -> bool:
        """See Dispatcher."""
        return self._waits_for_nodes or any(each.machine.workers for each in self._machines.values())

    @property
    def idle(self) -> int:
        """Workers that run and play nothing, on machines on which matches begin."""
        return sum(
            worker.free
            for attached in self._machines.values()
            if not attached.drained
            for worker in attached.workers
        )

    def ready_for(self, matches: int) -> int:
        """See Dispatcher. An arena without hosted bots has no worker, and one with few matches has few."""
        startable = [worker for worker in self._all() if not self._machines[worker.machine].drained]
        playing = sum(worker.match is not None for worker in startable)
        for worker in startable[: playing + matches]:
            worker.needed.set()
        return self.idle

    def can_play(self, programs: Collection[VersionProgram]) -> bool:
        """See Dispatcher."""
        return any(attached.can_play(programs) for attached in self._machines.values())

    def room_for(self, needs: MatchNeeds, *, other_than: str | None = None) -> bool:
        """See Dispatcher. Programs of other workers that only wait for a next match may have to leave for it."""
        if self._best(needs, other_than) is not None:
            return True
        for attached in self._usable(needs, other_than):
            for each in attached.workers:
                if each.free and each.programs:
                    each.send(messages.LeavePrograms())
        return False

    def start(self, ticket: MatchTicket, *, other_than: str | None = None) -> RemoteMatch:
        """See Dispatcher."""
        worker = self._best(ticket.needs, other_than)
        assert worker is not None, "there is room"
        self._note_kind(ticket.needs.group, self._machines[worker.machine].machine.kind)
        match = RemoteMatch(
            ticket,
            worker.send,
            machine=worker.machine,
            closed=lambda report: self._free(worker, match, report),
            refused=lambda reason: self._note_refused(worker.machine, reason, match.id),
        )
        worker.match = match
        places = ticket.needs.places
        worker.match_places = sum(places.values())
        worker.places_of |= places
        worker.send(messages.Play(ticket))
        return match

    def programs(self, bot: str) -> int:
        """See Dispatcher."""
        return sum(
            worker.programs[bot] for attached in self._machines.values() for worker in attached.workers
        )

    @property
    def running(self) -> int:
        """Programs that run."""
        return sum(attached.programs for attached in self._machines.values())

    def drain(self, within_ms: int) -> None:
        """Announce to all bots that the arena closes."""
        for worker in self._all():
            worker.send(messages.Drain(within_ms))

    def _usable(self, needs: MatchNeeds, other_than: str | None) -> list[_Attached]:
        """Return the machines on which a match may begin: all matches of a group are played on one kind of machine.

        If no machine of that kind is left, any other one plays the rest of the group.
        """
        usable = [
            attached
            for attached in self._machines.values()
            if attached.machine.name != other_than and attached.can_play(needs.programs.values())
        ]
        kind = self._kinds.get(needs.group)
        alike = [attached for attached in usable if attached.machine.kind == kind]
        return alike or usable

    def _best(self, needs: MatchNeeds, other_than: str | None = None) -> _Worker | None:
        """Return the free worker that runs most programs of these bots, and fewest others; None if none has room.

        Among equals that of the machine of whose workers the smallest part plays.
        """
        wanted = Counter(needs.programs.keys())
        places = sum(needs.places.values())
        fitting = [
            ((worker.programs & wanted).total(), worker.programs.total(), attached.playing, worker)
            for attached in self._usable(needs, other_than)
            for worker in attached.with_room_for(places)
        ]
        if not fitting:
            return None
        best = min(
            fitting,
            key=lambda each: (
                -each[0],
                each[1],
                each[2] / len(self._machines[each[3].machine].workers),
                each[3].number,
            ),
        )
        return best[3]

    def _note_kind(self, group: int, kind: str) -> None:
        self._kinds[group] = kind
        self._kinds.move_to_end(group)
        if len(self._kinds) > _MOST_GROUPS:
            self._kinds.popitem(last=False)

    def _free(self, worker: _Worker, match: RemoteMatch, report: MatchRecord | None) -> None:
        """Have the worker play another match. `report`: how this one is stored; None: it is not."""
        played = match.outcome
        finished = report is not None and report.state is MatchState.FINISHED
        if played is not None and finished and self.reports is not None:
            self.reports.finished(worker.machine, match.ticket, played)
        if worker.match is match:
            worker.match = None
            attached = self._machines.get(worker.machine)
            if attached is not None and attached.drained:
                worker.send(messages.LeavePrograms())
            self._changed()

    def _lose(self, worker: _Worker, why: str) -> None:
        """Make the match of a worker void, if it plays one."""
        match = worker.match
        if match is None:
            return
        worker.match = None
        match.lose(worker_lost(worker.name, why))
        if self.reports is not None:
            self.reports.lost(worker.machine, match.id)

    def _note_refused(self, machine: str, reason: Refusal, match: int) -> None:
        _log.error("a result of a match worker was refused", node=machine, reason=reason.value, match=match)
        if self.reports is not None:
            self.reports.refused(machine, reason, match)

    # The processes

    @asynccontextmanager
    async def running_while(self) -> AsyncIterator[None]:
        """Run the workers inside; at the end they end their programs."""
        self._running = True
        for attached in self._machines.values():
            self._run_workers(attached)
        try:
            yield
        finally:
            self._running = False
            for worker in self._all():
                worker.send(messages.Stop())
            tasks = [task for attached in self._machines.values() for task in attached.tasks]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, *self._ending, return_exceptions=True)

    def _run_workers(self, attached: _Attached) -> None:
        attached.tasks = [
            asyncio.create_task(self._keep_running(attached.machine, worker)) for worker in attached.workers
        ]

    async def _keep_running(self, machine: Machine, worker: _Worker) -> None:
        """Run a worker once it is needed, and another one in its place when it has ended, for ever."""
        await worker.needed.wait()
        pause = RestartPause()
        while True:
            pause.note_start()
            try:
                why = await self._run(machine, worker)
            except OSError as error:
                why = f"could not be started: {error}"
            _log.error("a match worker has ended and is started again", worker=worker.name, why=why)
            self._audit(
                AuditKind.INTERNAL_ERROR,
                f"{worker.name} {why}; what it played is void, and it is started again",
                facts=(("worker", worker.name),),
            )
            pause_s = pause.after_end()
            await machine.clear()
            await asyncio.sleep(pause_s)

    async def _run(self, machine: Machine, worker: _Worker) -> str:
        """Run one process to its end. Return what happened, a sentence part; end it if this is cancelled."""
        link = await machine.start_worker(worker.number, worker.name)
        watch = asyncio.create_task(self._watch(worker, link))
        try:
            worker.silent = 0
            worker.link = link
            why = await self._listen(worker, link)
            return f"did not answer for {worker.silent} s" if worker.is_silent else why
        finally:
            watch.cancel()
            worker.link, worker.heard = None, False
            worker.programs.clear()
            await link.end()
            self._lose(worker, "has ended")

    async def _watch(self, worker: _Worker, link: WorkerLink) -> None:
        """End a worker that is silent for too long: it is frozen. Seconds are counted by turns of this loop."""
        while True:
            await asyncio.sleep(_TICK_S)
            worker.silent += 1
            if worker.is_silent:
                link.kill()
                return

    async def _listen(self, worker: _Worker, link: WorkerLink) -> str:
        """Take what the worker says until it is gone. Return why it is."""
        while (message := await link.receive()) is not None:
            worker.silent = 0
            if not worker.heard:
                worker.heard = True
                self._changed()
            try:
                if isinstance(message, ValueError):
                    raise message  # what it has sent could not be read
                self._take(worker, cast("FromWorker", message))
            except (ValueError, TypeError, AttributeError, LookupError, GameError) as error:
                self._note_refused(
                    worker.machine, Refusal.IMPOSSIBLE, 0 if worker.match is None else worker.match.id
                )
                return f"has sent what cannot be: {error}"
            await asyncio.sleep(0)  # records of a long match come in many messages
        return "has ended"

    def _take(self, worker: _Worker, message: FromWorker) -> None:
        assert self.host is not None
        host = self.host.outcomes
        match message:
            case messages.Beat():
                if self.reports is not None and message.stalled_s:
                    self.reports.stalled(worker.machine, message.stalled_s)
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
            case messages.Seated() | messages.Over() | messages.Records() | messages.Lines():
                self._take_of_match(worker, message)
            case _:
                raise ValueError(f"{type(message).__name__} is no message of a worker")

    def _take_of_match(
        self, worker: _Worker, message: messages.Seated | messages.Over | messages.Records | messages.Lines
    ) -> None:
        played = message.how if isinstance(message, messages.Over) else None
        if worker.match is None or worker.match.id != message.match:
            if isinstance(played, PlayedMatch) and played.result.state is not MatchState.ABORTED:
                self._note_refused(worker.machine, Refusal.LATE, message.match)
            return
        if isinstance(played, PlayedMatch) and worker.match.outcome is None:
            self._counts.think.add_all(played.think.counts, played.think.sum_s)
            self._counts.turnaround.add_all(played.turnaround.counts, played.turnaround.sum_s)
        worker.match.take(message)
