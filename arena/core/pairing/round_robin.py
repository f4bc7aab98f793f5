"""The plan of a round-robin: every choice of bots meets, in an order in which all play about equally often.

For two seats it is the circle method of chess organising: one bot stays, the others move on by one place from
line to line, and in a line every bot plays once. For more seats the next choice is always one whose bots have
played least, and have met each other least.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heapreplace
from itertools import combinations
from math import comb
from typing import Final

from arena.core.errors import ErrorReason, FailedPreconditionError

MOST_MATCHES: Final = 10_000
"""Matches of one plan."""

_Key = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class PlannedPairing:
    """One pairing of a plan; it is played once from every rotation of its seats."""

    number: int
    """Its place in the plan, from 1."""
    round: int
    """How often these bots meet, this time included."""
    bots: tuple[str, ...]
    """In the order in which they entered; seats are drawn later."""


def round_robin(bots: Sequence[str], *, seats: int, rounds: int) -> tuple[PlannedPairing, ...]:
    """Return every choice of `seats` of the bots, `rounds` times, each round in the same order.

    Raises FailedPreconditionError: TOO_FEW_BOTS for one match, PLAN_TOO_LARGE with more than MOST_MATCHES matches.
    """
    if len(bots) < seats:
        named = "1 bot is" if len(bots) == 1 else f"{len(bots)} bots are"
        sentence = f"A match has {seats} seats, but {named} named: name more bots, or choose fewer seats."
        raise FailedPreconditionError(ErrorReason.TOO_FEW_BOTS, sentence, bots=str(len(bots)))
    check_size(comb(len(bots), seats) * seats * rounds)
    choices = tuple(_circle(bots) if seats == 2 else _balanced(bots, seats))
    return tuple(
        PlannedPairing(turn * len(choices) + place, turn + 1, choice)
        for turn in range(rounds)
        for place, choice in enumerate(choices, start=1)
    )


def check_size(
    matches: int, most: int = MOST_MATCHES, advice: str = "take fewer bots, seats or rounds"
) -> None:
    """Raise FailedPreconditionError (PLAN_TOO_LARGE) for more matches than `most`. `advice`: how to have fewer."""
    if matches > most:
        sentence = f"The plan has {matches} matches, and may have {most}: {advice}."
        raise FailedPreconditionError(ErrorReason.PLAN_TOO_LARGE, sentence, matches=str(matches))


def _circle(bots: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield all pairs. With an odd number of bots another one has a bye in every line."""
    order = {bot: place for place, bot in enumerate(bots)}
    circle: list[str | None] = [*bots, *([None] if len(bots) % 2 else [])]
    for _ in range(len(circle) - 1):
        for one, other in zip(circle[: len(circle) // 2], reversed(circle), strict=False):
            if one is not None and other is not None:
                yield tuple(sorted((one, other), key=order.__getitem__))
        circle.insert(1, circle.pop())


def _balanced(bots: Sequence[str], seats: int) -> Iterator[tuple[str, ...]]:
    """Yield all choices, those first whose bots have played least.

    Keys only rise, so the least key in the heap, recomputed, is the least of all if it stays the least.
    """
    played: Counter[int] = Counter()
    met: Counter[tuple[int, int]] = Counter()
    heap: list[tuple[_Key, tuple[int, ...]]] = [
        ((0, 0, 0), choice) for choice in combinations(range(len(bots)), seats)
    ]
    heapify(heap)
    while heap:
        known, choice = heap[0]
        key = _key(choice, played, met)
        if key != known:
            heapreplace(heap, (key, choice))
            continue
        heappop(heap)
        yield tuple(bots[bot] for bot in choice)
        played.update(choice)
        met.update(combinations(choice, 2))


def _key(choice: tuple[int, ...], played: Counter[int], met: Counter[tuple[int, int]]) -> _Key:
    """Return the most and all matches its bots have played, and how often its pairs have met."""
    counts = [played[bot] for bot in choice]
    return max(counts), sum(counts), sum(met[pair] for pair in combinations(choice, 2))
