"""Matches that cannot go on as planned: what a crash has left, and what waits for bots that do not come back."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final, NamedTuple

import structlog

from arena.core import results
from arena.core.faults import killed
from arena.core.match import MatchResult, MatchState
from arena.core.terminations import Fault, SeatEnding, Termination
from arena.players.sessions import Sessions
from arena.runner.timers import Timers
from arena.scheduling.containment import is_played_alone, may_begin
from arena.scheduling.hosting import Hosting, NobodyHosted
from arena.scheduling.settlement import Settlement
from arena.scheduling.wall_time import now_us
from arena.store.audit import AuditEntry, AuditKind
from arena.store.database import Database
from arena.store.open_matches import OpenMatch
from arena.store.summaries import moment

NS_PER_MINUTE: Final = 60_000_000_000
DESERTED_NS: Final = 10 * NS_PER_MINUTE
"""A match that waits for an absent bot so long is given up, so that the rest of its group can count."""

LOOK_EVERY_NS: Final = 5_000_000_000

_MOST_NAMED: Final = 50

_log = structlog.get_logger(__name__)


class Bar(Enum):
    """What keeps a bot from playing, so that its matches are not waited for; the value names it in the evidence."""

    BENCHED = "benched"
    OWNER = "owner"
    """Its owner may not play."""


class _Wanted(NamedTuple):
    """A bot, and the kind of match that waits for it."""

    bot: str
    game: str
    rules_version: int
    alone: bool
    """Whether only programs of the arena may play it."""


@dataclass(frozen=True, slots=True)
class _Barred:
    """A bot that does not play for now."""

    bar: Bar
    why: str
    """A sentence part."""


class Recovery:
    """Brings to an end what would otherwise stay open for ever."""

    def __init__(
        self,
        database: Database,
        settlement: Settlement,
        sessions: Sessions,
        timers: Timers,
        hosting: Hosting | None = None,
    ) -> None:
        """Nothing happens before it is asked for."""
        self._hosting: Hosting = hosting or NobodyHosted()
        self._database = database
        self._settlement = settlement
        self._sessions = sessions
        self._timers = timers
        self._away_since: dict[_Wanted, int] = {}
        """Since when a bot has not been there for a kind of match, or has taken none of it."""
        self._looked_at: int | None = None

    async def recover(self, *, in_good_order: bool = True) -> AuditEntry:
        """After a start: complete logs without a result are adopted; other matches that were running are void.

        Returns what the audit trail is to tell of the start, once it has succeeded. `in_good_order`: whether the arena
        before this one has ended so.
        """
        adopted: list[int] = []
        void: list[int] = []
        for match in await self._database.read(lambda tx: tx.matches.unfinished()):
            if match.state is not MatchState.RUNNING:
                continue
            if await self._settlement.adopt(match):
                adopted.append(match.id)
                continue
            began = "" if match.started_us is None else moment(match.started_us)
            cause = killed(began, moment(now_us()), in_good_order=in_good_order)
            await self._settlement.abandon(match, cause)
            void.append(match.id)
            _log.warning("match void and to be replayed", match=match.id, why=cause.why)
        return _start_entry(adopted, void, in_good_order=in_good_order)

    async def cancel_deserted(self, plays: Callable[[int], bool]) -> bool:
        """Pending matches of bots that have been away for long end without a result; whether there were any.

        So do those of bots that are there and take none of the kind: by game, rules version or capacity.

        Those of a hosted bot that is benched end at once, and those of bots whose owner is shut out.

        `plays`: which are in play.
        It looks every few seconds, however often it is called.
        """
        now = self._timers.now()
        if self._looked_at is not None and now - self._looked_at < LOOK_EVERY_NS:
            return False
        self._looked_at = now
        matches, idle = await self._database.read(lambda tx: (tx.open_matches.all(), tx.users.idle_bots()))
        waiting = [match for match in matches if match.state is MatchState.PENDING and not plays(match.id)]
        wanted = {_wanted(bot, match) for match in waiting for bot in match.bots}
        away = [each for each in wanted if not self._takes(each)]
        self._away_since = {each: self._away_since.get(each, now) for each in away}
        barred = {each.bot: how for each in away if (how := self._barred(each.bot, idle)) is not None}
        closed = {match.group for match in waiting if is_played_alone(match)}
        played = await self._database.read(lambda tx: tx.open_matches.versions_played(closed))
        cancelled = False
        for match in waiting:
            begun = played.get(match.group, {})
            # What another version is to play is not given up because the one that is run now is benched.
            here = {
                bot: barred[bot]
                for bot in match.bots
                if bot in barred and may_begin(self._hosting, (bot,), begun)
            }
            deserters = [
                bot
                for bot in match.bots
                if bot in here or now - self._away_since.get(_wanted(bot, match), now) > DESERTED_NS
            ]
            if deserters:
                unwilling = {bot for bot in deserters if self._is_there(_wanted(bot, match))}
                await self._settlement.cancel(match.id, _deserted(match, deserters, here, unwilling))
                _log.info("match given up", match=match.id, absent=deserters)
                cancelled = True
        return cancelled

    def _barred(self, bot: str, idle: Mapping[str, str]) -> _Barred | None:
        """`idle`: the bots whose owners may not play, and why."""
        if bot in idle:
            return _Barred(Bar.OWNER, idle[bot])
        why = self._hosting.benched(bot)
        return _Barred(Bar.BENCHED, why) if why else None

    def _is_there(self, wanted: _Wanted) -> bool:
        if self._hosting.hosts(wanted.bot):
            return self._hosting.is_there(wanted.bot)
        return not wanted.alone and self._sessions.is_there(wanted.bot)

    def _takes(self, wanted: _Wanted) -> bool:
        """Whether it is there for such a match, be it full: who is, and takes none, would be waited for for ever."""
        bots = self._hosting if self._hosting.hosts(wanted.bot) else self._sessions
        return self._is_there(wanted) and bots.capacity_for(wanted.bot, wanted.game, wanted.rules_version) > 0


def _wanted(bot: str, match: OpenMatch) -> _Wanted:
    return _Wanted(bot, match.game, match.rules_version, is_played_alone(match))


def _start_entry(adopted: list[int], void: list[int], *, in_good_order: bool) -> AuditEntry:
    """What the audit trail tells of a start."""
    sentence = "The arena began to run"
    if not in_good_order:
        sentence += " after it had been killed"
    if void or adopted:
        sentence += (
            f": of the matches that were being played {len(void)} are void, and {len(adopted)} have a result in a log "
            "that was complete"
        )
    found = [f"matches/{match}" for match in (*void, *adopted)][:_MOST_NAMED]
    facts = (
        ("stopped", "in good order" if in_good_order else "killed"),
        ("void", str(len(void))),
        ("adopted", str(len(adopted))),
    )
    return AuditEntry(AuditKind.START, now_us(), f"{sentence}.", tuple(found), facts)


def _deserted(
    match: OpenMatch, deserters: list[str], barred: Mapping[str, _Barred], unwilling: Collection[str]
) -> MatchResult:
    """`unwilling`: those of the deserters that are there, and take no such match."""

    def ending(bot: str) -> SeatEnding:
        if bot not in deserters:
            return _left_waiting()
        if bot in barred:
            return _without_play(bot, barred[bot])
        return _unwilling(bot, match) if bot in unwilling else _deserter(bot, alone=is_played_alone(match))

    def absence(bot: str) -> str:
        if bot in barred:
            return f"{bot} does not play, {barred[bot].why.rstrip('.')}"
        return f"{bot} took no such match" if bot in unwilling else f"{bot} did not come back in time"

    why = " and ".join(map(absence, deserters))
    endings = [ending(bot) for bot in match.bots]
    return results.without_result(MatchState.NO_CONTEST, endings, f"It never began: {why}.")


def _unwilling(bot: str, match: OpenMatch) -> SeatEnding:
    minutes = DESERTED_NS // NS_PER_MINUTE
    return SeatEnding(
        Termination.DISCONNECT,
        Fault.BOT,
        (("absent_min", str(minutes)), ("takes", "no")),
        f"The match never began: for more than {minutes} minutes {bot} was there, but took no match of {match.game} "
        f"by rules version {match.rules_version}.",
    )


def _deserter(bot: str, *, alone: bool) -> SeatEnding:
    minutes = DESERTED_NS // NS_PER_MINUTE
    how = "not run by the arena" if alone else "away, or paused,"
    return SeatEnding(
        Termination.DISCONNECT,
        Fault.BOT,
        (("absent_min", str(minutes)), *((("hosted", "no"),) if alone else ())),
        f"The match never began: {bot} was {how} for more than {minutes} minutes.",
    )


def _without_play(bot: str, barred: _Barred) -> SeatEnding:
    return SeatEnding(
        Termination.DISCONNECT,
        Fault.BOT,
        ((barred.bar.value, barred.why),),
        f"The match never began: {bot} does not play, {barred.why}".rstrip(".") + ".",
    )


def _left_waiting() -> SeatEnding:
    return SeatEnding(
        Termination.NORMAL,
        Fault.OPPONENT,
        (("began", "no"),),
        "The match never began: another bot was away for too long, or does not play.",
    )
