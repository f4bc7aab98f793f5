"""Perfect matchings of few bots or of many that have met few others.

Whoever may meet almost all others is matched by exchanges of partners; only where few are left to choose from does
networkx look for an augmenting path. It is imported there, because that takes 0.2 s.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations

Allowed = Callable[[int, int], bool]
"""Whether two bots may meet; symmetric."""


class Matching:
    """A perfect matching of some bots, from which pairs are taken one after the other."""

    def __init__(self, mates: dict[int, int], allowed: Allowed) -> None:
        """`mates`: each bot's partner, in both directions."""
        self._mates = mates
        self._allowed = allowed

    def take(self, one: int, other: int) -> bool:
        """Take these two out if they may meet and the others can still be matched; return whether it was done."""
        if not self._allowed(one, other):
            return False
        if self._mates[one] == other:
            del self._mates[one], self._mates[other]
            return True
        free, freed = self._mates[one], self._mates[other]
        rest = {bot: mate for bot, mate in self._mates.items() if bot not in {one, other, free, freed}}
        if not _join(rest, free, freed, self._allowed):
            found = _by_search([*rest, free, freed], self._allowed)
            if found is None:
                return False
            rest = found
        self._mates = rest
        return True


def match_all(bots: Sequence[int], allowed: Allowed) -> Matching | None:
    """Return a perfect matching, or None if there is none."""
    if len(bots) % 2:
        return None
    mates: dict[int, int] = {}
    left = list(bots)
    single: list[int] = []
    while left:
        one = left.pop(0)
        half = len(left) // 2
        place = next(
            (k for k in (*range(half, len(left)), *range(half)) if allowed(one, left[k])),
            None,
        )
        if place is None:
            single.append(one)
        else:
            other = left.pop(place)
            mates[one], mates[other] = other, one
    for one, other in zip(single[::2], single[1::2], strict=True):
        if not _join(mates, one, other, allowed):
            found = _by_search(bots, allowed)
            return None if found is None else Matching(found, allowed)
    return Matching(mates, allowed)


def heaviest(edges: Iterable[tuple[int, int, int]]) -> dict[int, int]:
    """Return the heaviest of the largest matchings of these weighted edges, each bot's partner in both directions."""
    import networkx as nx

    graph: nx.Graph[int] = nx.Graph()
    graph.add_weighted_edges_from(edges)
    pairs = nx.max_weight_matching(graph, maxcardinality=True)
    return {bot: mate for pair in pairs for bot, mate in (pair, pair[::-1])}


def _join(mates: dict[int, int], one: int, other: int, allowed: Allowed) -> bool:
    """Match two bots without a partner, if need be by parting two that have one; return whether it was done."""
    if allowed(one, other):
        mates[one], mates[other] = other, one
        return True
    for first, second in mates.items():
        if allowed(one, first) and allowed(other, second):
            mates[one], mates[first] = first, one
            mates[other], mates[second] = second, other
            return True
    return False


def _by_search(bots: Sequence[int], allowed: Allowed) -> dict[int, int] | None:
    mates = heaviest((one, other, 1) for one, other in combinations(sorted(bots), 2) if allowed(one, other))
    return mates if len(mates) == len(bots) else None
