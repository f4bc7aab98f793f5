"""The rounds of tournaments that are planned round by round from the results."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import func, select

from arena.core.pairing.formats.plan import History, NextRound, PlayedRound
from arena.store.json_columns import pack, unpack_names
from arena.store.repository import Repository, from_row
from arena.store.schema import MATCH_GROUPS, TOURNAMENT_ROUNDS
from arena.store.tournaments.pairings import NumberedPairing, Pairings
from arena.store.tournaments.tournaments import TournamentRow, Tournaments


@dataclass(frozen=True, slots=True)
class RoundRow:
    """A round."""

    number: int
    """From 1."""
    byes: tuple[str, ...]
    """In the order of entry."""
    created_us: int
    pairings: int
    ended_pairings: int


class Rounds(Repository):
    """The rounds of all tournaments that are planned round by round."""

    def history(self, row: TournamentRow) -> History:
        """Return the rounds that are complete, and everything else that decides the next one."""
        pairings = Pairings(self._connection)
        rounds: list[PlayedRound] = []
        for number, byes in enumerate(self._byes(row.id), start=1):
            played = pairings.played(row.id, number, row.bots, row.withdrawals)
            if played is None:
                break
            rounds.append(PlayedRound(played, byes))
        return History(row.bots, tuple(rounds), row.withdrawals, row.secret)

    def newest(self, row: TournamentRow) -> PlayedRound | None:
        """Return the newest round as played; None if there is none, or if it is not complete."""
        if not (byes := self._byes(row.id)):
            return None
        played = Pairings(self._connection).played(row.id, len(byes), row.bots, row.withdrawals)
        return None if played is None else PlayedRound(played, byes[-1])

    def add(self, row: TournamentRow, planned: NextRound, now_us: int) -> None:
        """Store the round after the newest, seats drawn; if it is empty, finish the tournament instead."""
        if not planned.pairings:
            Tournaments(self._connection).finish(row.id, now_us)
            return
        number = row.current_round + 1
        byes = pack(planned.byes)
        self._insert(TOURNAMENT_ROUNDS, tournament=row.id, number=number, byes=byes, created_us=now_us)
        pairings = [
            NumberedPairing(place, number, pairing)
            for place, pairing in enumerate(planned.pairings, start=row.pairings + 1)
        ]
        Pairings(self._connection).add(row.id, pairings, row.secret, row.seed_policy_of, now_us=now_us)
        Tournaments(self._connection).add_to_plan(row, round_number=number, pairings=len(pairings))

    def page(self, tournament: str, *, after: int, limit: int) -> tuple[RoundRow, ...]:
        """Return rounds in their order, those with a number above `after`."""
        of_round = select(func.count()).where(
            MATCH_GROUPS.c.tournament == TOURNAMENT_ROUNDS.c.tournament,
            MATCH_GROUPS.c.round == TOURNAMENT_ROUNDS.c.number,
        )
        ended = of_round.where(MATCH_GROUPS.c.completed_us.is_not(None))
        query = (
            select(
                TOURNAMENT_ROUNDS,
                of_round.scalar_subquery().label("pairings"),
                ended.scalar_subquery().label("ended_pairings"),
            )
            .where(TOURNAMENT_ROUNDS.c.tournament == tournament, TOURNAMENT_ROUNDS.c.number > after)
            .order_by(TOURNAMENT_ROUNDS.c.number)
        )
        return self._all(query.limit(limit), _round)

    def _byes(self, tournament: str) -> tuple[tuple[str, ...], ...]:
        """Return the byes of each round."""
        query = select(TOURNAMENT_ROUNDS.c.byes).where(TOURNAMENT_ROUNDS.c.tournament == tournament)
        rows = self._all(query.order_by(TOURNAMENT_ROUNDS.c.number), lambda row: row.byes)
        return tuple(map(unpack_names, rows))


def _round(row: Any) -> RoundRow:
    return from_row(RoundRow, row, byes=unpack_names(row.byes))
