"""A Swiss round of more than two seats: tables by score with few former meetings.

Finding the tables with the fewest former meetings is a problem without a fast exact method, so this is a heuristic:
the tables of each score group are dealt as in chess, the best against the best of the next part, and then bots change
places as long as that lowers the number of former meetings at both tables together.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby


@dataclass(frozen=True, slots=True)
class TableBot:
    """A bot to be seated."""

    points: int
    met_often: dict[int, int]
    """How often it has met others, by their number."""
    byes: int


def swiss_tables(bots: Sequence[TableBot], seats: int) -> tuple[list[list[int]], list[int]]:
    """Return the tables, and who has a bye.

    `bots`: best rank first, at least as many as `seats`. Those with the fewest byes and then the fewest points have the
    byes.
    """
    spare = sorted(range(len(bots)), key=lambda place: (bots[place].byes, bots[place].points, -place))
    byes = sorted(spare[: len(bots) % seats])
    there = [place for place in range(len(bots)) if place not in set(byes)]
    tables: list[list[int]] = []
    moved: list[int] = []
    for _, group in groupby(there, key=lambda place: bots[place].points):
        bracket = [*moved, *group]
        count = len(bracket) // seats
        playing, moved = bracket[: count * seats], bracket[count * seats :]
        first = len(tables)
        tables.extend(playing[table::count] for table in range(count))
        _exchange(bots, tables, range(first, len(tables)))
    _exchange(bots, tables, range(len(tables)))
    return tables, byes


def _exchange(bots: Sequence[TableBot], tables: list[list[int]], among: range) -> None:
    """Exchange bots of these tables while that lowers their meetings; of several exchanges of a bot the best, then
    the one of the nearest ranks."""
    changed = True
    while changed:
        changed = False
        for here in among:
            for seat in range(len(tables[here])):
                changed |= _exchange_one(bots, tables, among, here, seat)


def _exchange_one(
    bots: Sequence[TableBot], tables: list[list[int]], among: range, here: int, seat: int
) -> bool:
    """Exchange one bot, if it has met others of its table, with the best other one; return whether it was done."""
    one = tables[here][seat]
    rest = [bot for bot in tables[here] if bot != one]
    own = _meetings(bots, one, rest)
    if not own:
        return False
    found = []
    for there in among:
        if there == here:
            continue
        for place, other in enumerate(tables[there]):
            others = [bot for bot in tables[there] if bot != other]
            gain = own + _meetings(bots, other, others)
            gain -= _meetings(bots, one, others) + _meetings(bots, other, rest)
            if gain > 0:
                gap = abs(bots[one].points - bots[other].points)
                found.append((-gain, gap, abs(one - other), there, place))
    if not found:
        return False
    *_, there, place = min(found)
    tables[here][seat], tables[there][place] = tables[there][place], one
    return True


def _meetings(bots: Sequence[TableBot], one: int, others: Sequence[int]) -> int:
    met = bots[one].met_often
    return sum(met.get(other, 0) for other in others)
