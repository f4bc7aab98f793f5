"""Candidates for the match groups of a ladder, and its rules for groups."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

RECENT_GROUPS: Final = 64
"""The number of newest groups that count for opponents met and for the balance of seat counts."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A bot of the ladder that is present and not paused."""

    bot: str
    owner: str
    rating_milli: int
    uncertainty_milli: int
    waited: int
    """Groups made on the ladder since its last one, or since it joined."""
    free: int
    """Matches it could begin now."""
    running_groups: int
    """Groups of the ladder that it is in and that are not complete."""
    willing: bool = True
    """Whether it takes matches of the ladder at all: if it only has no room now, it can be waited for."""
    behind: int | None = None
    """How far its share of the groups is behind the mean (arena.core.pairing.shares); None if that is not counted."""


@dataclass(frozen=True, slots=True)
class PairingRules:
    """A ladder's rules for its groups."""

    seat_counts: tuple[int, ...]
    """Of its matches, each at least 1."""
    same_owner: bool
    """Whether bots of one owner may meet."""


def waiting_bound(candidates: int) -> int:
    """Return the most groups in a row, of so many candidates, that leave out a bot that is free each time."""
    return 2 * candidates - 1


def wait_bound(candidates: int, waited: int) -> int:
    """Return the most further groups before a bot that has waited for `waited` is in one, if it is free each time."""
    return candidates + max(0, candidates - waited)
