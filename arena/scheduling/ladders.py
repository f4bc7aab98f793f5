"""Matchmaking: which match group a ladder gets next, as far as its bots have room."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import structlog

from arena.core.pairing.groups import default_seed_policy
from arena.core.pairing.matchmaking import RECENT_GROUPS, Candidate, PairingRules, choose_board, choose_group
from arena.core.rating.rating import uncertainty_milli
from arena.core.seeds import SECRET_BYTES, pairing_stream, secret_commitment
from arena.scheduling.bot_room import BotRoom
from arena.scheduling.planned import planned_board, planned_matches
from arena.scheduling.queue import MatchCounts, QueuePlace, queue_places
from arena.scheduling.turns import MADE, NOTHING, Turn
from arena.scheduling.wall_time import US_PER_HOUR, now_us, today
from arena.store.database import Database
from arena.store.entries import EntryRow
from arena.store.groups import MatchTerms, NewGroup, PlannedMatch
from arena.store.ladders import LadderRow, LadderState, SecretRow
from arena.store.matches import MatchRow
from arena.store.store import Transaction
from engine.registry import GAMES

_NO_ROOM: Final = "its bots have no room for another match"

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
    """Makes the match groups of all ladders."""

    def __init__(self, database: Database, room: BotRoom) -> None:
        """`room`: of all bots."""
        self._database = database
        self._room = room
        self._resting = ""
        self._waiting_for: dict[str, str] = {}
        self._secrets: dict[str, SecretRow] = {}
        """The newest of each ladder, stored already."""

    def waiting_for(self, ladder: str) -> str:
        """Why no new match group of a ladder was made at the last look; empty if all is well."""
        return self._resting or self._waiting_for.get(ladder, "")

    async def queue(self, ladder: str) -> tuple[QueuePlace, ...]:
        """The bots of a ladder, the one that is paired next first. Raises NotFoundError (LADDER_NOT_FOUND)."""
        since_us = now_us() - US_PER_HOUR
        seen, finished = await self._database.read(
            lambda tx: (_see(tx, ladder), tx.tallies.finished_since(ladder, since_us))
        )
        candidates = self._candidates(seen.ladder, seen.entries, seen.unfinished)
        own = [match.bots for match in seen.unfinished if match.ladder == ladder]
        counts = MatchCounts(open=Counter(bot for bots in own for bot in set(bots)), finished=finished)
        return queue_places(seen.ladder, seen.entries, candidates, counts, self._room.sessions)

    # What the scheduler asks (arena.scheduling.turns.Supplier)

    async def running(self) -> tuple[str, ...]:
        """The ladders whose matchmaking is on, by id."""
        ladders = await self._database.read(lambda tx: tx.ladders.running())
        return tuple(ladder.id for ladder in ladders)

    def rest(self, why: str) -> None:
        """No group is made for the time being; empty: they are made again."""
        self._resting = why

    async def make(self, name: str, *, first: bool, held: frozenset[str]) -> Turn:
        """One more group of the ladder, if its bots have room and are not held for another."""
        secret = await self._secret_of_today(name)
        seen = await self._database.read(lambda tx: _see(tx, name))
        ladder, own = seen.ladder, [match for match in seen.unfinished if match.ladder == name]
        missing = self._room.who_is_missing(own)
        enough = ladder.remaining_matches is not None and ladder.remaining_matches <= len(own)
        if ladder.state is not LadderState.RUNNING or enough:
            self._waiting_for[name] = missing
            return NOTHING
        present = self._candidates(ladder, seen.entries, seen.unfinished)
        candidates = [replace(each, free=0) if each.bot in held else each for each in present]
        if ladder.solo:
            bots = choose_board([each for each in candidates if each.willing])
        else:
            rules = PairingRules(ladder.seat_counts, ladder.same_owner)
            stream = pairing_stream(secret.secret, name, ladder.groups_created + 1)
            bots = choose_group(candidates, seen.recent, rules, stream)
        if bots is not None:
            self._waiting_for[name] = missing
            await self._store_group(ladder, bots, secret)
            return MADE
        why = _why_nobody(ladder, present)
        self._waiting_for[name] = missing or ("" if own else why)
        willing = [each for each in present if each.willing]
        if _why_nobody(ladder, willing) != _NO_ROOM:
            return NOTHING
        return Turn(waits=True, holds=frozenset(each.bot for each in willing if each.free > 0))

    async def _secret_of_today(self, ladder: str) -> SecretRow:
        day = today()
        known = self._secrets.get(ladder)
        if known is not None and known.day == day:
            return known
        secret = await self._database.read(lambda tx: tx.ladders.find_secret(ladder, day))
        if secret is None:
            secret = await self._database.write(lambda tx: _begin_day(tx, ladder, day))
        self._secrets[ladder] = secret
        return secret

    def _candidates(
        self, ladder: LadderRow, entries: Sequence[EntryRow], unfinished: Sequence[MatchRow]
    ) -> list[Candidate]:
        """The entries that are present; a match that waits for a bot takes up some of its room."""
        kept = self._room.kept(unfinished)
        own = [match for match in unfinished if match.ladder == ladder.id]
        groups = Counter(bot for bots in _groups(own) for bot in bots)
        return [
            Candidate(
                bot=entry.bot,
                owner=entry.owner,
                rating_milli=entry.rating_milli,
                uncertainty_milli=uncertainty_milli(entry.information),
                waited=ladder.groups_created - entry.last_group_number,
                free=self._room.free(entry.bot, ladder.game, ladder.rules_version) - kept[entry.bot],
                running_groups=groups[entry.bot],
                willing=self._room.would_take(entry.bot, ladder.game, ladder.rules_version),
            )
            for entry in entries
            if self._room.is_there(entry.bot)
        ]

    async def _store_group(self, ladder: LadderRow, bots: tuple[str, ...], secret: SecretRow) -> None:
        policy = default_seed_policy(GAMES[ladder.game].spec.chance, contained=False)
        new = NewGroup(
            ladder=ladder.id,
            day=secret.day,
            bots=bots,
            seed_policy=policy,
            terms=MatchTerms(
                game=ladder.game,
                rules_version=ladder.rules_version,
                options=ladder.options[1 if ladder.solo else len(bots)],
                time_control=ladder.time_control,
                rated=not ladder.solo,
                ladder=ladder.id,
            ),
        )

        def plan(group: int) -> tuple[PlannedMatch, ...]:
            planned = planned_board if ladder.solo else planned_matches
            return planned(secret.secret, group, bots, policy)

        group, matches = await self._database.write(lambda tx: tx.groups.create(new, plan, now_us()))
        _log.info("match group made", ladder=ladder.id, group=group, bots=bots, matches=matches)


def _groups(matches: Sequence[MatchRow]) -> list[frozenset[str]]:
    """The bots that these matches of each group are waiting for or played by."""
    groups: dict[int, frozenset[str]] = {}
    for match in matches:
        groups[match.group] = groups.get(match.group, frozenset()) | frozenset(match.bots)
    return list(groups.values())


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
    return _NO_ROOM
