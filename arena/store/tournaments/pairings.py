"""The pairings of a tournament: its match groups, numbered, their seats drawn before anything of them is played.

A group's id enters the draw of its seats and the seeds of its matches, so all groups of a round, or of a plan that is
known as a whole, are made in one transaction; their matches are made when it is their turn. What runs beside it, or a
crash, changes no pairing.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final

from sqlalchemy import ColumnElement, bindparam, exists, insert, select, update

from arena.codecs.shared_messages import same
from arena.core.endings.terminations import Fault, Termination
from arena.core.finished_match import FinishedMatch
from arena.core.match import MatchState, SeedPolicy
from arena.core.pairing.formats.plan import Bracket, PlayedPairing, RoundPairing, Withdrawal
from arena.core.pairing.formats.played import GroupMatch, played_pairing
from arena.core.pairing.round_robin import PlannedPairing
from arena.core.seeds import seat_order
from arena.store.json_columns import pack, unpack_names
from arena.store.repository import Repository, from_row
from arena.store.schema import MATCH_GROUPS, MATCH_SEATS, MATCHES


@dataclass(frozen=True, slots=True)
class PairingRow:
    """One pairing of a tournament."""

    number: int
    """Its place in the plan, from 1."""
    group: int
    bots: tuple[str, ...]
    """By seat of the first match."""
    ended: bool
    round: int
    """From 1; of a plan that is known as a whole: how often these bots meet, this time included."""
    seed_policy: SeedPolicy
    stage: int = 1
    bracket: Bracket = Bracket.NONE
    table: int = 1
    game: int = 1
    pool: int = 0
    matches: tuple[int, ...] = ()
    """Those that count or are still to end, by their index in the group; empty before they are made."""
    played: PlayedPairing | None = None
    """Once it has ended: what it came to, its bots in the same order. Only `Pairings.page` fills it in."""


@dataclass(frozen=True, slots=True)
class TournamentHistory:
    """The matches of a tournament that have ended."""

    played: tuple[FinishedMatch, ...]
    """Those with a result, in the order of their ids."""
    not_played: tuple[tuple[str, ...], ...]
    """The bots of those that stay without; void ones that are played again, or not ruled on yet, are left out."""


@dataclass(frozen=True, slots=True)
class NumberedPairing:
    """A pairing before it is stored."""

    number: int
    """Its place in the plan, from 1."""
    round: int
    pairing: RoundPairing


def numbered(plan: Iterable[PlannedPairing]) -> tuple[NumberedPairing, ...]:
    """Return a plan that is known as a whole."""
    tables: Counter[int] = Counter()
    pairings = []
    for each in plan:
        tables[each.round] += 1
        pairing = RoundPairing(each.bots, table=tables[each.round])
        pairings.append(NumberedPairing(each.number, each.round, pairing))
    return tuple(pairings)


class Pairings(Repository):
    """The pairings of all tournaments."""

    def add(
        self,
        tournament: str,
        plan: Sequence[NumberedPairing],
        secret: bytes,
        policy_of: Callable[[int], SeedPolicy],
        *,
        now_us: int,
    ) -> None:
        """Store pairings of a tournament, the seats of each drawn from its secret.

        `policy_of`: the seed policy of a stage, by its number.
        """
        rows = [
            {
                "tournament": tournament,
                "number": each.number,
                "round": each.round,
                "bots": pack(each.pairing.bots),
                **same(each.pairing, "stage", "game", "pool"),
                "bracket": each.pairing.bracket.value,
                "table_number": each.pairing.table,
                "seed_policy": policy_of(each.pairing.stage).value,
                "created_us": now_us,
            }
            for each in plan
        ]
        returning = insert(MATCH_GROUPS).returning(MATCH_GROUPS.c.id, sort_by_parameter_order=True)
        groups = self._connection.execute(returning, rows).scalars().all()
        drawn = [
            {"of": group, "seated": pack(seat_order(secret, group, each.pairing.bots))}
            for group, each in zip(groups, plan, strict=True)
        ]
        this_one = MATCH_GROUPS.c.id == bindparam("of")
        self._connection.execute(update(MATCH_GROUPS).where(this_one).values(bots=bindparam("seated")), drawn)

    def page(
        self, tournament: str, *, after: int, limit: int, withdrawals: Sequence[Withdrawal] = ()
    ) -> tuple[PairingRow, ...]:
        """Return pairings in the order of the plan, those with a number above `after`.

        `withdrawals`: all of the tournament.
        """
        planned = _PLAN.where(MATCH_GROUPS.c.tournament == tournament, MATCH_GROUPS.c.number > after)
        rows = self._connection.execute(planned.limit(limit)).all()
        groups = [row.id for row in rows]
        matches, counting = self._newest_matches(groups), self._counting(MATCH_GROUPS.c.id.in_(groups))
        return tuple(
            _pairing(
                row,
                matches.get(row.id, ()),
                None if row.completed_us is None else _played_pairing(row, counting, withdrawals),
            )
            for row in rows
        )

    def _newest_matches(self, groups: Sequence[int]) -> dict[int, tuple[int, ...]]:
        """Return for each of these groups the newest match of each slot."""
        query = (
            select(MATCHES.c.group_id, MATCHES.c.slot, MATCHES.c.id)
            .where(MATCHES.c.group_id.in_(groups))
            .order_by(MATCHES.c.group_id, MATCHES.c.slot, MATCHES.c.voids)
        )
        newest: dict[int, dict[int, int]] = {}
        for row in self._connection.execute(query):
            newest.setdefault(row.group_id, {})[row.slot] = row.id
        return {group: tuple(slots.values()) for group, slots in newest.items()}

    def unmade(self, tournament: str) -> tuple[PairingRow, ...]:
        """Return the pairings whose matches are not made yet, in the order of the plan."""
        made = exists().where(MATCHES.c.group_id == MATCH_GROUPS.c.id)
        is_open = MATCH_GROUPS.c.tournament == tournament, MATCH_GROUPS.c.completed_us.is_(None)
        return self._all(_PLAN.where(*is_open, ~made), _pairing)

    def any_open(self, tournament: str) -> bool:
        """Return whether a pairing has not ended."""
        is_open = MATCH_GROUPS.c.tournament == tournament, MATCH_GROUPS.c.completed_us.is_(None)
        return bool(self._connection.execute(select(exists().where(*is_open))).scalar_one())

    def give_up(self, tournament: str, bot: str, now_us: int) -> int:
        """Complete all pairings of a bot whose matches are not made yet, without any. Return how many."""
        given_up = [{"of": each.group} for each in self.unmade(tournament) if bot in each.bots]
        if given_up:
            this_one = MATCH_GROUPS.c.id == bindparam("of")
            self._connection.execute(
                update(MATCH_GROUPS).where(this_one).values(completed_us=now_us), given_up
            )
        return len(given_up)

    def played(
        self, tournament: str, round_number: int, bots: Sequence[str], withdrawals: Iterable[Withdrawal]
    ) -> tuple[PlayedPairing, ...] | None:
        """Return the pairings of a round in the order of the plan; None if one of them has not ended.

        `bots`: of the tournament, in the order of entry; `withdrawals`: all of them.
        """
        of_round = MATCH_GROUPS.c.tournament == tournament, MATCH_GROUPS.c.round == round_number
        groups = self._connection.execute(_PLAN.where(*of_round)).all()
        if any(group.completed_us is None for group in groups):
            return None
        counting = self._counting(*of_round)
        order = {bot: place for place, bot in enumerate(bots)}
        return tuple(_played_pairing(group, counting, withdrawals, order) for group in groups)

    def _counting(self, *groups: ColumnElement[bool]) -> Mapping[int, Sequence[GroupMatch]]:
        """Return, for those of the groups whose matches are made, the matches that are not void."""
        query = (
            select(
                *MATCHES.c["id", "state", "group_id"],
                *MATCH_SEATS.c["bot", "placing", "termination", "fault"],
            )
            .join_from(MATCH_GROUPS, MATCHES, MATCHES.c.group_id == MATCH_GROUPS.c.id)
            .join(MATCH_SEATS, MATCH_SEATS.c.match_id == MATCHES.c.id)
            .where(*groups)
            .order_by(MATCHES.c.id, MATCH_SEATS.c.seat)
        )
        made: defaultdict[int, list[GroupMatch]] = defaultdict(list)
        for _, seats in groupby(self._connection.execute(query).all(), key=lambda seat: seat.id):
            match = tuple(seats)
            made[match[0].group_id].extend(_counting(match))
        return made

    def history(self, tournament: str) -> TournamentHistory:
        """Return the matches of the tournament that have ended."""
        query = (
            select(
                *MATCHES.c["id", "state", "group_id", "ruled_us"],
                *MATCH_SEATS.c["bot", "placing", "termination"],
            )
            .join_from(MATCHES, MATCH_SEATS)
            .where(MATCHES.c.tournament == tournament)
            .order_by(MATCHES.c.id, MATCH_SEATS.c.seat)
        )
        rows = self._connection.execute(query).all()
        played: list[FinishedMatch] = []
        not_played: list[tuple[str, ...]] = []
        for _, seats in groupby(rows, key=lambda row: row.id):
            match = tuple(seats)
            state = MatchState(match[0].state)
            if state is MatchState.FINISHED:
                played.append(_played(match))
            elif state is MatchState.NO_CONTEST or match[0].ruled_us is not None:
                not_played.append(tuple(seat.bot for seat in match))
        return TournamentHistory(tuple(played), tuple(not_played))


_PLAN: Final = select(MATCH_GROUPS).order_by(MATCH_GROUPS.c.number)


def _pairing(row: Any, matches: tuple[int, ...] = (), played: PlayedPairing | None = None) -> PairingRow:
    return from_row(
        PairingRow,
        row,
        group=row.id,
        bots=unpack_names(row.bots),
        ended=row.completed_us is not None,
        seed_policy=SeedPolicy(row.seed_policy),
        bracket=Bracket(row.bracket),
        table=row.table_number,
        matches=matches,
        played=played,
    )


def _played_pairing(
    row: Any,
    counting: Mapping[int, Sequence[GroupMatch]],
    withdrawals: Iterable[Withdrawal],
    order: Mapping[str, int] | None = None,
) -> PlayedPairing:
    """Return a pairing that has ended. `counting`: its matches, by group, if they were made.

    `order`: the place of each bot in the order of entry, which is to be that of its bots; None: the drawn order.
    """
    bots = unpack_names(row.bots)
    if order is not None:
        bots = tuple(sorted(bots, key=order.__getitem__))
    pairing = from_row(RoundPairing, row, bots=bots, bracket=Bracket(row.bracket), table=row.table_number)
    withdrawn = {each.bot for each in withdrawals if each.after_round <= row.round}
    return played_pairing(pairing, counting.get(row.id, ()), () if row.id in counting else withdrawn)


def _counting(seats: Sequence[Any]) -> Iterator[GroupMatch]:
    """Yield the match of these seats unless it is void."""
    state = MatchState(seats[0].state)
    if state not in (MatchState.FINISHED, MatchState.NO_CONTEST):
        return
    finished = state is MatchState.FINISHED
    yield GroupMatch(
        bots=tuple(seat.bot for seat in seats),
        placings=tuple(seat.placing for seat in seats) if finished else (),
        missing=tuple(
            seat.termination == Termination.NO_SHOW.value if finished else seat.fault == Fault.BOT.value
            for seat in seats
        ),
    )


def _played(seats: Sequence[Any]) -> FinishedMatch:
    return FinishedMatch(
        bots=tuple(seat.bot for seat in seats),
        placings=tuple(seat.placing for seat in seats),
        group=seats[0].group_id,
        forfeited=tuple(seat.termination != Termination.NORMAL.value for seat in seats),
    )
