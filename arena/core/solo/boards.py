"""The summed boards of a solo ladder, in integers: its standings follow from them.

A *board* is a match group of one seat: one match for each bot, all on one seed where the game allows it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from arena.core.match import SeatResult
from arena.core.match_record import SeatRecord
from engine.game import Game


@dataclass(frozen=True, slots=True)
class SoloTotals:
    """All boards that exactly these players have played, summed up."""

    players: tuple[str, ...]
    """Bot versions, "{bot}/{label}", ascending."""
    count: int
    """How many boards."""
    scores: tuple[int, ...]
    """By player: the sum of its scores."""
    squares: tuple[int, ...]
    """By player: the sum of (n score - total)^2, n being the number of players and total their scores on that board."""

    def minus(self, other: SoloTotals) -> SoloTotals:
        """Remove the boards of `other`, which are among these."""
        return self.plus(other, sign=-1)

    def plus(self, other: SoloTotals, *, sign: int = 1) -> SoloTotals:
        """Add the boards of `other`, which has the same players; `sign`: -1 removes them."""
        if other.players != self.players:
            raise ValueError(f"the boards of {other.players} are not those of {self.players}")
        return SoloTotals(
            self.players,
            self.count + sign * other.count,
            tuple(a + sign * b for a, b in zip(self.scores, other.scores, strict=True)),
            tuple(a + sign * b for a, b in zip(self.squares, other.squares, strict=True)),
        )


def one_board(scores: Mapping[str, int]) -> SoloTotals:
    """Return the totals of a single board; `scores` by player, 0 for one that forfeited."""
    players = tuple(sorted(scores))
    total = sum(scores.values())
    return SoloTotals(
        players,
        1,
        tuple(scores[player] for player in players),
        tuple((len(players) * scores[player] - total) ** 2 for player in players),
    )


def solo_level(game: Game, ending: str, seats: Sequence[SeatResult | SeatRecord]) -> str:
    """Return the rules' own word for the score of the only seat; empty if there is none.

    `ending`: of the match, empty if it has no result.
    """
    if len(seats) != 1 or not ending:
        return ""
    how = seats[0].ending
    return "" if how is None or how.forfeited else game.level(seats[0].score)
