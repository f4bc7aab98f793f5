"""Why a bot gets no match at this moment: one word, the same wherever it is asked, and a sentence part."""

from dataclasses import dataclass
from enum import Enum


class UnavailableReason(Enum):
    """Why a bot gets no match; the numbers of proto/arena/v1/bot.proto."""

    HIDDEN = 1
    OWNER_INACTIVE = 2
    """Its owner is disabled, or a spectator."""
    SUSPENDED = 3
    """The version that the arena runs kept failing."""
    PAUSED = 4
    """It was not ready in time."""
    NOT_CONNECTED = 5
    NOT_HOSTED = 6
    """Only bots that the arena runs play there."""
    HOSTING_UNAVAILABLE = 7
    """The arena can start no program of it now."""
    NO_CAPACITY = 8
    """It is connected, and asks for no matches."""
    FULL = 9
    """It plays as many matches as it takes at once."""
    GAME_NOT_PLAYED = 10
    RESERVED = 11
    """Its room is kept for matches that wait to begin."""
    NOT_ENTERED = 12
    """It is on no ladder."""
    LOCKED = 13
    """An organiser has withdrawn it, and only an organiser can enter it again."""
    REJECTED = 14
    """Its newest submission was rejected."""


@dataclass(frozen=True, slots=True)
class Unavailability:
    """Why a bot gets no match at this moment."""

    reason: UnavailableReason
    sentence: str
    """A sentence part about this case."""


def not_connected(more: str = "") -> Unavailability:
    """Return the unavailability of a bot without a connection. `more`: what else there is to say."""
    return Unavailability(UnavailableReason.NOT_CONNECTED, f"it is not connected{more}")
