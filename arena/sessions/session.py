"""One presence of one bot version: its seats, its capacity, and the connection in use, if any."""

from collections.abc import Callable
from typing import Final, Protocol

from arena.core.clock.processor_use import ProcessorUse
from arena.core.clock.round_trip import RoundTrip
from arena.core.endings import verdicts
from arena.core.endings.arena_faults import VoidCause
from arena.core.endings.terminations import SeatEnding
from arena.runner.timers import Timers
from arena.sessions import outgoing
from arena.sessions.decision_window import DecisionWindow
from arena.sessions.handshake import Capacity, Identity, Preferences
from arena.sessions.seat import AssignedSeat

ENDS_REPEATED_NS: Final = 60_000_000_000
"""Ends are repeated if the bot comes back within this time: what was written need not have arrived."""

PROGRAM_ENDS_REPEATED_NS: Final = 5_000_000_000
"""The same for a hosted bot: it is on the same machine, and plays many more matches in a minute."""

PROGRAM_END_NS: Final = 1_000_000_000
"""A hosted bot that has lost its connection has most likely ended. Its matches learn of the loss so much later: by then
they know how its process ended, if it has."""

PROGRAM_ENDED_NS: Final = 60_000_000_000
"""A process that takes longer than this to end hangs in the kernel: then its matches learn of the loss."""

_RUNS_ON: Final = "its program runs on without it"

MATCHES_PER_OPEN_DECISION: Final = 4
"""A session gets at most so many matches for each decision that it answers at a time."""

FAULTS_ALLOWED: Final = 2
FAULT_WINDOW_NS: Final = 3_600_000_000_000
"""One more fault of the connection within an hour ends the session."""


_REPLACED: Final = outgoing.Goodbye(
    outgoing.GoodbyeCode.REPLACED, "Another connection of this bot has taken the session over."
)


class Link(Protocol):
    """The connection of a session, as the session sees it."""

    round_trip: RoundTrip

    @property
    def silent(self) -> bool:
        """Whether nothing was heard for so many pings that the bot may have vanished."""

    def push(self, message: outgoing.Outgoing) -> None:
        """Write the message, in order, without blocking."""

    def end(self, ending: outgoing.Goodbye) -> None:
        """End the connection with this message."""


