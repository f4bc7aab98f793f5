"""Formats whose only round is their whole plan: the ranking of round-robin and gauntlet."""

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction

from arena.core.errors import ErrorReason, FailedPreconditionError
from arena.core.pairing.formats.outcomes import group_points, ranked, score_share
from arena.core.pairing.formats.plan import History, PlanSize, PlayedPairing
from arena.core.pairing.round_robin import check_size


def check_enough(bots: int, needed: int, whatfor: str) -> None:
    """Raise FailedPreconditionError (TOO_FEW_BOTS) for fewer bots than needed."""
    if bots < needed:
        sentence = (
            f"{whatfor} needs at least {needed} bots, and has {bots}: enter more, or choose fewer seats."
        )
        raise FailedPreconditionError(ErrorReason.TOO_FEW_BOTS, sentence, bots=str(bots))


def check_groups(groups: int, seats: int) -> None:
    """Raise FailedPreconditionError (PLAN_TOO_LARGE) for more groups than a plan may have."""
    check_size(groups * seats)


def fixed_size(groups: int, seats: int) -> PlanSize:
    """Return the size of a plan of one round."""
    return PlanSize(rounds=(1, 1), groups=(groups, groups), matches=(groups * seats, groups * seats))


def ranking_by_share(history: History, bots: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """Rank these bots by score per pair; equals by their points in the groups in which they met each other.

    The second is the direct encounter of the FIDE Handbook, C.07. A bot without a counted match is below
    all others. Those that are equal still share a rank.
    """
    groups = [played for each in history.rounds for played in each.pairings]
    scores: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for played in groups:
        for bot, score, pairs in zip(played.pairing.bots, played.score_milli, played.pairs, strict=True):
            scores[bot].append((score, pairs))
    share = {
        bot: (score_share(scores[bot]) if any(pairs for _, pairs in scores[bot]) else Fraction(-1),)
        for bot in bots
    }
    found: list[tuple[str, ...]] = []
    for equals in ranked(bots, dict(share)):
        among = _points_among(equals, groups) if len(equals) > 1 else {equals[0]: (0,)}
        found.extend(ranked(equals, dict(among)))
    return tuple(found)


def _points_among(equals: Sequence[str], groups: Sequence[PlayedPairing]) -> dict[str, tuple[int]]:
    """Return the points of these bots in the groups of at least two of them."""
    those, points = set(equals), dict.fromkeys(equals, 0)
    for played in groups:
        if len(those.intersection(played.pairing.bots)) < 2:
            continue
        for bot, scored in zip(played.pairing.bots, group_points(played), strict=True):
            if bot in those:
                points[bot] += scored
    return {bot: (scored,) for bot, scored in points.items()}
