"""The messages to a bot, before they are encoded."""

from dataclasses import dataclass
from enum import Enum

from arena.core.endings.terminations import SeatEnding
from arena.core.match import MatchSetup
from arena.core.referee.effects import CloseDecision, IgnoreAnswer
from arena.runner.history import Happening
from arena.runner.player import MatchOver
from arena.sessions.decision_window import Asked


class WarningCode(Enum):
    """What was odd; the numbers of Warning.Code in play.proto."""

    UNKNOWN_MESSAGE = 1
    UNEXPECTED_MESSAGE = 2
    OUT_OF_RANGE = 3
    DEBUG_CUT = 4
    NO_SHOW = 5
    PAUSED = 6
    EVALUATION_IGNORED = 7


class GoodbyeCode(Enum):
    """Why a connection ends; the numbers of Goodbye.Code in play.proto."""

    DONE = 1
    REPLACED = 2
    SHUTTING_DOWN = 3
    UNAUTHENTICATED = 4
    HELLO_EXPECTED = 5
    VERSION_UNSUPPORTED = 6
    MALFORMED_MESSAGE = 7
    MESSAGE_FLOOD = 8
    SLOW_READER = 9
    RESUME_INVALID = 10
    INTERNAL = 11
    RATE_LIMITED = 12


@dataclass(frozen=True, slots=True)
class Offered:
    """The offer of a seat."""

    assignment: int
    setup: MatchSetup
    seat: int


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """The end of an offer: the match does not begin."""

    assignment: int
    sentence: str


@dataclass(frozen=True, slots=True)
class Started:
    """The begin of a match, or its repetition after a comeback."""

    assignment: int
    setup: MatchSetup
    observation: object
    answers: tuple[tuple[int, tuple[int, ...]], ...] | None
    """After a comeback: (decision, actions) since the observation; None at the real start."""


@dataclass(frozen=True, slots=True)
class News:
    """What happened between decisions."""

    assignment: int
    game: str
    happened: list[Happening]


@dataclass(frozen=True, slots=True)
class Closed:
    """The end of a decision by its default."""

    assignment: int
    game: str
    closed: CloseDecision


@dataclass(frozen=True, slots=True)
class Ignored:
    """An answer without effect."""

    assignment: int
    ignored: IgnoreAnswer


@dataclass(frozen=True, slots=True)
class SeatOver:
    """The forfeit of the seat."""

    assignment: int
    ending: SeatEnding


@dataclass(frozen=True, slots=True)
class Ended:
    """The end of the match."""

    assignment: int
    game: str
    over: MatchOver


@dataclass(frozen=True, slots=True)
class Warned:
    """A warning."""

    code: WarningCode
    assignment: int
    """0 if it is about none."""
    sentence: str


@dataclass(frozen=True, slots=True)
class Draining:
    """The notice that the arena is going to shut down."""

    within_ms: int


@dataclass(frozen=True, slots=True)
class Goodbye:
    """The last message of a connection."""

    code: GoodbyeCode
    sentence: str
    reason: str = ""
    """As in google.rpc.ErrorInfo; empty when nothing was wrong."""
    come_back: bool = False
    come_back_after_ms: int = 0


Outgoing = (
    Offered
    | Withdrawn
    | Started
    | Asked
    | News
    | Closed
    | Ignored
    | SeatOver
    | Ended
    | Warned
    | Draining
    | Goodbye
)
