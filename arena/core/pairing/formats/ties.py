"""A tie of a knockout: up to `best_of` match groups of the same bots, and who advances."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Final, Protocol, runtime_checkable

from arena.core.pairing.formats.outcomes import group_points, score_share, was_played
from arena.core.pairing.formats.plan import Bracket, Format, History, PlayedPairing
from arena.core.tournaments import WIN_MILLI

EXTRA_GROUPS: Final = 3
"""The most groups, one at a time, that a tie has beyond `best_of` while points and score are equal."""


class TieEnd(Enum):
    """What decided a tie."""

    BYE = 1
    """There was no opponent."""
    WALKOVER = 2
    """A bot had withdrawn."""
    POINTS = 3
    """Points of its groups."""
    SCORE = 4
    """The score in all pairs of its groups, after equal points."""
    SEED = 5
    """The better seed, after equal points and score."""
    NOT_NEEDED = 6
    """It was not played: the second match of a grand final whose first the winner of the winners' bracket has won."""


@dataclass(frozen=True, slots=True)
class TieResult:
    """The end of a tie."""

    order: tuple[str, ...]
    """Its bots, best first; the first `advance` of them advance."""
    end: TieEnd


@dataclass(frozen=True, slots=True)
class BracketTie:
    """One tie of a bracket for those who show it, whether it is decided or not."""

    number: int
    """`RoundPairing.table` of its groups."""
    bracket: Bracket
    level: int
    """Its round within the bracket, from 1."""
    bots: tuple[str | None, ...]
    """Best seed first; None: not known yet, or a bye if the tie is decided."""
    points_milli: tuple[int, ...]
    """By bot, in all groups of the tie."""
    groups: int
    """Complete ones."""
    result: TieResult | None
    stage: int = 1
    pool: int = 0
    advance: int = 1
    """So many of its bots advance; 1 in a final."""


def tie_points(bots: Sequence[str], groups: Collection[PlayedPairing]) -> dict[str, int]:
    """Return the points of each bot in these groups, in thousandths."""
    points = dict.fromkeys(bots, 0)
    for played in groups:
        for bot, scored in zip(played.pairing.bots, group_points(played), strict=True):
            points[bot] += scored
    return points


def decide(
    bots: Sequence[str],
    groups: Sequence[PlayedPairing],
    entered: Collection[str],
    *,
    best_of: int,
    advance: int = 1,
) -> TieResult | int:
    """Return the end of a tie, or how many groups of it are played next, 1 or more.

    `bots`: best seed first. `entered`: those that have not withdrawn. It is decided as soon as the remaining groups
    cannot change who advances; a bot that withdraws later has won it all the same. If nobody turned up in a group, what
    has been played until then decides.
    """
    points = tie_points(bots, groups)
    share = {bot: _share(bot, groups) for bot in bots}
    order = sorted(
        bots, key=lambda bot: (points[bot], share[bot]), reverse=True
    )  # is stable: then the better seed
    last, first_out = order[advance - 1], order[advance]
    lead, equal = points[last] - points[first_out], share[last] == share[first_out]
    left, most = best_of - len(groups), (len(bots) - 1) * WIN_MILLI
    open_by_play = lead <= left * most if left > 0 else not lead and equal and left > -EXTRA_GROUPS
    if open_by_play and not all(bot in entered for bot in bots):
        return TieResult(tuple(sorted(order, key=lambda bot: bot not in entered)), TieEnd.WALKOVER)
    nobody = bool(groups) and not was_played(groups[-1]) and all(groups[-1].absent)
    if open_by_play and not nobody:
        return next((more for more in range(1, left + 1) if lead + more * most > (left - more) * most), 1)
    return TieResult(tuple(order), TieEnd.POINTS if lead else TieEnd.SEED if equal else TieEnd.SCORE)


def _share(bot: str, groups: Sequence[PlayedPairing]) -> Fraction:
    places = ((played, played.pairing.bots.index(bot)) for played in groups)
    return score_share((played.score_milli[place], played.pairs[place]) for played, place in places)


@runtime_checkable
class Bracketed(Protocol):
    """A format that has ties."""

    def ties(self, history: History) -> tuple[BracketTie, ...]:
        """Return all ties, decided or not; those that decide who is in a tie come before it."""


def ties_of(form: Format, history: History) -> tuple[BracketTie, ...]:
    """Return the ties of a tournament as far as they are known; none if its format has no brackets."""
    return form.ties(history) if isinstance(form, Bracketed) else ()
