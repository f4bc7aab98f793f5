"""Which of the matches that wait for their bots begin now."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

MAX_LEAD: Final = 32
"""How much higher than that of an older match waiting for the same bot the id of one that begins may be."""


@dataclass(frozen=True, slots=True)
class PendingMatch:
    """A match that has not begun."""

    match: int
    """Its id; ids rise in the order of creation."""
    bots: tuple[str, ...]
    """By seat."""


def startable(pending: Iterable[PendingMatch], free: Mapping[str, int], *, slots: int) -> tuple[int, ...]:
    """The ids of the matches that begin now, oldest first, at most `slots` of them.

    `free`: how many more matches each bot takes, 0 if it is busy; bots that are away or paused are not in it.

    A match that waits for a busy bot holds up no match of other bots, and matches at most MAX_LEAD younger
    may even begin with its own bots before it. For all younger ones a place with each of its bots is kept, so
    it is overtaken at most MAX_LEAD times. A match of a bot that is away keeps nothing.
    """
    left = dict(free)
    kept: Counter[str] = Counter()
    waiting: deque[PendingMatch] = deque()
    starting: list[int] = []
    for each in sorted(pending, key=lambda match: match.match):
        if len(starting) == slots:
            break
        while waiting and each.match - waiting[0].match > MAX_LEAD:
            kept.update(waiting.popleft().bots)
        if not all(bot in left for bot in each.bots):
            continue
        if all(left[bot] - kept[bot] >= each.bots.count(bot) for bot in each.bots):
            starting.append(each.match)
            for bot in each.bots:
                left[bot] -= 1
        else:
            waiting.append(each)
    return tuple(starting)
