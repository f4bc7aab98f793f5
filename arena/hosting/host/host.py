"""The host: keeps the processes of hosted bots running for the matches that need them."""

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import replace
from itertools import count
from typing import Final

import structlog

from arena.core.clock.processor_use import ProcessorUse
from arena.core.errors import UnavailableError
from arena.core.pairing.start_order import PendingMatch
from arena.core.units import NS_PER_S
from arena.hosting.background_tasks import BackgroundTasks
from arena.hosting.host.hosted_bot import HostedBot, stored_bots
from arena.hosting.host.process import HostedProcess, supervised
from arena.hosting.host.program_outcomes import NOT_READY, HostStats, ProgramOutcomes
from arena.hosting.host.slots import Occupant, plan_slots, retire_used
from arena.hosting.host.suspensions import Suspensions, Trial
from arena.runner.timers import Timers
from arena.sessions.handshake import Identity
from arena.sessions.registry import SessionRegistry
from arena.store.audit.writer import AuditSink, tell_nobody
from arena.store.bots.hosting import HostedRow
from arena.store.database import Database
from arena.store.json_columns import VersionProgram

IDLE_NS: Final = 30 * NS_PER_S
"""A process that no match needs is asked to leave after so long."""

LOST_NS: Final = 10 * NS_PER_S
"""A process that is without a connection, and without a match, for so long is ended."""

RENEW_NS: Final = 3_600 * NS_PER_S
"""A process that has run for so long is asked to leave between two matches; another one takes its place."""

HELD: Final = "it first ends the match groups that it has begun in another version"

_TICK_NS: Final = NS_PER_S
_READ_AGAIN_S: Final = 5.0

_log = structlog.get_logger(__name__)

Launch = Callable[[Identity, VersionProgram], HostedProcess]
"""Makes a process that is ready to run.

Raises FileNotFoundError if the files of its version are not there, another OSError if there is no room for it.
"""


