"""What every part of the arena knows of a tournament: how it is planned, and where it stands."""

from __future__ import annotations

from enum import Enum


class TournamentFormat(Enum):
    """How pairings are planned; the numbers of proto/arena/v1/tournament.proto."""

    ROUND_ROBIN = 1
    """Every choice of as many bots as a match has seats is one pairing."""
    CHALLENGE = 2
    """One pairing of the bots named."""


class TournamentState(Enum):
    """Where a tournament stands; the numbers of proto/arena/v1/tournament.proto."""

    PLANNED = 1
    """No match has begun."""
    RUNNING = 2
    PAUSED = 3
    """No match is begun for the time being."""
    FINISHED = 4
    """All matches of the plan have ended."""
