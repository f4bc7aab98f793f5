"""One presence of one bot version: its seats, its capacity, and the connection in use, if any."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol

from arena.core.clock.processor_use import ProcessorUse
from arena.core.clock.round_trip import RoundTrip
from arena.core.endings import verdicts
from arena.core.endings.arena_faults import VoidCause
from arena.core.endings.terminations import SeatEnding
from arena.runner.timers import Handle, Timers
from arena.sessions import outgoing
from arena.sessions.handshake import Capacity, Identity, Preferences
from arena.sessions.held_decisions import HeldDecision
from arena.sessions.seat import AssignedSeat

ENDS_REPEATED_NS: Final = 60_000_000_000
"""Ends are told again if the bot comes back within this time: what was written need not have been heard."""

PROGRAM_ENDS_REPEATED_NS: Final = 5_000_000_000
"""The same for a program that the arena runs: it is on the same machine, and plays many more matches in a minute."""

PROGRAM_END_NS: Final = 1_000_000_000
"""A hosted program that has lost its connection has most likely ended. Its matches hear of the loss so much later: by
then they have heard how it ended, if it has."""

PROGRAM_ENDED_NS: Final = 60_000_000_000
"""A program that takes longer than this to end hangs in the kernel: its matches hear of the loss, or never would."""

_RUNS_ON: Final = "its program runs on without it"

MATCHES_PER_OPEN_DECISION: Final = 4
"""Rated play gives a session at most so many matches for each decision that it answers at a time."""

FAULTS_ALLOWED: Final = 2
FAULT_WINDOW_NS: Final = 3_600_000_000_000
"""One fault of the connection more than allowed within an hour ends the session."""


_REPLACED: Final = outgoing.Goodbye(
    outgoing.GoodbyeCode.REPLACED, "Another connection of this bot has taken the session over."
)


def _nothing() -> None:
    """The arena does not run its program, and hears nothing that it prints."""


def _no() -> bool:
    """The arena does not run it."""
    return False


def _not_known(_started: int, _now: int) -> None:
    """The arena does not run its program, and knows nothing of its processors."""


class Link(Protocol):
    """The connection of a session, as seen from inside."""

    round_trip: RoundTrip

    @property
    def silent(self) -> bool:
        """Whether nothing was heard for so many pings that the bot may be gone without a word."""
        ...

    def push(self, message: outgoing.Outgoing) -> None:
        """The message will be written, in order; never blocks."""
        ...

    def end(self, ending: outgoing.Goodbye) -> None:
        """The connection ends with these words."""
        ...


class Session:
    """One presence of one bot version; it outlives its connections."""

    def __init__(
        self, number: int, identity: Identity, games: dict[str, frozenset[int]], timers: Timers
    ) -> None:
        """`games`: rules versions by game id; an empty set stands for all."""
        self.number = number
        self.identity = identity
        self.games = games
        self.resume_secret = ""
        self.older_secret = ""
        """The one before, still good: the bot may never have heard of the newest. Empty once it has said anything."""
        self.preferences = Preferences()
        self.capacity = Capacity()
        self.link: Link | None = None
        self.lost_at: int | None = None
        self.taking_since: int | None = None
        """Since when it has had a connection and room for matches without a break; None if it has not."""
        self.seats: dict[int, AssignedSeat] = {}
        self._timers = timers
        self._assignments = 0
        self.asked = 0
        """How many decisions it was asked."""
        # Lists: an empty deque takes 760 bytes, and most sessions are idle.
        self._held: list[tuple[AssignedSeat, HeldDecision]] = []
        """The decisions that are held back, oldest first."""
        self._hold_alarm: Handle | None = None
        self._out: set[AssignedSeat] = set()
        self._ends: list[tuple[int, outgoing.Outgoing]] = []
        self._faults: list[int] = []
        self.listen: Callable[[], None] = _nothing
        """Takes what its program has printed so far; set by who runs it."""
        self.program_ends: Callable[[], bool] = _no
        """Whether its program has ended in a way that is not known yet; set by who runs it."""
        self.processor: Callable[[int, int], ProcessorUse | None] = _not_known
        """What its program has had of the processors in a span of time; set by who runs it."""
        self.retired = False
        """Whether it takes no more matches, whatever its bot says; those that it plays go on."""

    @property
    def name(self) -> str:
        """The session's id on the wire."""
        return f"s{self.number}"

    @property
    def present(self) -> bool:
        """Whether there is a connection."""
        return self.link is not None

    @property
    def in_play(self) -> bool:
        """Whether it has a seat in a match that has begun, and that it has not forfeited."""
        return any(seat.started and not seat.forfeited for seat in self.seats.values())

    @property
    def deserted(self) -> bool:
        """Whether nobody seems to be there: no connection, or a silent one and no thought that explains its silence."""
        return self.link is None or (self.link.silent and not self._out)

    @property
    def round_trip(self) -> RoundTrip | None:
        """The network time of the connection."""
        return self.link.round_trip if self.link else None

    @property
    def playing(self) -> int:
        """Seats that take up capacity: those that have not forfeited."""
        return sum(1 for seat in self.seats.values() if not seat.forfeited) if self.seats else 0

    @property
    def room(self) -> int:
        """Matches that it takes on, those being played included."""
        decisions = self.capacity.open_decisions or max(1, self.capacity.matches)
        return min(self.capacity.matches, MATCHES_PER_OPEN_DECISION * decisions)

    def plays(self, game: str, rules_version: int) -> bool:
        """Whether the bot takes matches by these rules."""
        versions = self.games.get(game)
        return versions is not None and (not versions or rules_version in versions) and not self.retired

    def catch_up(self) -> None:
        """What its program has printed so far is kept, if the arena runs it."""
        self.listen()

    # Seats

    def new_seat(self) -> AssignedSeat:
        """A seat with the next assignment number, to be offered by a match."""
        self._assignments += 1
        seat = AssignedSeat(self, self._assignments)
        self.seats[seat.assignment] = seat
        return seat

    def adopt(self, seat: AssignedSeat) -> None:
        """A seat of a lost session goes on in this one, under a new assignment number."""
        self._assignments += 1
        seat.session = self
        seat.assignment = self._assignments
        self.seats[seat.assignment] = seat
        if seat.out:
            self._out.add(seat)

    def drop(self, seat: AssignedSeat) -> None:
        """The seat's match is over for this session."""
        self.seats.pop(seat.assignment, None)
        self.settled(seat)
        self.release_held()

    # Decisions: at most `open_decisions` are out, each held back for at most `hold`

    def decision_ready(self, seat: AssignedSeat) -> None:
        """A match asks: the question goes out at once, or waits until the bot has answered another."""
        if self._takes_decisions or seat.knows_position:
            self._release(seat)
            return
        self._held.append((seat, HeldDecision(seat, self._timers.now())))
        self.release_held()

    def settled(self, seat: AssignedSeat) -> None:
        """The seat has no question open any more."""
        self._out.discard(seat)
        if self._held:
            self._held = [(other, held) for other, held in self._held if other is not seat]

    def release_held(self) -> None:
        """Let the questions held back go out, oldest first, as far as the bot takes them or they have to."""
        if not self._held:
            return
        now = self._timers.now()
        while self._held and self._takes_decisions:
            self._release_first(self._held[0], now)
        for entry in list(self._held):
            if entry in self._held and entry[1].due(self._out, self._open_limit, now) <= now:
                self._release_first(entry, now)
        self._set_hold_alarm(now)

    def _release_first(self, entry: tuple[AssignedSeat, HeldDecision], now: int) -> None:
        seat, held = entry
        self._held.remove(entry)
        held.book(now)
        self._release(seat)

    def _set_hold_alarm(self, now: int) -> None:
        """Look again when the first of those held back has to go out."""
        if self._hold_alarm is not None:
            self._hold_alarm.cancel()
            self._hold_alarm = None
        if self._held:
            due = min(held.due(self._out, self._open_limit, now) for _, held in self._held)
            self._hold_alarm = self._timers.call_at(due, self.release_held)

    @property
    def _takes_decisions(self) -> bool:
        """Whether a question goes out at once."""
        return len(self._out) < self._open_limit or not self.present

    @property
    def asking(self) -> bool:
        """Whether a question is out and not settled."""
        return bool(self._out)

    @property
    def _open_limit(self) -> int:
        return self.capacity.open_decisions or max(1, self.capacity.matches)

    def _release(self, seat: AssignedSeat) -> None:
        self._out.add(seat)
        self.asked += 1
        seat.release(self._timers.now())

    def set_capacity(self, capacity: Capacity) -> None:
        """The bot takes on more or less from now on."""
        self.capacity = capacity
        self._note_taking()
        self.release_held()

    # The connection

    def push(self, message: outgoing.Outgoing) -> None:
        """The message goes out, if there is a connection."""
        if self.link is not None:
            self.link.push(message)

    def keep_and_push(self, message: outgoing.Outgoing) -> None:
        """An end: it goes out, and is told again if the bot comes back soon, since it may never have heard it."""
        now = self._timers.now()
        while self._ends and now - self._ends[0][0] > self.ends_repeated_ns:
            self._ends.pop(0)
        self._ends.append((now, message))
        self.push(message)

    @property
    def ends_repeated_ns(self) -> int:
        """How long ends are told again to a bot that comes back."""
        return PROGRAM_ENDS_REPEATED_NS if self.identity.hosted else ENDS_REPEATED_NS

    @property
    def has_ends_to_repeat(self) -> bool:
        """Whether something ended so lately that a comeback would be told of it again."""
        return bool(self._ends) and self._timers.now() - self._ends[-1][0] < self.ends_repeated_ns

    def leave(self) -> None:
        """The bot leaves in good order and has heard everything."""
        self._ends.clear()

    def connect(self, link: Link, preferences: Preferences) -> None:
        """The session has a (new) connection, on which the bot wants to be asked so; one before it is replaced."""
        self.preferences = preferences
        self.replace_link()
        self.link = link
        self.lost_at = None
        self._note_taking()

    def _note_taking(self) -> None:
        """Whether it takes matches may have changed."""
        if not (self.present and self.room):
            self.taking_since = None
        elif self.taking_since is None:
            self.taking_since = self._timers.now()

    def replace_link(self) -> None:
        """The connection, if there is one, ends for good: another one has taken over what it held."""
        if self.link is not None:
            self.link.end(_REPLACED)

    def tell_all(self) -> None:
        """After a comeback: the ends of the last minute are told again, then every running match is told anew."""
        now = self._timers.now()
        for ended_at, message in self._ends:
            if now - ended_at <= self.ends_repeated_ns:
                self.push(message)
        for seat in list(self.seats.values()):
            seat.returned(now)

    def disconnect(self, link: Link, why: str = "") -> bool:
        """The connection is gone. False if it was not the one in use.

        `why`: what the bot has done that ended it, a sentence part without a full stop; empty if that is not known.
        """
        if self.link is not link:
            return False
        now = self._timers.now()
        self.link = None
        self.lost_at = now
        self._note_taking()
        if self.identity.hosted:
            self._timers.call_at(now + PROGRAM_END_NS, lambda: self._stays_away(now, why))
        else:
            self._seats_lost(now, why)
        self.release_held()
        return True

    def _stays_away(self, since: int, why: str) -> None:
        """A hosted program still runs, without the connection that it has lost then: no network could have taken it."""
        if self.lost_at != since or self.present:
            return
        now = self._timers.now()
        if (
            now - since < PROGRAM_ENDED_NS and self.program_ends()
        ):  # what has filled its memory takes a while to go, on a busy machine above all
            self._timers.call_at(now + PROGRAM_END_NS, lambda: self._stays_away(since, why))
        else:
            self._seats_lost(now, why or _RUNS_ON)

    def _seats_lost(self, now: int, why: str) -> None:
        for seat in list(self.seats.values()):
            if not (self.identity.hosted and seat.forfeited):
                seat.lost(now, why)

    def fault(self, why: str) -> bool:
        """The connection had a fault of the bot's making. True if it was one too many: all seats are forfeited."""
        now = self._timers.now()
        self._faults.append(now)
        while now - self._faults[0] > FAULT_WINDOW_NS:
            self._faults.pop(0)
        if len(self._faults) <= FAULTS_ALLOWED:
            return False
        self.forfeit_all(f"{why}, the third fault of its connection within an hour")
        return True

    def forfeit_all(self, why: str) -> None:
        """The session is ended for good: its seats are forfeited. `why`: a sentence part without a full stop."""
        self.end_seats(lambda decision: verdicts.session_ended(decision, why))

    def void_seats(self, cause: VoidCause) -> None:
        """The matches of its seats are void by a fault of the arena."""
        for seat in list(self.seats.values()):
            seat.port.void(cause)

    def end_seats(self, ending: Callable[[int], SeatEnding]) -> None:
        """The bot is gone for good: its seats are forfeited, each with the ending for its open decision (0: none)."""
        now = self._timers.now()
        for seat in list(self.seats.values()):
            seat.port.end(ending(seat.open.decision if seat.open else 0), now)
