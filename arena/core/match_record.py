"""A match on record: what the arena knows of it, before, during and after play."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from arena.core.clock.time_control import TimeControl
from arena.core.endings.terminations import SeatEnding
from arena.core.match import MatchState, SeedPolicy

OPEN_STATES: Final = (MatchState.PENDING, MatchState.RUNNING)
"""The states of a match that has not ended."""


@dataclass(frozen=True, slots=True)
class MatchTerms:
    """What is fixed of a match before its bots are: all matches of a group have it in common."""

    game: str
    rules_version: int
    options: Mapping[str, str]
    """All options by name as text."""
    time_control: TimeControl
    rated: bool
    ladder: str | None = None
    tournament: str | None = None


@dataclass(frozen=True, slots=True)
class SeatRecord:
    """One seat of a match. Before the end all but bot, version and no-shows are 0 or None.

    A seat that is forfeited before its match begins has its ending already.
    """

    bot: str
    version: str | None
    """The label of the version that plays; None before the match has begun."""
    placing: int
    score: int
    ending: SeatEnding | None
    decisions: int
    used_us: int
    longest_us: int
    strikes: int
    no_shows: int = 0
    """How often its bot was not ready in time; 0 again in a replay."""


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """A match with its seats."""

    id: int
    terms: MatchTerms
    group: int
    slot: int
    """Its place in the group, from 0; a replay has the slot of the void match."""
    voids: int
    """How many matches of this slot were void before it."""
    seed_group_index: int
    """k of the seed's derivation (docs/rules/randomness.md): the slot, or 0 for all matches that share a seed."""
    seed_attempt: int
    """The attempt of the seed's derivation: not every replay has a new one."""
    state: MatchState
    ending: str
    plies: int
    seed_commitment: bytes
    seed: bytes | None
    """None before the end, and when a replay uses the same seed."""
    log: str
    """The name of the log, 64 hex digits; empty if there is none."""
    void_reason: str
    created_us: int
    started_us: int | None
    ended_us: int | None
    seed_policy: SeedPolicy
    group_complete: bool
    frozen: bool
    """Whether it counts after the standings of its ladder froze, and is for organisers until they are revealed."""
    replayed_as: int | None
    """The match that is played instead of this void one."""
    replay_of: int | None
    """The void match that this one is played instead of."""
    ruled_us: int | None
    """When the organiser ruled that it is void; None if they have not."""
    seats: tuple[SeatRecord, ...]

    @property
    def bots(self) -> tuple[str, ...]:
        """The bots by seat."""
        return tuple(seat.bot for seat in self.seats)

    @property
    def ended(self) -> bool:
        """Whether it has ended, in any way."""
        return self.state not in OPEN_STATES

    @property
    def left_to_organiser(self) -> bool:
        """Whether it is void and its place in the group waits for the organiser's decision."""
        decided = self.group_complete or self.replayed_as is not None or self.ruled_us is not None
        return self.state is MatchState.ABORTED and not decided

    @property
    def sealed(self) -> bool:
        """Whether seed and log must not be shown yet: another match may still be played on the seed."""
        if not self.ended:
            return True
        return not self.group_complete and (self.seed_policy is SeedPolicy.SHARED or self.seed is None)
