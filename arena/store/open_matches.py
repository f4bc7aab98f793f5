"""The matches of the whole arena that have not ended, as matchmaking needs them: many, so no more than that of each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any, Final

from sqlalchemy import Connection, bindparam, or_, select

from arena.core.match import MatchState, SeedPolicy
from arena.core.tournaments import TournamentState
from arena.store.prepared import Prepared
from arena.store.schema import MATCH_GROUPS, MATCH_SEATS, MATCHES, TOURNAMENTS


@dataclass(frozen=True, slots=True)
class OpenMatch:
    """A match that is PENDING or RUNNING."""

    id: int
    group: int
    ladder: str | None
    tournament: str | None
    game: str
    rules_version: int
    state: MatchState
    bots: tuple[str, ...]
    """By seat."""
    seed_policy: SeedPolicy
    """Of its group."""


class OpenMatches:
    """What an arena has to look after."""

    def __init__(self, connection: Connection) -> None:
        """`connection`: of the transaction that all calls belong to."""
        self._connection = connection

    def all(self) -> tuple[OpenMatch, ...]:
        """The matches that `Matches.unfinished` finds, oldest first."""
        running = _RUNNING.rows(self._connection, {})
        pending = _PENDING.rows(self._connection, {})
        matches = groupby(sorted((*running, *pending), key=_by_seat), key=itemgetter(0))
        return tuple(_match(tuple(seats)) for _, seats in matches)

    def versions_played(self, groups: Collection[int]) -> Mapping[int, Mapping[str, str]]:
        """By match group, of those named: which version of each bot has begun matches of it, void ones included."""
        played: defaultdict[int, dict[str, str]] = defaultdict(dict)
        if groups:
            for group, bot, version in self._connection.execute(_VERSIONS_PLAYED, {"groups": list(groups)}):
                played[group][bot] = version
        return played


_OPEN: Final = (
    select(
        MATCHES.c.id,
        MATCHES.c.group_id,
        MATCHES.c.ladder,
        MATCHES.c.tournament,
        MATCHES.c.game,
        MATCHES.c.rules_version,
        MATCHES.c.state,
        MATCH_GROUPS.c.seed_policy,
        MATCH_SEATS.c.bot,
        MATCH_SEATS.c.seat,
    )
    .join_from(MATCHES, MATCH_SEATS)
    .join(MATCH_GROUPS, MATCH_GROUPS.c.id == MATCHES.c.group_id)
)

_VERSIONS_PLAYED: Final = (
    select(MATCHES.c.group_id, MATCH_SEATS.c.bot, MATCH_SEATS.c.version)
    .join_from(MATCHES, MATCH_SEATS)
    .where(MATCHES.c.group_id.in_(bindparam("groups", expanding=True)), MATCH_SEATS.c.version.is_not(None))
)

_RUNNING: Final = Prepared(_OPEN.where(MATCHES.c.state == MatchState.RUNNING.value))

_PAUSED: Final = select(TOURNAMENTS.c.id).where(TOURNAMENTS.c.state == TournamentState.PAUSED.value)

_PENDING: Final = Prepared(
    _OPEN.where(
        MATCHES.c.state == MatchState.PENDING.value,
        or_(MATCHES.c.tournament.is_(None), MATCHES.c.tournament.not_in(_PAUSED)),
    )
)


def _by_seat(row: Sequence[Any]) -> tuple[int, int]:
    return row[0], row[-1]


def _match(seats: Sequence[Any]) -> OpenMatch:
    match, group, ladder, tournament, game, rules_version, state, policy, *_ = seats[0]
    bots = tuple(seat[-2] for seat in seats)
    of_all = (match, group, ladder, tournament, game, rules_version)
    return OpenMatch(*of_all, MatchState(state), bots, SeedPolicy(policy))
