"""Tournaments, each with the secret that its seeds and all its draws come from."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from itertools import count
from typing import Any, Final

from sqlalchemy import ColumnElement, delete, exists, func, or_, select, update

from arena.core.clock.time_control import TimeControl
from arena.core.errors import ErrorReason
from arena.core.match import MatchState, SeedPolicy
from arena.core.pairing.formats.parameters import FormatParameters
from arena.core.pairing.formats.plan import Withdrawal
from arena.core.pairing.round_robin import PlannedPairing
from arena.core.suites import Suite
from arena.core.tournaments import PLANNED_AT_ONCE, TournamentFormat, TournamentState, matches_of_pairing
from arena.store.bots.bots import Bots
from arena.store.json_columns import (
    pack,
    pack_suite,
    pack_time_control,
    unpack_names,
    unpack_suite,
    unpack_texts,
    unpack_time_control,
)
from arena.store.repository import Prepared, Repository, check_new, found, from_row, row_values
from arena.store.schema import MATCH_GROUPS, MATCH_SEATS, MATCHES, TOURNAMENT_ROUNDS, TOURNAMENTS
from arena.store.tournaments.pairings import Pairings, numbered
from arena.store.webhooks.notifications import tournament_data
from arena.store.webhooks.outbox import NotificationType, Outbox


@dataclass(frozen=True, slots=True)
class GateRow:
    """What a gate compares. Its two bots play for the versions."""

    bot: str
    candidate: str
    """The version that is tested, 64 hex digits."""
    incumbent: str
    """The version that played when the gate was created."""
    apply: bool
    """Whether the candidate is pinned if it is better."""
    applied: bool = False
    """Whether it was."""


@dataclass(frozen=True, slots=True)
class TournamentRow:
    """A closed event whose pairings follow from its format."""

    id: str
    owner: str
    format: TournamentFormat
    game: str
    rules_version: int
    options: Mapping[str, str]
    """All options by name as text."""
    time_control: TimeControl
    bots: tuple[str, ...]
    """In the order of entry: as named, or by rating."""
    seats: int
    rounds: int
    """Round-robin, gauntlet, challenge: how often each pairing is played. Swiss: how many rounds. Otherwise 1."""
    seed_policy: SeedPolicy
    state: TournamentState
    pairings: int
    """Planned so far."""
    secret: bytes
    """T, 32 bytes. Not to be shown before the end."""
    commitment: bytes
    """32 bytes."""
    created_us: int
    ended_matches: int = 0
    """Of the plan; void matches that are played again are not counted."""
    unplayed_matches: int = 0
    """Those of them that have no result."""
    ended_us: int | None = None
    yields: bool = False
    """Whether rated play of its bots goes before it: a challenge or gate that an owner has made with bots of others."""
    title: str = ""
    """How it is shown beside its id; empty: by its id alone."""
    hidden: bool = False
    """Whether listings leave it out."""
    archived: bool = False
    """Whether none of its matches begins any more; listings leave it out unless asked."""

    parameters: FormatParameters = field(default_factory=FormatParameters)
    seeded_by: str = ""
    """The ladder whose ratings have given the order of entry; empty: none."""
    current_round: int = 0
    """The newest round, from 1; 0 if none is planned yet, or if the plan is known as a whole."""
    withdrawals: tuple[Withdrawal, ...] = ()
    """In their order."""
    gate: GateRow | None = None
    """Only of a gate."""
    suite: Suite | None = None
    """Where its seeds come from; None: from its secret."""

    @property
    def matches(self) -> int:
        """Matches planned so far."""
        return self.pairings * self.group_size

    @property
    def group_size(self) -> int:
        """Matches of a pairing."""
        return matches_of_pairing(self.format, self.seats)

    @property
    def takes_free_places(self) -> bool:
        """Whether its matches are played with places that rated play leaves; a gate waits for its turn instead."""
        return self.yields and self.gate is None

    @property
    def compared(self) -> tuple[str, str] | None:
        """The two bots that a gate compares, the candidate's first; None for other formats."""
        return (self.bots[0], self.bots[1]) if self.gate is not None else None

    def seed_policy_of(self, stage: int) -> SeedPolicy:
        """Return the seed policy of the match groups of a stage, from 1."""
        stages = self.parameters.stages
        return (stages[stage - 1].seed_policy if stages else None) or self.seed_policy

    @property
    def seed_policies(self) -> frozenset[SeedPolicy]:
        """The seed policies of all its match groups."""
        stages = len(self.parameters.stages) or 1
        return frozenset(map(self.seed_policy_of, range(1, stages + 1)))

    @property
    def withdrawn(self) -> frozenset[str]:
        """The bots that have withdrawn."""
        return frozenset(each.bot for each in self.withdrawals)


