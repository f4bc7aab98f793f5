"""Matchmaking: which match group a ladder gets next, as far as its bots have room."""

import asyncio
import secrets
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from arena.core.match_record import MatchTerms
from arena.core.pairing.groups import plan_board, plan_group
from arena.core.pairing.matchmaker import Candidate, Matchmaker, PairingRules
from arena.core.rating.rating import uncertainty_milli
from arena.core.seeds import SECRET_BYTES, pairing_stream, secret_commitment
from arena.core.units import US_PER_HOUR
from arena.scheduling.availability import Availability, BlockingBots
from arena.scheduling.isolation import ladder_policy, takes_isolated
from arena.scheduling.planning_round import Making, PlanningRound, in_slices, opened, planned
from arena.scheduling.queue_report import QueueFacts, QueuePlace, queue_places
from arena.scheduling.scheduler import MADE, NOTHING, Turn
from arena.scheduling.snapshot import Snapshot, StoredLadder, stored_ladder
from arena.scheduling.wall_clock import now_us, today
from arena.store.database import Database
from arena.store.ladders.ladders import LadderRow, SecretRow
from arena.store.matches.groups import NewGroup
from arena.store.matches.matches import PlannedMatch
from arena.store.matches.open_matches import OpenMatch
from arena.store.store import Transaction

_NO_ROOM: Final = "its bots have no room for another match"


@dataclass(slots=True)
class _LadderPlan:
    """A ladder in one planning round, brought up to date with every group that is made for it."""

    planning: PlanningRound
    ladder: LadderRow
    secret: SecretRow
    matchmaker: Matchmaker
    open: tuple[OpenMatch, ...]
    """Its matches that were open."""
    missing: BlockingBots
    """Which bots these wait for."""
    why_no_pairing: str
    """Why no bots are paired; used if none are."""
    only_full: bool
    """Whether that is only because bots are full."""
    known: int
    """How many of the groups made in this look the field knows of, those of others included."""
    waiting_for: str = ""
    """Why no group was made at the last look, for all to see, where no bot is missing."""
    groups: int = 0
    """Made for it since."""
    matches: int = 0
    """Of these groups."""

    @property
    def wants_more(self) -> bool:
        """Whether it is to make groups at all."""
        wanted = self.ladder.remaining_matches
        enough = wanted is not None and wanted <= self.open_now
        return not enough

    @property
    def open_now(self) -> int:
        """Its open matches, those made since included."""
        return len(self.open) + self.matches

    def choose(self, held: frozenset[str]) -> tuple[str, ...] | None:
        """Return the bots of its next group; None if there are none."""
        for bots, matches in self.planning.taken[self.known :]:
            self.matchmaker.taken(bots, matches=matches)
        self.known = len(self.planning.taken)
        if self.ladder.solo:
            return self.matchmaker.choose_board(held)
        number = self.ladder.groups_created + self.groups + 1
        stream = pairing_stream(self.secret.secret, self.ladder.id, number)
        return self.matchmaker.choose_group(stream, held, self.planning.places)

    def make(self, bots: tuple[str, ...]) -> None:
        """Make the group; it is stored with the planning round."""
        each = 1 if self.ladder.solo else len(bots)
        self.matchmaker.made(bots, matches=each)
        self.groups += 1
        self.matches += len(bots)
        self.planning.add(_making(self.ladder, bots, self.secret), bots, each)
        self.known += 1


