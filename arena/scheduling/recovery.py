"""Matches that cannot be played as planned: what a crash has left, and what waits for bots that do not come back."""

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import structlog

from arena.core.endings.arena_faults import facts_of, killed
from arena.core.match import MatchState
from arena.core.units import US_PER_HOUR
from arena.hosting.host.host import Host
from arena.runner.timers import Timers
from arena.scheduling.availability import BotPool, pool_for
from arena.scheduling.isolation import is_isolated, may_begin
from arena.scheduling.result_recorder import ResultRecorder
from arena.scheduling.snapshot import versions_played
from arena.scheduling.walkovers import (
    DESERTED_MIN,
    GROUPS_REFUSED_A_DAY,
    Absence,
    AbsenceReason,
    Absent,
)
from arena.scheduling.wall_clock import now_us
from arena.sessions.registry import MOST_NO_SHOWS, SessionRegistry
from arena.store.audit.aggregation import moment
from arena.store.audit.entries import AuditEntry, AuditKind
from arena.store.database import Database
from arena.store.matches.open_matches import OpenMatch
from arena.store.store import Transaction

DESERTED_NS: Final = DESERTED_MIN * 60_000_000_000
"""A match that waits for an absent bot so long is settled without it, so that its group can count."""

LOOK_EVERY_NS: Final = 5_000_000_000

_MOST_AT_ONCE_NS: Final = 2 * LOOK_EVERY_NS
"""No more absence than this is counted from one look to the next: the machine may have stood still between them."""

_MOST_NAMED: Final = 50

_log = structlog.get_logger(__name__)


class _Wanted(NamedTuple):
    """A bot, and the kind of match that waits for it."""

    bot: str
    game: str
    rules_version: int
    isolated: bool
    """Whether only programs of the arena may play it."""


@dataclass(frozen=True, slots=True)
class Start:
    """What a start has found."""

    void: int
    """How many matches it made void."""
    entry: AuditEntry
    """To be written once the start has succeeded."""