class Tournaments(Repository):
    """The tournaments."""

    def add(self, row: TournamentRow, plan: Sequence[PlannedPairing] = ()) -> None:
        """Store the tournament with its plan, if it is known as a whole, seats drawn.

        Raises AlreadyExistsError (TOURNAMENT_EXISTS).
        """
        self.check_free(row.id)
        values = row_values(
            row,
            format=row.format.value,
            options=pack(dict(row.options)),
            time_control=pack_time_control(row.time_control),
            bots=pack(row.bots),
            seed_policy=row.seed_policy.value,
            state=row.state.value,
            parameters=row.parameters.to_json(),
            withdrawals=_pack_withdrawals(row.withdrawals),
            gate=_pack_gate(row.gate),
            suite=pack_suite(row.suite),
        )
        self._insert(TOURNAMENTS, **values, matches=row.matches)
        if plan:
            pairings = Pairings(self._connection)
            pairings.add(row.id, numbered(plan), row.secret, row.seed_policy_of, now_us=row.created_us)

    def check_free(self, tournament: str) -> None:
        """Check that no tournament has this id. Raises AlreadyExistsError (TOURNAMENT_EXISTS)."""
        check_new(self.find(tournament), ErrorReason.TOURNAMENT_EXISTS, "tournament", tournament)

    def next_challenge_id(self) -> str:
        """Return an id that is free: "challenge-1" for the first one."""
        challenges = select(func.count()).where(TOURNAMENTS.c.format == TournamentFormat.CHALLENGE.value)
        first = self._number(challenges) + 1
        ids = (f"challenge-{number}" for number in count(first))
        return next(each for each in ids if self.find(each) is None)

    def next_gate_id(self) -> str:
        """Return an id that is free, as are those of the two bots of the gate: "gate-1" for the first one."""
        first = self._number(select(func.count()).where(_OF_GATE)) + 1
        bots = Bots(self._connection)
        ids = (f"gate-{number}" for number in count(first))
        return next(
            each for each in ids if self.find(each) is None and not any(map(bots.find, gate_bot_ids(each)))
        )

    def find(self, tournament: str) -> TournamentRow | None:
        """Return the tournament; None if there is none."""
        return self._first(select(TOURNAMENTS).where(TOURNAMENTS.c.id == tournament), _tournament)

    def get(self, tournament: str) -> TournamentRow:
        """Return the tournament. Raises NotFoundError (TOURNAMENT_NOT_FOUND)."""
        return found(self.find(tournament), ErrorReason.TOURNAMENT_NOT_FOUND, "tournament", tournament)

    def page(
        self, *, show_hidden: bool, show_archived: bool, before: tuple[int, str] | None, limit: int
    ) -> tuple[TournamentRow, ...]:
        """Return tournaments, newest first, those behind this time of creation and id."""
        place, query = (TOURNAMENTS.c.created_us, TOURNAMENTS.c.id), select(TOURNAMENTS)
        if not show_hidden:
            query = query.where(TOURNAMENTS.c.hidden.is_(False))
        if not show_archived:
            query = query.where(TOURNAMENTS.c.archived.is_(False))
        return self._page(query, *place, after=before, limit=limit, make=_tournament, descending=True)

    def running(self) -> tuple[TournamentRow, ...]:
        """Return all tournaments whose matches are begun, by id."""
        return self._all(_RUNNING, _tournament)

    def count_open_challenges(self, owner: str) -> int:
        """Return how many challenges of an owner have not finished."""
        query = select(func.count()).where(
            TOURNAMENTS.c.owner == owner,
            TOURNAMENTS.c.state != TournamentState.FINISHED.value,
            TOURNAMENTS.c.format == TournamentFormat.CHALLENGE.value,
        )
        return self._number(query)

    def count_open_gates(self, owner: str) -> int:
        """Return how many gates of an owner have not finished."""
        is_open = TOURNAMENTS.c.state != TournamentState.FINISHED.value
        return self._number(select(func.count()).where(TOURNAMENTS.c.owner == owner, is_open, _OF_GATE))

    def set_gate(self, tournament: str, gate: GateRow) -> None:
        """Change what is stored of a gate."""
        self._update(TOURNAMENTS, TOURNAMENTS.c.id == tournament, gate=_pack_gate(gate))

    def count_running_matches(self, tournament: str) -> int:
        """Return how many of its matches are being played."""
        query = select(func.count()).where(
            MATCHES.c.tournament == tournament, MATCHES.c.state == MatchState.RUNNING.value
        )
        return self._number(query)

    def open_matches(self, tournament: str, bot: str) -> tuple[int, ...]:
        """Return the matches of a bot that were made and have not ended, oldest first."""
        query = (
            select(MATCHES.c.id)
            .join_from(MATCHES, MATCH_SEATS)
            .where(
                MATCHES.c.tournament == tournament,
                MATCHES.c.state.in_((MatchState.PENDING.value, MatchState.RUNNING.value)),
                MATCH_SEATS.c.bot == bot,
            )
            .order_by(MATCHES.c.id)
        )
        return tuple(self._connection.execute(query).scalars())

    def set_state(self, tournament: str, state: TournamentState) -> None:
        """Set its state."""
        self._update(TOURNAMENTS, TOURNAMENTS.c.id == tournament, state=state.value)

    def set_title(self, tournament: str, title: str) -> None:
        """Set its title; empty: none."""
        self._update(TOURNAMENTS, TOURNAMENTS.c.id == tournament, title=title)

    def set_hidden(self, tournament: str, hidden: bool) -> None:
        """Hide it, or show it again."""
        self._update(TOURNAMENTS, TOURNAMENTS.c.id == tournament, hidden=hidden)

    def set_archived(self, tournament: str, archived: bool) -> None:
        """Archive it, or take it out of the archive."""
        self._update(TOURNAMENTS, TOURNAMENTS.c.id == tournament, archived=archived)

    def has_matches(self, tournament: str) -> bool:
        """Return whether any match of it was made."""
        one = select(MATCHES.c.id).where(MATCHES.c.tournament == tournament).limit(1)
        return self._connection.execute(one).first() is not None

    def remove(self, tournament: str) -> None:
        """Remove a tournament of which no match was made, with its plan."""
        for table in (MATCH_GROUPS, TOURNAMENT_ROUNDS):
            self._connection.execute(delete(table).where(table.c.tournament == tournament))
        self._connection.execute(delete(TOURNAMENTS).where(TOURNAMENTS.c.id == tournament))

    def count(self, tournament: str, *, ended: bool, unplayed: bool) -> None:
        """Count one more match of its plan as ended, as one without a result, or as both."""
        self._update(
            TOURNAMENTS,
            TOURNAMENTS.c.id == tournament,
            ended_matches=TOURNAMENTS.c.ended_matches + int(ended),
            unplayed_matches=TOURNAMENTS.c.unplayed_matches + int(unplayed),
        )

    def finish_if_done(self, tournament: str, now_us: int) -> None:
        """Finish it, so that its secret may be shown, if its plan is known as a whole and its groups are complete.

        Others are finished by the round that is found to be empty (`Rounds.add`).
        """
        is_open = MATCH_GROUPS.c.tournament == tournament, MATCH_GROUPS.c.completed_us.is_(None)
        whole = TOURNAMENTS.c.format.in_(_WHOLE)
        done = *_not_finished(tournament), whole, ~exists().where(*is_open)
        self._finish(tournament, done, now_us)

    def finish(self, tournament: str, now_us: int) -> None:
        """Finish it, so that its secret may be shown."""
        self._finish(tournament, _not_finished(tournament), now_us)

    def _finish(self, tournament: str, where: tuple[ColumnElement[bool], ...], now_us: int) -> None:
        """Finish it if all of this holds, and tell webhooks."""
        values = {"state": TournamentState.FINISHED.value, "ended_us": now_us}
        finished = self._connection.execute(update(TOURNAMENTS).where(*where).values(**values)).rowcount
        outbox = Outbox(self._connection)
        if finished and outbox.wants(NotificationType.TOURNAMENT_ENDED):
            outbox.put(NotificationType.TOURNAMENT_ENDED, tournament_data(self.get(tournament)), now_us)

    def was_planned_from(self, group: int) -> bool:
        """Return whether the result of a match group has decided a later round, or the end, of its tournament."""
        query = select(
            exists().where(
                MATCH_GROUPS.c.id == group,
                TOURNAMENTS.c.id == MATCH_GROUPS.c.tournament,
                TOURNAMENTS.c.format.not_in(_WHOLE),
                or_(
                    TOURNAMENTS.c.current_round > MATCH_GROUPS.c.round,
                    TOURNAMENTS.c.state == TournamentState.FINISHED.value,
                ),
            )
        )
        return bool(self._connection.execute(query).scalar_one())

    def add_to_plan(self, row: TournamentRow, *, round_number: int, pairings: int) -> None:
        """Count the pairings of a new round."""
        self._update(
            TOURNAMENTS,
            TOURNAMENTS.c.id == row.id,
            current_round=round_number,
            pairings=row.pairings + pairings,
            matches=(row.pairings + pairings) * row.group_size,
        )

    def withdraw(self, row: TournamentRow, bot: str, now_us: int) -> int:
        """Withdraw a bot that has not withdrawn; return how many of its pairings will not be played.

        Those whose matches are made are played on.
        """
        withdrawals = (*row.withdrawals, Withdrawal(bot, row.current_round))
        given_up = Pairings(self._connection).give_up(row.id, bot, now_us)
        self._update(
            TOURNAMENTS,
            TOURNAMENTS.c.id == row.id,
            withdrawals=_pack_withdrawals(withdrawals),
            ended_matches=TOURNAMENTS.c.ended_matches + given_up * row.group_size,
            unplayed_matches=TOURNAMENTS.c.unplayed_matches + given_up * row.group_size,
        )
        self.finish_if_done(row.id, now_us)
        return given_up


