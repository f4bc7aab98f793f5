"""Choice of the next match groups of a ladder: the same for the same candidates and stream.

First an *anchor* is chosen, the bot that most needs a group; then its opponents are drawn, near ratings and rare
opponents being likelier. Of N candidates none that is free is passed over by more than `waiting_bound(N)` groups.

Candidates are columns of whole numbers: a group takes a handful of operations on columns, however many bots there are.
Once a group is made the columns are updated, so many groups are chosen from one look at the ladder.
"""

from collections import Counter, deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from arena.core.pairing.shares import Column, Mask, Places, Shares, column
from arena.core.rating.expected_score import MILLIONTHS, STEP_MILLI, TABLE
from engine.randomness import Stream

RECENT_GROUPS: Final = 64
"""The number of newest groups that count for opponents met and for the balance of seat counts."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A bot of the ladder that is present and not paused."""

    bot: str
    owner: str
    rating_milli: int
    uncertainty_milli: int
    waited: int
    """Groups made on the ladder since its last one, or since it joined."""
    free: int
    """Matches it could begin now."""
    running_groups: int
    """Groups of the ladder that it is in and that are not complete."""
    willing: bool = True
    """Whether it takes matches of the ladder at all: if it only has no room now, it can be waited for."""
    behind: int | None = None
    """How far its share of the groups is behind the mean (arena.core.pairing.shares); None if that is not counted."""


@dataclass(frozen=True, slots=True)
class PairingRules:
    """A ladder's rules for its groups."""

    seat_counts: tuple[int, ...]
    """Of its matches, each at least 1."""
    same_owner: bool
    """Whether bots of one owner may meet."""


def waiting_bound(candidates: int) -> int:
    """Return the most groups in a row, of so many candidates, that leave out a bot that is free each time."""
    return 2 * candidates - 1


def wait_bound(candidates: int, waited: int) -> int:
    """Return the most further groups before a bot that has waited for `waited` is in one, if it is free each time."""
    return candidates + max(0, candidates - waited)


_TABLE: Final = np.array((*TABLE, TABLE[-1]), np.int64)
"""The last entry twice, so that every step has an end."""

_HALF: Final = STEP_MILLI // 2


