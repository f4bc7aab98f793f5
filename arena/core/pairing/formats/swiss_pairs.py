"""A Swiss round of two seats: the pairs by score group.

It follows the Dutch system of FIDE (Handbook C.04.3) without its rules of colour, which have no use where each bot sits
on both seats of each group. The letters and numbers below are those of its criteria.

Bots are numbered by rank, best first. Score groups are paired from the top down. In each the fewest bots stay without a
partner (C6) and move down to the next group; they are the lowest ones (C7) that find a partner there (C8) and have not
moved down in the last two rounds (C14, C16), and all that are left can be paired without a rematch (C4). The
others meet top half against bottom half, each the first in order that it has not met (article 4, transpositions).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, groupby
from typing import Final

from arena.core.pairing.formats.matching import heaviest, match_all

FLOATERS_TRIED: Final = 40
"""Bots tried one by one as the only one that moves down, before a matching says which ones do."""


@dataclass(frozen=True, slots=True)
class SwissBot:
    """A bot to be paired."""

    points: int
    met: frozenset[int]
    """Those it has met."""
    met_often: dict[int, int]
    """How often it has met each of them."""
    byes: int
    unplayed: int
    down: tuple[bool, bool]
    """Whether it moved down in the last round, and in the one before."""
    up: tuple[bool, bool]
    """Whether it met one with more points in the last round, and in the one before."""


def swiss_pairs(bots: Sequence[SwissBot]) -> tuple[list[tuple[int, int]], int | None]:
    """Return the pairs, and who has the bye if the number is odd.

    `bots`: best rank first, two or more. Nobody has a second bye while another bot has had none. There is a rematch
    only if every pairing of the others has one; then those meet that have met least.
    """
    bye = None
    everybody = list(range(len(bots)))
    if len(everybody) % 2:
        bye = _bye(bots)
        everybody.remove(bye)
    if match_all(everybody, lambda one, other: other not in bots[one].met) is None:
        return _fewest_rematches(bots, everybody), bye
    return _Round(bots).pairs(everybody), bye


def _bye(bots: Sequence[SwissBot]) -> int:
    """Return who has the bye: of those with the fewest (C2) the one with the fewest points (C5), then by C9 and C14.

    If possible such that all others can be paired without a rematch.
    """
    fewest = min(bot.byes for bot in bots)
    order = sorted(
        (place for place, bot in enumerate(bots) if bot.byes == fewest),
        key=lambda place: (bots[place].points, bots[place].unplayed, bots[place].down, -place),
    )
    for place in order:
        others = [other for other in range(len(bots)) if other != place]
        if match_all(others, lambda one, other: other not in bots[one].met) is not None:
            return place
    return order[0]


class _Round:
    """The pairing of one round, in which a pairing without a rematch exists."""

    def __init__(self, bots: Sequence[SwissBot]) -> None:
        self._bots = bots
        self._most_met = max(len(bot.met) for bot in bots)

    def _allowed(self, one: int, other: int) -> bool:
        return other not in self._bots[one].met

    def pairs(self, everybody: Sequence[int]) -> list[tuple[int, int]]:
        """Pair the groups from the top down."""
        groups = [list(group) for _, group in groupby(everybody, key=lambda place: self._bots[place].points)]
        found: list[tuple[int, int]] = []
        moved: list[int] = []
        for number, residents in enumerate(groups):
            following = groups[number + 1] if number + 1 < len(groups) else []
            lower = [place for group in groups[number + 1 :] for place in group]
            floaters = self._floaters([*moved, *residents], following, lower)
            found.extend(
                self._bracket(
                    [place for place in moved if place not in floaters],
                    [place for place in residents if place not in floaters],
                )
            )
            moved = sorted(floaters)
        return found

    def _floaters(self, bracket: list[int], following: list[int], lower: list[int]) -> set[int]:
        """Return who moves down from this bracket, so that it and all below can be paired."""
        if len(bracket) % 2 == 0 and self._possible(bracket) and self._possible(lower):
            return set()
        order = sorted(bracket, key=lambda place: self._staying(place, following))
        if len(bracket) % 2:
            for place in order[:FLOATERS_TRIED]:
                rest = [other for other in bracket if other != place]
                if self._possible(rest) and self._possible([place, *lower]):
                    return {place}
        return self._floaters_by_matching(order, following, lower)

    def _staying(self, place: int, following: Sequence[int]) -> tuple[int, bool, tuple[bool, bool], int]:
        """Return the key by which bots stay in their bracket: the least moves down first."""
        bot = self._bots[place]
        welcome = any(self._allowed(place, other) for other in following)
        if welcome and len(following) % 2:
            welcome = self._possible([place, *following])
        return bot.points, not welcome, bot.down, -place

    def _possible(self, bots: Sequence[int]) -> bool:
        """Return whether these can be paired. More than two for each former opponent always can (Dirac's theorem)."""
        if len(bots) % 2:
            return False
        return len(bots) > 2 * self._most_met + 1 or match_all(bots, self._allowed) is not None

    def _floaters_by_matching(self, order: list[int], following: list[int], lower: list[int]) -> set[int]:
        """Return the fewest floaters (C6) with the fewest points (C7).

        Of several sets the one with the most pairs in the next group, those with the most points first (C8), and then
        the one that is first in `order`.

        One matching of all that matters: of a large bracket the bots that move down first, whose others can be paired
        anyway; and all bots below if they are few.
        """
        most = 4 * self._most_met + 16 + len(order) % 2
        large = len(order) > most
        inside = order[:most] if large else order
        below = lower if len(lower) <= most else []
        base = len(inside) + len(below) + 1
        levels = sorted({self._bots[place].points for place in inside})
        level: dict[int, int] = {
            place: base ** (1 + levels.index(self._bots[place].points)) for place in inside
        }
        fine = {place: 1 << number for number, place in enumerate(inside)}
        step = 1 << (len(inside) + 1)  # above all that `fine` adds up to
        pair: int = base * base ** (1 + len(levels))  # above all that `level` adds up to

        def weight(one: int, other: int) -> int:
            if other in level:
                return (pair + level[one] + level[other]) * base * pair * step + fine[one] + fine[other]
            return (pair + level.get(one, 0)) * step if other in following else 0

        bots = [*inside, *below]
        edges = [
            (one, other, weight(one, other))
            for one, other in combinations(bots, 2)
            if self._allowed(one, other) or (large and other in level)
        ]
        mates = heaviest(edges)
        return {place for place in inside if mates.get(place) not in level}

    def _bracket(self, moved: list[int], residents: list[int]) -> list[tuple[int, int]]:
        """Pair all of a bracket: those that moved down with the first residents, then top half with bottom half.

        If possible none of those residents met one with more points in the last two rounds (C17), or at least not in
        the last (C15).
        """
        for avoided in ((True, True), (True, False), (False, False)):
            willing = [
                place
                for place in residents
                if not any(each and avoid for each, avoid in zip(self._bots[place].up, avoided, strict=True))
            ]
            if (found := self._with_moved(moved, residents, willing)) is not None:
                return found
        raise ValueError("a bracket without its floaters cannot be paired")

    def _with_moved(
        self, moved: list[int], residents: list[int], willing: Sequence[int]
    ) -> list[tuple[int, int]] | None:
        """Pair a bracket whose moved bots meet willing residents; None if they do not find any."""
        matching = match_all([*moved, *residents], self._allowed)
        if matching is None:
            return None
        left, upper, found = list(residents), list(moved), []
        while upper:
            one = upper.pop(0)
            among = [place for place in willing if place in left]
            if len(willing) == len(residents):
                among += upper  # nobody is avoided any more
            other = next((place for place in among if matching.take(one, place)), None)
            if other is None:
                return None
            (upper if other in upper else left).remove(other)
            found.append((one, other))
        while left:
            one = left.pop(0)
            half = len(left) // 2
            order = (*left[half:], *reversed(left[:half]))
            other = next(place for place in order if matching.take(one, place))
            left.remove(other)
            found.append((one, other))
        return found


def _fewest_rematches(bots: Sequence[SwissBot], everybody: Sequence[int]) -> list[tuple[int, int]]:
    """Return the pairing whose bots have met least, then with the nearest points; unique by the order of the pairs."""
    pairs = list(combinations(everybody, 2))
    gaps = {pair: (bots[pair[0]].points - bots[pair[1]].points) // 500 for pair in pairs}
    gap_sum = sum(gap * gap for gap in gaps.values()) + 1
    costs = {
        (one, other): bots[one].met_often.get(other, 0) ** 2 * gap_sum + gaps[one, other] ** 2
        for one, other in pairs
    }
    most = max(costs.values())
    mates = heaviest(
        (one, other, ((most - costs[one, other]) << len(pairs)) + (1 << (len(pairs) - 1 - number)))
        for number, (one, other) in enumerate(pairs)
    )
    return sorted((one, other) for one, other in mates.items() if one < other)
