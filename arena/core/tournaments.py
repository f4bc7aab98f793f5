"""What every part of the arena knows of a tournament: how it is planned, and where it stands."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from itertools import chain, permutations
from typing import Final

from arena.core.finished_match import FinishedMatch


class TournamentFormat(Enum):
    """How pairings are planned; the numbers of proto/arena/v1/tournament.proto."""

    ROUND_ROBIN = 1
    """Every choice of as many bots as a match has seats is one pairing."""
    CHALLENGE = 2
    """One pairing of the bots named."""
    GAUNTLET = 3
    """Challengers against a field."""
    SWISS = 4
    """In each round bots of about equal scores meet that have not met before."""
    KNOCKOUT = 5
    """Who loses a tie is out."""
    DOUBLE_ELIMINATION = 6
    """Who loses two ties is out."""
    STAGES = 7
    """Several formats one after another; the best of each stage go on."""
    GATE = 8
    """Two versions of a bot on the same set-ups against the same field, until a sequential test has decided."""


PLANNED_AT_ONCE: Final = frozenset({TournamentFormat.ROUND_ROBIN, TournamentFormat.CHALLENGE})
"""Their plan is known as a whole before the first match; others are planned round by round."""


def matches_of_pairing(kind: TournamentFormat, seats: int) -> int:
    """Return how many matches a pairing has: one for each rotation of its seats, in a gate for each of two bots."""
    return 2 * seats if kind is TournamentFormat.GATE else seats


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


@dataclass(slots=True)
class TournamentStanding:
    """One line of the standings."""

    rank: int
    """1 is best; equals share it. NO_RANK: it has not played."""
    bot: str
    score_milli: int = 0
    """In all its pairs."""
    pairs: int = 0
    """One for every other bot of every match with a result."""
    matches: int = 0
    """With a result."""
    firsts: int = 0
    """Matches placed first in, ties included."""
    forfeits: int = 0
    not_played: int = 0
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


def _merit(line: TournamentStanding) -> tuple[Fraction, Fraction]:
    """Return what ranks: the score per pair, then first places per match; a bot that has not played has none."""
    if not line.pairs:
        return Fraction(-1), Fraction(0)
    return Fraction(line.score_milli, line.pairs), Fraction(line.firsts, line.matches)


def crosstable(
    bots: Sequence[str],
    played: Iterable[FinishedMatch],
    not_played: Iterable[Sequence[str]],
    ranking: Iterable[Sequence[str]] | None = None,
) -> Crosstable:
    """Return the standings and crosstable of these bots, whatever order the matches come in.

    `not_played`: the bots of each match that ended without a result; `ranking`: all bots as their format ranks them,
    those of one sequence equal; None: by score per pair.
    """
    lines = {bot: TournamentStanding(NO_RANK, bot) for bot in bots}
    cells: defaultdict[tuple[str, str], Cell] = defaultdict(Cell)
    for match in played:
        for bot, placing, forfeited in zip(match.bots, match.placings, match.forfeited, strict=True):
            line = lines[bot]
            line.matches += 1
            line.firsts += placing == 1
            line.forfeits += forfeited
        for (bot, placing), (other, others) in permutations(zip(match.bots, match.placings, strict=True), 2):
            score = TIE_MILLI if placing == others else WIN_MILLI if placing < others else 0
            lines[bot].score_milli += score
            lines[bot].pairs += 1
            before = cells[bot, other]
            cells[bot, other] = Cell(before.score_milli + score, before.matches + 1)
    for bot in chain.from_iterable(not_played):
        lines[bot].not_played += 1
    if ranking is None:
        merit = {bot: _merit(line) for bot, line in lines.items()}
        for bot, line in lines.items():
            line.rank = 1 + sum(other > merit[bot] for other in merit.values()) if line.matches else NO_RANK
        order = sorted(bots, key=merit.__getitem__, reverse=True)
    else:
        order = []
        for equals in ranking:
            rank = len(order) + 1
            for bot in equals:
                lines[bot].rank = rank
            order.extend(equals)
    return Crosstable(
        standings=tuple(lines[bot] for bot in order),
        cells=tuple(tuple(cells[bot, other] for other in order) for bot in order),
    )