def gate_bot_ids(gate: str) -> tuple[str, str]:
    """Return the ids of the bots that a gate adds: for the candidate, for the incumbent."""
    return f"{gate}-candidate", f"{gate}-incumbent"


_OF_GATE: Final = TOURNAMENTS.c.format == TournamentFormat.GATE.value

_WHOLE: Final = tuple(sorted(each.value for each in PLANNED_AT_ONCE))

_RUNNING: Final = Prepared(
    select(TOURNAMENTS).where(TOURNAMENTS.c.state == TournamentState.RUNNING.value).order_by(TOURNAMENTS.c.id)
)


def _not_finished(tournament: str) -> tuple[ColumnElement[bool], ...]:
    return TOURNAMENTS.c.id == tournament, TOURNAMENTS.c.state != TournamentState.FINISHED.value


def _tournament(row: Any) -> TournamentRow:
    return from_row(
        TournamentRow,
        row,
        format=TournamentFormat(row.format),
        options=unpack_texts(row.options),
        time_control=unpack_time_control(row.time_control),
        bots=unpack_names(row.bots),
        seed_policy=SeedPolicy(row.seed_policy),
        state=TournamentState(row.state),
        parameters=_parameters(row.parameters),
        withdrawals=tuple(Withdrawal(bot, after) for bot, after in json.loads(row.withdrawals)),
        yields=bool(row.yields),
        hidden=bool(row.hidden),
        archived=bool(row.archived),
        gate=GateRow(**json.loads(row.gate)) if row.gate else None,
        suite=unpack_suite(row.suite),
    )


@lru_cache(maxsize=256)
def _parameters(text: str) -> FormatParameters:
    return FormatParameters.from_json(text)


def _pack_gate(gate: GateRow | None) -> str:
    return "" if gate is None else pack(asdict(gate))


def _pack_withdrawals(withdrawals: Iterable[Withdrawal]) -> str:
    return pack([[each.bot, each.after_round] for each in withdrawals])
