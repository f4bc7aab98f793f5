"""The level that a match of one seat has reached."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from arena.core.endings.terminations import SeatEnding
from engine.game import Game


class ScoredSeat(Protocol):
    """A seat of a match, wherever it is kept."""

    @property
    def score(self) -> int:
        """The game's score."""

    @property
    def ending(self) -> SeatEnding | None:
        """How it ended; None before the end."""


def solo_level(game: Game, ending: str, seats: Sequence[ScoredSeat]) -> str:
    """The rules' own word for the score of the only seat; empty if they have none, or the match has no such score.

    `ending`: of the match, empty if it has no result.
    """
    if len(seats) != 1 or not ending:
        return ""
    how = seats[0].ending
    return "" if how is None or how.forfeited else game.level(seats[0].score)
