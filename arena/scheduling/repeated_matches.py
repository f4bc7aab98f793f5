"""Matches of deterministic bots that are played once more on another machine, and compared.

What a node reports is played again by the rules, so it cannot report a match that never could be. But it could answer
in place of a bot. Bots that always answer the same make the same match on every machine.
"""

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

import structlog

from arena.codecs.codec import codec_for
from arena.core.match import MatchSetup, MatchState
from arena.hosting.background_tasks import BackgroundTasks
from arena.hosting.host.host import Host
from arena.match_log.decode import LoggedPly
from arena.match_log.reader import read_record
from arena.scheduling.dispatch import Dispatcher, MatchLostError, MatchRun, MatchTicket, PlayedMatch

EVERY: Final = 50
"""One in so many matches is repeated."""

_MOST_WAITING: Final = 4

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class RepeatedMatch:
    """A match that was played on two machines."""

    match: int
    machines: tuple[str, str]
    """Whose result is stored, and that of the repetition."""
    difference: str
    """Where they differ first: a sentence; empty if every seat has done the same."""


@dataclass(frozen=True, slots=True)
class _Waiting:
    ticket: MatchTicket
    played: PlayedMatch
    machine: str


class RepeatedMatches:
    """Repeats matches where there is room. All on one event loop."""

    def __init__(self, dispatcher: Dispatcher, host: Host, compared: Callable[[RepeatedMatch], None]) -> None:
        """Call `compared` with each match that was played twice."""
        self._dispatcher = dispatcher
        self._host = host
        self._compared = compared
        self._seen = 0
        self._waiting: deque[_Waiting] = deque(maxlen=_MOST_WAITING)
        self._background_tasks = BackgroundTasks("a match could not be repeated")

    def note(self, ticket: MatchTicket, played: PlayedMatch, machine: str) -> None:
        """Note a match that is stored. `machine`: the node that has played it; only nodes are checked."""
        programs = [seat.program for seat in ticket.seats]
        if not machine or not all(program is not None and program.deterministic for program in programs):
            return
        self._seen += 1
        if self._seen % EVERY == 0:
            self._waiting.append(_Waiting(ticket, played, machine))

    def begin(self) -> None:
        """Begin a repetition that waits, if another machine has room for it."""
        if not self._waiting:
            return
        waiting = self._waiting[0]
        if self._dispatcher.room_for(waiting.ticket.needs, other_than=waiting.machine):
            self._waiting.popleft()
            run = self._dispatcher.start(waiting.ticket, other_than=waiting.machine)
            self._host.note_dispatched(waiting.ticket.bots)
            self._background_tasks.begin(self._repeat(run, waiting), optional=True)

    async def close(self) -> None:
        """End the repetitions that run."""
        await self._background_tasks.finish()

    async def _repeat(self, run: MatchRun, first: _Waiting) -> None:
        try:
            if await run.ready() is not None:
                return
            run.begin()
            again = await run.played()
            if again.result.state is MatchState.FINISHED:
                why = first_difference(first.ticket.setup, first.played.records, again.records)
                self._compared(RepeatedMatch(first.ticket.setup.match, (first.machine, run.machine), why))
        except MatchLostError as lost:
            _log.info("a repeated match was lost", match=first.ticket.setup.match, why=lost.cause.why)
        finally:
            self._host.note_returned(first.ticket.bots)
            run.close(None)


def first_difference(setup: MatchSetup, first: Iterable[bytes], again: Iterable[bytes]) -> str:
    """Return the first ply in which two records of a match differ, a sentence; empty if they do not.

    Times may differ, and whatever follows from them. Raises ValueError: one holds what no record can hold.
    """
    ours, theirs = _plies(setup, first), _plies(setup, again)
    for number, (here, there) in enumerate(zip(ours, theirs, strict=False), start=1):
        if here != there:
            return f"Ply {number} is action {here[1]} of seat {here[0]} here, and {there[1]} of seat {there[0]} there."
    if len(ours) != len(theirs):
        return f"It has {len(ours)} plies here, and {len(theirs)} there."
    return ""


def _plies(setup: MatchSetup, records: Iterable[bytes]) -> list[tuple[int, int]]:
    """Return seat and action of each ply."""
    codec = codec_for(setup.game)
    read = (read_record(record, codec, len(setup.seats)) for record in records)
    return [(each.record.seat, each.record.action) for each in read if isinstance(each, LoggedPly)]
