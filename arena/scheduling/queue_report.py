"""Which bots wait for the next match group of a ladder, for people to see."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from math import lcm

from arena.core.pairing.matchmaker import Candidate, wait_bound
from arena.core.pairing.shares import DUE, groups_until
from arena.core.unavailability import Unavailability, UnavailableReason
from arena.scheduling.availability import Availability
from arena.scheduling.unavailability import unavailability_in
from arena.store.ladders.entries import Contender
from arena.store.ladders.ladders import LadderRow


@dataclass(frozen=True, slots=True)
class QueueFacts:
    """What is stored of the bots of a ladder; bots of which there is nothing may be missing."""

    open: Mapping[str, int]
    """How many of its matches are played or wait to begin."""
    finished: Mapping[str, int]
    """How many have finished within the last hour."""
    submitted: Set[str]
    """Bots with a submission that is on its way."""
    idle: Mapping[str, str]
    """Bots that get no matches for their owner's sake, and why: a sentence part."""


@dataclass(frozen=True, slots=True)
class QueuePlace:
    """A bot of a ladder, waiting for its next match group."""

    bot: str
    position: int
    """1 is paired next; 0 while it takes no match."""
    waited: int
    """Groups made since it was last in one."""
    wait_bound: int
    """After so many more groups at most it is in one, if it keeps room for a match."""
    open_matches: int
    free_matches: int
    """How many more matches it takes now."""
    matches_last_hour: int
    unavailability: Unavailability | None
    """Why it takes no match now; None if it does."""


def queue_places(
    ladder: LadderRow,
    entries: Sequence[Contender],
    candidates: Sequence[Candidate],
    facts: QueueFacts,
    availability: Availability,
) -> tuple[QueuePlace, ...]:
    """Return the bots entered: first those that take a match, in the order of matchmaking, then the others, by name."""
    # All share the next board of a solo ladder.
    positions = {each.bot: 1 for each in candidates if each.willing}
    if not ladder.solo:
        positions = {bot: place for place, bot in enumerate(queue_order(candidates), start=1)}
    free = {each.bot: max(0, each.free) for each in candidates}
    behind = {each.bot: each.behind for each in candidates if each.behind is not None}

    def most_to_come(bot: str, waited: int) -> int:
        if ladder.solo:
            return 1
        if bot in behind:
            return groups_until(behind[bot], len(behind), ladder.seat_counts[0])
        return wait_bound(len(entries), waited)

    def unavailability(bot: str) -> Unavailability:
        if bot in facts.idle:
            return Unavailability(UnavailableReason.OWNER_INACTIVE, facts.idle[bot])
        return unavailability_in(bot, ladder, availability, facts.submitted)

    def place(entry: Contender) -> QueuePlace:
        waited = ladder.groups_created - entry.last_group_number
        return QueuePlace(
            bot=entry.bot,
            position=positions.get(entry.bot, 0),
            waited=waited,
            wait_bound=most_to_come(entry.bot, waited),
            open_matches=facts.open.get(entry.bot, 0),
            free_matches=free.get(entry.bot, 0),
            matches_last_hour=facts.finished.get(entry.bot, 0),
            unavailability=None if entry.bot in positions else unavailability(entry.bot),
        )

    places = [place(entry) for entry in entries]
    return tuple(sorted(places, key=lambda each: (each.position == 0, each.position, each.bot)))


def queue_order(candidates: Sequence[Candidate]) -> tuple[str, ...]:
    """Return the bots that are free in the order in which matchmaking would make them anchors; equals by name."""
    free = sorted((each for each in candidates if each.free > 0), key=lambda each: each.bot)
    shares = lcm(*{1 + each.running_groups for each in free})

    def urgency(candidate: Candidate) -> tuple[int, int]:
        if candidate.waited >= len(candidates) and candidate.behind is None:
            return 3, candidate.waited
        if (candidate.behind or 0) >= DUE:
            return 2, candidate.behind or 0
        if candidate.waited >= len(free):
            return 1, candidate.waited
        need = candidate.uncertainty_milli * (1 + candidate.waited)
        return 0, need * (shares // (1 + candidate.running_groups))

    return tuple(each.bot for each in sorted(free, key=urgency, reverse=True))
