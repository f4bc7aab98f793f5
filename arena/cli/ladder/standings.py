"""The standings of a ladder as a table."""

from typing import Final

from rich.console import Group, RenderableType

from arena.cli.framework.connection import ArenaClient, fetch_all
from arena.cli.framework.names import resource
from arena.cli.framework.output import Columns, listing_table
from arena.v1 import ladder_pb2
from arena.wire.wording import format_milli, format_rank, short

_STANDINGS: Final[Columns[ladder_pb2.Standing]] = {
    ">rank": lambda line: format_rank(line.rank),
    "bot": lambda line: short(line.bot),
    "language": lambda line: line.language,
    ">rating": lambda line: format_milli(line.rating_milli),
    ">+-": lambda line: "fixed" if line.anchor else format_milli(line.uncertainty_milli),
    ">matches": lambda line: line.matches,
    ">mean placing": lambda line: format_milli(line.mean_placing_milli, 2) if line.matches else "",
    ">forfeits": lambda line: line.forfeits,
}

_SOLO: Final[Columns[ladder_pb2.Standing]] = {
    ">rank": lambda line: format_rank(line.rank),
    "bot": lambda line: short(line.bot),
    "?language": lambda line: line.language,
    ">adjusted": lambda line: format_milli(line.solo.adjusted_score_milli, 2) if line.solo.boards else "-",
    ">+-": lambda line: (
        format_milli(line.solo.uncertainty_milli, 2) if line.solo.HasField("uncertainty_milli") else "-"
    ),
    "?>mean score": lambda line: format_milli(line.solo.mean_score_milli, 2) if line.solo.boards else "-",
    ">best": lambda line: line.solo.best_score if line.solo.HasField("best_score") else "-",
    ">boards": lambda line: line.solo.boards,
    ">forfeits": lambda line: line.forfeits,
    "level": lambda line: line.solo.level or "-",
}

THINKING: Final[Columns[ladder_pb2.Standing]] = {
    "bot": lambda line: short(line.bot),
    ">decisions": lambda line: line.decisions,
    ">mean think ms": lambda line: format_milli(line.mean_think_us, 1),
    ">max think ms": lambda line: format_milli(line.max_think_us, 1),
}


def standings_of(arena: ArenaClient, ladder: str) -> ladder_pb2.ListStandingsResponse:
    """Return all lines of a ladder's standings."""
    return fetch_all(
        arena.ladders.ListStandings, ladder_pb2.ListStandingsRequest(name=resource("ladders", ladder))
    )


def standings_table(standings: ladder_pb2.ListStandingsResponse) -> RenderableType:
    """Return the standings: by rating, or by adjusted score for a solo ladder; frozen ones with a sentence below."""
    solo = any(line.HasField("solo") for line in standings.standings)
    none = "No bots on this ladder yet: `arena ladder join LADDER BOT` enters one."
    columns = _SOLO if solo else _STANDINGS
    hidden = sum(line.frozen for line in standings.standings)
    if not hidden:
        return listing_table(columns, standings.standings, none)
    sentence = "The standings are frozen: these are of the moment of the freeze."
    if hidden < len(standings.standings):
        sentence = "Ranks are being revealed: lines of the freeze come first, then final ones."
        columns = {**columns, "as of": lambda line: "the freeze" if line.frozen else "the end"}
    return Group(listing_table(columns, standings.standings, none), sentence)