class Host:
    """Hosted bots, their processes, and which versions are suspended. All on one event loop."""

    def __init__(  # noqa: PLR0913 - what a host needs
        self,
        database: Database,
        sessions: SessionRegistry,
        timers: Timers,
        *,
        launch: Launch,
        trial: Trial,
        dismiss: Callable[[str], bool],
        slots: int,
        lent: Callable[[], int] = lambda: 0,
        wall_us: Callable[[], int],
        changed: Callable[[], None],
        why_not: str = "",
        why_unavailable: Callable[[str], str] = lambda _runtime: "",
        audit: AuditSink = tell_nobody,
    ) -> None:
        """`slots`: processes at once of the arena's own; `lent`: returns how many workers may run beside them.

        `changed`: called when more may be possible. `dismiss`: ends connections of a bot that has connected itself;
        False if some still play. `audit`: for the audit trail. `why_unavailable`: why programs of a runtime cannot run
        here, "" if they can. `wall_us`: the time of day.
        """
        self._own_slots = slots
        self._lent = lent
        self._dispatched: Counter[str] = Counter()
        """By bot: its matches at workers."""
        self._database = database
        self._sessions = sessions
        self._timers = timers
        self._launch = launch
        self._dismiss = dismiss
        self._changed = changed
        self._bots: dict[str, HostedBot] = {}
        self._loading = asyncio.Lock()
        self._chosen: dict[str, str] = {}
        """By bot, the version that its owner has chosen, if there is one."""
        self._held: dict[str, str] = {}
        """By bot, the version that plays instead for now."""
        self._left: dict[tuple[str, str], HostedBot] = {}
        """Bots and versions that had failed when another version took their place: no failure is undone by that."""
        self._processes: dict[int, HostedProcess] = {}
        self._numbers = count(1)
        self._to_dismiss: set[str] = set()
        """Hosted bots that may still have connections which they opened before they were hosted."""
        self._needed: frozenset[str] = frozenset()
        self._background_tasks = BackgroundTasks("something about hosted bots went wrong")
        self._suspensions = Suspensions(
            database, timers, self._background_tasks, trial=trial, wall_us=wall_us, changed=changed
        )
        self.outcomes = ProgramOutcomes(self._bots, self._suspensions, timers, changed=changed, audit=audit)
        """What programs do, here and at workers."""
        self._ticking = False
        self._closed = False
        self._why_unavailable = why_unavailable
        self.why_not = why_not
        """Why hosted bots do not play at all here, and what to do; empty if they do."""

    # Which bots

    async def load(self) -> None:
        """Load the hosted bots, and the versions of them that play: as stored, or held instead."""
        held = self._held
        for row, version, program in await self._database.read(lambda tx: stored_bots(tx, held)):
            self._chosen[row.bot] = row.version or ""
            self._set_version(row, version, program)

    def reload(self) -> None:
        """Load again soon: other versions may be stored as those that play."""

        async def again() -> None:
            async with self._loading:  # or what was read first could be taken last
                while True:
                    try:
                        await self.load()
                        break
                    except UnavailableError as error:
                        _log.error(
                            "which versions play cannot be read; it is tried again", why=error.sentence
                        )
                        await asyncio.sleep(_READ_AGAIN_S)
            self._changed()

        self._background_tasks.begin(again(), optional=True)

    def _set_version(self, row: HostedRow, version: str, program: VersionProgram | None) -> None:
        """`version`: the one that plays; without a program if none does."""
        before = self._bots.pop(row.bot, None)
        if before is not None and program is not None and before.version == version:
            # What is known of it here is newer than what is stored.
            self._bots[row.bot] = before
            return
        if before is not None:
            before.dropped = True
            if before.current is not None:
                before.current.retire()
                before.current = None
            if before.has_failed:
                self._left[before.bot, before.version] = before
        if program is None:
            self._allow_connections(row.bot, allowed=True)
            return
        if version != row.version:  # the suspension is not of this version
            row = replace(row, suspended="", retry_us=None, suspensions=0)
        hosted = self._bots[row.bot] = HostedBot(row, version, program)
        if why := self._why_unavailable(program.runtime):
            hosted.why_unavailable = why
            _log.warning("a hosted bot waits for its runtime", bot=row.bot, version=version[:12], why=why)
        if (left := self._left.pop((hosted.bot, hosted.version), None)) is not None:
            self._suspensions.recall(hosted, left)
        self._allow_connections(row.bot, allowed=False)
        if hosted.row.suspended and not self.why_not and not hosted.why_unavailable:
            self._suspensions.try_later(hosted)
        self._tick_on()

    def _allow_connections(self, bot: str, *, allowed: bool) -> None:
        """Let connections that the bot has opened itself play on, or only to the end of their matches."""
        for session in self._sessions.of(bot):
            if not session.identity.hosted:
                session.retired = not allowed
        self._to_dismiss = self._to_dismiss - {bot} if allowed else self._to_dismiss | {bot}

    @property
    def hosted(self) -> Set[str]:
        """The hosted bots."""
        return self._bots.keys()

    def hosts(self, bot: str) -> bool:
        """Return whether the arena hosts the bot."""
        return bot in self._bots

    def programs(self, bot: str) -> int:
        """Return how many of its processes run. Thread-safe."""
        return sum(each.identity.bot == bot for each in list(self._processes.values()))

    def owner(self, bot: str) -> str:
        """Return the owner of a hosted bot."""
        return self._bots[bot].row.owner

    def program(self, bot: str) -> VersionProgram:
        """Return how the version of a hosted bot is run that plays now."""
        return self._bots[bot].program

    @property
    def stats(self) -> HostStats:
        """The counts so far."""
        stats = self.outcomes.stats
        waited_ns = sum(each.waited_ns for each in self._processes.values())
        waited_s = stats.waited_s + waited_ns / NS_PER_S
        return replace(stats, suspensions=self._suspensions.count, waited_s=waited_s)

    @property
    def slots(self) -> int:
        """How many processes of hosted bots may run at once, those of workers included."""
        return self._own_slots + self._lent()

    @property
    def running(self) -> int:
        """Processes that have a place."""
        return len(self._processes)

    # For matchmaking: an `arena.scheduling.availability.BotPool`, which knows no other bots than hosted ones

    def is_there(self, bot: str) -> bool:
        """Return whether a hosted bot plays, though its process may have to be started."""
        return self.hosts(bot) and not self._why_unusable(bot)

    def version(self, bot: str) -> str:
        """Return which version of a hosted bot plays the matches that begin; empty if it is not hosted."""
        hosted = self._bots.get(bot)
        return "" if hosted is None else hosted.version

    def hold(self, versions: Mapping[str, str]) -> None:
        """Have these versions play soon, by bot, whatever is stored; all others as they are stored."""
        before, self._held = self._held, dict(versions)
        changed = {bot for bot in before.keys() | versions.keys() if before.get(bot) != versions.get(bot)}
        if not changed:
            return  # a look that reads again makes the next look: no look may do so for nothing
        if self._loading.locked() or any(
            versions.get(bot, self._chosen.get(bot, "")) != self.version(bot) for bot in changed
        ):
            self.reload()

    def is_held(self, bot: str) -> bool:
        """Return whether a hosted bot finishes what it has begun before another version plays, or none."""
        return self.hosts(bot) and self.version(bot) != self._chosen[bot]

    def why_suspended(self, bot: str) -> str:
        """Return why a hosted bot's version is suspended: a sentence part; empty if it is not."""
        hosted = self._bots.get(bot)
        why = "" if hosted is None else hosted.why_unavailable or hosted.row.suspended
        return f"its version is suspended: {why}" if why else ""

    def why_away(self, bot: str) -> str:
        """Return why a hosted bot gets no new match now: a sentence part; empty if it does."""
        return self._why_unusable(bot) or (HELD if self.is_held(bot) else "")

    def _why_unusable(self, bot: str) -> str:
        """Return why no process of the bot could play now: a sentence part; empty if one could."""
        if self.why_not:
            return "this arena runs no submitted bots now"
        if why := self.why_suspended(bot):
            return why
        if self.outcomes.rests:
            return "the arena could not start a program a moment ago"
        hosted = self._bots.get(bot)
        if hosted is not None and hosted.rests_until > self._timers.now():
            return "the machine is overloaded and had no processor to start its program a moment ago"
        return ""

    def capacity_for(self, bot: str, game: str, rules_version: int) -> int:
        """Return how many matches of a game a hosted bot takes at once."""
        hosted = self._bots.get(bot)
        if hosted is None or not self.is_there(bot):
            return 0
        if _serves(hosted.current):
            return self._sessions.capacity_for(bot, game, rules_version)
        return hosted.capacity_for(game, rules_version)

    def free(self, bot: str, game: str, rules_version: int) -> int:
        """Return how many more matches of a game a hosted bot takes, but for those that it is held for."""
        return 0 if self.is_held(bot) else self.free_even_held(bot, game, rules_version)

    def free_even_held(self, bot: str, game: str, rules_version: int) -> int:
        """Return how many more matches of a game a hosted bot takes, also of those that it is held for."""
        hosted = self._bots.get(bot)
        if hosted is not None and _serves(hosted.current):
            here = self._sessions.free(bot, game, rules_version) if self.is_there(bot) else 0
        else:
            here = self.capacity_for(bot, game, rules_version)
        return max(0, here - self._dispatched[bot])

    def dispatched(self, bot: str) -> int:
        """Return how many matches of a bot workers play now."""
        return self._dispatched[bot]

    def took_since(self, bot: str, game: str, rules_version: int, since: int) -> bool:
        """Return whether a hosted bot takes such matches; since when is not known."""
        return self.capacity_for(bot, game, rules_version) > 0

    def prepare(self, waiting: Sequence[PendingMatch]) -> int | None:
        """Start processes for these matches, oldest first, as far as there are places.

        Return the oldest match that has to wait for a place; None if none has.
        """
        possible = [
            replace(each, bots=hosted)
            for each in waiting
            if all(map(self.is_there, hosted := tuple(filter(self.hosts, each.bots))))
        ]
        self._needed = frozenset(bot for match in possible for bot in match.bots)
        if self._closed or self.outcomes.rests or self.why_not:
            return None
        needs = retire_used(possible, self._processes.values())
        occupants = [
            Occupant(
                number, "" if each.retired else each.identity.bot, each.busy, each.idle_since, each.leaving
            )
            for number, each in self._processes.items()
        ]
        plan = plan_slots(self._own_slots, occupants, needs)
        for process in plan.stop:
            self._processes[process].leave()
        for bot in plan.start:
            self._start(self._bots[bot])
        return plan.waits

    def unused_process(self, bot: str) -> int:
        """Return the only process of a hosted bot, if it is there and has never had a seat; 0: none."""
        processes = [each for each in self._processes.values() if each.identity.bot == bot]
        if len(processes) != 1 or processes[0].seated or not _serves(processes[0]):
            return 0
        return processes[0].identity.program

    def note_seated(self, identity: Identity, *, isolated: bool) -> None:
        """Note that a bot, hosted or not, has a seat. `isolated`: its process plays nothing else, and then leaves."""
        process = self._processes.get(identity.program)
        if process is None:
            return
        process.seated = True
        if isolated:
            process.retire()

    def note_played(self, identity: Identity) -> None:
        """Note that a bot, hosted or not, has played a match to its end."""
        process = self._processes.get(identity.program)
        if process is not None:
            process.note_played()
            self.outcomes.match_played(identity.bot, identity.version)

    def note_not_ready(self, identity: Identity) -> None:
        """Note that a bot, hosted or not, did not take its seat in time, or has ended before."""
        process = self._processes.get(identity.program)
        if process is not None and not process.stopped:
            self.outcomes.failure(identity.bot, identity.version, NOT_READY)

    # What its bots do at workers, and here

    def note_dispatched(self, bots: Sequence[str]) -> None:
        """Note that a worker plays a match of these bots."""
        self._dispatched.update(bots)

    def note_returned(self, bots: Sequence[str]) -> None:
        """Note that their match has left its worker."""
        self._dispatched.subtract(bots)
        self._dispatched += Counter()  # forget those that have none

    def look_at_processors(self, now: int) -> None:
        """Read whether processes that have something to answer get a processor."""
        for process in self._processes.values():
            process.look(now)

    # Programs

    def _start(self, hosted: HostedBot) -> None:
        number = next(self._numbers)
        identity = Identity(hosted.bot, hosted.version, hosted.row.owner, "", number)
        try:
            process = self._launch(identity, hosted.program)
        except FileNotFoundError as error:
            # Only this bot: the others need not wait until the files are restored.
            self.outcomes.missing(hosted.bot, hosted.version, error.strerror or str(error))
            return
        except OSError as error:
            self.outcomes.rest(identity.bot, str(error))
            return
        self.outcomes.started()
        self._processes[number] = process
        hosted.current = process

        def note_hello() -> None:
            self.outcomes.stats.hellos += 1
            self.outcomes.stats.hello_s += (process.idle_since - process.begun_at) / NS_PER_S

        process.when_said_hello(note_hello)
        self._background_tasks.begin(self._supervise(number, process))
        self._tick_on()

    async def _supervise(self, number: int, process: HostedProcess) -> None:
        """Run a process until nothing of it is left, and draw the consequences of its end."""
        try:
            departure = await supervised(process)
        finally:
            del self._processes[number]
        hosted = self._bots.get(process.identity.bot)
        if hosted is not None and hosted.current is process:
            hosted.current = None
        for session in process.sessions:
            session.leave()
            self._sessions.forget_if_idle(session.number)
        self._changed()
        identity = process.identity
        self.outcomes.departed(
            identity.bot, identity.version, departure, played=process.played, waited_ns=process.waited_ns
        )

    # What time brings

    def _tick_on(self) -> None:
        if not self._ticking and not self._closed:
            self._ticking = True
            self._timers.call_at(self._timers.now() + _TICK_NS, self._tick)

    def _tick(self) -> None:
        self._ticking = False
        now = self._timers.now()
        for process in list(self._processes.values()):
            self._end_if_idle(process, now)
        self._to_dismiss = {bot for bot in self._to_dismiss if not self._dismiss(bot)}
        if self._processes or self._to_dismiss:
            self._tick_on()

    def _end_if_idle(self, process: HostedProcess, now: int) -> None:
        """End an idle process that is not needed, has lost its connection, or has run for long."""
        hosted = self._bots.get(process.identity.bot)
        if now - process.begun_at >= RENEW_NS:
            process.retire()
        for session in process.sessions:
            if session.present and hosted is not None and hosted.current is process:
                hosted.learn(session.match_limit, session.games)
        if process.busy:
            process.idle_since = now
            return
        if process.leaving or not process.said_hello:
            return
        idle = now - process.idle_since
        if process.retired:
            process.leave()
        elif not process.present:
            use = process.processor(process.idle_since, now) or ProcessorUse(0, 0)
            _, waited = use.credited(idle, 0)
            late = idle - waited - LOST_NS
            if late >= 0 and use.is_settled(late):
                process.leave("It has lost its connection and did not come back.")
        elif not any(session.match_limit for session in process.sessions if session.present):
            process.leave("" if process.played else "It takes no matches: its capacity is 0.")
        elif idle >= IDLE_NS and process.identity.bot not in self._needed:
            process.leave()

    # The end

    def close_to_new(self) -> None:
        """Start no more processes."""
        self._closed = True

    async def close(self) -> None:
        """End every process, and store what is to be stored of them."""
        self._closed = True
        for hosted in self._bots.values():
            hosted.dropped = True
        for process in list(self._processes.values()):
            process.leave()
        await self._background_tasks.finish()


def _serves(process: HostedProcess | None) -> bool:
    """Return whether the process determines the room of its bot."""
    return process is not None and process.said_hello and not process.retired and process.present
