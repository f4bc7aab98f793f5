"""The host: keeps the programs of hosted bots running for the matches that need them."""

from __future__ import annotations

import asyncio
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
from arena.hosting.host.process import HostedProcess, ProcessDeparture, ProcessEnd
from arena.hosting.host.slots import Need, Occupant, SlotPlan, make_way, plan_slots
from arena.hosting.host.stats import HostStats
from arena.hosting.host.suspensions import Suspensions, Trial
from arena.runner.timers import Timers
from arena.sessions.handshake import Identity
from arena.sessions.registry import SessionRegistry
from arena.store.audit.entries import AuditKind
from arena.store.audit.writer import AuditSink, tell_nobody
from arena.store.bots.hosting import HostedRow
from arena.store.database import Database
from arena.store.json_columns import VersionProgram

IDLE_NS: Final = 30 * NS_PER_S
"""A program that no match needs is asked to leave after so long."""

LOST_NS: Final = 10 * NS_PER_S
"""A program that is without a connection, and without a match, for so long is ended."""

RENEW_NS: Final = 3_600 * NS_PER_S
"""A program that has run for so long is asked to leave between two matches; another one takes its place."""

REST_NS: Final = 30 * NS_PER_S
"""After the arena could not start a program it tries none for so long."""

HELD: Final = "it first ends the match groups that it has begun in another version"

_TICK_NS: Final = NS_PER_S
_READ_AGAIN_S: Final = 5.0

_log = structlog.get_logger(__name__)

Launch = Callable[[Identity, VersionProgram], HostedProcess]
"""Makes a program ready to live.

Raises FileNotFoundError if the files of its version are not there, another OSError if there is no room for it.
"""


