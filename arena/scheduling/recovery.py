"""Matches that cannot go on as planned: what a crash has left, and what waits for bots that do not come back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

import structlog

from arena.core.faults import killed
from arena.core.match import MatchState
from arena.players.sessions import Sessions
from arena.runner.timers import Timers
from arena.scheduling.containment import is_played_alone, may_begin
from arena.scheduling.hosting import Hosting, NobodyHosted
from arena.scheduling.never_began import DESERTED_MIN, Bar, Barred, never_began
from arena.scheduling.settlement import Settlement
from arena.scheduling.wall_time import now_us
from arena.store.audit import AuditEntry, AuditKind
from arena.store.database import Database
from arena.store.open_matches import OpenMatch
from arena.store.summaries import moment

DESERTED_NS: Final = DESERTED_MIN * 60_000_000_000
"""A match that waits for an absent bot so long is given up, so that the rest of its group can count."""

LOOK_EVERY_NS: Final = 5_000_000_000

_MOST_NAMED: Final = 50

_log = structlog.get_logger(__name__)


class _Wanted(NamedTuple):
    """A bot, and the kind of match that waits for it."""

    bot: str
    game: str
    rules_version: int
    alone: bool
    """Whether only programs of the arena may play it."""


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
                await self._settlement.cancel(match.id, never_began(match, deserters, here, unwilling))
                _log.info("match given up", match=match.id, absent=deserters)
                cancelled = True
        return cancelled

    def _barred(self, bot: str, idle: Mapping[str, str]) -> Barred | None:
        """`idle`: the bots whose owners may not play, and why."""
        if bot in idle:
            return Barred(Bar.OWNER, idle[bot])
        why = self._hosting.benched(bot)
        return Barred(Bar.BENCHED, why) if why else None

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
