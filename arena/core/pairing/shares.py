"""Even shares of match groups where a ladder has more hosted bots than places for programs.

A group gives all bots that could have been in it an equal claim, and takes one group from each of its bots. The rest
is a bot's balance: how far it is behind the mean, in match groups. Running programs meet each other, since a start
costs time, until a bot is one group behind: then it comes first, and a program whose bot is ahead gives up its place.
No group is made that would let a bot fall more than two behind.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

Column = NDArray[np.int64]
"""A number for each candidate, by bot: 64 bits, the same on every machine."""
Mask = NDArray[np.bool_]


def column(numbers: Iterable[int]) -> Column:
    """Return the numbers in their order."""
    return np.fromiter(numbers, np.int64)


GROUP: Final = 1_000_000
"""One match group, in the unit of balances: they are whole numbers."""

DUE: Final = GROUP
"""A bot so far behind precedes all that are not."""

MOST_BEHIND: Final = 2 * GROUP
"""How far behind a bot may fall."""


def groups_until(behind: int, bots: int, seats: int) -> int:
    """Return after how many groups, of at least so many hosted bots, one of `bots` that is always free is in one."""
    return (MOST_BEHIND - behind) // (seats * GROUP // bots) + 1


@dataclass(frozen=True, slots=True)
class Places:
    """The places for programs, where there are more hosted bots than places."""

    left: int
    """How many more hosted bots may be given matches now."""
    cold: frozenset[str]
    """The hosted bots without a match: each of them takes one of these places."""


class Shares:
    """How far the bots of a ladder are behind or ahead, as columns."""

    def __init__(self, behind: Sequence[int | None]) -> None:
        """`behind`: each bot's balance, from which the mean of all is taken; None for those that are not counted."""
        self.counted: Mask = np.fromiter((each is not None for each in behind), np.bool_, len(behind))
        """The bots whose shares are kept even."""
        self.behind: Column = column(each or 0 for each in behind)
        """Below 0 for those that are ahead, 0 for those that are not counted."""
        if self.counted.any():
            self.behind[self.counted] -= self.behind.sum() // np.count_nonzero(self.counted)

    @property
    def due(self) -> Mask:
        """The bots that precede the others."""
        return self.counted & (self.behind >= DUE)

    def made(self, places: Collection[int], could: Mask) -> None:
        """Record the bots at these places as the newest group. `could`: those willing and with room for it."""
        served = [place for place in places if self.counted[place]]
        if not served:
            return
        claiming = self.counted & (could | ~self.due)  # a full bot could have played as well until it is due
        claiming[served] = True
        self.behind[claiming] += len(served) * GROUP // np.count_nonzero(claiming)
        self.behind[served] -= GROUP

    def pressing(self, could: Mask, free: Mask, seats: int) -> list[int]:
        """Return the places of the bots that the next group of so many seats must hold, most behind first.

        Of those that `could` play, the k-th most behind may have to wait until all before it have played, and must
        not be more than MOST_BEHIND by then. So bots come now for whom one more group would be too late; of equals
        first those that are `free`.
        """
        there = np.flatnonzero(self.counted & could)
        if not self.due[there].any():
            return []
        order = there[np.lexsort((~free[there], -self.behind[there]))]
        before = np.arange(len(order))
        claims = self._claims(could, seats, before[-1] // seats + 1)
        late = self.behind[order] + claims[before // seats] > MOST_BEHIND
        return [int(place) for place in order[: (before[late] % seats + 1).max(initial=0)]]

    def _claims(self, could: Mask, seats: int, groups: int) -> Column:
        """Return the claim of each bot that could play to 1, 2, ... `groups` more groups if no other bot gets room."""
        full = self.behind[self.counted & ~could]
        room, claims = int(np.count_nonzero(self.counted & could)), [0]
        for _ in range(groups):
            claiming = room + int(np.count_nonzero(full + claims[-1] < DUE))
            claims.append(claims[-1] + seats * GROUP // claiming)
        return column(claims[1:])

    def yielding(self, cold: Mask, left: int, most: int) -> Mask:
        """Return the bots that get no match for now so that the places of their programs become free: those most
        ahead.

        Their number is that of `cold` bots that could play, are due and find none of the places `left`; at most `most`.
        """
        yielding = np.zeros_like(cold)
        lacking = min(int(np.count_nonzero(cold & self.due)) - left, most)
        if lacking > 0:
            warm = np.flatnonzero(self.counted & ~cold & ~self.due)
            yielding[warm[np.argsort(self.behind[warm], kind="stable")][:lacking]] = True
        return yielding
