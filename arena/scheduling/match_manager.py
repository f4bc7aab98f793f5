"""The matches in play: from a pending match in the database to a result that is stored and sent."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass

import structlog

from arena.core.clock.stalls import StallMeter
from arena.core.endings import arena_faults
from arena.core.endings.terminations import SeatEnding
from arena.core.match import (
    DebugLine,
    MatchResult,
    MatchSetup,
    MatchState,
    SeatHolder,
    SeedPolicy,
    SuitePlace,
)
from arena.core.match_record import MatchRecord
from arena.core.units import MS_PER_S
from arena.hosting.background_tasks import BackgroundTasks
from arena.hosting.host.host import Host
from arena.match_log.writer import MatchLogBuilder
from arena.runner.change_signal import ChangeSignal
from arena.runner.match_runner import READY_WALL_MS, READY_WITHIN_MS, MatchRunner, NoShow
from arena.runner.player import AbsentPlayer
from arena.runner.spectator_view import SpectatorView
from arena.runner.timers import Timers
from arena.scheduling.dispatch import Dispatcher, NoWorkers
from arena.scheduling.dispatched_matches import DispatchedMatches
from arena.scheduling.isolation import is_isolated
from arena.scheduling.match_failure import FAILING, MOST_STARVED, CircuitBreaker, failure_cause
from arena.scheduling.repeated_matches import RepeatedMatch
from arena.scheduling.result_recorder import ResultRecorder
from arena.sessions.registry import SessionRegistry
from arena.sessions.seat import AssignedSeat
from arena.store.audit.writer import AuditSink, tell_nobody
from arena.store.database import Database
from arena.store.matches.groups import GroupSecret
from arena.store.matches.open_matches import OpenMatch, is_decided
from engine.registry import GAMES

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class _RunningMatch:
    """A match in play."""

    runner: MatchRunner
    seats: dict[int, AssignedSeat]
    """By number; seats that were forfeited before the match are left out."""
    log: MatchLogBuilder
    no_shows: tuple[int, ...]
    """By seat: how often its bot was not ready in time, offer after offer."""


class MatchManager:
    """Seats players, runs their matches and has the results stored. All on one event loop."""

    def __init__(  # noqa: PLR0913 - what a match goes through
        self,
        database: Database,
        sessions: SessionRegistry,
        recorder: ResultRecorder,
        *,
        open_log: Callable[[MatchSetup], MatchLogBuilder],
        timers: Timers,
        changed: Callable[[], None],
        host: Host,
        stalls: StallMeter,
        audit: AuditSink = tell_nobody,
        dispatcher: Dispatcher | None = None,
        compared: Callable[[RepeatedMatch], None] | None = None,
    ) -> None:
        """Call `changed` when a match has ended or did not begin; `audit`: for the audit trail.

        `dispatcher`: of the workers that play matches of hosted bots; None: there are none. `compared`: called with
        each match that was played on two machines; None: none is.
        """
        self._database = database
        self._host = host
        self._sessions = sessions
        self._recorder = recorder
        self._open_log = open_log
        self._timers = timers
        self._changed = changed
        self.stalls = stalls
        self._circuit_breaker = CircuitBreaker(audit)
        self.begun = asyncio.Event()
        """Set whenever a match begins."""
        self.change_signal = ChangeSignal()
        """Notified when a match comes into play, when one is out of it, and when one has ended that never began."""
        self._ended = asyncio.Event()
        self._running: dict[int, _RunningMatch] = {}
        self._given_up: set[int] = set()
        """Matches that could not even be offered; it is being stored that they are void."""
        self._not_taken: set[int] = set()
        """Matches that some of their bots did not take; that is being stored."""
        self._starved: Counter[int] = Counter()
        """By match: how often it was withdrawn because a program got no processor to take its seat."""
        self._background_tasks = BackgroundTasks("a match could not be brought to its end")
        self.dispatched = DispatchedMatches(
            NoWorkers() if dispatcher is None else dispatcher,
            recorder,
            host,
            open_log=open_log,
            note=self._note_state,
            absent=sessions.rest,
            ended=self._note_end,
            compared=compared,
        )
        """The matches that workers play."""

    @property
    def running(self) -> int:
        """Matches in play, also those that wait for their seats or for the storage of their result."""
        return len(self._running) + len(self.dispatched)

    def is_for_worker(self, match: OpenMatch) -> bool:
        """Return whether a worker plays a match: all its bots are hosted, and there are workers."""
        return self.dispatched.takes(match.bots)

    @property
    def running_here(self) -> int:
        """Those of them that this process plays."""
        return len(self._running)

    @property
    def rests(self) -> str:
        """Why no match may begin for a while; empty if one may."""
        return FAILING if self._circuit_breaker.rests(self._timers.now()) else self._recorder.why_full()

    def plays(self, match: int) -> bool:
        """Return whether the match is in play, or its end is being stored."""
        here = match in self._running or match in self._given_up or match in self._not_taken
        return here or match in self.dispatched

    async def debug_lines(self, match: int, seat: int) -> list[DebugLine] | None:
        """Return the private lines so far of a seat of a match in play; None if it is not in play."""
        running = self._running.get(match)
        if running is None:
            return await self.dispatched.debug_lines(match, seat)
        return list(running.runner.debug_lines[seat])

    def spectator_view(self, match: int) -> SpectatorView | None:
        """Return what spectators of a match are shown; None if it is not in play."""
        running = self._running.get(match)
        return self.dispatched.spectator_view(match) if running is None else running.runner.spectator_view

    def seat(
        self, match: MatchRecord, secret: GroupSecret, versions: Mapping[str, str] | None = None
    ) -> bool:
        """Offer a match to its bots. Return False if one has no room now, or the arena fails to set it up.

        Seats that were forfeited before have no bot. If that leaves at most one, or none of a match of one seat, no bot
        is asked: the match ends as it begins. `versions`: those of bots that are not asked.
        """
        if match.id in self._given_up:
            return False
        absent = {number: seat.ending for number, seat in enumerate(match.seats) if seat.ending is not None}
        if not is_decided(len(match.seats), len(absent)) and self.dispatched.takes(match.bots):
            return self._dispatch(match, secret, absent, versions or {})
        seats = {} if is_decided(len(match.seats), len(absent)) else self._seats_for(match, absent)
        if seats is None:
            return False
        no_shows = tuple(seat.no_shows for seat in match.seats)
        try:
            played = {bot.session.identity.bot: bot.session.identity.version for bot in seats.values()}
            self._open(_setup(match, secret, {**(versions or {}), **played}), seats, absent, no_shows)
        # The root of a match that is being set up: only this match is void, and matchmaking continues.
        except Exception as failure:  # noqa: BLE001
            self._give_up(match.id, seats, failure_cause("a match could not be set up", match.id, failure))
            return False
        return True

    def _dispatch(
        self,
        match: MatchRecord,
        secret: GroupSecret,
        absent: Mapping[int, SeatEnding],
        versions: Mapping[str, str],
    ) -> bool:
        """Give a match to a worker. Return False if none has room. `versions`: of seats that were forfeited before."""
        playing = [seat.bot for seat in match.seats if seat.ending is None]
        if not self.dispatched.room_for(playing, match.group):
            return False
        played = {bot: self._host.version(bot) for bot in match.bots}
        isolated = is_isolated(match.terms.game, match.seed_policy)
        try:
            setup = _setup(match, secret, {**played, **versions})
            self.dispatched.begin(setup, absent, isolated=isolated)
        # As in `seat`.
        except Exception as failure:  # noqa: BLE001
            self._give_up(match.id, {}, failure_cause("a match could not be set up", match.id, failure))
            return False
        self.change_signal.notify()
        return True

    def _seats_for(self, match: MatchRecord, absent: Collection[int]) -> dict[int, AssignedSeat] | None:
        """Return new seats of its bots; None if one has no room, or not of the kind that the match needs."""
        seats: dict[int, AssignedSeat] = {}
        isolated = is_isolated(match.terms.game, match.seed_policy)
        for number, holder in enumerate(match.seats):
            if number in absent:
                continue
            seat = self._sessions.seat_for(holder.bot, match.terms.game, match.terms.rules_version)
            if seat is not None:
                seats[number] = seat
            if seat is None or (isolated and not self._is_unused(seat)):
                for taken in seats.values():
                    taken.session.drop(taken)
                return None
        for seat in seats.values():
            self._host.note_seated(seat.session.identity, isolated=isolated)
        return seats

    def _is_unused(self, seat: AssignedSeat) -> bool:
        identity = seat.session.identity
        return identity.hosted and identity.program == self._host.unused_process(identity.bot)

    def _give_up(self, match: int, seats: Mapping[int, AssignedSeat], cause: arena_faults.VoidCause) -> None:
        """Make a match void that could not be set up."""
        self._note_void()
        if (running := self._running.get(match)) is not None:
            running.runner.withdraw(cause.why)
        for seat in seats.values():
            seat.session.drop(seat)
        self._store_until_done(match, self._given_up, self._recorder.give_up(match, cause))

    def _store_until_done(self, match: int, storing: set[int], work: Awaitable[object]) -> None:
        """Count the match as in play while something about it is stored."""
        storing.add(match)

        async def store() -> None:
            try:
                await work
            finally:
                storing.discard(match)
            self._changed()

        self._background_tasks.begin(store())

    def _open(
        self,
        setup: MatchSetup,
        seats: dict[int, AssignedSeat],
        absent: Mapping[int, SeatEnding],
        no_shows: tuple[int, ...],
    ) -> None:
        log = self._open_log(setup)
        absent_players = {number: AbsentPlayer() for number in range(len(setup.seats)) if number not in seats}
        players = [seats.get(number) or absent_players[number] for number in range(len(setup.seats))]
        runner = MatchRunner(
            setup, players, log, timers=self._timers, stalls=self.stalls, match_manager=self, absent=absent
        )
        self._running[setup.match] = _RunningMatch(runner, seats, log, no_shows)
        self.begun.set()
        runner.offer()
        for player in absent_players.values():
            player.take_seat()
        self.change_signal.notify()

    def void_all(self, cause: arena_faults.VoidCause) -> None:
        """Make every match in play void: the arena has failed, or shuts down."""
        for running in list(self._running.values()):
            running.runner.void(cause)
        self.dispatched.void_all(cause)

    def void_of(self, sessions: set[int], cause: arena_faults.VoidCause) -> int:
        """Make the matches of these sessions (by number) void. Return how many those are."""
        voided = 0
        for running in list(self._running.values()):
            if any(seat.session.number in sessions for seat in running.seats.values()):
                running.runner.void(cause)
                voided += 1
        return voided

    async def empty(self) -> None:
        """Wait until no match is in play."""
        while self.running:
            self._ended.clear()
            await self._ended.wait()

    async def settled(self) -> None:
        """Wait until everything that has ended is stored."""
        await self._background_tasks.finish()
        await self.dispatched.settled()

    # What the runner says

    def all_ready(self, runner: MatchRunner) -> None:
        """Store that the match is running, then begin: no bot sees a position of a match that is not stored so."""
        self._starved.pop(runner.setup.match, None)
        for seat in self._running[runner.setup.match].seats.values():
            self._sessions.note_ready(seat.session.identity.bot)
        self._background_tasks.begin(self._begin(runner))

    async def _begin(self, runner: MatchRunner) -> None:
        match, versions = runner.setup.match, [seat.version for seat in runner.setup.seats]
        try:
            started = await self._recorder.started(match, versions)
        # Whatever it is, it is the arena's fault, as in `_store`.
        except Exception as failure:  # noqa: BLE001
            runner.void(failure_cause("the beginning of a match could not be stored", match, failure))
            started = True
        if not started:
            runner.withdraw("it had ended before it began")
        elif match in self._running and self._running[match].runner is runner:
            runner.begin()
        else:  # made void meanwhile, and only the arena does that once all are ready
            assert runner.cause is not None
            self._note_void()
            await self._recorder.give_up(match, runner.cause)

    def over(self, runner: MatchRunner, how: MatchResult | NoShow) -> None:
        """Settle a match that has ended, or that does not begin."""
        match = runner.setup.match
        if isinstance(how, MatchResult):
            if how.state is MatchState.ABORTED:
                self._note_void()
            for player in self._running[match].seats.values():
                if player.present and how.state is MatchState.FINISHED:
                    self._host.note_played(player.session.identity)
            self._background_tasks.begin(self._settle(runner, how))
            return
        for seat in how.seats:
            running = self._running[match]
            absent = running.seats[seat]
            self._sessions.note_no_show(absent, running.no_shows[seat] + 1, READY_WITHIN_MS // MS_PER_S)
            self._host.note_not_ready(absent.session.identity)
        if how.seats:
            self._store_until_done(match, self._not_taken, self._recorder.note_no_shows(match, how.seats))
        self._starved[match] += how.starved
        self._forget(match)
        if self._starved[match] >= MOST_STARVED:
            del self._starved[match]
            self._give_up(match, {}, arena_faults.no_processor(MOST_STARVED, READY_WALL_MS // MS_PER_S))

    def _note_void(self) -> None:
        """Count a void match; an arena that fails at every match has to rest, wherever it fails."""
        self._note_state(MatchState.ABORTED)

    def _note_state(self, state: MatchState) -> None:
        self._circuit_breaker.note(state, self._timers.now())

    async def _settle(self, runner: MatchRunner, result: MatchResult) -> None:
        match = runner.setup.match
        try:
            runner.announce(await self._store(runner, result))
        finally:
            self._forget(match)

    async def _store(self, runner: MatchRunner, result: MatchResult) -> MatchRecord:
        setup, log = runner.setup, self._running[runner.setup.match].log
        details = () if runner.cause is None else runner.cause.details
        try:
            log.end(result)
            row = await self._recorder.settle(setup, result, log.finish, runner.debug_lines, details=details)
        # Whatever it is, it is the arena's fault: the match is void rather than open for ever.
        except Exception as failure:  # noqa: BLE001
            cause = failure_cause("a result could not be stored", setup.match, failure)
            self._note_void()
            return await self._recorder.give_up(setup.match, runner.cause or cause)
        if result.state is not MatchState.ABORTED:  # not before it is stored: only then has nothing failed
            self._note_state(result.state)
        return row

    def _forget(self, match: int) -> None:
        running = self._running.pop(match)
        running.runner.let_go()
        for seat in running.seats.values():
            self._sessions.forget_if_idle(seat.session.number)
        self._note_end()

    def _note_end(self) -> None:
        """Note that a match is out of play."""
        self._ended.set()
        self.change_signal.notify()
        self._changed()


def _setup(match: MatchRecord, secret: GroupSecret, versions: Mapping[str, str]) -> MatchSetup:
    """Return the set-up of a match. `versions`: those that play it, by bot."""
    holders = [SeatHolder(seat.bot, versions[seat.bot]) for seat in match.seats]
    entry = secret.entry_of(match)
    suite = secret.suite
    place = None if suite is None or entry is None else SuitePlace(suite.name, suite.sha256, entry.id)
    return MatchSetup(
        match=match.id,
        ladder=match.terms.ladder,
        tournament=match.terms.tournament,
        group=match.group,
        seed_group_index=match.seed_group_index,
        seed_attempt=match.seed_attempt,
        game=match.terms.game,
        rules_version=match.terms.rules_version,
        options=GAMES[match.terms.game].options(len(match.seats), match.terms.options),
        seats=tuple(holders),
        time_control=match.terms.time_control,
        seed=secret.seed_of(match, match.seed_attempt),
        seed_policy=match.seed_policy if place is None else SeedPolicy.FIXED,
        secret_commitment=secret.commitment if place is None else b"",
        rated=match.terms.rated,
        place=match.slot,
        replay=match.voids,
        replay_of=match.replay_of,
        suite=place,
    )
