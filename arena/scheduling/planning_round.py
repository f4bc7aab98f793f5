"""One look at the arena: the matches that are open, and those that are made out of it before they are stored.

Everything open is read once. What is made is counted at once, as if it were stored already, and all of it is stored
in one transaction: so a look costs the same reading and writing for one match group and for many.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import Final, TypeVar

import structlog

from arena.core.match import MatchState, SeedPolicy
from arena.core.match_record import MatchTerms
from arena.core.pairing.groups import MatchPlan
from arena.core.pairing.shares import Places
from arena.hosting.host.host import Host
from arena.scheduling.availability import Availability
from arena.scheduling.snapshot import SeatableMatch, seatable
from arena.store.database import Database
from arena.store.matches.matches import PlannedMatch
from arena.store.matches.open_matches import OpenMatch
from arena.store.store import Transaction
from engine.randomness import commitment

Making = Callable[[Transaction], tuple[OpenMatch, ...]]
"""Stores the matches of a group, all of them PENDING; none if they are not to be played any more."""

MOST_GROUPS: Final = 32
"""Match groups made in one look: results do not wait long for the transaction that stores them."""

_SLICE: Final = 200
"""Items in a row; a few microseconds each."""

_MOST_READ_BACK: Final = 32
"""Matches that are read in the transaction that stores them: no other waits long for it."""

T = TypeVar("T")

_log = structlog.get_logger(__name__)


async def in_slices(items: Iterable[T]) -> AsyncIterator[T]:
    """Yield the items; after each slice, let the event loop run what else is ready."""
    for number, item in enumerate(items, start=1):
        yield item
        if number % _SLICE == 0:
            await asyncio.sleep(0)


@dataclass(eq=False)
class PlanningRound:
    """The open matches at one moment. It is good for one look."""

    matches: Sequence[OpenMatch]
    """Those of the whole arena, oldest first."""
    pending: tuple[OpenMatch, ...]
    """Those that are not in play, oldest first."""
    kept: Counter[str]
    """How many places of each bot are kept for matches that wait for it; absent bots are not waited for."""
    host: Host
    kept_by_challenges: Counter[str] = field(default_factory=Counter)
    """The same for matches that yield: they keep nothing from others."""
    wanted: frozenset[str] = frozenset()
    """The bots whose last place is kept for rated play."""
    taken: list[tuple[Sequence[str], int]] = field(default_factory=list)
    """For each group made since: its bots, and how many places of each of them it takes."""
    stored: bool = False
    """Whether what was made is on disk."""
    look_again: bool = False
    """Whether another look may find more to make, though nothing changes meanwhile."""
    made: Mapping[int, SeatableMatch] = field(default_factory=dict)
    """By id, the first of the matches that it has stored: to begin, they need not be read again."""
    _makings: list[Making] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Find the hosted bots that have a match."""
        self._engaged = {bot for match in self.matches for bot in match.bots if self.host.hosts(bot)}

    @staticmethod
    async def of(
        availability: Availability, matches: Sequence[OpenMatch], wanted: frozenset[str] = frozenset()
    ) -> PlanningRound:
        """Return what is open, with the bots as they are now. `wanted`: those that rated play could use."""
        pending = availability.pending(matches)
        kept: Counter[str] = Counter()
        by_challenges: Counter[str] = Counter()
        async for match in in_slices(pending):
            if availability.would_begin(match):
                (by_challenges if match.yields else kept).update(match.bots)
        return PlanningRound(
            matches, pending, kept, availability.host, kept_by_challenges=by_challenges, wanted=wanted
        )

    @property
    def full(self) -> bool:
        """Whether so much was made that it is to be stored first."""
        return len(self._makings) >= MOST_GROUPS

    @property
    def without_place(self) -> frozenset[str]:
        """Hosted bots that no match is made for now: others take up all the places for processes."""
        places = self.places
        return frozenset() if places is None or places.left else places.cold

    @property
    def places(self) -> Places | None:
        """The places for processes that no match needs; None if there is one for each hosted bot."""
        hosted, slots = self.host.hosted, self.host.slots
        if len(hosted) <= slots:
            return None
        return Places(max(0, slots - len(self._engaged)), frozenset(hosted - self._engaged))

    def of_ladder(self, ladder: str) -> tuple[OpenMatch, ...]:
        """Return the matches of a ladder that were open."""
        return tuple(match for match in self.matches if match.ladder == ladder)

    def of_tournament(self, tournament: str) -> tuple[OpenMatch, ...]:
        """Return the matches of a tournament that were open."""
        return tuple(match for match in self.matches if match.tournament == tournament)

    def add(self, making: Making, bots: Sequence[str], matches_each: int, *, yields: bool = False) -> None:
        """Add a group, to be stored with the others. `matches_each`: how many of its matches a bot plays."""
        if yields:
            self.kept_by_challenges.update(dict.fromkeys(bots, matches_each))
        else:
            self.kept.update(dict.fromkeys(bots, matches_each))
            self.taken.append((bots, matches_each))
        self._engaged.update(bot for bot in bots if self.host.hosts(bot))
        self._makings.append(making)

    async def store(self, database: Database) -> tuple[OpenMatch, ...]:
        """Store what was made. Return everything that waits now, with that.

        Raises UnavailableError: STORAGE, nothing was stored.
        """
        if not self._makings:
            return self.pending
        new, seatables = await database.write(self._store)
        self.stored = True
        self.made = {each.match.id: each for each in seatables}
        for matches in new:
            first, bots = matches[0], list(dict.fromkeys(bot for match in matches for bot in match.bots))
            of = {"tournament": first.tournament} if first.ladder is None else {"ladder": first.ladder}
            _log.info(
                "match group made", **of, group=first.group, bots=bots, matches=[each.id for each in matches]
            )
        return (*self.pending, *chain.from_iterable(new))

    def _store(self, tx: Transaction) -> tuple[list[tuple[OpenMatch, ...]], list[SeatableMatch]]:
        """Return the matches by group, groups without any left out, and what `made` holds."""
        new = [matches for making in self._makings if (matches := making(tx))]
        first = islice(chain.from_iterable(new), _MOST_READ_BACK)
        return new, seatable(tx, {match.id: match.group for match in first})


def opened(
    terms: MatchTerms,
    group: int,
    ids: Sequence[int],
    matches: Sequence[PlannedMatch],
    policy: SeedPolicy,
    *,
    yields: bool = False,
) -> tuple[OpenMatch, ...]:
    """Return the matches of a stored group, `ids` in the order of `matches`. `yields`: see OpenMatch."""
    event = (group, terms.ladder, terms.tournament, terms.game, terms.rules_version)
    return tuple(
        OpenMatch(match, *event, MatchState.PENDING, each.bots, policy, yields=yields)
        for match, each in zip(ids, matches, strict=True)
    )


def planned(plans: Iterable[MatchPlan]) -> tuple[PlannedMatch, ...]:
    """Return the plans of the matches of a group as they are stored, in the same order."""
    return tuple(PlannedMatch(match.bots, match.seed_group_index, commitment(match.seed)) for match in plans)