class Recovery:
    """Ends matches that would otherwise stay open for ever."""

    def __init__(
        self,
        database: Database,
        recorder: ResultRecorder,
        sessions: SessionRegistry,
        timers: Timers,
        host: Host,
    ) -> None:
        self._host = host
        self._database = database
        self._recorder = recorder
        self._sessions = sessions
        self._timers = timers
        self._away_since: dict[_Wanted, int] = {}
        """Since when a bot has not been there for a kind of match, or has taken none of it."""
        self._absent_ns: dict[tuple[int, str], int] = {}
        """By match and bot: how long it was not there in all while the match waited, or took none of the kind.

        The whole time from one look to the next counts if it was away at any moment of it, and coming back does not
        begin anew: it could choose the moments of the looks, or those at which others are full.
        """
        self._looked_at: int | None = None

    async def recover(self, *, in_good_order: bool = True) -> Start:
        """Adopt, after a start, complete logs without a result; make other running matches void.

        `in_good_order`: whether the arena before this one has ended so.
        """
        adopted: list[int] = []
        void: list[int] = []
        for match in await self._database.read(lambda tx: tx.matches.unfinished()):
            if match.state is not MatchState.RUNNING:
                continue
            if await self._recorder.adopt(match):
                adopted.append(match.id)
                continue
            began = "" if match.started_us is None else moment(match.started_us)
            cause = killed(began, moment(now_us()), in_good_order=in_good_order)
            await self._recorder.abandon(match, cause)
            void.append(match.id)
            _log.warning("match void and to be replayed", match=match.id, why=cause.why)
        return Start(len(void), _start_entry(adopted, void, in_good_order=in_good_order))

    async def settle_deserted(self, plays: Callable[[int], bool]) -> bool:
        """Settle pending matches of bots that have been away for long. Return whether there were any.

        So are those of bots that are there and take none of the kind: by game, rules version or capacity.

        Those of a suspended hosted bot are settled at once, and those of bots whose owner may not play.

        If nothing of its group has begun, a match ends without a result; otherwise its seats are forfeited, unless the
        organiser or the arena is the cause that a bot does not play.

        `plays`: whether a match is in play. It looks every few seconds, however often it is called.
        """
        now = self._timers.now()
        since_look = 0 if self._looked_at is None else now - self._looked_at
        if self._looked_at is not None and since_look < LOOK_EVERY_NS:
            return False
        self._looked_at = now
        matches, idle, played = await self._database.read(_open_and_idle)
        pending = [match for match in matches if match.state is MatchState.PENDING]
        waiting = [match for match in pending if not plays(match.id)]
        wanted = {_wanted(bot, match) for match in waiting for bot in match.bots}
        away = [each for each in wanted if not self._takes(each)]
        before = self._away_since
        self._away_since = {each: before.get(each, now) for each in away}
        broken = {each for each in wanted if each in before or not self._took_since(each, now - since_look)}
        self._note_absence(
            pending, broken, {match.id for match in waiting}, min(since_look, _MOST_AT_ONCE_NS)
        )
        exclusions = {each.bot: how for each in away if (how := self._exclusion(each.bot, idle)) is not None}
        in_all = {match for (match, _), absent_ns in self._absent_ns.items() if absent_ns > DESERTED_NS}
        counts = await self._begun({match.group for match in waiting if match.id in in_all})
        deserted: dict[int, Absent] = {}
        for match in waiting:
            begun = played.get(match.group, {})
            absent: dict[str, Absence] = {}
            for bot in match.bots:
                wants = _wanted(bot, match)
                # What another version is to play is not given up because the version that is run now is suspended.
                if bot in exclusions and may_begin(self._host, (bot,), begun):
                    absent[bot] = exclusions[bot]
                elif now - self._away_since.get(wants, now) > DESERTED_NS or (
                    match.group in counts and self._absent_ns[match.id, bot] > DESERTED_NS
                ):
                    unwilling = wants in self._away_since and self._pool(wants).is_there(bot)
                    absent[bot] = Absence(AbsenceReason.UNWILLING if unwilling else AbsenceReason.AWAY)
            if absent:
                deserted[match.id] = absent
        return await self._settle([match for match in waiting if match.id in deserted], deserted, plays)

    async def settle_refused(self, matches: Sequence[OpenMatch], plays: Callable[[int], bool]) -> bool:
        """Settle pending matches that some of their bots refused too often. Return whether there were any.

        `matches`: all that are open. If nothing of its group has begun, all its matches with such a bot end without a
        result: refused one by one, they would leave a choice of seats. A bot that has refused groups before, often
        enough to choose its opponents by it, forfeits its seat instead.
        """
        waiting = [match for match in matches if match.state is MatchState.PENDING and not plays(match.id)]
        refusing: dict[int, set[str]] = defaultdict(set)
        for match in waiting:
            if bots := _refusing(match):
                refusing[match.group].update(bots)
        if not refusing:
            return False
        begun = await self._begun(refusing.keys())
        refusers = {bot for group, bots in refusing.items() if group not in begun for bot in bots}
        since_us = now_us() - 24 * US_PER_HOUR
        refused_before = await self._database.read(
            lambda tx: tx.open_matches.groups_refused(refusers, since_us)
        )
        choosy = {bot for bot, groups in refused_before.items() if groups >= GROUPS_REFUSED_A_DAY}
        held = begun | {group for group, bots in refusing.items() if bots <= choosy}
        refused: dict[int, Absent] = {}
        for match in waiting:
            bots = _refusing(match) if match.group in held else refusing.get(match.group, set())
            if absent := {bot: Absence(AbsenceReason.NO_SHOW) for bot in match.bots if bot in bots}:
                refused[match.id] = absent
        return await self._settle([match for match in waiting if match.id in refused], refused, plays, held)

    async def _settle(
        self,
        matches: Sequence[OpenMatch],
        absent: Mapping[int, Absent],
        plays: Callable[[int], bool],
        held: Collection[int] = (),
    ) -> bool:
        """Settle these matches without their absent bots, by match. Return whether any was.

        `held`: groups that are treated as if they had begun. A group of which a match is just being offered is left for
        the next look: it may be about to begin.
        """
        if not matches:
            return False
        groups = {match.group for match in matches}
        begun = await self._begun(groups)
        of_groups = await self._database.read(
            lambda tx: {group: [match.id for match in tx.matches.of_group(group)] for group in groups - begun}
        )
        offered = {group for group, ids in of_groups.items() if any(map(plays, ids))}
        settled = False
        for match in matches:
            bots = absent[match.id]
            if match.group in offered or plays(match.id):
                continue
            counts = match.group in begun or match.group in held
            if counts and all(self._is_own_doing(bot, how) for bot, how in bots.items()):
                await self._recorder.forfeit_seats(match.id, bots)
            else:
                await self._recorder.cancel(match.id, bots)
            _log.info("match settled without absent bots", match=match.id, absent=list(bots))
            settled = True
        return settled

    async def _begun(self, groups: Collection[int]) -> frozenset[int]:
        if not groups:
            return frozenset()
        return await self._database.read(lambda tx: tx.open_matches.begun(groups))

    def _is_own_doing(self, bot: str, how: Absence) -> bool:
        """Return whether a bot does not play by its own doing, or its owner's: then its seat is forfeited."""
        if how.reason is AbsenceReason.AWAY:
            return not self._host.hosts(bot)
        return how.reason not in {AbsenceReason.OWNER, AbsenceReason.ORGANISER}

    def _exclusion(self, bot: str, idle: Mapping[str, str]) -> Absence | None:
        """Return why a bot is excluded. `idle`: the bots whose owners may not play, and why."""
        if bot in idle:
            return Absence(AbsenceReason.OWNER, idle[bot])
        why = self._host.why_suspended(bot)
        return Absence(AbsenceReason.SUSPENDED, why) if why else None

    def _note_absence(
        self,
        pending: Sequence[OpenMatch],
        broken: Collection[_Wanted],
        waiting: Collection[int],
        since_look: int,
    ) -> None:
        """Add up each bot's absence, but for a match that is new or just being offered.

        `broken`: which bots were away at any moment since the last look.
        """
        absent = self._absent_ns
        self._absent_ns = {
            (match.id, bot): absent.get((match.id, bot), 0)
            + (
                since_look
                if match.id in waiting and (match.id, bot) in absent and _wanted(bot, match) in broken
                else 0
            )
            for match in pending
            for bot in match.bots
        }

    def _pool(self, wanted: _Wanted) -> BotPool:
        return pool_for(wanted.bot, self._sessions, self._host, isolated=wanted.isolated)

    def _takes(self, wanted: _Wanted) -> bool:
        """Return whether the bot is there for such a match, though it may have no room: others are not waited for."""
        pool = self._pool(wanted)
        return pool.is_there(wanted.bot) and pool.capacity_for(*wanted[:3]) > 0

    def _took_since(self, wanted: _Wanted, since: int) -> bool:
        """Return whether the bot takes such matches, and has since then."""
        return self._pool(wanted).took_since(*wanted[:3], since) and self._takes(wanted)