class LadderMatchmaking:
    """Makes the match groups of all ladders."""

    def __init__(self, database: Database, availability: Availability) -> None:
        self._database = database
        self._availability = availability
        self.resting = ""
        self._stored: dict[str, StoredLadder] = {}
        """The running ladders at the newest look."""
        self._begun: frozenset[int] = frozenset()
        """The match groups that are open, and of which something has begun, then."""
        self._secrets: dict[tuple[str, int], SecretRow] = {}
        """The newest of each ladder, by its id and the time of its creation; stored already."""
        self._plans: dict[str, _LadderPlan] = {}
        """Of the newest planning round of each ladder."""
        self._behind: dict[str, Mapping[str, int]] = {}
        """By ladder, how far its hosted bots are behind in their shares of the groups, all that is stored counted."""

    def waiting_for(self, ladder: str, bots: Collection[str] | None = None) -> str:
        """Return why no new match group of a ladder was made at the last look; empty if all is well.

        `bots`: those that may be named; None: all.
        """
        plan = self._plans.get(ladder)
        return self.resting or ("" if plan is None else plan.missing.describe(bots) or plan.waiting_for)

    async def queue(self, ladder: str) -> tuple[QueuePlace, ...]:
        """Return the bots of a ladder, the next to be paired first. Raises NotFoundError (LADDER_NOT_FOUND)."""
        since_us = now_us() - US_PER_HOUR
        seen, matches, finished, submissions, idle = await self._database.read(
            lambda tx: (
                stored_ladder(tx, tx.ladders.get(ladder)),
                tx.open_matches.all(),
                tx.tallies.finished_since(ladder, since_us),
                tx.submissions.unfinished(),
                tx.users.idle_bots(),
            )
        )
        planning = await PlanningRound.of(self._availability, matches)
        self._count_stored(ladder)
        candidates = await self._candidates(seen, planning)
        own = [match.bots for match in planning.of_ladder(ladder)]
        playing = Counter(bot for bots in own for bot in set(bots))
        facts = QueueFacts(playing, finished, {submission.bot for submission in submissions}, idle)
        return queue_places(seen.ladder, seen.entries, candidates, facts, self._availability)

    # What the scheduler asks (arena.scheduling.scheduler.Supplier)

    def refresh(self, snapshot: Snapshot) -> tuple[str, ...]:
        """Take over what is stored now; return the ladders whose matchmaking is on, by id."""
        self._stored = {each.ladder.id: each for each in snapshot.ladders}
        self._begun = snapshot.begun
        self._plans = {name: plan for name, plan in self._plans.items() if name in self._stored}
        self._behind = {name: behind for name, behind in self._behind.items() if name in self._stored}
        return tuple(self._stored)

    async def make(self, name: str, planning: PlanningRound, *, first: bool, held: frozenset[str]) -> Turn:
        """Make one more group of the ladder, if its bots have room and are not held for another."""
        plan = self._plans.get(name)
        if plan is None or plan.planning is not planning:
            self._count_stored(name)
            plan = self._plans[name] = await self._plan(name, planning)
        plan.waiting_for = ""
        if not plan.wants_more:
            return NOTHING
        bots = plan.choose(held)
        if bots is not None:
            plan.make(bots)
            return MADE
        if not plan.open_now:
            plan.waiting_for = plan.why_no_pairing
        if not plan.only_full:
            return NOTHING
        return Turn(waits=True, holds=plan.matchmaker.willing_and_free())

    def _count_stored(self, name: str) -> None:
        """Count what the newest planning round has made of a ladder, if it is stored, in the shares of its bots."""
        plan = self._plans.get(name)
        if plan is not None and (plan.planning.stored or not plan.groups):
            self._behind[name] = plan.matchmaker.behind()

    async def _plan(self, name: str, planning: PlanningRound) -> _LadderPlan:
        secret = await self._secret_of_today(self._stored[name].ladder)
        pending = [match for match in planning.pending if match.ladder == name]
        seen = self._stored[name]
        ladder, own = seen.ladder, planning.of_ladder(name)
        missing = self._availability.blocking_bots(pending, self._begun)
        await asyncio.sleep(0)
        known = len(planning.taken)
        present = await self._candidates(seen, planning)
        await asyncio.sleep(0)
        matchmaker = Matchmaker(present, seen.recent, PairingRules(ladder.seat_counts, ladder.same_owner))
        await asyncio.sleep(0)
        return _LadderPlan(
            planning=planning,
            ladder=ladder,
            secret=secret,
            matchmaker=matchmaker,
            open=own,
            missing=missing,
            why_no_pairing=_why_no_pairing(ladder, present),
            known=known,
            only_full=_why_no_pairing(ladder, [each for each in present if each.willing]) == _NO_ROOM,
        )

    async def _secret_of_today(self, ladder: LadderRow) -> SecretRow:
        day, key = today(), (ladder.id, ladder.created_us)
        known = self._secrets.get(key)
        if known is not None and known.day == day:
            return known
        secret = await self._database.read(lambda tx: tx.ladders.find_secret(ladder.id, day))
        if secret is None:
            secret = await self._database.write(lambda tx: _begin_day(tx, ladder.id, day))
        self._secrets[key] = secret
        return secret

    async def _candidates(self, seen: StoredLadder, planning: PlanningRound) -> list[Candidate]:
        """Return the entries that are present; a match that waits for a bot takes up some of its room."""
        ladder, availability = seen.ladder, self._availability
        isolated = takes_isolated(ladder)
        of_groups = {(match.group, bot) for match in planning.of_ladder(ladder.id) for bot in match.bots}
        groups = Counter(bot for _, bot in of_groups)
        behind = self._behind.get(ladder.id, {})
        counted = frozenset() if planning.places is None or ladder.solo else availability.host.hosted
        await asyncio.sleep(0)
        return [
            Candidate(
                bot=entry.bot,
                owner=entry.owner,
                rating_milli=entry.rating_milli,
                uncertainty_milli=uncertainty_milli(entry.information),
                waited=ladder.groups_created - entry.last_group_number,
                free=availability.free(entry.bot, ladder.game, ladder.rules_version)
                - planning.kept[entry.bot],
                running_groups=groups[entry.bot],
                willing=availability.would_take(entry.bot, ladder.game, ladder.rules_version),
                behind=behind.get(entry.bot, 0) if entry.bot in counted else None,
            )
            async for entry in in_slices(seen.entries)
            if availability.is_there(entry.bot, isolated=isolated)
        ]


