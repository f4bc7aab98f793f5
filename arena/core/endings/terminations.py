"""How a seat ended, by whose fault, with the evidence and one sentence that explains it to its author."""

from dataclasses import dataclass
from enum import Enum


class Termination(Enum):
    """How a seat ended; the closed list of proto/arena/v1/ending.proto, with its numbers."""

    NORMAL = 1
    TIME_FORFEIT = 2
    ILLEGAL_ACTION = 3
    DISCONNECT = 4
    RESIGNATION = 5
    EXITED = 6
    SIGNALLED = 7
    MEMORY = 8
    PIDS = 9
    OUTPUT = 10
    FORBIDDEN_CALL = 11
    NO_SHOW = 12


class Fault(Enum):
    """Whose fault an ending was; the numbers of proto/arena/v1/ending.proto."""

    NONE = 1
    BOT = 2
    OPPONENT = 3
    NETWORK = 4
    ARENA = 5


@dataclass(frozen=True, slots=True)
class SeatEnding:
    """How one seat ended."""

    termination: Termination
    fault: Fault
    evidence: tuple[tuple[str, str], ...]
    """(fact, value) pairs in order, for example ("late_ms", "312")."""
    sentence: str

    @property
    def forfeited(self) -> bool:
        """Whether the seat lost by its own fault."""
        return self.termination is not Termination.NORMAL
