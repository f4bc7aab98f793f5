"""What the matches of a pairing came to, as a format sees it, for the arena and for those who recompute its rounds."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from arena.core.pairing.formats.plan import PlayedPairing, RoundPairing
from arena.core.tournaments import TIE_MILLI, WIN_MILLI


@dataclass(frozen=True, slots=True)
class GroupMatch:
    """A match of a complete match group that is not void."""

    bots: tuple[str, ...]
    """By seat."""
    placings: tuple[int, ...]
    """By seat, 1 is best; empty if it ended without a result."""
    missing: tuple[bool, ...]
    """By seat: whether the bot took no part, because it was away or could not play."""


def played_pairing(
    pairing: RoundPairing, matches: Sequence[GroupMatch], withdrawn: Collection[str]
) -> PlayedPairing:
    """Return a pairing as played.

    `matches`: those of its group, without void ones; none if the group was never made, or all are void.
    `withdrawn`: if the group was never made, the bots that had withdrawn; otherwise empty.
    """
    score, pairs = dict.fromkeys(pairing.bots, 0), dict.fromkeys(pairing.bots, 0)
    there = set() if matches else set(pairing.bots) - set(withdrawn)
    for match in matches:
        there.update(bot for bot, missing in zip(match.bots, match.missing, strict=True) if not missing)
        placed = tuple(zip(match.bots, match.placings, strict=True)) if match.placings else ()
        for bot, placing in placed:
            others = [other for name, other in placed if name != bot]
            pairs[bot] += len(others)
            score[bot] += sum(
                WIN_MILLI if placing < other else TIE_MILLI if placing == other else 0 for other in others
            )
    return PlayedPairing(
        pairing,
        score_milli=tuple(score[bot] for bot in pairing.bots),
        pairs=tuple(pairs[bot] for bot in pairing.bots),
        absent=tuple(bot not in there for bot in pairing.bots),
    )
