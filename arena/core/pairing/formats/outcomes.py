"""What a complete match group counts in any format: its points, and whether its bots have met."""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import combinations

from arena.core.pairing.formats.plan import PlayedPairing
from arena.core.tournaments import TIE_MILLI, WIN_MILLI


def was_played(played: PlayedPairing) -> bool:
    """Return whether a match of the group has a result; without one its bots have not met."""
    return any(played.pairs)


def duels(played: PlayedPairing) -> Iterator[tuple[int, int, int, int]]:
    """Yield each two places of a group with the points of the one and of the other, in thousandths.

    1000 for who scored more, 500 for equals. In a group without a result each bot that was there beats all that were
    absent, absent bots get nothing, and bots that were there are equal. So a void group is a draw.
    """
    there = [True] * len(played.pairs)
    if was_played(played):
        merits = [_share(score, pairs) for score, pairs in zip(played.score_milli, played.pairs, strict=True)]
    else:
        there = [not missing for missing in played.absent]
        merits = [Fraction(present) for present in there]
    for one, other in combinations(range(len(merits)), 2):
        if merits[one] == merits[other]:
            tie = TIE_MILLI if there[one] else 0
            yield one, other, tie, tie
        else:
            won = merits[one] > merits[other]
            yield one, other, WIN_MILLI * won, WIN_MILLI * (not won)


def group_points(played: PlayedPairing) -> tuple[int, ...]:
    """Return the points of a group in thousandths, by bot: the sum of its duels."""
    points = [0] * len(played.pairs)
    for one, other, ones, others in duels(played):
        points[one] += ones
        points[other] += others
    return tuple(points)


def score_share(scores: Iterable[tuple[int, int]]) -> Fraction:
    """Return the score per pair of groups, in thousandths, from (score_milli, pairs); 0 without a pair."""
    listed = list(scores)
    return _share(sum(score for score, _ in listed), sum(pairs for _, pairs in listed))


def _share(score: int, pairs: int) -> Fraction:
    return Fraction(score, pairs) if pairs else Fraction(0)


def ranked(
    entrants: Iterable[str], merit: dict[str, tuple[Fraction | int, ...]]
) -> tuple[tuple[str, ...], ...]:
    """Return the entrants by merit, the greatest first; equals share a rank, in the order given."""
    by_merit: dict[tuple[Fraction | int, ...], list[str]] = {}
    for bot in entrants:
        by_merit.setdefault(merit[bot], []).append(bot)
    return tuple(tuple(by_merit[each]) for each in sorted(by_merit, reverse=True))
