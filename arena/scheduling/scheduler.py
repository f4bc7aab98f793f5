"""The loop that keeps the bots playing: starts matches that wait, and has new ones made while there is room."""

import asyncio
import contextlib
import time
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

import structlog

from arena.core.errors import UnavailableError
from arena.core.match import MatchState
from arena.core.match_record import MatchRecord
from arena.core.pairing.start_order import MAX_LEAD, PendingMatch, startable
from arena.scheduling.availability import Availability
from arena.scheduling.isolation import is_isolated, may_begin, versions_held
from arena.scheduling.planning_round import PlanningRound, in_slices
from arena.scheduling.recovery import Recovery
from arena.store.database import Database
from arena.store.matches.groups import GroupSecret
from arena.store.matches.open_matches import OpenMatch
from arena.store.store import Transaction

MOST_MATCHES: Final = 1_000
"""Matches in play at once."""

LOOK_AGAIN_S: Final = 5.0
"""The scheduler looks again after this time even if nothing has changed."""

_LONG_LOOK_S: Final = 0.05
"""Of processor time."""
_GATHER_TIMES: Final = 3
"""After a long look so many times as long is waited; matchmaking takes a quarter of a core at most."""
_GATHER_S: Final = 1.0

_log = structlog.get_logger(__name__)


_RatedPlay = tuple[int, tuple[str, ...]]
"""A running ladder, or a running tournament that yields to none: the fewest bots of a match, and all its bots."""


@dataclass(frozen=True, slots=True)
class Turn:
    """What a ladder or tournament did when it was its turn."""

    made: bool = False
    """It made matches."""
    waits: bool = False
    """It wants to make some, and only has to wait until its bots have room."""
    holds: frozenset[str] = frozenset()
    """Bots with room that it needs together with others: no other may take them."""


MADE: Final = Turn(made=True)
NOTHING: Final = Turn()
"""It wants nothing, or cannot have it as things are."""


class Supplier(Protocol):
    """What makes matches: all ladders, or all tournaments."""

    resting: str
    """Why nothing is made for now, a sentence part without a full stop; empty if matches are made."""

    async def running(self) -> tuple[str, ...]:
        """Return the ids of those that are running."""

    async def make(self, name: str, planning: PlanningRound, *, first: bool, held: frozenset[str]) -> Turn:
        """Make the matches of one match group of one of them out of what is open, if possible.

        `first`: no other that waits was served longer ago; `held`: bots that are not to be taken.
        """


@dataclass(slots=True)
class FairRotation:
    """All running ladders and tournaments, the one served longest ago first."""

    suppliers: tuple[Supplier, ...]
    _order: list[tuple[int, str]] = field(default_factory=list)
    """Place of the supplier, id."""

    async def refresh(self) -> None:
        """Update what is running: newly begun ones come last."""
        running = [
            (place, name) for place, each in enumerate(self.suppliers) for name in await each.running()
        ]
        stay = [each for each in self._order if each in running]
        self._order = stay + [each for each in running if each not in stay]

    async def take(self, planning: PlanningRound) -> bool:
        """Have the first that can make one match group. Return False if none can."""
        without_place = planning.without_place
        first, held = True, without_place
        for place, name in list(self._order):
            turn = await self.suppliers[place].make(name, planning, first=first, held=held)
            if turn.made:
                self._order.remove((place, name))
                self._order.append((place, name))
                return True
            if turn.waits and first:
                first, held = False, turn.holds | without_place
        return False


