"""One match at a worker: from its ticket until the arena lets go of it."""

import asyncio
from collections.abc import Callable, Mapping
from typing import Final

from arena.codecs.codec import codec_for
from arena.core.clock.stalls import StallMeter
from arena.core.endings import arena_faults
from arena.core.endings.terminations import SeatEnding
from arena.core.match import FORFEIT, MatchResult, MatchState, NoteRecord
from arena.core.match_record import MatchRecord
from arena.core.ply import PlyRecord
from arena.hosting.host.process import HostedProcess
from arena.hosting.host.program_pool import ProgramPool, WantedProgram
from arena.runner.match_runner import MatchRunner, NoShow
from arena.runner.player import AbsentPlayer
from arena.runner.timers import Timers
from arena.scheduling.dispatch import MatchTicket, NotBegun, PlayedMatch, TimeTotals
from arena.server.match_workers.messages import FromWorker, Lines, Over, Records, Seated
from arena.server.metered_log import MeteredRecords, TimeCounts
from arena.sessions.registry import SessionRegistry
from arena.sessions.seat import AssignedSeat
from engine.game import Event

AT_ONCE: Final = 32
"""Records in one message: the arena plays them again, a millisecond of work in which no other match is served."""


class WorkerMatch:
    """One match. It owns its runner (`arena.runner.match_runner.MatchOwner`). All on one event loop."""

    def __init__(
        self,
        ticket: MatchTicket,
        pool: ProgramPool,
        sessions: SessionRegistry,
        *,
        timers: Timers,
        stalls: StallMeter,
        send: Callable[[FromWorker], None],
    ) -> None:
        self._ticket = ticket
        self._pool = pool
        self._sessions = sessions
        self._timers = timers
        self._stalls = stalls
        self._send = send
        self._records = MeteredRecords(codec_for(ticket.setup.game))
        self._runner: MatchRunner | None = None
        self._seats: dict[int, AssignedSeat] = {}
        self._processes: dict[str, HostedProcess] = {}
        self._withdrawn = False
        self._seated = False
        """Whether the arena was told that all seats are ready."""
        self._opened = asyncio.Event()
        self._watching: asyncio.Task[None] | None = None
        self._sent = 0
        """Records that the arena was sent for spectators."""
        self._shown = 0
        """Entries of the history that these make."""

    @property
    def id(self) -> int:
        """The number of the match."""
        return self._ticket.setup.match

    async def offer(self) -> None:
        """Start what programs it needs, and offer the seats."""
        ticket = self._ticket
        wanted = [
            WantedProgram(holder.bot, holder.version, seat.owner, seat.program)
            for holder, seat in zip(ticket.setup.seats, ticket.seats, strict=True)
            if seat.program is not None
        ]
        processes = await self._pool.take(wanted, fresh=ticket.isolated)
        if processes is None or self._withdrawn or not self._take_seats(processes):
            self._drop_seats()
            self._send(Over(self.id, NotBegun()))
            return
        self._processes = {process.identity.bot: process for process in processes}
        if ticket.isolated:
            for process in processes:
                process.retire()
        self._open({n: seat.ending for n, seat in enumerate(ticket.seats) if seat.ending is not None})

    def _take_seats(self, processes: list[HostedProcess]) -> bool:
        """Return whether each of the programs has a seat for the match."""
        setup = self._ticket.setup
        numbers = {holder.bot: number for number, holder in enumerate(setup.seats)}
        for process in processes:
            process.seated = True
            seat = self._sessions.seat_for(process.identity.bot, setup.game, setup.rules_version)
            if seat is None:
                return False
            self._seats[numbers[process.identity.bot]] = seat
        return True

    def _drop_seats(self) -> None:
        for seat in self._seats.values():
            seat.session.drop(seat)

    def _open(self, absent: Mapping[int, SeatEnding]) -> None:
        setup = self._ticket.setup
        stand_ins = {number: AbsentPlayer() for number in absent}
        self._runner = MatchRunner(
            setup,
            [self._seats.get(number) or stand_ins[number] for number in range(len(setup.seats))],
            self._records,
            timers=self._timers,
            stalls=self._stalls,
            match_manager=self,
            absent=absent,
        )
        self._opened.set()
        self._runner.offer()
        for player in stand_ins.values():
            player.take_seat()

    # What the arena says

    def begin(self) -> None:
        """Begin play."""
        if self._runner is not None:
            self._runner.begin()

    def withdraw(self, why: str) -> None:
        """Cancel the match before it begins. `why`: a sentence part without a full stop."""
        self._withdrawn = True
        if self._runner is not None:
            self._runner.withdraw(why)

    def void(self, cause: arena_faults.VoidCause) -> None:
        """Make the match void; one that has not begun waits for another occasion."""
        self._withdrawn = True
        if self._runner is not None:
            self._runner.void(cause)

    def close(self, report: MatchRecord | None) -> None:
        """Send the bots the report, if there is one, and forget the match."""
        if self._watching is not None:
            self._watching.cancel()
        if self._runner is not None:
            if report is not None and self._runner.started:
                self._runner.announce(report)
            self._runner.let_go()
        for seat in self._seats.values():
            self._sessions.forget_if_idle(seat.session.number)

    def show_records(self) -> None:
        """Send what spectators may see, now and as it comes."""
        if self._watching is None:
            self._watching = asyncio.create_task(self._show())

    def send_lines(self, seat: int) -> None:
        """Send the private lines of a seat so far."""
        lines = () if self._runner is None else tuple(self._runner.debug_lines[seat])
        self._send(Lines(self.id, seat, lines))

    # arena.runner.match_runner.MatchOwner

    def all_ready(self, runner: MatchRunner) -> None:
        """Report that all seats are ready; the arena stores it, then lets the match begin."""
        self._seated = True
        self._send(Seated(self.id))

    def over(self, runner: MatchRunner, how: MatchResult | NoShow) -> None:
        """Report how the match has ended, or that it does not begin."""
        if isinstance(how, NoShow):
            cause = runner.cause if self._seated else None  # then it is stored that it runs
            self._send(Over(self.id, NotBegun(how.seats, how.starved, cause)))
            return
        for seat in self._seats.values():
            if seat.present and how.state is MatchState.FINISHED:
                self._processes[seat.session.identity.bot].note_played()
        counts = self._records.counts
        played = PlayedMatch(
            how,
            tuple(self._records.encoded()),
            tuple(map(tuple, runner.debug_lines)),
            runner.cause,
            _totals(counts.think),
            _totals(counts.turnaround),
            tuple(number for number, seat in self._seats.items() if seat.present),
        )
        self._send(Over(self.id, played))

    # For spectators

    async def _show(self) -> None:
        while self._runner is None:
            await self._opened.wait()
        view = self._runner.spectator_view
        while not view.over:
            notified = view.change_signal.notified
            self._send_shown(view.shown)
            await view.change_signal.after(notified)

    def _send_shown(self, entries: int) -> None:
        """Send the records up to this number of entries of the match's history."""
        records = self._records.all
        until, found = self._sent, self._shown
        while until < len(records) and found < entries:
            found += _is_entry(records[until])
            until += 1
        if until > self._sent:
            forfeits = tuple(
                (number, seat.ending.termination)
                for number, seat in self._seats.items()
                if seat.ending is not None
            )
            for first in range(self._sent, until, AT_ONCE):
                some = self._records.encoded(first, min(first + AT_ONCE, until))
                self._send(Records(self.id, tuple(some), forfeits))
            self._sent, self._shown = until, found


def _is_entry(record: PlyRecord | NoteRecord | tuple[Event, ...]) -> bool:
    """Return whether a record makes an entry of the history: a set-up, a ply or a forfeit."""
    return not isinstance(record, NoteRecord) or (record.what == FORFEIT and record.seat is not None)


def _totals(times: TimeCounts) -> TimeTotals:
    return TimeTotals(tuple(times.counts), times.sum_s)
