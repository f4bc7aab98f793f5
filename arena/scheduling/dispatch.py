"""Where matches of hosted bots are played beside the arena's own process: what goes there, and what comes back.

A worker, on this machine or on a node of the cluster, has runner, clock and sandbox. It has no database, no key and no
token: the arena plans and stores matches, checks and signs their logs, and decides what follows for bots and programs.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from math import ceil
from typing import Final, Protocol

from arena.core.endings.arena_faults import VoidCause
from arena.core.endings.terminations import SeatEnding
from arena.core.match import DebugLine, MatchResult, MatchSetup
from arena.core.match_record import MatchRecord
from arena.runner.spectator_view import SpectatorView
from arena.store.json_columns import VersionProgram
from arena.submissions.manifest import STANDARD


@dataclass(frozen=True, slots=True)
class TicketSeat:
    """A seat of a match that a worker is to play."""

    owner: str
    program: VersionProgram | None
    """How its version is run; None for a seat that was forfeited before the match."""
    ending: SeatEnding | None = None
    """How that seat was forfeited."""


PLACE_MIB: Final = STANDARD.memory_mib
"""The memory of a place for programs. It has one core."""


def places_of(program: VersionProgram) -> int:
    """Return how many places a program takes: as many as it needs for its cores and its memory."""
    return max(program.cores, ceil(program.memory_mib / PLACE_MIB))


@dataclass(frozen=True, slots=True)
class MatchNeeds:
    """What a match needs of the machine on which it is played."""

    programs: Mapping[str, VersionProgram]
    """By bot."""
    group: int
    """Its match group, all of which is played on machines of one kind."""

    @property
    def places(self) -> dict[str, int]:
        """How many places the program of each bot takes."""
        return {bot: places_of(program) for bot, program in self.programs.items()}


@dataclass(frozen=True, slots=True)
class MatchTicket:
    """A match that a worker is to play. The versions that play are in the set-up."""

    setup: MatchSetup
    seats: tuple[TicketSeat, ...]
    isolated: bool
    """Whether each bot plays it in a process that has played nothing before, and plays nothing after it."""

    @property
    def bots(self) -> tuple[str, ...]:
        """The bots that play it, by seat."""
        seats = zip(self.setup.seats, self.seats, strict=True)
        return tuple(holder.bot for holder, seat in seats if seat.program is not None)

    @property
    def needs(self) -> MatchNeeds:
        """What it needs."""
        seats = zip(self.setup.seats, self.seats, strict=True)
        programs = {holder.bot: seat.program for holder, seat in seats if seat.program is not None}
        return MatchNeeds(programs, self.setup.group)


@dataclass(frozen=True, slots=True)
class NotBegun:
    """The end of a match that did not begin. What its programs did is reported for each of them."""

    absent: tuple[int, ...] = ()
    """Seats whose bots were not ready in time."""
    starved: bool = False
    """Whether it was because a program got no processor to take its seat."""
    cause: VoidCause | None = None
    """Why the match is void: the worker has failed, or it was made void when it was to begin. None: it waits."""


@dataclass(frozen=True, slots=True)
class TimeTotals:
    """What a histogram of times has counted: see `arena.server.metered_log.TimeCounts`."""

    counts: tuple[int, ...] = ()
    sum_s: float = 0.0


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """The end of a match as a worker reports it."""

    result: MatchResult
    records: tuple[bytes, ...]
    """Those of its log, between header and footer."""
    debug_lines: tuple[tuple[DebugLine, ...], ...]
    """By seat."""
    cause: VoidCause | None
    """Why the worker has made it void; None if it has not."""
    think: TimeTotals
    turnaround: TimeTotals
    present: tuple[int, ...]
    """The seats whose programs were connected at the end."""


class MatchLostError(Exception):
    """The worker that played a match has ended or does not answer. Nothing of the match is kept."""

    def __init__(self, cause: VoidCause) -> None:
        """`cause`: why the match is void."""
        super().__init__(cause.why)
        self.cause = cause


class MatchRun(Protocol):
    """One match at a worker. All on the arena's event loop."""

    async def ready(self) -> NotBegun | None:
        """Wait until every bot has taken its seat, and return None; or return why the match does not begin.

        Raises MatchLostError.
        """

    def begin(self) -> None:
        """Let the match begin: it is stored that it runs."""

    def withdraw(self, why: str) -> None:
        """Cancel a match that has not begun. `why`: a sentence part without a full stop."""

    def void(self, cause: VoidCause) -> None:
        """Make the match void: the arena fails, or shuts down. It ends as any other, with that result."""

    async def played(self) -> PlayedMatch:
        """Wait for the end of a match that has begun. Raises MatchLostError."""

    def close(self, report: MatchRecord | None) -> None:
        """Let go of the match; the worker may play the next one. `report`: sent to the bots, as the store shows it."""

    def refuse(self) -> None:
        """Note that what the worker has reported of the match is not true."""

    @property
    def machine(self) -> str:
        """The machine that plays it: the name of a node, or empty for the arena's own."""

    def watch(self) -> SpectatorView:
        """Return what spectators are shown; it is kept up to date from now on."""

    async def debug_lines(self, seat: int) -> list[DebugLine] | None:
        """Return the private lines of a seat so far; None if the match is over."""


class Dispatcher(Protocol):
    """The workers of an arena. All on the arena's event loop; no method blocks."""

    @property
    def plays_hosted(self) -> bool:
        """Whether workers play the matches of hosted bots; if not, the arena's own process plays every match."""

    def ready_for(self, matches: int) -> int:
        """Return how many matches could begin now, one at each idle worker.

        `matches`: that wait; as many workers are started as they need.
        """

    def can_play(self, programs: Collection[VersionProgram]) -> bool:
        """Return whether there is a machine that plays matches with these programs."""

    def room_for(self, needs: MatchNeeds, *, other_than: str | None = None) -> bool:
        """Return whether a match of hosted bots could begin now. May make room for it.

        `other_than`: a machine on which it is not to be played.
        """

    def start(self, ticket: MatchTicket, *, other_than: str | None = None) -> MatchRun:
        """Have a match played for which there is room."""

    def programs(self, bot: str) -> int:
        """Return how many processes of a bot run at workers."""


class NoWorkers:
    """The dispatcher of an arena that plays every match itself."""

    plays_hosted = False

    def ready_for(self, matches: int) -> int:
        """Return 0."""
        return 0

    def can_play(self, programs: Collection[VersionProgram]) -> bool:
        """Return False."""
        return False

    def room_for(self, needs: MatchNeeds, *, other_than: str | None = None) -> bool:
        """Return False."""
        return False

    def start(self, ticket: MatchTicket, *, other_than: str | None = None) -> MatchRun:
        """Fail: there is no room."""
        raise AssertionError("there are no workers")

    def programs(self, bot: str) -> int:
        """Return 0."""
        return 0
