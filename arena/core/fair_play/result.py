"""A match as the fair play report sees it: who met, when, and how it came out."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class MatchOutcome:
    """One finished match. Tuples are by seat; no bot has two seats."""

    match: int
    group: int
    """Its match group: its matches count as one observation."""
    bots: tuple[str, ...]
    placings: tuple[int, ...]
    """1 is best, ties share."""
    forfeited: tuple[bool, ...]
    """Whether the seat lost by its own fault. Not by resigning: who resigns when he has lost does so where he loses,
    most of all against the strongest, so what that says is in the placings."""
    started_us: int = 0
    """When it began; microseconds of any one clock."""
    ended_us: int = 0

    def score(self, one: str, other: str) -> float:
        """What the bot made of the other one: 1, 1/2 for a tie, 0."""
        mine, theirs = (self.placings[self.bots.index(bot)] for bot in (one, other))
        return 1.0 if mine < theirs else 0.5 if mine == theirs else 0.0

    def lost_by_fault(self, bot: str) -> bool:
        """Whether the bot forfeited."""
        return self.forfeited[self.bots.index(bot)]
