"""The plan of a tournament: its match groups, numbered, their seats drawn before anything is played.

A group's id enters the draw of its seats and the seeds of its matches, so all groups of a tournament are made with
it; their matches are made when it is their turn. What runs beside it, or a crash, changes no pairing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final

from sqlalchemy import bindparam, exists, insert, select, update

from arena.core.endings.terminations import Termination
from arena.core.finished_match import FinishedMatch
from arena.core.match import MatchState, SeedPolicy
from arena.core.pairing.round_robin import PlannedPairing
from arena.core.seeds import seat_order
from arena.store.json_columns import pack, unpack_names
from arena.store.repository import Repository
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
    matches: tuple[int, ...] = ()
    """Those that count or are still to end, by their index in the group; empty before they are made."""


@dataclass(frozen=True, slots=True)
class TournamentHistory:
    """The matches of a tournament that have ended."""

    played: tuple[FinishedMatch, ...]
    """Those with a result, in the order of their ids."""
    not_played: tuple[tuple[str, ...], ...]
    """The bots of those that stay without; void ones that are played again, or not ruled on yet, are left out."""


class Pairings(Repository):
    """The pairings of all tournaments."""

    def add(
        self,
        tournament: str,
        plan: Sequence[PlannedPairing],
        secret: bytes,
        policy: SeedPolicy,
        *,
        now_us: int,
    ) -> None:
        """Store the plan of a new tournament, the seats of each pairing drawn from its secret."""
        rows = [
            {
                "tournament": tournament,
                "number": pairing.number,
                "bots": pack(pairing.bots),
                "seed_policy": policy.value,
                "created_us": now_us,
            }
            for pairing in plan
        ]
        returning = insert(MATCH_GROUPS).returning(MATCH_GROUPS.c.id, sort_by_parameter_order=True)
        groups = self._connection.execute(returning, rows).scalars().all()
        drawn = [
            {"of": group, "seated": pack(seat_order(secret, group, pairing.bots))}
            for group, pairing in zip(groups, plan, strict=True)
        ]
        this_one = MATCH_GROUPS.c.id == bindparam("of")
        self._connection.execute(update(MATCH_GROUPS).where(this_one).values(bots=bindparam("seated")), drawn)

    def page(self, tournament: str, *, after: int, limit: int) -> tuple[PairingRow, ...]:
        """Return pairings in the order of the plan, those with a number above `after`."""
        planned = _PLAN.where(MATCH_GROUPS.c.tournament == tournament, MATCH_GROUPS.c.number > after)
        rows = self._connection.execute(planned.limit(limit)).all()
        matches = self._newest_matches([row.id for row in rows])
        return tuple(_pairing(row, matches.get(row.id, ())) for row in rows)

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


def _pairing(row: Any, matches: tuple[int, ...] = ()) -> PairingRow:
    return PairingRow(row.number, row.id, unpack_names(row.bots), row.completed_us is not None, matches)


def _played(seats: Sequence[Any]) -> FinishedMatch:
    return FinishedMatch(
        bots=tuple(seat.bot for seat in seats),
        placings=tuple(seat.placing for seat in seats),
        group=seats[0].group_id,
        forfeited=tuple(seat.termination != Termination.NORMAL.value for seat in seats),
    )
