"""Matches of an arena that fit a filter, and match logs from an arena or a file."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

import typer

from arena.cli.framework.commands import CommandContext
from arena.cli.framework.connection import ArenaClient, fetch_all
from arena.cli.framework.errors import CliError
from arena.cli.framework.names import resource, resource_id
from arena.v1 import bot_pb2, ladder_pb2, match_pb2, tournament_pb2

SUFFIX: Final = ".arenalog"
"""The suffix of log files."""

KEY_SUFFIX: Final = ".pub"
"""The suffix of the public key beside a log file."""

TargetArgument = Annotated[
    str, typer.Argument(metavar="MATCH|FILE", help="A match, for example 17, or a log file.")
]


@dataclass(frozen=True, slots=True)
class LogSource:
    """The bytes of a log file and its name."""

    title: str
    data: bytes
    name: str | None = None
    """The end of its chain, 64 hex digits, if the arena sent it."""
    drawn_by: str = ""
    """The ladder or tournament whose secret its seed comes from, "ladders/{ladder}", if the arena sent it."""


def download(arena: ArenaClient, match: str) -> bytes:
    """Return the log file of a finished match."""
    request = match_pb2.DownloadMatchLogRequest(name=resource("matches", match))
    stream = arena.matches.DownloadMatchLog(request, timeout=300.0)
    return b"".join(piece.chunk for piece in stream)


def log_of(arena: ArenaClient, match: str) -> LogSource:
    """Return the log of a match, with what the arena says about it."""
    known = arena.matches.GetMatch(match_pb2.GetMatchRequest(name=resource("matches", match))).match
    return log_of_match(arena, known)


def log_of_match(arena: ArenaClient, match: match_pb2.Match) -> LogSource:
    """Return the log of a match. Raises CliError if it has not begun."""
    if match.state == match_pb2.MATCH_STATE_PENDING:
        raise CliError(
            f"Match {resource_id('matches', match.name)} has no log yet: it is waiting for its bots."
        )
    return LogSource(
        match.name, download(arena, match.name), match.log or None, match.ladder or match.tournament
    )


def read(path: Path) -> LogSource:
    """Return the log in a file. Raises CliError if it cannot be read."""
    try:
        return LogSource(str(path), path.read_bytes())
    except OSError as error:
        raise CliError(f"{path} cannot be read: {error.strerror}.") from error


def as_file(target: str) -> Path | None:
    """Return the file that the text names, or None if it names a match. Raises BadParameter for a folder."""
    path = Path(target)
    if path.is_dir() and not target.isdecimal():
        raise typer.BadParameter(f"{target} is a folder. Name the log files in it.")
    return path if path.suffix == SUFFIX or path.is_file() else None


def fetch_log(context: CommandContext, target: str) -> LogSource:
    """Return the log in a file or of a match. Raises CliError."""
    path = as_file(target)
    if path is not None:
        return read(path)
    with context.connect() as arena:
        return log_of(arena, target)


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


def match_filter(
    ladder: str | None = None,
    tournament: str | None = None,
    bot: str | None = None,
    state: match_pb2.MatchState.ValueType = match_pb2.MATCH_STATE_UNSPECIFIED,
) -> match_pb2.ListMatchesRequest:
    """Return the request for the matches of a ladder, tournament or bot; None: of all. Raises BadParameter."""
    return match_pb2.ListMatchesRequest(
        ladder=resource("ladders", ladder) if ladder else "",
        tournament=resource("tournaments", tournament) if tournament else "",
        bot=resource("bots", bot) if bot else "",
        state=state,
    )


def find_matches(
    arena: ArenaClient, which: match_pb2.ListMatchesRequest, *, limit: int
) -> match_pb2.ListMatchesResponse:
    """Return matches, newest first, at most `limit` (0: all). An unknown ladder, tournament or bot raises RpcError."""
    if which.ladder:
        arena.ladders.GetLadder(ladder_pb2.GetLadderRequest(name=which.ladder))
    if which.tournament:
        arena.tournaments.GetTournament(tournament_pb2.GetTournamentRequest(name=which.tournament))
    if which.bot:
        arena.bots.GetBot(bot_pb2.GetBotRequest(name=which.bot))
    return fetch_all(arena.matches.ListMatches, which, limit=limit)
