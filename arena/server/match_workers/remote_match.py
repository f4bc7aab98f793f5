"""A match at a worker, as the arena sees it: `arena.scheduling.dispatch.MatchRun`."""

import asyncio
from collections.abc import Callable

from arena.codecs.codec import codec_for
from arena.core.endings.arena_faults import VoidCause
from arena.core.endings.terminations import Termination
from arena.core.match import DebugLine
from arena.core.match_record import MatchRecord
from arena.match_log.reader import read_record
from arena.runner.spectator_view import RecordedHistory, SpectatorView
from arena.scheduling.dispatch import MatchLostError, MatchTicket, NotBegun, PlayedMatch
from arena.server.match_workers.machine import Refusal
from arena.server.match_workers.messages import (
    Begin,
    Close,
    FromArena,
    Lines,
    MakeVoid,
    Over,
    Records,
    Seated,
    SendLines,
    ShowRecords,
    Withdraw,
)


class _MirroredView:
    """What spectators are shown of a match whose records come from a worker."""

    def __init__(self, ticket: MatchTicket) -> None:
        self._setup = ticket.setup
        self._recorded = RecordedHistory(ticket.setup)
        self._added = 0
        self._forfeits: dict[int, Termination] = {}
        self.view = SpectatorView(ticket.setup, self._recorded.history)

    def add(self, records: tuple[bytes, ...], forfeits: dict[int, Termination]) -> None:
        """Add records that follow those before, and show them."""
        self._forfeits |= forfeits
        self._record(records)
        self.view.notify()

    def complete(self, played: PlayedMatch) -> None:
        """Add what is missing of a match that has ended; it is shown when the view is closed."""
        self._forfeits |= {number: seat.ending.termination for number, seat in enumerate(played.result.seats)}
        self._record(played.records[self._added :])

    def _record(self, records: tuple[bytes, ...]) -> None:
        codec, seats = codec_for(self._setup.game), len(self._setup.seats)
        for record in records:
            self._recorded.add(read_record(record, codec, seats), self._forfeits.__getitem__)
        self._added += len(records)


class RemoteMatch:
    """A match that a worker plays. All on the arena's event loop."""

    def __init__(
        self,
        ticket: MatchTicket,
        send: Callable[[FromArena], None],
        *,
        machine: str,
        closed: Callable[[MatchRecord | None], None],
        refused: Callable[[Refusal], None],
    ) -> None:
        """`send`: to the worker; `closed`: called when the arena lets go of the match, with what it has stored.

        `refused`: called with the reason when a result is not taken.
        """
        loop = asyncio.get_running_loop()
        self.ticket = ticket
        self.machine = machine
        self._send = send
        self._closed = closed
        self._refused = refused
        self._ready: asyncio.Future[NotBegun | None] = loop.create_future()
        self._played: asyncio.Future[PlayedMatch] = loop.create_future()
        self._lost = False
        self._mirror: _MirroredView | None = None
        self._lines: dict[int, list[asyncio.Future[list[DebugLine] | None]]] = {}

    @property
    def id(self) -> int:
        """The number of the match."""
        return self.ticket.setup.match

    @property
    def outcome(self) -> PlayedMatch | None:
        """The end of the match as the worker has reported it; None until it has."""
        done = self._played.done() and self._played.exception() is None
        return self._played.result() if done else None

    # MatchRun

    async def ready(self) -> NotBegun | None:
        """See MatchRun."""
        return await self._ready

    def begin(self) -> None:
        """See MatchRun."""
        self._send(Begin(self.id))

    def withdraw(self, why: str) -> None:
        """See MatchRun."""
        self._send(Withdraw(self.id, why))

    def void(self, cause: VoidCause) -> None:
        """See MatchRun."""
        self._send(MakeVoid(self.id, cause))

    async def played(self) -> PlayedMatch:
        """See MatchRun."""
        return await self._played

    def close(self, report: MatchRecord | None) -> None:
        """See MatchRun."""
        self._send(Close(self.id, report))
        if self._mirror is not None:
            self._mirror.view.close()
        self._answer_lines()
        self._closed(report)

    def refuse(self) -> None:
        """See MatchRun."""
        self._refused(Refusal.UNTRUE)

    def watch(self) -> SpectatorView:
        """See MatchRun."""
        if self._mirror is None:
            self._mirror = _MirroredView(self.ticket)
            self._send(ShowRecords(self.id))
        return self._mirror.view

    async def debug_lines(self, seat: int) -> list[DebugLine] | None:
        """See MatchRun."""
        if self._lost:
            return None
        waiting: asyncio.Future[list[DebugLine] | None] = asyncio.get_running_loop().create_future()
        self._lines.setdefault(seat, []).append(waiting)
        self._send(SendLines(self.id, seat))
        return await waiting

    # What the worker says

    def take(self, message: Seated | Over | Records | Lines) -> None:
        """Take a message about this match. Raises ValueError, GameError: its records are none of such a match."""
        match message:
            case Seated():
                if not self._ready.done():
                    self._ready.set_result(None)
            case Over():
                self._note_over(message.how)
            case Records():
                if self._mirror is not None:
                    self._mirror.add(message.records, dict(message.forfeits))
            case Lines():
                for waiting in self._lines.pop(message.seat, []):
                    if not waiting.done():
                        waiting.set_result(list(message.lines))

    def _note_over(self, how: NotBegun | PlayedMatch) -> None:
        if isinstance(how, PlayedMatch):
            if self._played.done():
                self._refused(Refusal.SECOND)
                return
            if self._mirror is not None:
                self._mirror.complete(how)
            self._played.set_result(how)
        elif not self._ready.done():
            self._ready.set_result(how)
        elif how.cause is not None:  # made void between the last bot's `ready` and the beginning
            self.lose(how.cause)

    def lose(self, cause: VoidCause) -> None:
        """Note that nothing more will come of the match."""
        self._lost, lost = True, MatchLostError(cause)
        for waiting in (self._ready, self._played):
            if not waiting.done():
                waiting.set_exception(lost)
                waiting.exception()  # not every match is waited for
        self._answer_lines()

    def _answer_lines(self) -> None:
        """Wake those who wait for private lines: the match is over."""
        for each in self._lines.values():
            for waiting in each:
                if not waiting.done():
                    waiting.set_result(None)
        self._lines.clear()
