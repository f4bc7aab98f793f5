"""Filters of matches: `arena match list`, `arena match watch` and `arena log`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final

import typer

from arena.cli.framework.connection import ArenaClient
from arena.cli.framework.names import resource
from arena.cli.framework.paging import fetch_all
from arena.v1 import bot_pb2, ladder_pb2, match_pb2, tournament_pb2

LimitOption = Annotated[
    int, typer.Option("--limit", min=0, help="Show at most this many, newest first; 0: all.")
]
LadderFilter = Annotated[str | None, typer.Option("--ladder", help="Only matches of this ladder.")]
TournamentFilter = Annotated[
    str | None, typer.Option("--tournament", help="Only matches of this tournament.")
]
BotFilter = Annotated[str | None, typer.Option("--bot", help="Only matches in which this bot has a seat.")]


PACE_SECONDS: Final = 0.15
"""How long each step stays on the screen at least."""

PaceOption = Annotated[
    float, typer.Option("--pace", min=0.0, max=60.0, help="Seconds to show each step on a terminal.")
]


@dataclass(frozen=True, slots=True)
class MatchFilter:
    """The filters of a listing; None for all."""

    ladder: str | None = None
    tournament: str | None = None
    bot: str | None = None
    state: match_pb2.MatchState.ValueType = match_pb2.MATCH_STATE_UNSPECIFIED


def find_matches(arena: ArenaClient, which: MatchFilter, *, limit: int) -> match_pb2.ListMatchesResponse:
    """Return matches, newest first, at most `limit` (0: all). An unknown ladder, tournament or bot raises RpcError."""
    ladder = resource("ladders", which.ladder) if which.ladder else ""
    tournament = resource("tournaments", which.tournament) if which.tournament else ""
    bot = resource("bots", which.bot) if which.bot else ""
    if ladder:
        arena.ladders.GetLadder(ladder_pb2.GetLadderRequest(name=ladder))
    if tournament:
        arena.tournaments.GetTournament(tournament_pb2.GetTournamentRequest(name=tournament))
    if bot:
        arena.bots.GetBot(bot_pb2.GetBotRequest(name=bot))
    return fetch_all(
        arena.matches.ListMatches,
        match_pb2.ListMatchesRequest(ladder=ladder, tournament=tournament, bot=bot, state=which.state),
        limit=limit,
    )