def _making(ladder: LadderRow, bots: tuple[str, ...], secret: SecretRow) -> Making:
    """Return what stores the group."""
    policy = ladder_policy(ladder)
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

    def making(tx: Transaction) -> tuple[OpenMatch, ...]:
        stored = tx.ladders.find(ladder.id)
        if stored is None or stored.created_us != ladder.created_us:
            return ()  # it has just been deleted
        matches: list[PlannedMatch] = []

        def plan(group: int) -> tuple[PlannedMatch, ...]:
            plans = plan_board if ladder.solo else plan_group
            matches.extend(planned(plans(secret.secret, group, bots, policy)))
            return tuple(matches)

        group, ids = tx.groups.create(new, plan, now_us())
        return opened(new.terms, group, ids, matches, policy)

    return making


def _begin_day(tx: Transaction, ladder: str, day: str) -> SecretRow:
    """Draw and commit to the secret of the day; reveal those of past days as far as they may be.

    Nothing is stored if the ladder has just been deleted.
    """
    drawn = secrets.token_bytes(SECRET_BYTES)
    secret = SecretRow(day, drawn, secret_commitment(drawn), None)
    if tx.ladders.find(ladder) is None:
        return secret
    tx.ladders.add_secret(ladder, secret)
    tx.ladders.reveal_secrets(ladder, today=day, now_us=now_us())
    return secret


def _why_no_pairing(ladder: LadderRow, present: Sequence[Candidate]) -> str:
    needed = min(ladder.seat_counts)
    if len(present) < needed:
        ready = "run by the arena and not suspended" if takes_isolated(ladder) else "connected and not paused"
        return f"{len(present)} of its bots are {ready}, and a match needs {needed}"
    owners = len({each.owner for each in present})
    if not ladder.same_owner and owners < needed:
        return f"its bots that are connected have {owners} owners, and a match needs {needed} different ones"
    return _NO_ROOM
