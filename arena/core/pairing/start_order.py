"""Selection of the pending matches that begin now."""

from collections import Counter, deque
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

MAX_LEAD: Final = 32
"""How much higher the id of a match that begins may be than that of an older one waiting for the same bot."""

_ALL: Final = 1_000_000
"""More places than any bot has."""


@dataclass(frozen=True, slots=True)
class PendingMatch:
    """A match that has not begun."""

    match: int
    """Its id; ids rise in the order of creation."""
    bots: tuple[str, ...]
    """By seat."""
    alone: bool = False
    """Whether each of its bots plays it in a new process, which plays nothing else."""


def startable(
    pending: Iterable[PendingMatch],
    free: Mapping[str, int],
    *,
    slots: int,
    fresh: Collection[str] = (),
) -> tuple[int, ...]:
    """Return the ids of the matches that begin now, oldest first, at most `slots` of them.

    `free`: how many more matches each bot takes, 0 if it is busy; absent and paused bots are not in it. `fresh`:
    those whose program has never played.

    A match that waits for a busy bot delays no match of other bots, and at most MAX_LEAD younger matches may begin
    with its own bots before it. After that a place with each of its bots is kept for it. A match of an absent bot
    keeps no places. A match that is played alone takes, and keeps, all places of its bots.
    """
    left, untouched = dict(free), set(fresh)
    kept: Counter[str] = Counter()
    waiting: deque[PendingMatch] = deque()
    starting: list[int] = []
    for each in sorted(pending, key=lambda match: match.match):
        if len(starting) == slots:
            break
        while waiting and each.match - waiting[0].match > MAX_LEAD:
            match = waiting.popleft()
            kept.update(dict.fromkeys(match.bots, _ALL) if match.alone else match.bots)
        if not all(bot in left for bot in each.bots):
            continue
        if all(
            left[bot] - kept[bot] >= each.bots.count(bot) and not (each.alone and bot not in untouched)
            for bot in each.bots
        ):
            starting.append(each.match)
            untouched.difference_update(each.bots)
            for bot in each.bots:
                left[bot] -= left[bot] if each.alone else 1
        else:
            waiting.append(each)
    return tuple(starting)
