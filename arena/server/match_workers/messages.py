"""What an arena and a worker tell each other: one class for each message."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from arena.core.endings.arena_faults import VoidCause
from arena.core.endings.terminations import Termination
from arena.core.match import DebugLine
from arena.core.match_record import MatchRecord
from arena.hosting.host.process import ProcessDeparture
from arena.sandbox.runtimes import Runtime
from arena.scheduling.dispatch import MatchTicket, NotBegun, PlayedMatch

# From the arena


@dataclass(frozen=True, slots=True)
class Configure:
    """The first message: what the worker works with."""

    name: str
    """For logs, for example "worker 2"."""
    data: Path
    """The data folder of the arena."""
    runtimes: Mapping[str, Runtime]
    """The organiser's runtimes, by name."""
    sockets: Path
    """The folder for the sockets of its programs."""
    uids: tuple[int, int]
    """The first uid for its programs, and the one behind the last."""
    json_logs: bool


@dataclass(frozen=True, slots=True)
class Play:
    """Have the bots of a match take their seats."""

    ticket: MatchTicket


@dataclass(frozen=True, slots=True)
class Begin:
    """Begin the match."""

    match: int


@dataclass(frozen=True, slots=True)
class Withdraw:
    """Cancel the match: it has not begun."""

    match: int
    why: str


@dataclass(frozen=True, slots=True)
class MakeVoid:
    """Make the match void."""

    match: int
    cause: VoidCause


@dataclass(frozen=True, slots=True)
class Close:
    """Let go of the match. `report`: what the bots are sent; None: nothing."""

    match: int
    report: MatchRecord | None


@dataclass(frozen=True, slots=True)
class ShowRecords:
    """Send the records of the match that spectators may see, from now on as they come."""

    match: int


@dataclass(frozen=True, slots=True)
class SendLines:
    """Send the private lines of a seat so far."""

    match: int
    seat: int


@dataclass(frozen=True, slots=True)
class LeavePrograms:
    """Let the programs leave that do not play: their places are needed."""


@dataclass(frozen=True, slots=True)
class Drain:
    """Announce to the bots that the arena closes."""

    within_ms: int


@dataclass(frozen=True, slots=True)
class Stop:
    """End the programs, then the worker."""


# From the worker


@dataclass(frozen=True, slots=True)
class Beat:
    """The worker runs."""

    stalled_s: float = 0.0
    """For how long it stood still since its last beat."""


@dataclass(frozen=True, slots=True)
class Seated:
    """All bots of the match have taken their seats."""

    match: int


@dataclass(frozen=True, slots=True)
class Over:
    """How the match has ended, or that it does not begin."""

    match: int
    how: NotBegun | PlayedMatch


@dataclass(frozen=True, slots=True)
class Records:
    """More records that spectators may see."""

    match: int
    records: tuple[bytes, ...]
    forfeits: tuple[tuple[int, Termination], ...]
    """How seats were ended that have forfeited by now."""


@dataclass(frozen=True, slots=True)
class Lines:
    """The private lines of a seat."""

    match: int
    seat: int
    lines: tuple[DebugLine, ...]


@dataclass(frozen=True, slots=True)
class Programs:
    """The bots whose programs run, one entry for each program."""

    bots: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ProgramStarted:
    """A program was started."""


@dataclass(frozen=True, slots=True)
class ProgramMissing:
    """A program could not be started: the files of its version are not there. `why`: a sentence part."""

    bot: str
    version: str
    why: str


@dataclass(frozen=True, slots=True)
class ProgramHello:
    """A program has said hello, after so many seconds: what it takes."""

    bot: str
    version: str
    match_limit: int
    rules: dict[str, frozenset[int]]
    after_s: float


@dataclass(frozen=True, slots=True)
class ProgramDeparted:
    """A program has ended."""

    bot: str
    version: str
    departure: ProcessDeparture
    played: int
    waited_s: float
    """How long it was ready to run and got no processor."""


FromArena = (
    Configure
    | Play
    | Begin
    | Withdraw
    | MakeVoid
    | Close
    | ShowRecords
    | SendLines
    | LeavePrograms
    | Drain
    | Stop
)

FromWorker = (
    Beat
    | Seated
    | Over
    | Records
    | Lines
    | Programs
    | ProgramStarted
    | ProgramMissing
    | ProgramHello
    | ProgramDeparted
)
