"""The matches that workers play: from the ticket to a result that is checked, stored and sent."""

import asyncio
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

import structlog

from arena.core.endings import arena_faults
from arena.core.endings.terminations import SeatEnding
from arena.core.match import DebugLine, MatchSetup, MatchState
from arena.core.match_record import MatchRecord
from arena.core.units import MS_PER_S
from arena.hosting.background_tasks import BackgroundTasks
from arena.hosting.host.host import Host
from arena.hosting.host.program_outcomes import NOT_READY
from arena.match_log.writer import FinishedLog, MatchLogBuilder
from arena.runner.match_runner import READY_WALL_MS
from arena.runner.spectator_view import SpectatorView
from arena.scheduling.dispatch import (
    Dispatcher,
    MatchLostError,
    MatchNeeds,
    MatchRun,
    MatchTicket,
    NotBegun,
    PlayedMatch,
    TicketSeat,
)
from arena.scheduling.match_failure import MOST_STARVED, failure_cause
from arena.scheduling.repeated_matches import RepeatedMatch, RepeatedMatches
from arena.scheduling.result_recorder import ResultRecorder

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class _Dispatched:
    """A match at a worker."""

    run: MatchRun
    ticket: MatchTicket


class DispatchedMatches:
    """Gives matches to workers and has their results stored. All on one event loop."""

    def __init__(  # noqa: PLR0913 - what a match goes through
        self,
        dispatcher: Dispatcher,
        recorder: ResultRecorder,
        host: Host,
        *,
        open_log: Callable[[MatchSetup], MatchLogBuilder],
        note: Callable[[MatchState], None],
        absent: Callable[[str], None],
        ended: Callable[[], None],
        compared: Callable[[RepeatedMatch], None] | None = None,
    ) -> None:
        """`absent`: called with each bot that was not ready in time; `ended`: whenever a match is out of play.

        `note`: called with the state in which each match has ended; `compared`: with each match that was played on two
        machines, None: none is.
        """
        self._dispatcher = dispatcher
        self._recorder = recorder
        self._host = host
        self._open_log = open_log
        self._note = note
        self._absent = absent
        self._ended = ended
        self._repeated = None if compared is None else RepeatedMatches(dispatcher, host, compared)
        self._running: dict[int, _Dispatched] = {}
        self._starved: dict[int, int] = {}
        """By match: how often it was withdrawn because a program got no processor to take its seat."""
        self._background_tasks = BackgroundTasks("a match of a worker could not be brought to its end")

    def __len__(self) -> int:
        return len(self._running)

    def __contains__(self, match: object) -> bool:
        return match in self._running

    def takes(self, bots: Collection[str]) -> bool:
        """Return whether workers play a match of these bots: all of them are hosted."""
        return self._dispatcher.plays_hosted and all(map(self._host.hosts, bots))

    def ready_for(self, matches: int) -> int:
        """Return how many matches workers could begin now. `matches`: that wait for one."""
        return self._dispatcher.ready_for(matches)

    def can_play(self, bots: Collection[str]) -> bool:
        """Return whether there is a machine whose workers can play a match of these hosted bots."""
        return self._dispatcher.can_play([self._host.program(bot) for bot in bots])

    def room_for(self, bots: Collection[str], group: int) -> bool:
        """Return whether a worker could begin a match of these bots and of this match group now."""
        return self._dispatcher.room_for(MatchNeeds({bot: self._host.program(bot) for bot in bots}, group))

    def begin(self, setup: MatchSetup, absent: Mapping[int, SeatEnding], *, isolated: bool) -> None:
        """Have a match played. `absent`: seats that were forfeited before it."""
        seats = tuple(
            TicketSeat("", None, absent[number])
            if number in absent
            else TicketSeat(self._host.owner(holder.bot), self._host.program(holder.bot))
            for number, holder in enumerate(setup.seats)
        )
        ticket = MatchTicket(setup, seats, isolated)
        run = self._dispatcher.start(ticket)
        self._running[setup.match] = _Dispatched(run, ticket)
        self._host.note_dispatched(ticket.bots)
        self._background_tasks.begin(self._play(run, ticket))

    async def _play(self, run: MatchRun, ticket: MatchTicket) -> None:
        report: MatchRecord | None = None
        try:
            report = await self._result(run, ticket)
        finally:
            del self._running[ticket.setup.match]
            self._host.note_returned(ticket.bots)
            run.close(report)
            self._ended()
            if self._repeated is not None:
                self._repeated.begin()

    async def _result(self, run: MatchRun, ticket: MatchTicket) -> MatchRecord | None:
        """Bring the match to its end. Return it as stored; None if it has not begun, and waits as before."""
        setup = ticket.setup
        try:
            if (not_begun := await run.ready()) is not None:
                return await self._did_not_begin(not_begun, ticket)
            self._starved.pop(setup.match, None)
            versions = [holder.version for holder in setup.seats]
            if not await self._recorder.started(setup.match, versions):
                run.withdraw("it had ended before it began")
                return None
            run.begin()
            return await self._store(run, ticket, await run.played())
        except MatchLostError as lost:
            return await self._give_up(setup.match, lost.cause)
        # Whatever it is, it is the arena's fault: the match is void rather than open for ever.
        except Exception as failure:  # noqa: BLE001
            cause = failure_cause("a match of a worker failed", setup.match, failure)
            run.void(cause)
            return await self._give_up(setup.match, cause)

    async def _did_not_begin(self, how: NotBegun, ticket: MatchTicket) -> MatchRecord | None:
        match = ticket.setup.match
        for seat in how.absent:
            holder = ticket.setup.seats[seat]
            self._absent(holder.bot)
            self._host.outcomes.failure(holder.bot, holder.version, NOT_READY)
        if how.absent:
            await self._recorder.note_no_shows(match, how.absent)
        if how.cause is not None:
            return await self._give_up(match, how.cause)
        if how.starved:
            self._starved[match] = times = self._starved.get(match, 0) + 1
            if times >= MOST_STARVED:
                del self._starved[match]
                return await self._give_up(match, arena_faults.no_processor(times, READY_WALL_MS // MS_PER_S))
        return None

    async def _store(self, run: MatchRun, ticket: MatchTicket, played: PlayedMatch) -> MatchRecord:
        """Check the log that the worker's records make, sign it, and store the match."""
        setup = ticket.setup
        log = self._open_log(setup)
        why = ""
        try:
            log.end(played.result)
            finished: FinishedLog = await asyncio.to_thread(log.finish_with, list(played.records))
            why = await asyncio.to_thread(self._recorder.why_untrue, finished)
        # Whatever is wrong with it: a worker of another machine may report anything.
        except Exception as failure:  # noqa: BLE001
            why = f"It makes no log: {type(failure).__name__}."
        if why:
            _log.error("what a worker reports of a match is not true", match=setup.match, why=why)
            run.refuse()
            return await self._give_up(setup.match, arena_faults.worker_untrue(why))
        if played.result.state is MatchState.ABORTED:
            self._note(MatchState.ABORTED)
        details = () if played.cause is None else played.cause.details
        row = await self._recorder.settle(
            setup, played.result, lambda: finished, played.debug_lines, details=details
        )
        if played.result.state is not MatchState.ABORTED:
            self._note(played.result.state)
        if played.result.state is MatchState.FINISHED:
            for seat in played.present:
                self._host.outcomes.match_played(setup.seats[seat].bot, setup.seats[seat].version)
            if self._repeated is not None:
                self._repeated.note(ticket, played, run.machine)
        return row

    async def _give_up(self, match: int, cause: arena_faults.VoidCause) -> MatchRecord:
        self._note(MatchState.ABORTED)
        return await self._recorder.give_up(match, cause)

    # While they are played

    def void_all(self, cause: arena_faults.VoidCause) -> None:
        """Make every match void."""
        for running in self._running.values():
            running.run.void(cause)

    def spectator_view(self, match: int) -> SpectatorView | None:
        """Return what spectators of a match are shown; None if no worker plays it."""
        running = self._running.get(match)
        return None if running is None else running.run.watch()

    async def debug_lines(self, match: int, seat: int) -> list[DebugLine] | None:
        """Return the private lines so far of a seat; None if no worker plays the match, or none any more."""
        running = self._running.get(match)
        return None if running is None else await running.run.debug_lines(seat)

    async def settled(self) -> None:
        """Wait until everything that has ended is stored."""
        await self._background_tasks.finish()
        if self._repeated is not None:
            await self._repeated.close()
