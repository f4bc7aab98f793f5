"""A match as data: what is fixed before it, what is recorded of it, how it came out."""

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from arena.core.clock.time_control import TimeControl
from arena.core.endings.terminations import SeatEnding


class LineSource(Enum):
    """Where a debug line comes from; the numbers of proto/arena/v1/match.proto."""

    MESSAGE = 1
    """The bot has sent it, as a `debug` message."""
    STDOUT = 2
    """Its program has written it to standard output. Only of bots that the arena runs itself."""
    STDERR = 3
    """The same of standard error."""
    EXCEPTION = 4
    """The bot has sent it, as a `debug` message that names an exception of its code."""


class DebugLine(NamedTuple):
    """A private line for the owner of a bot: what it has sent, or what its program has printed."""

    decision: int
    """The decision that it belongs to; 0 for the match as a whole."""
    text: str
    source: LineSource = LineSource.MESSAGE


class MatchState(Enum):
    """Where a match stands; the numbers of proto/arena/v1/match.proto."""

    PENDING = 1
    RUNNING = 2
    FINISHED = 3
    ABORTED = 4
    """Void by the arena's fault; replayed as a new match."""
    NO_CONTEST = 5
    """Void because nobody was left; not replayed."""


class SeedPolicy(Enum):
    """Where a match's seed comes from; the numbers of proto/arena/v1/match_log.proto."""

    DERIVED = 1
    """From a secret, each match of a group its own."""
    SHARED = 2
    """From a secret, one for the whole group."""
    FIXED = 3
    """Given by hand; unrated."""


class Cause(Enum):
    """How an action came about; the numbers of proto/arena/v1/match_log.proto."""

    CHOSEN = 1
    TIME_FORFEIT = 2
    ILLEGAL_ACTION = 3
    FORFEITED = 4
    GIVEN = 5
    """Played in the match that this one plays on from; no seat was asked."""

    @property
    def asked(self) -> bool:
        """Whether a seat was asked for it, and had a clock."""
        return self not in (Cause.FORFEITED, Cause.GIVEN)


@dataclass(frozen=True, slots=True)
class SeatHolder:
    """Who sits on a seat: ids, not resource names."""

    bot: str
    version: str


@dataclass(frozen=True, slots=True)
class SuitePlace:
    """The entry of a suite that a match was set up from (`arena.core.suites`)."""

    suite: str
    """The suite's name; the hash says which one it was."""
    sha256: str
    """64 hex digits."""
    entry: str


@dataclass(frozen=True, slots=True)
class Continuation:
    """The match that another one plays on from."""

    log: str
    """The name of its log, 64 hex digits."""
    plies: int
    """The number of its plies that are given, from the first one on."""


@dataclass(frozen=True, slots=True)
class MatchSetup:
    """What is fixed before a match begins."""

    match: int
    """The id in "matches/{match}"."""
    ladder: str | None
    tournament: str | None
    group: int
    """The id of the match group, "g{group}" on the wire."""
    seed_group_index: int
    """k of the seed's derivation (docs/rules/randomness.md); 0 for all matches that share a seed."""
    seed_attempt: int
    """The attempt of the seed's derivation: a replay on a shared seed has that of the void match."""
    game: str
    rules_version: int
    options: object
    """The game's own Options."""
    seats: tuple[SeatHolder, ...]
    time_control: TimeControl
    seed: bytes
    """32 bytes."""
    seed_policy: SeedPolicy
    secret_commitment: bytes
    """32 bytes, or empty for a fixed seed."""
    rated: bool
    place: int = 0
    """In its group, from 0."""
    replay: int = 0
    """How many void matches were played in this place before it."""
    replay_of: int | None = None
    """The void match that it is played instead of; None if it is no replay."""
    suite: SuitePlace | None = None
    """Where the seed was taken from; None if it was not an entry of a suite."""
    continued_from: Continuation | None = None
    """None if it begins with the set-up."""


@dataclass(frozen=True, slots=True)
class NoteRecord:
    """Something worth knowing that changes nothing."""

    at_ns: int
    """Since the match began."""
    seat: int | None
    what: str
    """One word, for example `CONNECTION_LOST`."""
    text: str


@dataclass(frozen=True, slots=True)
class SeatResult:
    """How one seat came out. Times in nanoseconds."""

    placing: int
    """1 is best; shared by ties. 0 in a void match."""
    score: int
    ending: SeatEnding
    decisions: int
    used_ns: int
    longest_ns: int
    """The longest thinking time of one decision."""
    strikes: int


@dataclass(frozen=True, slots=True)
class MatchResult:
    """How a match came out."""

    state: MatchState
    """FINISHED, ABORTED or NO_CONTEST."""
    ending: str
    """The rules' own word, or one of ENDED_BY_FORFEIT; empty if void."""
    plies: int
    seats: tuple[SeatResult, ...]
    duration_ns: int
    void_reason: str
    """One sentence; empty for FINISHED."""
    digest: bytes
    """8 bytes of the last position's digest."""


DIGEST_EVERY = 32
"""A digest is recorded at every such ply, and of the last position."""

LAST_STANDING = "LAST_STANDING"
"""The ending of a match in which one seat was left."""

SOLO_FORFEIT = "FORFEIT"
"""The ending of a match that all its seats have forfeited: its only one, or each of them before it began."""

ENDED_BY_FORFEIT = frozenset({LAST_STANDING, SOLO_FORFEIT})
"""The endings of matches that forfeits ended before the game's own end: they have no scores."""

FORFEIT = "forfeit"
"""The word of the note that a seat has forfeited."""

ILLEGAL_ANSWER = "illegal_action"
"""The word of the note that says why an answer was not legal."""

CLOCK_OFF = "clock_off"
"""The word of the note that a seat's time is not counted: a person debugs its program."""

CONNECTION_LOST = "connection_lost"
"""The word of the note that a seat's bot is gone."""

CONNECTION_BACK = "connection_back"
"""The word of the note that it has come back."""
