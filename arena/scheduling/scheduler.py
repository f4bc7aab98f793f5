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
from arena.core.pairing.start_order import MAX_LEAD, PendingMatch, startable
from arena.scheduling.availability import Availability
from arena.scheduling.isolation import is_isolated, may_begin, versions_held
from arena.scheduling.planning_round import PlanningRound, in_slices
from arena.scheduling.recovery import Recovery
from arena.scheduling.snapshot import SeatableMatch, Snapshot, read_snapshot, seatable, versions_played
from arena.store.database import Database
from arena.store.matches.open_matches import OpenMatch

MOST_MATCHES: Final = 1_000
"""Matches in play at once."""

LOOK_AGAIN_S: Final = 5.0
"""The scheduler looks again after this time even if nothing has changed."""

LOOK_AGAIN_IDLE_S: Final = 60.0
"""The same while no ladder or tournament runs and no match is open: then only a change can give it something to do."""

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

    def refresh(self, snapshot: Snapshot) -> tuple[str, ...]:
        """Take over what is stored now; return the ids of those that are running."""

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

    def refresh(self, snapshot: Snapshot) -> None:
        """Update what is running: newly begun ones come last."""
        running = [
            (place, name) for place, each in enumerate(self.suppliers) for name in each.refresh(snapshot)
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
        self.look_again_s = LOOK_AGAIN_S
        """Seconds until it looks again if nothing changes."""

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
                async with asyncio.timeout(self.look_again_s):
                    await self._woken.wait()

    async def look(self) -> bool:
        """Begin and make matches as far as there is room. Return whether to look again for more to make."""
        self.look_again_s = LOOK_AGAIN_S
        if await self._recovery.settle_deserted(self._availability.match_manager.plays):
            self._availability.match_manager.change_signal.notify()
        rests = self._availability.match_manager.rests
        for supplier in self._turns.suppliers:
            supplier.resting = rests
        if rests:
            return False
        snapshot = await self._database.read(read_snapshot)
        if await self._recovery.settle_refused(snapshot.matches, self._availability.match_manager.plays):
            self._availability.match_manager.change_signal.notify()
            snapshot = await self._database.read(read_snapshot)
        await self._end_decided(snapshot.matches)
        self._availability.host.hold(versions_held(snapshot.played))
        wanted = _bots_wanted(_rated_play(snapshot), self._availability)
        planning = await PlanningRound.of(self._availability, snapshot.matches, wanted)
        self._turns.refresh(snapshot)
        made = True
        while made and not (self._stopped or planning.full):
            made = await self._turns.take(planning)
            await asyncio.sleep(0)  # a group takes a while to choose on a ladder of thousands
        pending = await planning.store(self._database)
        if not (pending or snapshot.matches or snapshot.ladders or snapshot.tournaments):
            self.look_again_s = LOOK_AGAIN_IDLE_S
        await self._start(pending, snapshot.played, planning)
        return planning.full or planning.look_again

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
        for each in await self._database.read(lambda tx: seatable(tx, decided)):
            if not self._stopped:
                match_manager.seat(each.match, each.secret, each.versions)
                await asyncio.sleep(0)

    async def _start(
        self,
        pending: Sequence[OpenMatch],
        played: Mapping[int, Mapping[str, str]],
        planning: PlanningRound,
    ) -> None:
        """Begin every match that waits, and whose bots have room.

        `played`: see `Snapshot.played`; `planning`: what was made and stored in this look.
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
        dispatched = [
            match
            for match in waiting
            if manager.is_for_worker(match) and manager.dispatched.can_play(match.bots)
        ]
        here = self._prepared([match for match in waiting if not manager.is_for_worker(match)])
        isolated = {bot for match in here if is_isolated(match.game, match.seed_policy) for bot in match.bots}
        slots = MOST_MATCHES - manager.running_here
        unused = list(filter(availability.host.unused_process, isolated))
        begin = self._chosen(here, await self._free(here), slots, unused, planning.wanted)
        if dispatched and (ready := manager.dispatched.ready_for(len(dispatched))):
            free = self._free_at_workers(dispatched)
            begin += self._chosen(dispatched, free, ready, list(free), planning.wanted)
        chosen = set(begin)
        beginning = {match.id: match for match in waiting if match.id in chosen}
        known, played = await self._seatable([beginning[match] for match in begin], planning.made)
        for number in begin:
            each = known.get(number)
            if each is None or each.match.state is not MatchState.PENDING or self._stopped:
                continue
            if may_begin(availability.host, beginning[number].bots, played.get(each.match.group, {})):
                manager.seat(each.match, each.secret, each.versions)
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

        `free`: places by bot; `unused`: bots that play an isolated match in a new process; `wanted`: those that
        rated play could use.
        """
        rated = [match for match in waiting if not match.yields]
        begin = startable(map(_pending, rated), free, slots=slots, fresh=unused)
        if challenges := [match for match in waiting if match.yields]:
            left = _left_for_challenges(free, rated, set(begin), wanted, self._availability)
            unused = [bot for bot in unused if left.get(bot) == free.get(bot)]
            begin += startable(map(_pending, challenges), left, slots=slots - len(begin), fresh=unused)
        return begin

    async def _seatable(
        self, begin: Sequence[OpenMatch], made: Mapping[int, SeatableMatch]
    ) -> tuple[Mapping[int, SeatableMatch], Mapping[int, Mapping[str, str]]]:
        """Return by id what is needed to seat these matches, and `Snapshot.played` of their groups as it is now.

        `made`: those that are known, for nothing of their groups was stored before this look.
        """
        others = [match for match in begin if match.id not in made]
        if not others:
            return made, {}
        groups = {match.id: match.group for match in others}
        read, played = await self._database.read(
            lambda tx: (seatable(tx, groups), versions_played(tx, others))
        )
        return {**made, **{each.match.id: each for each in read}}, played

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


def _rated_play(snapshot: Snapshot) -> tuple[_RatedPlay, ...]:
    """Return all rated play if a running challenge yields to it; otherwise nothing."""
    tournaments = snapshot.tournaments
    if not any(each.yields for each in tournaments):
        return ()
    ladders = (
        (min(each.ladder.seat_counts), tuple(entry.bot for entry in each.entries))
        for each in snapshot.ladders
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
