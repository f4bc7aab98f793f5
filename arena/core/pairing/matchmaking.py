"""Which bots make up the next match group of a ladder: the same choice for the same input and stream.

First an *anchor* is chosen, the bot that most needs a group; then its opponents are drawn, near ratings and
rare opponents being likelier. The promise: of N candidates none that is free is passed over by more than
`waiting_bound(N)` groups.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import isqrt
from typing import Final

from arena.core.rating.expected_score import MILLIONTHS, expected_score
from engine.randomness import Stream

RECENT_GROUPS: Final = 64
"""So many of the newest groups are looked at: for opponents met and for the balance of seat counts."""

MOST_LEAD: Final = 12
"""Matches that a smaller table may be ahead of the one whose turn it is while too few bots are free for that one."""

_WAIT_COUNTED: Final = 7
"""Waiting for more groups than this makes a bot no likelier as an opponent."""


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
    """Whether it takes matches of the ladder at all: if it has no room now, it has only to be waited for."""


@dataclass(frozen=True, slots=True)
class PairingRules:
    """What a ladder asks of its groups."""

    seat_counts: tuple[int, ...]
    """Of its matches, each at least 2."""
    same_owner: bool
    """Whether bots of one owner may meet."""


def waiting_bound(candidates: int) -> int:
    """The most groups in a row that are made without a bot that is free each time, of so many candidates."""
    return 2 * candidates - 1


def wait_bound(candidates: int, waited: int) -> int:
    """After so many more groups at most a bot that has waited for `waited` is in one, if it is free each time."""
    return candidates + max(0, candidates - waited)


def queue(candidates: Sequence[Candidate]) -> tuple[str, ...]:
    """The bots that are free in the order in which they would be anchors; equals, who are drawn, by name."""
    free = sorted((each for each in candidates if each.free > 0), key=lambda each: each.bot)
    return tuple(each.bot for each in sorted(free, key=lambda each: _urgency(each, len(free)), reverse=True))


def choose_board(willing: Sequence[Candidate]) -> tuple[str, ...] | None:
    """The bots of the next board of a solo ladder, by name: all that are willing; None until all have room at once."""
    bots = tuple(sorted(each.bot for each in willing))
    return bots if bots and all(each.free > 0 for each in willing) else None


def choose_group(
    candidates: Sequence[Candidate],
    recent: Sequence[Sequence[str]],
    rules: PairingRules,
    stream: Stream,
) -> tuple[str, ...] | None:
    """The bots of the next group, the anchor first; None if too few are free, or free for the table that is due.

    None, too, while a bot has waited for as long as none may and is only busy elsewhere: it is waited for.

    `recent`: the bots of the ladder's newest groups, newest first. The order of the candidates does not
    matter.
    """
    free = sorted((each for each in candidates if each.free > 0), key=lambda each: each.bot)
    window = [frozenset(group) for group in recent[:RECENT_GROUPS]]
    willing = [each for each in candidates if each.willing]
    if any(_kept_away(each, waiting_bound(len(candidates))) for each in willing):
        return None
    seats = _seat_count(_most_seats(free, rules), _most_seats(willing, rules), window, rules)
    if seats is None:
        return None
    chosen = [_anchor(free, stream)]
    wanted = {each.bot: _wanted(chosen[0], each) for each in free}
    met: Counter[str] = Counter()
    while len(chosen) < seats:
        met.update(_partners(chosen[-1], window))
        chosen.append(_opponent(_may_join(free, chosen, rules), wanted, met, stream))
    return tuple(each.bot for each in chosen)


def _kept_away(candidate: Candidate, bound: int) -> bool:
    """Whether the bot was passed over so often because others had it whenever the rest of the ladder was free."""
    return candidate.free <= 0 and not candidate.running_groups and candidate.waited >= bound


def _most_seats(bots: Sequence[Candidate], rules: PairingRules) -> int:
    """The most bots that may sit together, whoever is the anchor: one bot of each owner always fits."""
    return len(bots) if rules.same_owner else len({each.owner for each in bots})


def _seat_count(now: int, soon: int, window: Sequence[frozenset[str]], rules: PairingRules) -> int | None:
    """The possible seat count with the fewest recent matches, the smaller of equals; None if none is possible.

    `now`: the most bots that may sit together as they are free; `soon`: once all have room. What is due only then is
    waited for when the tables that are possible now are too far ahead: large tables would never come up otherwise.
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


def _anchor(free: Sequence[Candidate], stream: Stream) -> Candidate:
    """The most urgent; equals are drawn."""
    greatest = max(_urgency(each, len(free)) for each in free)
    return _drawn([each for each in free if _urgency(each, len(free)) == greatest], stream)


def _urgency(candidate: Candidate, free: int) -> tuple[int, Fraction]:
    """Who has waited for as many groups as bots are free comes first, the longest wait before all; then need.

    Whoever waits longer than a bot was in its last group earlier, so at most the others are ahead of an
    overdue bot, each once: hence the promise.
    """
    if candidate.waited >= free:
        return candidate.waited, Fraction(0)
    return -1, _need(candidate)


def _need(candidate: Candidate) -> Fraction:
    """Greater the less is known of a bot and the longer it has waited, smaller for each group it is in."""
    return Fraction(candidate.uncertainty_milli * (1 + candidate.waited), 1 + candidate.running_groups)


def _may_join(free: Sequence[Candidate], chosen: Sequence[Candidate], rules: PairingRules) -> list[Candidate]:
    bots = {each.bot for each in chosen}
    owners = set() if rules.same_owner else {each.owner for each in chosen}
    return [each for each in free if each.bot not in bots and each.owner not in owners]


def _partners(candidate: Candidate, window: Sequence[frozenset[str]]) -> Iterator[str]:
    """Whom it has met in these groups, once for each time."""
    return (bot for group in window if candidate.bot in group for bot in group)


def _opponent(
    others: Sequence[Candidate], wanted: Mapping[str, int], met: Mapping[str, int], stream: Stream
) -> Candidate:
    """One of `others`, drawn by weight. `met`: how often each has met those chosen so far."""
    weights = [_weight(each, wanted[each.bot], met.get(each.bot, 0)) for each in others]
    tickets = list(accumulate(weights))
    return others[bisect_right(tickets, stream.uniform(tickets[-1]))]


def _wanted(anchor: Candidate, other: Candidate) -> int:
    """Greater if the bot is near the anchor, and waits."""
    return _closeness(anchor, other) * (1 + min(other.waited, _WAIT_COUNTED))


def _weight(other: Candidate, wanted: int, met: int) -> int:
    """Greater if the bot is wanted, was seldom met by those chosen, and is in few groups."""
    return 1 + wanted // ((1 + met) ** 2 * (1 + other.running_groups))


def _closeness(one: Candidate, other: Candidate) -> int:
    """E (1 - E) in millionths, what a match would tell; ratings within their uncertainty count as equal."""
    doubt = isqrt(one.uncertainty_milli**2 + other.uncertainty_milli**2)
    gap = max(0, abs(one.rating_milli - other.rating_milli) - doubt)
    expected = expected_score(gap)
    return expected * (MILLIONTHS - expected) // MILLIONTHS


def _drawn(candidates: Sequence[Candidate], stream: Stream) -> Candidate:
    return candidates[stream.uniform(len(candidates))]
