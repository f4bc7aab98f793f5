"""Tournaments: the matches of the plan are made in its order, as the bots have room.

When all of a round have ended, the next one is planned (`arena.scheduling.rounds`).
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from time import monotonic_ns
from typing import Final

from arena.core.match import SeedPolicy
from arena.core.match_record import MatchTerms
from arena.core.pairing.formats.formats import format_of
from arena.core.pairing.groups import MatchPlan, plan_group, plan_set_up
from arena.core.pairing.held_time import HeldTime
from arena.core.suites import Suite
from arena.core.tournaments import TournamentState
from arena.scheduling.availability import Availability
from arena.scheduling.isolation import is_isolated
from arena.scheduling.planning_round import Making, PlanningRound, opened, planned
from arena.scheduling.rounds import FormatOf, RoundPlanning
from arena.scheduling.scheduler import MADE, NOTHING, Turn
from arena.scheduling.snapshot import Snapshot
from arena.scheduling.wall_clock import now_us
from arena.store.database import Database
from arena.store.matches.open_matches import OpenMatch
from arena.store.store import Transaction
from arena.store.tournaments.pairings import PairingRow
from arena.store.tournaments.tournaments import TournamentRow

MOST_DESERTED: Final = 64
"""Matches that wait at once for bots that are away, when nothing else is left to play."""


_OWES: Final = "rated play comes first, and gates have had their share of the time of these for now"


@dataclass(frozen=True, slots=True)
class _Unmade:
    """What is still to be made of a tournament."""

    of: tuple[int, int, int]
    """When it was created, its newest round, and how many bots had withdrawn."""
    pairings: Sequence[PairingRow]
    """In the order of the schedule."""


def _plan_of(row: TournamentRow) -> tuple[int, int, int]:
    return row.created_us, row.current_round, len(row.withdrawals)


@dataclass(slots=True)
class _TournamentPlan:
    """A tournament in one planning round."""

    planning: PlanningRound
    row: TournamentRow
    unmade: list[PairingRow]
    """In the order of the schedule."""
    open: tuple[OpenMatch, ...]
    """Its matches that were open."""
    pending: int
    """Those of them that are not in play."""
    missing: str
    """Which absent bots these wait for; empty if for none."""
    taken: set[int] = field(default_factory=set)
    """The numbers of the pairings made since."""
    waiting_for: str = ""
    """Why none was made."""

    @property
    def isolated(self) -> bool:
        """Whether the matches that are still to be made are isolated; those of one round are of one stage."""
        policy = self.unmade[0].seed_policy if self.unmade else self.row.seed_policy
        return is_isolated(self.row.game, policy)


class TournamentMatchmaking:
    """Makes the matches of all running tournaments."""

    def __init__(
        self,
        database: Database,
        availability: Availability,
        format_of: FormatOf = format_of,
        now: Callable[[], int] = monotonic_ns,
    ) -> None:
        """`now`: the time in nanoseconds of the monotonic clock."""
        self._database = database
        self._availability = availability
        self._rounds = RoundPlanning(database, format_of)
        self._now = now
        self.resting = ""
        self._held_time = HeldTime()
        self._held: dict[str, frozenset[str]] = {}
        """By running gate that yields: the bots in its open matches."""
        self._looked_at = now()
        self._rows: dict[str, TournamentRow] = {}
        """The running tournaments at the newest look."""
        self._unmade: dict[str, _Unmade] = {}
        """What is still to be made of each running tournament: read when its plan has changed, then kept up to date."""
        self._plans: dict[str, _TournamentPlan] = {}
        """Of the newest planning round of each tournament."""

    def waiting_for(self, tournament: str) -> str:
        """Return why no match of a running tournament began at the last look; empty if all is well."""
        plan = self._plans.get(tournament)
        return self.resting or ("" if plan is None else plan.waiting_for)

    # What the scheduler asks (arena.scheduling.scheduler.Supplier)

    def refresh(self, snapshot: Snapshot) -> tuple[str, ...]:
        """Take over what is stored now; return the tournaments that are running, by id."""
        self._rows = {row.id: row for row in snapshot.tournaments}
        names = tuple(self._rows)
        before, self._looked_at = self._looked_at, self._now()
        self._held_time.pass_time(self._looked_at - before, frozenset().union(*self._held.values()))
        self._held = {name: bots for name, bots in self._held.items() if name in names}
        self._unmade = {name: unmade for name, unmade in self._unmade.items() if name in names}
        self._plans = {name: plan for name, plan in self._plans.items() if name in names}
        return names

    async def make(self, name: str, planning: PlanningRound, *, first: bool, held: frozenset[str]) -> Turn:
        """Make the matches of the next pairing that can be played.

        If it is first and all its bots are full, make those of its next pairing at all, which then wait for their bots;
        at most one pairing waits so.
        """
        plan = self._plans.get(name)
        if plan is None or plan.planning is not planning:
            plan = self._plans[name] = await self._plan(name, planning)
        pairings, plan.waiting_for = self._choose(plan, first=first, held=held)
        for pairing in pairings:
            plan.unmade.remove(pairing)
            plan.taken.add(pairing.number)
            making = _making(plan.row, pairing)
            planning.add(making, pairing.bots, plan.row.seats, yields=plan.row.takes_free_places)
            planning.look_again = True  # once these play, one may be made that waits for its bots
            self._note_held(plan.row, pairing.bots)
        return MADE if pairings else NOTHING

    async def _plan(self, name: str, planning: PlanningRound) -> _TournamentPlan:
        own, row = planning.of_tournament(name), self._rows[name]
        known = self._still_unmade(name)
        if known is not None and known.of == _plan_of(row):
            unmade = known.pairings
            self._unmade[name] = known
        else:
            row, unmade = await self._read(name)
        if not (unmade or own) and await self._rounds.plan_next(row):
            row, unmade = await self._read(name)
            if row.gate is not None and row.state is TournamentState.FINISHED:
                self._availability.host.reload()
        self._note_held(row, (bot for match in own for bot in match.bots), anew=True)
        pending = len(self._availability.pending(own))
        return _TournamentPlan(
            planning, row, list(unmade), own, pending, self._availability.blocking_bots(own).describe()
        )

    async def _read(self, name: str) -> tuple[TournamentRow, Sequence[PairingRow]]:
        """Return the tournament, and what is still to be made of it."""
        row, unmade = await self._database.read(
            lambda tx: (tx.tournaments.get(name), tx.pairings.unmade(name))
        )
        self._unmade[name] = _Unmade(_plan_of(row), unmade)
        return row, unmade

    def _still_unmade(self, name: str) -> _Unmade | None:
        """Return what is still to be made, also what could not be stored; None if it is to be read."""
        known, last = self._unmade.get(name), self._plans.get(name)
        if known is None or last is None or not (last.taken and last.planning.stored):
            return known
        return _Unmade(known.of, [each for each in known.pairings if each.number not in last.taken])

    def _choose(
        self, plan: _TournamentPlan, *, first: bool, held: frozenset[str]
    ) -> tuple[Sequence[PairingRow], str]:
        """Return the pairings whose matches are made now, and what the tournament waits for otherwise."""
        unmade, missing, row = plan.unmade, plan.missing, plan.row
        if owing := self._owing(plan):
            unmade = [each for each in unmade if owing.isdisjoint(each.bots)]
            if not unmade:
                bots = ", ".join(bot for bot in row.bots if bot in owing)
                return [], missing or ("" if plan.open or plan.taken else f"{_OWES}: {bots}")
        isolated = plan.isolated
        free, would_take = self._free(plan), self._availability.would_take
        fitting = (each for each in unmade if all(free[b] > 0 and b not in held for b in each.bots))
        if (pairing := next(fitting, None)) is not None:
            return [pairing], missing
        takers = {bot for bot in row.bots if would_take(bot, row.game, row.rules_version, isolated=isolated)}
        playable = next((each for each in unmade if takers.issuperset(each.bots)), None)
        waits = playable is not None and not plan.pending and not plan.taken
        if first and waits and playable is not None and not row.takes_free_places:
            return [playable], missing
        if playable is not None or plan.open or plan.taken:
            return [], missing or self._yields_to(plan)
        there = {
            bot
            for bot in row.bots
            if bot not in row.withdrawn and self._availability.is_there(bot, isolated=isolated)
        }
        if not there:
            return [], "none of its bots is run by the arena" if isolated else "none of its bots is connected"
        deserted = [each for each in unmade if not there.issuperset(each.bots)]
        return deserted[: MOST_DESERTED // row.group_size], missing or _why_none(unmade)

    def _note_held(self, row: TournamentRow, bots: Iterable[str], *, anew: bool = False) -> None:
        """Note which bots a gate keeps from rated play. `anew`: it holds no others."""
        if row.gate is not None and row.yields:
            before = frozenset[str]() if anew else self._held.get(row.id, frozenset())
            self._held[row.id] = before.union(bots)

    def _owing(self, plan: _TournamentPlan) -> frozenset[str]:
        """Return the bots that rated play could use, and of which gates have had their share of the time."""
        if plan.row.gate is None or not plan.row.yields:
            return frozenset()
        wanted = (bot for bot in plan.row.bots if bot in plan.planning.wanted)
        return frozenset(bot for bot in wanted if not self._held_time.may_hold(bot))

    def _free(self, plan: _TournamentPlan) -> dict[str, int]:
        """Return the room of each bot, less what is kept for matches that wait for it.

        For a challenge that yields less the last place, too, where rated play could use it.
        """
        row, planning = plan.row, plan.planning
        terms = (row.game, row.rules_version)
        free = {
            bot: self._availability.free(bot, *terms, isolated=plan.isolated) - planning.kept[bot]
            for bot in row.bots
        }
        if not row.takes_free_places:
            return free
        return {
            bot: places - planning.kept_by_challenges[bot] - (bot in planning.wanted)
            for bot, places in free.items()
        }

    def _yields_to(self, plan: _TournamentPlan) -> str:
        """Return which bots keep a challenge waiting because rated play comes first; empty if none."""
        if not plan.row.takes_free_places or len(plan.open) > plan.pending:
            return ""
        terms = (plan.row.game, plan.row.rules_version)
        kept = [
            bot
            for bot in plan.row.bots
            if bot in plan.planning.wanted and self._availability.free(bot, *terms) <= 1
        ]
        first = "rated play comes first, and these have no second free place"
        return f"{first}: {', '.join(kept)}" if kept else ""


def _making(row: TournamentRow, pairing: PairingRow) -> Making:
    """Return what stores the matches of a pairing."""
    terms = MatchTerms(
        game=row.game,
        rules_version=row.rules_version,
        options=row.options,
        time_control=row.time_control,
        rated=False,
        tournament=row.id,
    )
    if row.compared is not None:
        plans = plan_set_up(row.secret, pairing.group, pairing.bots, row.compared)
    else:
        plans = plan_group(row.secret, pairing.group, pairing.bots, pairing.seed_policy)
    matches = planned(_set_up(row.suite, pairing, plans))

    def making(tx: Transaction) -> tuple[OpenMatch, ...]:
        if tx.groups.is_complete(pairing.group):
            return ()  # one of its bots has just withdrawn, or the tournament was deleted
        ids = tx.groups.add_matches(pairing.group, terms, matches, now_us())
        return opened(terms, pairing.group, ids, matches, pairing.seed_policy, yields=row.takes_free_places)

    return making


def _set_up(suite: Suite | None, pairing: PairingRow, plans: Sequence[MatchPlan]) -> Sequence[MatchPlan]:
    """Return the plans of a pairing with the seeds of a suite, if there is one."""
    if suite is None:
        return plans
    shared = pairing.seed_policy is SeedPolicy.SHARED
    entries = [suite.entry_of_match(pairing.number, slot, shared=shared) for slot in range(len(plans))]
    return [replace(plan, seed=entry.seed) for plan, entry in zip(plans, entries, strict=True)]


def _why_none(unmade: Sequence[PairingRow]) -> str:
    """Return why a tournament with bots that are there has no match to make."""
    if unmade:
        return "its bots ask for no matches, or do not play its game by these rules"
    return "void matches that are left to the organiser: arena match list shows them with --state aborted"