class Host:
    """Hosted bots, their programs, and which of them are benched. All on one event loop."""

    def __init__(  # noqa: PLR0913 - what it stands between
        self,
        database: Database,
        sessions: SessionRegistry,
        timers: Timers,
        *,
        launch: Launch,
        trial: Trial,
        dismiss: Callable[[str], bool],
        slots: int,
        wall_us: Callable[[], int],
        changed: Callable[[], None],
        why_not: str = "",
        tell: AuditSink = tell_nobody,
    ) -> None:
        """`slots`: programs at once; `wall_us`: the time of day; `changed`: called when more may be possible.

        `dismiss`: connections over which a bot has dialled in end; False if some have yet to play to the end.
        `tell`: for the audit trail.
        """
        self._tell = tell
        self._figures = HostStats()
        self.slots = slots
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
        self._programs: dict[int, HostedProcess] = {}
        self._numbers = count(1)
        self._to_dismiss: set[str] = set()
        """Hosted bots that may still have connections of those who have dialled in as them."""
        self._waited_ns = 0
        """How long the programs that have ended were ready to run and got no processor."""
        self._needed: frozenset[str] = frozenset()
        self._rests_until = 0
        self._background_tasks = BackgroundTasks()
        self._benches = Suspensions(
            database, timers, self._background_tasks, trial=trial, wall_us=wall_us, changed=changed
        )
        self._ticking = False
        self._closed = False
        self.why_not = why_not
        """Why hosted bots do not play at all here, and what to do; empty if they do."""

    # Which bots

    async def load(self) -> None:
        """The hosted bots, and the versions of them that play, are those that are stored, or held instead."""
        held = self._held
        for row, version, program in await self._database.read(lambda tx: stored_bots(tx, held)):
            self._chosen[row.bot] = row.version or ""
            self._keep(row, version, program)

    def reload(self) -> None:
        """Other versions may be stored as those that play: they do so soon."""

        async def again() -> None:
            async with self._loading:  # or what was read first could be taken last
                while not await self._loaded():  # noqa: ASYNC110 - a database does not tell when it is free
                    await asyncio.sleep(_READ_AGAIN_S)
            self._changed()

        self._background_tasks.begin(again(), optional=True)

    async def _loaded(self) -> bool:
        """As `load`; False if the database cannot be read now."""
        try:
            await self.load()
        except UnavailableError as error:
            _log.error("which versions play cannot be read; it is tried again", why=error.sentence)
            return False
        return True

    def _keep(self, row: HostedRow, version: str, program: VersionProgram | None) -> None:
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
            self._dial_in(row.bot, allowed=True)
            return
        if version != row.version:  # whose bench is not this one's
            row = replace(row, benched="", retry_us=None, benchings=0)
        kept = self._bots[row.bot] = HostedBot(row, version, program)
        if (left := self._left.pop((kept.bot, kept.version), None)) is not None:
            self._benches.recall(kept, left)
        self._dial_in(row.bot, allowed=False)
        if kept.row.benched and not self.why_not:
            self._benches.try_later(kept)
        self._tick_on()

    def _dial_in(self, bot: str, *, allowed: bool) -> None:
        """Who has dialled in as this bot plays on, or only to the end of what he plays."""
        for session in self._sessions.of(bot):
            if not session.identity.hosted:
                session.retired = not allowed
        self._to_dismiss.discard(bot)
        if not allowed:
            self._to_dismiss.add(bot)

    @property
    def hosted(self) -> Set[str]:
        """The bots that the arena runs itself."""
        return self._bots.keys()

    def hosts(self, bot: str) -> bool:
        """Whether the arena runs the bot itself."""
        return bot in self._bots

    def programs(self, bot: str) -> int:
        """How many of its programs run. May be asked from any thread."""
        return sum(each.identity.bot == bot for each in list(self._programs.values()))

    @property
    def figures(self) -> HostStats:
        """What has been counted."""
        waited_ns = self._waited_ns + sum(each.waited_ns for each in self._programs.values())
        return replace(self._figures, benchings=self._benches.count, waited_s=waited_ns / NS_PER_S)

    @property
    def running(self) -> int:
        """Programs that have a place."""
        return len(self._programs)

    # What matchmaking asks (arena.scheduling.hosted_bots.HostedBots)

    def is_there(self, bot: str) -> bool:
        """Whether a hosted bot plays, though its program may have to be started."""
        kept = self._bots.get(bot)
        if kept is None or kept.row.benched or self._rests or self.why_not:
            return False
        return kept.rests_until <= self._timers.now()

    def version(self, bot: str) -> str:
        """Which version of a hosted bot plays the matches that begin; empty if it is not hosted."""
        kept = self._bots.get(bot)
        return "" if kept is None else kept.version

    def hold(self, versions: Mapping[str, str]) -> None:
        """These versions play from soon on, by bot, whatever is stored; all others as they are stored."""
        before, self._held = self._held, dict(versions)
        changed = {bot for bot in before.keys() | versions.keys() if before.get(bot) != versions.get(bot)}
        if not changed:
            return  # a look that reads again makes the next look: no look may do so for nothing
        if self._loading.locked() or any(
            versions.get(bot, self._chosen.get(bot, "")) != self.version(bot) for bot in changed
        ):
            self.reload()

    def is_held(self, bot: str) -> bool:
        """Whether a hosted bot only ends what it has begun, and plays on in another version, or dials in, after it."""
        return self.hosts(bot) and self.version(bot) != self._chosen[bot]

    def benched(self, bot: str) -> str:
        """Why a hosted bot plays nothing for now: a sentence part; empty if it plays."""
        kept = self._bots.get(bot)
        return "" if kept is None or not kept.row.benched else f"its version is benched: {kept.row.benched}"

    def why_away(self, bot: str) -> str:
        """Why a hosted bot gets no new match for now, whatever the reason: a sentence part; empty if it does."""
        if self.why_not:
            return "this arena runs no submitted bots now"
        if why := self.benched(bot):
            return why
        if self._rests:
            return "the arena could not start a program a moment ago"
        kept = self._bots.get(bot)
        if kept is not None and kept.rests_until > self._timers.now():
            return "the machine is overloaded and had no processor to start its program a moment ago"
        return HELD if self.is_held(bot) else ""

    def capacity_for(self, bot: str, game: str, rules_version: int) -> int:
        """Matches of a game that a hosted bot takes at once."""
        kept = self._bots.get(bot)
        if kept is None or not self.is_there(bot):
            return 0
        if _serves(kept.current):
            return self._sessions.capacity_for(bot, game, rules_version)
        return kept.capacity_for(game, rules_version)

    def free(self, bot: str, game: str, rules_version: int) -> int:
        """Matches of a game that a hosted bot takes beside those that it plays, and those that it is held for."""
        if self.is_held(bot):
            return 0
        kept = self._bots.get(bot)
        if kept is not None and _serves(kept.current):
            return self._sessions.free(bot, game, rules_version) if self.is_there(bot) else 0
        return self.capacity_for(bot, game, rules_version)

    def prepare(self, waiting: Sequence[PendingMatch]) -> int | None:
        """Programs are started for these matches, oldest first, as far as there are places.

        Returns the oldest match that has to wait for a place; None if none has.
        """
        possible = [
            (each, Need(each.match, hosted))
            for each in waiting
            if all(map(self.is_there, hosted := frozenset(each.bots) & self._bots.keys()))
        ]
        self._needed = frozenset(bot for _, need in possible for bot in need.bots)
        if self._closed or self._rests or self.why_not:
            return None
        needs = make_way(possible, self._programs.values())
        plan: SlotPlan = plan_slots(self.slots, self._occupants(), needs)
        for program in plan.stop:
            self._programs[program].leave()
        for bot in plan.start:
            self._start(self._bots[bot])
        return plan.waits

    def fresh_program(self, bot: str) -> int:
        """The program of a hosted bot that is there and has never had a seat, if no other one of it runs; 0: none."""
        programs = [each for each in self._programs.values() if each.identity.bot == bot]
        if len(programs) != 1 or programs[0].seated or not _serves(programs[0]):
            return 0
        return programs[0].identity.program

    def note_seated(self, identity: Identity, *, alone: bool) -> None:
        """A program has a seat. `alone`: it plays nothing beside this match, and is asked to leave after it."""
        program = self._programs.get(identity.program)
        if program is None:
            return
        program.seated = True
        if alone:
            program.retire()

    def note_played(self, identity: Identity) -> None:
        """A program has played a match to its end."""
        program, kept = self._programs.get(identity.program), self._bots.get(identity.bot)
        if program is None:
            return
        program.note_played()
        if kept is not None and kept.version == identity.version:
            self._benches.note_played(kept)

    def note_not_ready(self, identity: Identity) -> None:
        """A program did not take its seat in time, or has ended before."""
        program = self._programs.get(identity.program)
        if program is not None and not program.gone:
            self._failed(identity, "It did not answer an offered seat with ready in time.")

    def look_at_processors(self, now: int) -> None:
        """Programs that have something to answer are looked at: whether they get a processor."""
        for program in self._programs.values():
            program.look(now)

    # Programs

    def _occupants(self) -> list[Occupant]:
        return [
            Occupant(
                number, "" if each.retired else each.identity.bot, each.busy, each.idle_since, each.leaving
            )
            for number, each in self._programs.items()
        ]

    def _start(self, kept: HostedBot) -> None:
        number = next(self._numbers)
        identity = Identity(kept.bot, kept.version, kept.row.owner, "", number)
        try:
            program = self._launch(identity, kept.program)
        except FileNotFoundError as error:
            # His alone: the others need not wait until somebody brings back the files.
            self._benches.bench(kept, f"{error.strerror}; submit it again")
            return
        except OSError as error:
            self._rest(identity, str(error))
            return
        self._figures.starts += 1
        self._programs[number] = program
        kept.current = program
        program.when_greeted(lambda: self._greeted(program))
        self._background_tasks.begin(self._attend(number, program))
        self._tick_on()

    async def _attend(self, number: int, program: HostedProcess) -> None:
        """A program from its start until nothing of it is left, and what follows from its end."""
        try:
            departure = await program.live()
        # Whatever it is, it is the arena's fault, and must not be tried again and again at once.
        except Exception as error:  # noqa: BLE001
            _log.exception("a hosted program could not be looked after", bot=program.identity.bot)
            departure = ProcessDeparture(ProcessEnd.NOT_STARTED, str(error))
            program.void_matches("the arena could not look after it")
        finally:
            del self._programs[number]
            self._waited_ns += program.waited_ns
        kept = self._bots.get(program.identity.bot)
        if kept is not None and kept.current is program:
            kept.current = None
        for session in program.sessions:
            session.leave()
            self._sessions.forget_if_idle(session.number)
        self._changed()
        self._count(departure)
        identity = program.identity
        _log.info(
            "hosted program over",
            bot=identity.bot,
            version=identity.version[:12],
            how=departure.how.value,
            why=departure.sentence,
            played=program.played,
            overstayed=departure.overstayed,
        )
        if departure.how is ProcessEnd.NOT_STARTED:
            self._rest(identity, departure.sentence)
        elif departure.how is ProcessEnd.STARVED:
            self._start_later(identity, departure.sentence)
        elif departure.blamed:
            self._failed(identity, departure.sentence)

    def _count(self, departure: ProcessDeparture) -> None:
        verdict = departure.how.value
        if departure.how is ProcessEnd.ENDED and departure.ending is not None:
            verdict = departure.ending.verdict.name.lower()
        self._figures.ends[verdict] += 1
        self._figures.overstayed += departure.overstayed

    def _greeted(self, program: HostedProcess) -> None:
        self._figures.greetings += 1
        self._figures.greeting_s += (program.idle_since - program.begun_at) / NS_PER_S

    @property
    def _rests(self) -> bool:
        return self._timers.now() < self._rests_until

    def _rest(self, identity: Identity, why: str) -> None:
        """The arena itself has failed: nobody is charged for it, and nothing is started for a while."""
        self._rests_until = self._timers.now() + REST_NS
        self._tell(
            AuditKind.REST,
            f"the arena could not start a program of {identity.bot}, and starts none for {REST_NS // NS_PER_S} s",
            about=(f"bots/{identity.bot}",),
        )
        _log.error("a hosted program could not be started; all of them wait", bot=identity.bot, why=why)

    def _start_later(self, identity: Identity, why: str) -> None:
        """The machine had no processor for the bot's program: it is started later, and nobody is charged."""
        kept = self._bots.get(identity.bot)
        if kept is not None:
            kept.rests_until = self._timers.now() + REST_NS
        _log.warning(
            "the machine is overloaded; a hosted program is started later", bot=identity.bot, why=why
        )

    # What time brings

    def _tick_on(self) -> None:
        if not self._ticking and not self._closed:
            self._ticking = True
            self._timers.call_at(self._timers.now() + _TICK_NS, self._tick)

    def _tick(self) -> None:
        self._ticking = False
        now = self._timers.now()
        for program in list(self._programs.values()):
            self._look_after(program, now)
        self._to_dismiss = {bot for bot in self._to_dismiss if not self._dismiss(bot)}
        if self._programs or self._to_dismiss:
            self._tick_on()

    def _look_after(self, program: HostedProcess, now: int) -> None:
        """A program that plays nothing leaves when it is not needed, not there, or has been there for long."""
        kept = self._bots.get(program.identity.bot)
        if now - program.begun_at >= RENEW_NS:
            program.retire()
        for session in program.sessions:
            if session.present and kept is not None and kept.current is program:
                kept.learn(session)
        if program.busy:
            program.idle_since = now
            return
        if program.leaving or not program.greeted:
            return
        idle = now - program.idle_since
        if program.retired:
            program.leave()
        elif not program.present:
            use = program.processor(program.idle_since, now) or ProcessorUse(0, 0)
            _, waited = use.credited(idle, 0)
            late = idle - waited - LOST_NS
            if late >= 0 and use.is_settled(late):
                program.leave("It has lost its connection and did not come back.")
        elif not any(session.room for session in program.sessions if session.present):
            program.leave("" if program.played else "It takes no matches: its capacity is 0.")
        elif idle >= IDLE_NS and program.identity.bot not in self._needed:
            program.leave()

    def _failed(self, identity: Identity, why: str) -> None:
        kept = self._bots.get(identity.bot)
        if kept is not None and kept.version == identity.version:
            self._benches.note_failure(kept, why)

    # The end

    def close_to_new(self) -> None:
        """No program is started any more."""
        self._closed = True

    async def close(self) -> None:
        """Every program has ended, and what was to be stored of them is."""
        self._closed = True
        for kept in self._bots.values():
            kept.dropped = True
        for program in list(self._programs.values()):
            program.leave()
        await self._background_tasks.finish()


def _serves(program: HostedProcess | None) -> bool:
    """Whether what the program says of its room counts."""
    return program is not None and program.greeted and not program.retired and program.present
