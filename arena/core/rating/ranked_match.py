"""A match as the refit of ratings sees it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RankedMatch:
    """Who sat where in a match, and how they were placed."""

    players: tuple[str, ...]
    """By seat; a player is what is rated, for example a bot version."""
    placings: tuple[int, ...]
    """By seat; 1 is best, ties share."""
    group: int | None = None
    """Matches with the same number are one match group; None: it stands alone."""

    def __post_init__(self) -> None:
        """Raises ValueError for what is no match between players."""
        if len(self.players) < 2 or len(self.placings) != len(self.players):
            raise ValueError(f"a match has two seats or more, each with a placing: {self}")
        if len(set(self.players)) < len(self.players):
            raise ValueError(f"a player has one seat of a match: {self}")
