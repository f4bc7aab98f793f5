"""What an event file asks of an arena: what there is already, how a tournament would be planned, how fast it plays."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

import grpc
from google.protobuf.timestamp_pb2 import Timestamp

from arena.cli.event.changes import Arena, Obstacle, creation_warnings
from arena.cli.event.file import EventFile, WantedTournament
from arena.cli.event.formats import size_of_format
from arena.cli.framework.connection import ArenaClient, fetch_all
from arena.cli.framework.errors import call_of
from arena.cli.framework.rpc_errors import describe_rpc_error
from arena.v1 import bot_pb2, ladder_pb2, match_pb2, tournament_pb2
from arena.wire.tournament_wording import PLANNED_AT_ONCE

_T = TypeVar("_T")
_DAY_S: Final = 24 * 3_600
_NEWEST: Final = 200
"""Matches by which the speed is measured."""
_FEWEST: Final = 2


@dataclass(frozen=True, slots=True)
class Speed:
    """How fast the arena has played a game lately."""

    matches: int
    """That ended in the 24 hours up to the newest one."""
    seconds: float
    """From the begin of the first to the end of the last."""

    @property
    def per_hour(self) -> float:
        """Matches in an hour."""
        return self.matches * 3_600 / self.seconds


@dataclass(frozen=True, slots=True)
class Size:
    """How large a tournament becomes if no bot withdraws or is missing; each at least and at most."""

    tournament: str
    """Its resource name."""
    game: str
    rounds: tuple[int, int]
    pairings: tuple[int, int]
    matches: tuple[int, int]
    """Still to be played."""
    first_round: tuple[tournament_pb2.Pairing, ...] = ()
    """Of a new tournament that is planned round by round, and that no bot leaves before it: as it might be drawn."""
    byes: tuple[str, ...] = ()
    """In the first round, "bots/{bot}"."""
    warnings: tuple[str, ...] = ()
    """What the arena would warn of when it is created."""
    suite: tournament_pb2.TournamentSuite | None = None
    """Where the seeds come from; None: from the secret of the tournament."""
    has_ended: bool = False


def arena_now(client: ArenaClient, wanted: EventFile) -> Arena:
    """Return the part of the arena that the file is about."""
    ladders, bots = {}, set[str]()
    divisions = (name for season in wanted.seasons for name in season.divisions)
    for name in dict.fromkeys((*(ladder.name for ladder in wanted.ladders), *divisions)):
        request = ladder_pb2.GetLadderRequest(name=name)
        if (found := _found(lambda: client.ladders.GetLadder(request))) is not None:  # noqa: B023
            ladders[name] = found.ladder
    named = {bot for ladder in wanted.ladders for bot in ladder.bots}
    seeded = {bot for event in wanted.tournaments if event.request.seeded_by for bot in event.request.bots}
    for bot in sorted(named | {bot for event in wanted.tournaments for bot in event.request.bots}):
        if _found(lambda: client.bots.GetBot(bot_pb2.GetBotRequest(name=bot))) is not None:  # noqa: B023
            bots.add(bot)
    lines = [
        (standing, bot)
        for bot in sorted((named | seeded) & bots)
        for standing in fetch_all(
            client.ladders.ListBotStandings, ladder_pb2.ListBotStandingsRequest(bot=bot)
        ).standings
    ]
    return Arena(
        ladders=ladders,
        tournaments=tournaments_now(client, wanted),
        bots=frozenset(bots),
        entries=frozenset((line.ladder, bot) for line, bot in lines if not line.withdrawn),
        left=frozenset((line.ladder, bot) for line, bot in lines if line.withdrawn),
        rated=frozenset((line.ladder, bot) for line, bot in lines if line.standing.matches),
        anchors={
            (line.ladder, bot): line.standing.rating_milli for line, bot in lines if line.standing.anchor
        },
        now_us=time.time_ns() // 1_000,
    )


def tournaments_now(client: ArenaClient, wanted: EventFile) -> dict[str, tournament_pb2.Tournament]:
    """Return those tournaments of the file that exist, by resource name."""
    tournaments = {}
    for event in wanted.tournaments:
        get = tournament_pb2.GetTournamentRequest(name=event.name)
        if (known := _found(lambda: client.tournaments.GetTournament(get))) is not None:  # noqa: B023
            tournaments[event.name] = known.tournament
    return tournaments


def _found(call: Callable[[], _T]) -> _T | None:
    """Return the answer; None if there is no such thing."""
    try:
        return call()
    except grpc.RpcError as error:
        if call_of(error).code() is grpc.StatusCode.NOT_FOUND:
            return None
        raise


def size_of(client: ArenaClient, wanted: WantedTournament, arena: Arena) -> Size | Obstacle:
    """Return what is to be played of a tournament; of a new one, how the arena would plan it, or why it would not."""
    live = arena.tournaments.get(wanted.name)
    if live is not None:
        return _size_left(live)
    request = tournament_pb2.CreateTournamentRequest()
    request.CopyFrom(wanted.request)
    request.validate_only = True
    try:
        planned = client.tournaments.CreateTournament(request)
    except grpc.RpcError as error:
        if call_of(error).code() is grpc.StatusCode.UNAVAILABLE:
            raise
        return Obstacle(wanted.name, describe_rpc_error(error, client.address).sentence)
    size, by_rounds = planned.size, planned.tournament.format not in PLANNED_AT_ONCE
    return Size(
        tournament=wanted.name,
        game=planned.tournament.game,
        rounds=(size.fewest_rounds, size.most_rounds),
        pairings=(size.fewest_pairings, size.most_pairings),
        matches=(size.fewest_matches, size.most_matches),
        first_round=tuple(planned.pairings) if by_rounds and not wanted.withdrawn else (),
        byes=() if wanted.withdrawn else tuple(planned.byes),
        warnings=tuple(creation_warnings(planned)),
        suite=_suite(planned.tournament),
    )


def _size_left(live: tournament_pb2.Tournament) -> Size:
    """Return the size of a tournament that exists, its matches without those that have ended."""
    size = size_of_format(live)
    has_ended = live.state == tournament_pb2.Tournament.STATE_FINISHED
    fewest, most = (live.matches, live.matches) if has_ended else size.matches
    return Size(
        tournament=live.name,
        game=live.game,
        rounds=size.rounds,
        pairings=size.groups,
        matches=(
            max(fewest, live.matches) - live.ended_matches,
            max(most, live.matches) - live.ended_matches,
        ),
        suite=_suite(live),
        has_ended=has_ended,
    )


def _suite(tournament: tournament_pb2.Tournament) -> tournament_pb2.TournamentSuite | None:
    return tournament.suite if tournament.HasField("suite") else None


def speeds(client: ArenaClient) -> dict[str, Speed]:
    """Return how fast each game was played lately, by the newest matches that have a result."""
    listing = match_pb2.ListMatchesRequest(state=match_pb2.MATCH_STATE_FINISHED)
    newest = fetch_all(client.matches.ListMatches, listing, limit=_NEWEST).matches
    return measured(newest)


def measured(matches: Sequence[match_pb2.Match]) -> dict[str, Speed]:
    """Return the speed of each game with at least two matches in the 24 hours up to its newest one."""
    return dict(_measured(matches))


def _measured(matches: Sequence[match_pb2.Match]) -> Iterator[tuple[str, Speed]]:
    for game in dict.fromkeys(match.game for match in matches):
        own = [match for match in matches if match.game == game]
        last = max(_seconds(match.end_time) for match in own)
        lately = [match for match in own if _seconds(match.end_time) > last - _DAY_S]
        seconds = last - min(_seconds(match.start_time) for match in lately)
        if len(lately) >= _FEWEST and seconds > 0:
            yield game, Speed(len(lately), seconds)


def _seconds(moment: Timestamp) -> float:
    return moment.seconds + moment.nanos / 1e9
