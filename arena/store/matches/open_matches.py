"""The matches of the whole arena that have not ended, with no more of each than matchmaking needs."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Any, Final

from sqlalchemy import and_, bindparam, or_, select

from arena.core.endings.terminations import Termination
from arena.core.match import MatchState, SeedPolicy
from arena.core.tournaments import TournamentState
from arena.store.matches.counts import ended_since
from arena.store.repository import Prepared, Repository, from_row
from arena.store.schema import MATCH_GROUPS, MATCH_SEATS, MATCHES, TOURNAMENTS

_LONG_ROW: Final = 200


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
    """Who is to play it, by seat; seats that were forfeited before it begins are left out."""
    seed_policy: SeedPolicy
    """Of its group."""
    no_shows: tuple[int, ...] = ()
    """How often each of these bots was not ready in time, in the same order; empty: never."""
    forfeited: int = 0
    """How many seats were forfeited before it begins."""
    yields: bool = False
    """Whether it is of a challenge that rated play goes before."""

    @property
    def decided(self) -> bool:
        """Whether too few seats are left to play, because others were forfeited before it begins."""
        return is_decided(len(self.bots) + self.forfeited, self.forfeited)


def is_decided(seats: int, forfeited: int) -> bool:
    """Whether a match of so many seats is over without play: at most one of them is left, or none of one."""
    return forfeited > 0 and seats - forfeited <= 1


class OpenMatches(Repository):
    """What an arena has to look after."""

    def all(self) -> tuple[OpenMatch, ...]:
        """Return the matches that `Matches.unfinished` finds, oldest first."""
        running, pending = _RUNNING.rows(self._connection), _PENDING.rows(self._connection)
        seats = sorted((*running, *pending), key=attrgetter("id", "seat"))
        matches = groupby(seats, key=attrgetter("id"))
        return tuple(_match(tuple(seats)) for _, seats in matches)

    def begun(self, groups: Collection[int]) -> frozenset[int]:
        """Return those of these match groups with a match that is being played, or was played and is not void."""
        if not groups:
            return frozenset()
        return frozenset(self._connection.execute(_BEGUN, {"groups": list(groups)}).scalars())

    def groups_refused(self, bots: Collection[str], since_us: int) -> Mapping[str, int]:
        """Return, by bot, how many match groups ended without a result since then because it took none of their
        matches; bots without any are left out.
        """
        refused: dict[str, set[int]] = defaultdict(set)
        if bots:
            for matches in ended_since(self._connection, _WITHOUT_RESULT, since_us, _LONG_ROW):
                for seat in self._connection.execute(_REFUSED, {"bots": list(bots), "matches": matches}):
                    refused[seat.bot].add(seat.group_id)
        return {bot: len(groups) for bot, groups in refused.items()}

    def versions_played(self, groups: Collection[int]) -> Mapping[int, Mapping[str, str]]:
        """Return, by match group, which version of each bot has begun matches of it, void ones included."""
        played: defaultdict[int, dict[str, str]] = defaultdict(dict)
        if groups:
            for seat in self._connection.execute(_VERSIONS_PLAYED, {"groups": list(groups)}):
                played[seat.group_id][seat.bot] = seat.version
        return played


_OPEN: Final = (
    select(
        *MATCHES.c["id", "group_id", "ladder", "tournament", "game", "rules_version", "state"],
        *MATCH_SEATS.c["termination", "no_shows", "bot", "seat"],
        MATCH_GROUPS.c.seed_policy,
        and_(TOURNAMENTS.c.yields, TOURNAMENTS.c.gate == "").label("yields"),
    )
    .join_from(MATCHES, MATCH_SEATS)
    .join(MATCH_GROUPS, MATCH_GROUPS.c.id == MATCHES.c.group_id)
    .outerjoin(TOURNAMENTS, TOURNAMENTS.c.id == MATCHES.c.tournament)
)

_BEGUN: Final = (
    select(MATCHES.c.group_id)
    .where(
        MATCHES.c.group_id.in_(bindparam("groups", expanding=True)),
        MATCHES.c.started_us.is_not(None),
        MATCHES.c.state != MatchState.ABORTED.value,
    )
    .distinct()
)

_WITHOUT_RESULT: Final = select(MATCHES.c.id, MATCHES.c.ended_us).where(
    MATCHES.c.state == MatchState.NO_CONTEST.value
)

_REFUSED: Final = (
    select(MATCH_SEATS.c.bot, MATCHES.c.group_id)
    .join_from(MATCH_SEATS, MATCHES, MATCHES.c.id == MATCH_SEATS.c.match_id)
    .where(
        MATCH_SEATS.c.match_id.in_(bindparam("matches", expanding=True)),
        MATCH_SEATS.c.bot.in_(bindparam("bots", expanding=True)),
        MATCH_SEATS.c.termination == Termination.NO_SHOW.value,
    )
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


def _match(seats: Sequence[Any]) -> OpenMatch:
    first = seats[0]
    standing = [seat for seat in seats if seat.termination is None]
    no_shows = tuple(seat.no_shows for seat in standing)
    return from_row(
        OpenMatch,
        first,
        group=first.group_id,
        state=MatchState(first.state),
        bots=tuple(seat.bot for seat in standing),
        seed_policy=SeedPolicy(first.seed_policy),
        no_shows=no_shows if any(no_shows) else (),
        forfeited=len(seats) - len(standing),
        yields=bool(first.yields),
    )