def expected_scores(differences_milli: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return expected scores in millionths for rating differences >= 0 in thousandths of a point."""
    capped = np.minimum(differences_milli, STEP_MILLI * (len(TABLE) - 1))
    step = capped // STEP_MILLI
    low = _TABLE[step]
    whole, rest = np.divmod((_TABLE[step + 1] - low) * (capped - step * STEP_MILLI), STEP_MILLI)
    half_to_even = (rest > _HALF) | ((rest == _HALF) & (whole % 2 == 1))
    return np.asarray(low + whole + half_to_even, np.int64)


MOST_LEAD: Final = 12
"""The most matches that a smaller seat count may be ahead of the one due while too few bots are free for that."""

_WAIT_COUNTED: Final = 7
"""A longer wait, in groups, makes a bot no likelier as an opponent."""


class Matchmaker:
    """Chooses the next groups of a ladder (docs/matchmaking.md)."""

    def __init__(
        self, candidates: Sequence[Candidate], recent: Sequence[Sequence[str]], rules: PairingRules
    ) -> None:
        """`recent`: the bots of the ladder's newest groups, newest first. The order of candidates does not matter."""
        ordered = sorted(candidates, key=lambda each: each.bot)
        self._bots = [each.bot for each in ordered]
        self._place = {bot: place for place, bot in enumerate(self._bots)}
        known: dict[str, int] = {}
        self._owner = column(known.setdefault(each.owner, len(known)) for each in ordered)
        self._rating = column(each.rating_milli for each in ordered)
        self._uncertainty = column(each.uncertainty_milli for each in ordered)
        self._waited = column(each.waited for each in ordered)
        self._free = column(each.free for each in ordered)
        self._running = column(each.running_groups for each in ordered)
        self._willing: Mask = np.fromiter((each.willing for each in ordered), np.bool_, len(ordered))
        self._shares = Shares(
            [each.behind for each in ordered] if _may_be_even(ordered, rules) else [None] * len(ordered)
        )
        self._window = deque((frozenset(group) for group in recent[:RECENT_GROUPS]), RECENT_GROUPS)
        self._rules = rules

    def willing_and_free(self) -> frozenset[str]:
        """Return the bots that take matches of the ladder and have room for one."""
        return frozenset(self._named(self._willing & (self._free > 0)))

    def behind(self) -> dict[str, int]:
        """Return how far bots whose shares are counted are behind the mean, for the next candidates."""
        return {bot: int(self._shares.behind[self._place[bot]]) for bot in self._named(self._shares.counted)}

    def choose_board(self, held: Collection[str] = ()) -> tuple[str, ...] | None:
        """Return the bots of the next board by name: all that are willing; None until all have room at once.

        `held`: bots that are not to be taken.
        """
        bots = tuple(self._named(self._willing))
        return bots if bots and bool((self._room(held)[self._willing] > 0).all()) else None

    def choose_group(
        self, stream: Stream, held: Collection[str] = (), places: Places | None = None
    ) -> tuple[str, ...] | None:
        """Return the bots of the next group, the anchor first; None if too few are free for the next seat count.

        Also None while a bot that has waited too long, or is too far behind in its share, is busy elsewhere. `held`:
        bots that are not to be taken; `places`: those for programs of hosted bots, if they are short.
        """
        room = self._room(held)
        # A bot was passed over so often because others had it whenever the rest was free.
        overdue = self._waited >= waiting_bound(len(self._bots))
        if (overdue & self._willing & (room <= 0) & (self._running == 0)).any():
            return None
        cold, left = self._cold(places)
        could = self._willing & (self._free > 0)
        yielding = self._shares.yielding(cold & could, left, self._rules.seat_counts[0])
        free = (room > 0) & ~yielding & ~(cold & (left == 0))
        now = min(self._most_seats(free), int(np.count_nonzero(free & ~cold)) + left)
        seats = _seat_count(now, self._most_seats(self._willing), self._window, self._rules)
        if seats is None:
            return None
        pressing = self._shares.pressing(could, free, seats)
        if not free[pressing].all() or np.count_nonzero(cold[pressing]) > left:
            return None
        chosen = [self._anchor(free, pressing, stream)]
        # A number for each bot that is greater if it is near the anchor, and waits.
        wanted = self._closeness(chosen[0]) * (1 + np.minimum(self._waited, _WAIT_COUNTED))
        weights: Column = np.where(free, 1 + wanted // (1 + self._running), 0)
        met: Counter[str] = Counter()
        while len(chosen) < seats:
            newest = chosen[-1]
            met.update(other for group in self._window if self._bots[newest] in group for other in group)
            self._weigh_met(weights, wanted, met)
            weights[newest if self._rules.same_owner else self._owner == self._owner[newest]] = 0
            if np.count_nonzero(cold[chosen]) == left:
                weights[cold] = 0
            if not pressing and self._shares.counted.any():
                weights[self._met_too_often(chosen, met)] = 0
            if not weights.any():
                return None
            chosen.append(self._next(weights, pressing, stream))
        return tuple(self._bots[place] for place in chosen)

    def made(self, bots: Sequence[str], *, matches: int) -> None:
        """Record that these candidates form the newest group, each with so many matches in it."""
        places = [self._place[bot] for bot in bots]
        self._shares.made(places, self._willing & (self._free > 0))
        self.taken(bots, matches=matches)
        self._waited += 1
        self._waited[places] = 0
        self._running[places] += 1
        self._window.appendleft(frozenset(bots))

    def taken(self, bots: Sequence[str], *, matches: int) -> None:
        """Reduce the room of those of these bots that are candidates by so many matches."""
        self._free[[self._place[bot] for bot in bots if bot in self._place]] -= matches

    def _named(self, mask: Mask) -> Iterator[str]:
        return (self._bots[place] for place in np.flatnonzero(mask))

    def _cold(self, places: Places | None) -> tuple[Mask, int]:
        """Return the bots that take a place, and how many of them may be in a group."""
        cold: Mask = np.zeros(len(self._bots), np.bool_)
        if places is None:
            return cold, len(self._bots)
        cold[[self._place[bot] for bot in places.cold if bot in self._place]] = True
        return cold, places.left

    def _room(self, held: Collection[str]) -> Column:
        """Return how many matches each bot could begin now; 0 for those that are held."""
        places = [self._place[bot] for bot in held if bot in self._place]
        if not places:
            return self._free
        room = self._free.copy()
        room[places] = 0
        return room

    def _most_seats(self, bots: Mask) -> int:
        """Return the most bots that may sit together, whatever the anchor: one bot of each owner always fits."""
        if self._rules.same_owner:
            return int(np.count_nonzero(bots))
        return int(np.unique(self._owner[bots]).size)

    def _anchor(self, free: Mask, pressing: Sequence[int], stream: Stream) -> int:
        """Return the place of the most urgent bot; equals are drawn.

        First come bots that have waited for as many groups as there are bots and have no share to be kept even, the
        longest wait first. A bot that has waited longer was in its last group earlier, so at most the others precede
        it, each once: hence `waiting_bound`. Then come bots whose share is due, that have waited for as many groups
        as bots are free, and the neediest.
        """
        places = np.flatnonzero(free)
        waited = self._waited[places]
        overdue = ~self._shares.counted[places] & (waited >= len(self._bots))
        due = self._shares.due[places]
        if overdue.any():
            equals: Mask = overdue & (waited == waited[overdue].max())
        elif pressing:
            return pressing[0]
        elif due.any():
            behind = self._shares.behind[places]
            equals = behind == behind.max()
        elif waited.max() >= len(places):
            equals = waited == waited.max()
        else:
            equals = self._most_needing(places)
        among = places[equals]
        return int(among[stream.uniform(len(among))])

    def _next(self, weights: Column, pressing: Sequence[int], stream: Stream) -> int:
        """Return the place of one more bot of the group, drawn by weight; pressing bots first, then those that are
        due.
        """
        for place in pressing:
            if weights[place]:
                return place
        due = np.where(self._shares.due, weights, 0)
        tickets = np.cumsum(due if due.any() else weights)
        return int(np.searchsorted(tickets, stream.uniform(int(tickets[-1])), side="right"))

    def _most_needing(self, places: Column) -> Mask:
        """Return which of these have the greatest need: more uncertainty, longer wait, fewer running groups."""
        need = self._uncertainty[places] * (1 + self._waited[places])
        among = 1 + self._running[places]
        best = int(np.argmax(need / among))
        # The quotients are rounded: the greatest is found by comparing products, which are exact.
        while (better := need * among[best] > need[best] * among).any():
            best = int(np.argmax(better))
        return np.asarray(need * among[best] == need[best] * among)

    def _closeness(self, anchor: int) -> Column:
        """Return E (1 - E) in millionths, what a match would tell; ratings within their uncertainty count as equal."""
        doubt = _isqrt(self._uncertainty**2 + self._uncertainty[anchor] ** 2)
        gap = np.maximum(0, np.abs(self._rating - self._rating[anchor]) - doubt)
        expected = expected_scores(gap)
        return expected * (MILLIONTHS - expected) // MILLIONTHS

    def _met_too_often(self, chosen: Sequence[int], met: Mapping[str, int]) -> Mask:
        """Return which bots those chosen met twice, and more than twice as often as on average.

        Only bots whose shares are even count. It keeps running programs from meeting each other again and again: the
        others get room, or a place, as matches end.
        """
        times: Column = np.zeros(len(self._bots), np.int64)
        for bot, often in met.items():
            if bot in self._place:
                times[self._place[bot]] = often
        others = self._shares.counted & self._willing
        others[chosen] = False
        if not self._rules.same_owner:
            others &= ~np.isin(self._owner, self._owner[chosen])
        too_often = times * np.count_nonzero(others) > 2 * times[others].sum()
        return np.asarray(self._shares.counted & too_often & (times > 1))

    def _weigh_met(self, weights: Column, wanted: Column, met: Mapping[str, int]) -> None:
        """Lower the weights of bots that those chosen have met; a bot that may join never gets the weight 0."""
        for bot, times in met.items():
            place = self._place.get(bot)
            if place is not None and weights[place]:
                share = (1 + times) ** 2 * (1 + int(self._running[place]))
                weights[place] = 1 + int(wanted[place]) // share


def _may_be_even(candidates: Sequence[Candidate], rules: PairingRules) -> bool:
    """Return whether shares can be even: same owners may meet, or no owner has so many bots that they would have to."""
    owners = Counter(each.owner for each in candidates if each.behind is not None)
    return rules.same_owner or max(owners.values(), default=0) * rules.seat_counts[-1] <= owners.total()


def _isqrt(numbers: Column) -> Column:
    """Return the whole part of the square roots, exactly."""
    roots = np.sqrt(numbers).astype(np.int64)
    roots -= roots * roots > numbers
    roots += (roots + 1) ** 2 <= numbers
    return roots


def _seat_count(now: int, soon: int, window: Collection[frozenset[str]], rules: PairingRules) -> int | None:
    """Return the possible seat count with the fewest recent matches, the smaller of equals; None if none is possible.

    `now`: the most bots that may sit together now; `soon`: once all have room. A count that is possible only later is
    waited for if those possible now are too far ahead; otherwise large tables would never be used.
    """
    played = {
        seats: sum(len(group) for group in window if len(group) == seats) for seats in rules.seat_counts
    }
    in_turn = sorted(rules.seat_counts, key=lambda seats: (played[seats], seats))
    possible = next((seats for seats in in_turn if seats <= now), None)
    due = next((seats for seats in in_turn if seats <= max(now, soon)), None)
    if possible is None or due is None or possible == due:
        return possible
    return possible if played[possible] + possible <= played[due] + MOST_LEAD else None