class BotProcess(Protocol):
    """The process of a hosted bot, as its session sees it."""

    def read_output(self) -> None:
        """Keep what it has printed so far with the matches that it plays."""

    @property
    def is_ending(self) -> bool:
        """Whether it has ended in a way that is not known yet."""

    def processor(self, started: int, now: int) -> ProcessorUse | None:
        """Return its processor use in this span of time."""


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
        """The one before, valid until the bot says anything: the newest may never have reached it."""
        self.preferences = Preferences()
        self.capacity = Capacity()
        self.link: Link | None = None
        self.lost_at: int | None = None
        self.taking_since: int | None = None
        """Since when it has had a connection and room for matches without a break; None if it has not."""
        self.seats: dict[int, AssignedSeat] = {}
        self.window = DecisionWindow(timers)
        self._timers = timers
        self._assignments = 0
        self._ends: list[tuple[int, outgoing.Outgoing]] = []
        self._faults: list[int] = []
        self.process: BotProcess | None = None
        """Set for a hosted bot."""
        self.retired = False
        """Whether it takes no more matches, whatever its bot says; those that it plays continue."""

    @property
    def name(self) -> str:
        """The id on the wire."""
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
        """Whether it has no connection, or a silent one and no open decision that explains the silence."""
        return self.link is None or (self.link.silent and not self.window.has_open)

    @property
    def round_trip(self) -> RoundTrip | None:
        """The network time of the connection."""
        return self.link.round_trip if self.link else None

    @property
    def playing(self) -> int:
        """Seats that take up capacity: those that have not forfeited."""
        return sum(1 for seat in self.seats.values() if not seat.forfeited) if self.seats else 0

    @property
    def match_limit(self) -> int:
        """How many matches it takes, those being played included."""
        return min(self.capacity.matches, MATCHES_PER_OPEN_DECISION * self.capacity.decision_limit)

    @property
    def free(self) -> int:
        """How many more matches it takes; less than 0 if it plays more than its bot takes by now."""
        return self.match_limit - self.playing

    def plays(self, game: str, rules_version: int) -> bool:
        """Return whether the bot takes matches by these rules."""
        versions = self.games.get(game)
        return versions is not None and (not versions or rules_version in versions) and not self.retired

    def read_output(self) -> None:
        """Keep what the process of a hosted bot has printed so far."""
        if self.process is not None:
            self.process.read_output()

    def processor(self, started: int, now: int) -> ProcessorUse | None:
        """Return the processor use of the bot's process in this span; None if that is not known."""
        return None if self.process is None else self.process.processor(started, now)

    def new_seat(self) -> AssignedSeat:
        """Return a seat with the next assignment number, to be offered by a match."""
        self._assignments += 1
        seat = AssignedSeat(self, self._assignments)
        self.seats[seat.assignment] = seat
        return seat

    def adopt(self, seat: AssignedSeat) -> None:
        """Take over a seat of a lost session, under a new assignment number."""
        self._assignments += 1
        seat.session = self
        seat.assignment = self._assignments
        self.seats[seat.assignment] = seat
        if seat.out:
            self.window.add_open(seat)

    def drop(self, seat: AssignedSeat) -> None:
        """Forget a seat whose match is over."""
        self.seats.pop(seat.assignment, None)
        self.window.remove(seat)
        self.window.release_held()

    def set_capacity(self, capacity: Capacity) -> None:
        """Set how much the bot takes from now on."""
        self.capacity = capacity
        self.window.limit = capacity.decision_limit
        self._note_taking()
        self.window.release_held()

    # The connection

    def push(self, message: outgoing.Outgoing) -> None:
        """Send the message if there is a connection."""
        if self.link is not None:
            self.link.push(message)

    def keep_and_push(self, message: outgoing.Outgoing) -> None:
        """Send the end of a match, and again if the bot comes back soon, since it may never have arrived."""
        now = self._timers.now()
        while self._ends and now - self._ends[0][0] > self.ends_repeated_ns:
            self._ends.pop(0)
        self._ends.append((now, message))
        self.push(message)

    @property
    def ends_repeated_ns(self) -> int:
        """How long ends are repeated to a bot that comes back."""
        return PROGRAM_ENDS_REPEATED_NS if self.identity.hosted else ENDS_REPEATED_NS

    @property
    def has_ends_to_repeat(self) -> bool:
        """Whether a match ended so lately that its end would be repeated."""
        return bool(self._ends) and self._timers.now() - self._ends[-1][0] < self.ends_repeated_ns

    def leave(self) -> None:
        """Note that the bot has left in good order and has received everything."""
        self._ends.clear()

    def connect(self, link: Link, preferences: Preferences) -> None:
        """Use a new connection; one before it is replaced."""
        self.preferences = preferences
        self.replace_link()
        self.link = link
        self.window.connected = True
        self.lost_at = None
        self._note_taking()

    def _note_taking(self) -> None:
        """Update `taking_since`."""
        if not (self.present and self.match_limit):
            self.taking_since = None
        elif self.taking_since is None:
            self.taking_since = self._timers.now()

    def replace_link(self) -> None:
        """End the connection, if there is one: another one has taken over what it held."""
        if self.link is not None:
            self.link.end(_REPLACED)

    def repeat_all(self) -> None:
        """Repeat, after a comeback, the latest ends and then every running match."""
        now = self._timers.now()
        for ended_at, message in self._ends:
            if now - ended_at <= self.ends_repeated_ns:
                self.push(message)
        for seat in list(self.seats.values()):
            seat.returned(now)

    def disconnect(self, link: Link, why: str = "") -> bool:
        """Note that a connection has ended. Return False if it was not the one in use.

        `why`: what the bot has done that ended it, a sentence part without a full stop; empty if that is not known.
        """
        if self.link is not link:
            return False
        now = self._timers.now()
        self.link = None
        self.window.connected = False
        self.lost_at = now
        self._note_taking()
        if self.identity.hosted:
            self._timers.call_at(now + PROGRAM_END_NS, lambda: self._check_absence(now, why))
        else:
            self._seats_lost(now, why)
        self.window.release_held()
        return True

    def _check_absence(self, since: int, why: str) -> None:
        """Note the loss of a hosted bot's connection, unless it is back or its process is ending."""
        if self.lost_at != since or self.present:
            return
        now = self._timers.now()
        ending = self.process is not None and self.process.is_ending
        # A process that has filled its memory takes a while to end, on a busy machine above all.
        if ending and now - since < PROGRAM_ENDED_NS:
            self._timers.call_at(now + PROGRAM_END_NS, lambda: self._check_absence(since, why))
        else:
            self._seats_lost(now, why or _RUNS_ON)

    def _seats_lost(self, now: int, why: str) -> None:
        for seat in list(self.seats.values()):
            if not (self.identity.hosted and seat.forfeited):
                seat.lost(now, why)

    def fault(self, why: str) -> bool:
        """Note a fault of the connection by the bot. Return True if it was one too many: all seats are forfeited."""
        now = self._timers.now()
        self._faults.append(now)
        while now - self._faults[0] > FAULT_WINDOW_NS:
            self._faults.pop(0)
        if len(self._faults) <= FAULTS_ALLOWED:
            return False
        self.forfeit_all(f"{why}, the third fault of its connection within an hour")
        return True

    def forfeit_all(self, why: str) -> None:
        """Forfeit all seats: the session is ended for good. `why`: a sentence part without a full stop."""
        self.end_seats(lambda decision: verdicts.session_ended(decision, why))

    def void_seats(self, cause: VoidCause) -> None:
        """Make the matches of its seats void by a fault of the arena."""
        for seat in list(self.seats.values()):
            seat.match.void(cause)

    def end_seats(self, ending: Callable[[int], SeatEnding]) -> None:
        """Forfeit all seats, each with the ending for its open decision (0: none)."""
        now = self._timers.now()
        for seat in list(self.seats.values()):
            seat.match.ended(seat.seat, ending(seat.open.decision if seat.open else 0), now)
