"""The standings of a ladder: from what is stored of each bot to ranked lines."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from arena.core.rating.rating import uncertainty_milli


@dataclass(frozen=True, slots=True)
class StandingRow:
    """What is known of a bot of a ladder. The counters are over rated matches of complete match groups."""

    bot: str
    language: str
    """Of its newest version, as it says."""
    rating_milli: int
    information: int
    """As in `arena.core.rating.rating.Rating`."""
    matches: int
    placing_sum: int
    forfeits: int
    decisions: int
    used_us: int
    """Thinking time of all decisions, in microseconds."""
    longest_us: int
    """Of one decision, in microseconds."""
    pending_matches: int
    """Rated matches of groups that are not complete."""


@dataclass(frozen=True, slots=True)
class StandingLine:
    """One line of the standings: the fields of arena.v1.Standing, in its units."""

    rank: int
    """1 is best; equal ratings share a rank."""
    bot: str
    rating_milli: int
    uncertainty_milli: int
    """Half the width of the 95 % interval."""
    matches: int
    mean_placing_milli: int
    """In thousandths; 0 before the first match."""
    forfeits: int
    decisions: int
    mean_think_us: int
    max_think_us: int
    language: str
    pending_matches: int


def standings(rows: Iterable[StandingRow]) -> tuple[StandingLine, ...]:
    """All bots of a ladder, best rating first; those of equal rating by id, sharing a rank (1, 2, 2, 4)."""
    ordered = sorted(rows, key=lambda row: (-row.rating_milli, row.bot))
    lines: list[StandingLine] = []
    for place, row in enumerate(ordered, start=1):
        shared = bool(lines) and lines[-1].rating_milli == row.rating_milli
        lines.append(standing_line(row, lines[-1].rank if shared else place))
    return tuple(lines)


def standing_line(row: StandingRow, rank: int) -> StandingLine:
    """The line of a bot of known rank: 1 + how many have a better rating. Means are rounded half to even."""
    return StandingLine(
        rank=rank,
        bot=row.bot,
        rating_milli=row.rating_milli,
        uncertainty_milli=uncertainty_milli(row.information),
        matches=row.matches,
        mean_placing_milli=_mean(row.placing_sum * 1_000, row.matches),
        forfeits=row.forfeits,
        decisions=row.decisions,
        mean_think_us=_mean(row.used_us, row.decisions),
        max_think_us=row.longest_us,
        language=row.language,
        pending_matches=row.pending_matches,
    )


def _mean(total: int, count: int) -> int:
    return round(Fraction(total, count)) if count else 0
