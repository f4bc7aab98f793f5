"""What every part of the arena knows of a tournament: how it is planned, and where it stands."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from itertools import permutations
from typing import Final

from arena.core.finished_match import FinishedMatch


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


NO_RANK: Final = 0
"""Told as such in the .proto files."""


WIN_MILLI: Final = 1_000
TIE_MILLI: Final = 500


@dataclass(frozen=True, slots=True)
class TournamentStanding:
    """One line of the standings."""

    rank: int
    """1 is best; equals share it. NO_RANK: it has not played."""
    bot: str
    score_milli: int
    """In all its pairs."""
    pairs: int
    """One for every other bot of every match with a result."""
    matches: int
    """With a result."""
    firsts: int
    """Matches placed first in, ties included."""
    forfeits: int
    not_played: int
    """Matches that ended without a result."""


@dataclass(frozen=True, slots=True)
class Cell:
    """What one bot scored against another."""

    score_milli: int = 0
    matches: int = 0


@dataclass(frozen=True, slots=True)
class Crosstable:
    """Everything that a tournament has come to so far."""

    standings: tuple[TournamentStanding, ...]
    """Best first; equals in the order in which the bots were named."""
    cells: tuple[tuple[Cell, ...], ...]
    """A row for each line of the standings, a column for each row; a bot against itself has an empty cell."""


@dataclass(slots=True)
class _Tally:
    """What is counted of one bot."""

    against: dict[str, Cell] = field(default_factory=dict)
    matches: int = 0
    firsts: int = 0
    forfeits: int = 0
    not_played: int = 0

    @property
    def score_milli(self) -> int:
        """In all pairs."""
        return sum(cell.score_milli for cell in self.against.values())

    @property
    def pairs(self) -> int:
        """All pairs."""
        return sum(cell.matches for cell in self.against.values())

    @property
    def merit(self) -> tuple[Fraction, Fraction]:
        """What ranks: the score per pair, then first places per match; a bot that has not played has none."""
        if not self.pairs:
            return Fraction(-1), Fraction(0)
        return Fraction(self.score_milli, self.pairs), Fraction(self.firsts, self.matches)


def crosstable(
    bots: Sequence[str], played: Iterable[FinishedMatch], not_played: Iterable[Sequence[str]]
) -> Crosstable:
    """Return the standings and crosstable of these bots, whatever order the matches come in.

    `not_played`: the bots of each match that ended without a result.
    """
    tallies = {bot: _Tally() for bot in bots}
    for match in played:
        _count(tallies, match)
    for absent in not_played:
        for bot in absent:
            tallies[bot].not_played += 1
    order = sorted(bots, key=lambda bot: tallies[bot].merit, reverse=True)
    return Crosstable(
        standings=tuple(_standing(bot, tallies) for bot in order),
        cells=tuple(tuple(tallies[bot].against.get(other, Cell()) for other in order) for bot in order),
    )


def _count(tallies: dict[str, _Tally], match: FinishedMatch) -> None:
    for bot, placing, forfeited in zip(match.bots, match.placings, match.forfeited, strict=True):
        tally = tallies[bot]
        tally.matches += 1
        tally.firsts += placing == 1
        tally.forfeits += forfeited
    for (bot, placing), (other, others) in permutations(zip(match.bots, match.placings, strict=True), 2):
        before = tallies[bot].against.get(other, Cell())
        score = TIE_MILLI if placing == others else WIN_MILLI if placing < others else 0
        tallies[bot].against[other] = Cell(before.score_milli + score, before.matches + 1)


def _standing(bot: str, tallies: dict[str, _Tally]) -> TournamentStanding:
    tally = tallies[bot]
    better = sum(other.merit > tally.merit for other in tallies.values())
    return TournamentStanding(
        rank=better + 1 if tally.matches else NO_RANK,
        bot=bot,
        score_milli=tally.score_milli,
        pairs=tally.pairs,
        matches=tally.matches,
        firsts=tally.firsts,
        forfeits=tally.forfeits,
        not_played=tally.not_played,
    )
