"""Matchmaking: keeps every running ladder supplied with matches, as far as its bots have room."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import structlog

from arena.core.errors import UnavailableError
from arena.core.match import MatchState
from arena.core.pairing.dispatch import PendingMatch, startable
from arena.core.pairing.groups import default_seed_policy, plan_group
from arena.core.pairing.matchmaking import RECENT_GROUPS, Candidate, PairingRules, choose_group
from arena.core.rating.rating import uncertainty_milli
from arena.core.seeds import SECRET_BYTES, pairing_stream, secret_commitment
from arena.players.sessions import Sessions
from arena.scheduling.desk import Desk
from arena.scheduling.queue import MatchCounts, QueuePlace, queue_places
from arena.scheduling.recovery import DESERTED_NS, NS_PER_MINUTE, Recovery
from arena.scheduling.wall_time import US_PER_HOUR, now_us, today
from arena.store.database import Database
from arena.store.entries import EntryRow
from arena.store.groups import NewGroup, PlannedMatch
from arena.store.ladders import LadderRow, LadderState, SecretRow
from arena.store.matches import MatchRow
from arena.store.store import Transaction
from engine.randomness import commitment
from engine.registry import GAMES

MOST_MATCHES: Final = 1_000
"""Matches in play at once."""

LOOK_AGAIN_S: Final = 5.0
"""Matchmaking looks again after this time even if nothing has changed."""

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class _Seen:
    """What is stored of a ladder, all of one moment."""

    ladder: LadderRow
    entries: tuple[EntryRow, ...]
    recent: list[tuple[str, ...]]
    """The bots of its newest groups, newest first."""
    unfinished: tuple[MatchRow, ...]
    """The matches of the whole arena that have not ended, oldest first."""


class Ladders:
    """Runs all ladders of the arena, one look at a time."""

    def __init__(self, database: Database, sessions: Sessions, desk: Desk, recovery: Recovery) -> None:
        """Nothing happens before `run`."""
        self._database = database
        self._sessions = sessions
        self._desk = desk
        self._recovery = recovery
        self._woken = asyncio.Event()
        self._stopped = False
        self._waiting_for: dict[str, str] = {}

    def wake(self) -> None:
        """Something has changed: matchmaking looks again."""
        self._woken.set()

    def stop(self) -> None:
        """No match begins any more."""
        self._stopped = True

    def waiting_for(self, ladder: str) -> str:
        """Why no new match group of a ladder was made at the last look; empty if all is well."""
        return self._waiting_for.get(ladder, "")

    async def queue(self, ladder: str) -> tuple[QueuePlace, ...]:
        """The bots of a ladder, the one that is paired next first. Raises NotFoundError (LADDER_NOT_FOUND)."""
        since_us = now_us() - US_PER_HOUR
        seen, finished = await self._database.read(
            lambda tx: (_see(tx, ladder), tx.matches.count_finished_since(ladder, since_us))
        )
        candidates = self._candidates(seen.ladder, seen.entries, seen.unfinished)
        own = [_bots(match) for match in seen.unfinished if match.ladder == ladder]
        counts = MatchCounts(open=Counter(bot for bots in own for bot in set(bots)), finished=finished)
        return queue_places(seen.ladder, seen.entries, candidates, counts, self._sessions)

    async def run(self) -> None:
        """Looks whenever something has changed, for ever."""
        while not self._stopped:
            self._woken.clear()
            try:
                await self._look()
            except UnavailableError as error:
                _log.error("matchmaking must wait", why=error.sentence)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LOOK_AGAIN_S):
                    await self._woken.wait()

    async def _look(self) -> None:
        await self._recovery.cancel_deserted(self._desk.plays)
        ladders, unfinished = await self._database.read(
            lambda tx: (tx.ladders.running(), tx.matches.unfinished())
        )
        if rests := self._desk.rests:
            self._waiting_for = {ladder.id: rests for ladder in ladders}
            return
        await self._start(unfinished)
        for ladder in ladders:
            await self._pair(ladder.id)

    # Matches that wait

    async def _start(self, open_matches: Sequence[MatchRow]) -> None:
        waiting = {
            match.id: match
            for match in open_matches
            if match.state is MatchState.PENDING and not self._desk.plays(match.id)
        }
        pending = [PendingMatch(match.id, _bots(match)) for match in waiting.values()]
        free = self._free(waiting.values())
        for match in startable(pending, free, slots=MOST_MATCHES - self._desk.running):
            secret = await self._secret_of(waiting[match])
            if secret is not None and not self._stopped:
                self._desk.seat(waiting[match], secret)

    def _free(self, matches: Iterable[MatchRow]) -> dict[str, int]:
        """How many more matches each bot takes; those that are away are left out."""
        free: dict[str, int] = {}
        for match in matches:
            for bot in _bots(match):
                if self._is_there(bot):
                    free[bot] = self._sessions.free(bot, match.game, match.rules_version)
        return free

    def _is_there(self, bot: str) -> bool:
        presence = self._sessions.presence(bot)
        return presence.connections > 0 and not presence.paused

    async def _secret_of(self, match: MatchRow) -> SecretRow | None:
        ladder, day = match.ladder, match.day
        if ladder is None or day is None:
            return None
        return await self._database.read(lambda tx: tx.ladders.find_secret(ladder, day))

    # New match groups

    async def _pair(self, ladder: str) -> None:
        """Makes groups as long as bots have room, and starts what can be started."""
        while not self._stopped and not self._desk.rests and await self._make_group(ladder):
            await self._start(await self._database.read(lambda tx: tx.matches.unfinished()))

    async def _make_group(self, ladder_id: str) -> bool:
        """One more group, if there is to be one now."""
        secret = await self._secret_of_today(ladder_id)
        seen = await self._database.read(lambda tx: _see(tx, ladder_id))
        ladder, own = seen.ladder, [match for match in seen.unfinished if match.ladder == ladder_id]
        enough = ladder.remaining_matches is not None and ladder.remaining_matches <= len(own)
        if ladder.state is not LadderState.RUNNING or enough:
            self._waiting_for[ladder_id] = self._who_is_missing(own)
            return False
        candidates = self._candidates(ladder, seen.entries, seen.unfinished)
        rules = PairingRules(ladder.seat_counts, ladder.same_owner)
        stream = pairing_stream(secret.secret, ladder_id, ladder.groups_created + 1)
        bots = choose_group(candidates, seen.recent, rules, stream)
        nobody = "" if bots or own else _why_nobody(ladder, candidates)
        self._waiting_for[ladder_id] = self._who_is_missing(own) or nobody
        if bots is None:
            return False
        await self._store_group(ladder, bots, secret)
        return True

    def _who_is_missing(self, own: Sequence[MatchRow]) -> str:
        """Which bots keep matches of their ladder from beginning; empty if none does."""
        pending = [match for match in own if not self._desk.plays(match.id)]
        absent = sorted({bot for match in pending for bot in _bots(match) if not self._is_there(bot)})
        if not absent:
            return ""
        minutes = DESERTED_NS // NS_PER_MINUTE
        return f"matches wait for {', '.join(absent)} to come back, and are given up after {minutes} minutes"

    async def _secret_of_today(self, ladder: str) -> SecretRow:
        day = today()
        secret = await self._database.read(lambda tx: tx.ladders.find_secret(ladder, day))
        if secret is None:
            secret = await self._database.write(lambda tx: _begin_day(tx, ladder, day))
        return secret

    def _candidates(
        self, ladder: LadderRow, entries: Sequence[EntryRow], unfinished: Sequence[MatchRow]
    ) -> list[Candidate]:
        """The entries that are present; a match that waits for a bot takes up some of its room."""
        waiting = Counter(
            bot for match in unfinished if not self._desk.plays(match.id) for bot in _bots(match)
        )
        own = [match for match in unfinished if match.ladder == ladder.id]
        groups = Counter(bot for bots in _groups(own) for bot in bots)
        return [
            Candidate(
                bot=entry.bot,
                owner=entry.owner,
                rating_milli=entry.rating_milli,
                uncertainty_milli=uncertainty_milli(entry.information),
                waited=ladder.groups_created - entry.last_group_number,
                free=self._sessions.free(entry.bot, ladder.game, ladder.rules_version) - waiting[entry.bot],
                running_groups=groups[entry.bot],
            )
            for entry in entries
            if self._is_there(entry.bot)
        ]

    async def _store_group(self, ladder: LadderRow, bots: tuple[str, ...], secret: SecretRow) -> None:
        policy = default_seed_policy(GAMES[ladder.game].spec.chance, contained=False)
        new = NewGroup(
            ladder=ladder.id,
            day=secret.day,
            bots=bots,
            seed_policy=policy,
            game=ladder.game,
            rules_version=ladder.rules_version,
            options=ladder.options[len(bots)],
            time_control=ladder.time_control,
            rated=True,
        )

        def plan(group: int) -> tuple[PlannedMatch, ...]:
            return tuple(
                PlannedMatch(match.bots, match.group_index, commitment(match.seed))
                for match in plan_group(secret.secret, group, bots, policy)
            )

        group, matches = await self._database.write(lambda tx: tx.groups.create(new, plan, now_us()))
        _log.info("match group made", ladder=ladder.id, group=group, bots=bots, matches=matches)


def _bots(match: MatchRow) -> tuple[str, ...]:
    return tuple(seat.bot for seat in match.seats)


def _groups(matches: Sequence[MatchRow]) -> list[tuple[str, ...]]:
    """The bots of each group that these matches belong to."""
    return list({match.group: _bots(match) for match in matches}.values())


def _see(tx: Transaction, ladder: str) -> _Seen:
    return _Seen(
        tx.ladders.get(ladder),
        tx.entries.active(ladder),
        [group.bots for group in tx.groups.recent(ladder, RECENT_GROUPS)],
        tx.matches.unfinished(),
    )


def _begin_day(tx: Transaction, ladder: str, day: str) -> SecretRow:
    """The secret of the day, drawn and committed to; those of days gone by are revealed as far as they may be."""
    drawn = secrets.token_bytes(SECRET_BYTES)
    secret = SecretRow(day, drawn, secret_commitment(drawn), None)
    tx.ladders.add_secret(ladder, secret)
    tx.ladders.reveal_secrets(ladder, today=day, now_us=now_us())
    return secret


def _why_nobody(ladder: LadderRow, present: Sequence[Candidate]) -> str:
    needed = min(ladder.seat_counts)
    if len(present) < needed:
        return f"{len(present)} of its bots are connected and not paused, and a match needs {needed}"
    owners = len({each.owner for each in present})
    if not ladder.same_owner and owners < needed:
        return f"its bots that are connected have {owners} owners, and a match needs {needed} different ones"
    return "its bots have no room for another match"