class Scheduler:
    """Runs all ladders and tournaments of the arena, one look at a time."""

    def __init__(
        self,
        database: Database,
        availability: Availability,
        recovery: Recovery,
        suppliers: tuple[Supplier, ...],
    ) -> None:
        self._database = database
        self._availability = availability
        self._recovery = recovery
        self._turns = FairRotation(suppliers)
        self._woken = asyncio.Event()
        self._stopped = False

    def wake(self) -> None:
        """Look again: something has changed."""
        self._woken.set()

    def stop(self) -> None:
        """Begin no more matches."""
        self._stopped = True

    async def run(self) -> None:
        """Look whenever something has changed, for ever."""
        while not self._stopped:
            self._woken.clear()
            began = time.process_time()
            try:
                while await self.look() and not self._stopped:
                    pass
            except UnavailableError as error:
                _log.error("matchmaking must wait", why=error.sentence)
            # Several changes are looked at together after a long look; one that only waited, for a slow disk or for
            # its turn on a busy machine, causes no wait.
            worked_s = time.process_time() - began
            if worked_s > _LONG_LOOK_S:
                await asyncio.sleep(min(_GATHER_TIMES * worked_s, _GATHER_S))
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LOOK_AGAIN_S):
                    await self._woken.wait()

    async def look(self) -> bool:
        """Begin and make matches as far as there is room. Return whether to look again for more to make."""
        if await self._recovery.settle_deserted(self._availability.match_manager.plays):
            self._availability.match_manager.change_signal.notify()
        rests = self._availability.match_manager.rests
        for supplier in self._turns.suppliers:
            supplier.resting = rests
        if rests:
            return False
        matches = await self._database.read(lambda tx: tx.open_matches.all())
        if await self._recovery.settle_refused(matches, self._availability.match_manager.plays):
            self._availability.match_manager.change_signal.notify()
            matches = await self._database.read(lambda tx: tx.open_matches.all())
        await self._end_decided(matches)
        played = await self._played(match for match in matches if not match.decided)
        self._availability.host.hold(versions_held(played))
        play = await self._database.read(_rated_play)
        planning = await PlanningRound.of(self._availability, matches, _bots_wanted(play, self._availability))
        await self._turns.refresh()
        made = True
        while made and not (self._stopped or planning.full):
            made = await self._turns.take(planning)
            await asyncio.sleep(0)  # a group takes a while to choose on a ladder of thousands
        await self._start(await planning.store(self._database), played, planning.wanted)
        return not planning.empty

    async def _end_decided(self, matches: Sequence[OpenMatch]) -> None:
        """Begin and end every match that all its seats but one, or all, have forfeited; no bot is asked."""
        match_manager = self._availability.match_manager
        decided = {
            match.id: match.group
            for match in matches
            if match.decided and match.state is MatchState.PENDING and not match_manager.plays(match.id)
        }
        if not decided:
            return
        for match, secret, versions in await self._database.read(lambda tx: _complete(tx, decided)):
            if not self._stopped:
                match_manager.seat(match, secret, versions)
                await asyncio.sleep(0)

    async def _start(
        self,
        pending: Sequence[OpenMatch],
        played: Mapping[int, Mapping[str, str]],
        wanted: frozenset[str],
    ) -> None:
        """Begin every match that waits, and whose bots have room.

        `played`: see `_played`; `wanted`: the bots that rated play could use.
        """
        availability, manager = self._availability, self._availability.match_manager
        waiting = [
            match
            for match in pending
            if match.state is MatchState.PENDING
            and not match.decided
            and availability.may_play(match)
            and may_begin(availability.host, match.bots, played.get(match.group, {}))
        ]
        dispatched = list(filter(manager.is_for_worker, waiting))
        here = self._prepared([match for match in waiting if not manager.is_for_worker(match)])
        isolated = {bot for match in here if is_isolated(match.game, match.seed_policy) for bot in match.bots}
        slots = MOST_MATCHES - manager.running_here
        unused = list(filter(availability.host.unused_process, isolated))
        begin = self._chosen(here, await self._free(here), slots, unused, wanted)
        if dispatched and (ready := manager.dispatched.ready_for(len(dispatched))):
            free = self._free_at_workers(dispatched)
            begin += self._chosen(dispatched, free, ready, list(free), wanted)
        if not begin:
            return
        beginning = {match.id: match for match in waiting if match.id in set(begin)}
        groups = {match: beginning[match].group for match in begin}
        complete = await self._database.read(lambda tx: _complete(tx, groups))
        played = await self._played(beginning.values())  # again: others may have begun meanwhile
        for match, secret, versions in complete:
            if not may_begin(availability.host, beginning[match.id].bots, played.get(match.group, {})):
                continue
            if match.state is MatchState.PENDING and not self._stopped:
                manager.seat(match, secret, versions)
                await asyncio.sleep(0)  # each takes a while to set up

    def _chosen(
        self,
        waiting: Sequence[OpenMatch],
        free: Mapping[str, int],
        slots: int,
        unused: Collection[str],
        wanted: frozenset[str],
    ) -> tuple[int, ...]:
        """Return the matches that begin now, rated play first.

        `free`: places by bot; `unused`: bots that play an isolated match in a new process; `wanted`: see `_start`.
        """
        rated = [match for match in waiting if not match.yields]
        begin = startable(map(_pending, rated), free, slots=slots, fresh=unused)
        if challenges := [match for match in waiting if match.yields]:
            left = _left_for_challenges(free, rated, set(begin), wanted, self._availability)
            unused = [bot for bot in unused if left.get(bot) == free.get(bot)]
            begin += startable(map(_pending, challenges), left, slots=slots - len(begin), fresh=unused)
        return begin

    async def _played(self, matches: Iterable[OpenMatch]) -> Mapping[int, Mapping[str, str]]:
        """Return by group, of isolated groups: the versions of their bots that have begun matches."""
        isolated = {match.group for match in matches if is_isolated(match.game, match.seed_policy)}
        if not isolated:
            return {}
        return await self._database.read(lambda tx: tx.open_matches.versions_played(isolated))

    def _prepared(self, waiting: list[OpenMatch]) -> list[OpenMatch]:
        """Start processes of hosted bots for the matches that wait. Return those that may begin now.

        While one waits for a place, those much younger wait with it: so processes become idle, and make room.
        """
        host = self._availability.host
        needs = [_pending(match) for match in waiting if self._availability.waits_for_programs(match)]
        without_place = host.prepare(needs)
        if without_place is None:
            return waiting
        return [
            match
            for match in waiting
            if match.id <= without_place + MAX_LEAD or not any(map(host.hosts, match.bots))
        ]

    async def _free(self, matches: Iterable[OpenMatch]) -> dict[str, int]:
        """Return how many more matches each bot takes now; those that are away are left out."""
        availability = self._availability
        return {
            bot: availability.sessions.free(bot, match.game, match.rules_version)
            - availability.host.dispatched(bot)
            async for match in in_slices(matches)
            for bot in match.bots
            if availability.is_there(bot)
        }

    def _free_at_workers(self, matches: Iterable[OpenMatch]) -> dict[str, int]:
        """Return how many more matches each hosted bot takes at workers; those that are away are left out."""
        availability = self._availability
        return {
            bot: availability.host.free_even_held(bot, match.game, match.rules_version)
            for match in matches
            for bot in match.bots
            if availability.is_there(bot)
        }