def _open_and_idle(
    tx: Transaction,
) -> tuple[Sequence[OpenMatch], Mapping[str, str], Mapping[int, Mapping[str, str]]]:
    """Return the open matches, the bots whose owners may not play, and `Snapshot.played`."""
    matches = tx.open_matches.all()
    return matches, tx.users.idle_bots(), versions_played(tx, matches)


def _refusing(match: OpenMatch) -> set[str]:
    """Return the bots that refused a match too often."""
    pairs = zip(match.bots, match.no_shows, strict=True) if match.no_shows else ()
    return {bot for bot, missed in pairs if missed >= MOST_NO_SHOWS}


def _wanted(bot: str, match: OpenMatch) -> _Wanted:
    return _Wanted(bot, match.game, match.rules_version, is_isolated(match.game, match.seed_policy))


def _start_entry(adopted: list[int], void: list[int], *, in_good_order: bool) -> AuditEntry:
    """Return the audit entry of a start."""
    sentence = "The arena began to run"
    if not in_good_order:
        sentence += " after it had been killed"
    if void or adopted:
        sentence += (
            f": of the matches that were being played {len(void)} are void, and {len(adopted)} have a result in a log "
            "that was complete"
        )
    found = [f"matches/{match}" for match in (*void, *adopted)][:_MOST_NAMED]
    stopped = "in good order" if in_good_order else "killed"
    facts = facts_of(stopped=stopped, void=len(void), adopted=len(adopted))
    return AuditEntry(AuditKind.START, now_us(), f"{sentence}.", tuple(found), facts)