def _rated_play(tx: Transaction) -> tuple[_RatedPlay, ...]:
    """Return all rated play if a running challenge yields to it; otherwise nothing."""
    tournaments = tx.tournaments.running()
    if not any(each.yields for each in tournaments):
        return ()
    ladders = (
        (min(ladder.seat_counts), tuple(entry.bot for entry in tx.entries.active(ladder.id)))
        for ladder in tx.ladders.running()
    )
    others = ((each, tuple(bot for bot in each.bots if bot not in each.withdrawn)) for each in tournaments)
    return (*ladders, *((each.seats, bots) for each, bots in others if not each.yields))


def _bots_wanted(play: Iterable[_RatedPlay], availability: Availability) -> frozenset[str]:
    """Return the bots that are there for it, where those are enough for a match.

    Their last free place is kept for it, and no challenge takes it.
    """
    found: set[str] = set()
    for seats, bots in play:
        there = [bot for bot in bots if availability.is_there(bot)]
        if len(there) >= seats:
            found.update(there)
    return frozenset(found)


def _left_for_challenges(
    free: Mapping[str, int],
    rated: Iterable[OpenMatch],
    begin: Collection[int],
    wanted: Collection[str],
    availability: Availability,
) -> dict[str, int]:
    """Return how many places of each bot rated play leaves: some are taken by what begins, some kept for what waits.

    The last one of a bot that rated play could use is kept for what may be made of it soon.
    """
    taken: Counter[str] = Counter()
    kept: Counter[str] = Counter()
    for match in rated:
        if match.id in begin:
            taken.update(match.bots)
        elif availability.would_begin(match):
            kept.update(match.bots)
    kept |= Counter(dict.fromkeys(wanted, 1))
    return {bot: max(0, places - taken[bot] - kept[bot]) for bot, places in free.items()}


def _pending(match: OpenMatch) -> PendingMatch:
    return PendingMatch(match.id, match.bots, is_isolated(match.game, match.seed_policy))


def _complete(
    tx: Transaction, matches: Mapping[int, int]
) -> Sequence[tuple[MatchRecord, GroupSecret, Mapping[str, str]]]:
    """Return those of these matches (with their groups) whose seeds are not given by hand, with their secrets.

    And the versions of bots whose seats were forfeited before, or that win without play: those that have played the
    group, or else the newest.
    """
    rows = tx.matches.several(matches)
    secrets = tx.groups.secrets_of(set(matches.values()))
    forfeited = [match for match in rows if any(seat.ending is not None for seat in match.seats)]
    played = tx.open_matches.versions_played({match.group for match in forfeited})
    bots = {bot for match in forfeited for bot in match.bots}
    newest = {bot: versions[0].label for bot, versions in tx.bots.newest_versions(sorted(bots), 1).items()}
    return [
        (match, secrets[match.group], {**dict.fromkeys(bots, ""), **newest, **played.get(match.group, {})})
        for match in rows
        if match.group in secrets
    ]
