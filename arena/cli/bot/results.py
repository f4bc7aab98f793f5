"""`arena bot record` and `standings`: what a bot has achieved."""

from typing import Annotated, Final

import typer
from rich.console import Group, RenderableType

from arena.cli.framework.commands import CommandContext
from arena.cli.framework.connection import fetch_all
from arena.cli.framework.names import BotArgument, resource
from arena.cli.framework.output import Columns, plain, table_of
from arena.cli.match_data import LadderFilter
from arena.drawings.wording import counted
from arena.v1 import bot_pb2, ending_pb2, ladder_pb2
from arena.wire.wording import enum_word, format_milli, format_rank, format_time, short


def bot_record(
    context: CommandContext,
    name: BotArgument,
    ladder: LadderFilter = None,
    limit: Annotated[
        int, typer.Option("--limit", min=0, help="Show at most this many opponents; 0: all.")
    ] = 50,
) -> None:
    """Show the results of a bot against each opponent, and how its matches ended for it."""
    request = bot_pb2.GetBotRecordRequest(
        bot=resource("bots", name), ladder=resource("ladders", ladder) if ladder else ""
    )
    where = f" on {short(request.ladder)}" if request.ladder else ""
    context.call(
        lambda arena: fetch_all(arena.bots.GetBotRecord, request, limit=limit),
        lambda record: _record(record, short(request.bot), where),
    )


def bot_standings(context: CommandContext, name: BotArgument) -> None:
    """Show rank and rating of a bot on each of its ladders."""
    request = ladder_pb2.ListBotStandingsRequest(bot=resource("bots", name))
    context.call(
        lambda arena: fetch_all(arena.ladders.ListBotStandings, request),
        lambda listing: _standings(listing, short(request.bot)),
    )


def _record(record: bot_pb2.GetBotRecordResponse, bot: str, where: str) -> RenderableType:
    totals = record.totals
    if not totals.matches:
        return plain(f"{bot} has finished no match{where} yet.")
    shared = f", shared in {totals.ties}" if totals.ties else ""
    played = f"{bot}{where}: {counted(totals.matches, 'match', 'matches')}, first in {totals.firsts}{shared}."
    parts: list[RenderableType] = [table_of(_OPPONENTS, record.opponents)] if record.opponents else []
    if record.next_page_token:
        parts.append("There are more opponents: `--limit 0` shows all.")
    parts += [table_of(_ENDINGS, record.endings), plain(played)]
    return Group(*parts)


def _standings(listing: ladder_pb2.ListBotStandingsResponse, bot: str) -> RenderableType:
    if not listing.standings:
        return plain(f"{bot} is on no ladder. To enter it: `arena ladder join LADDER {bot}`.")
    return table_of(_STANDINGS, listing.standings)


def _difference(line: bot_pb2.OpponentRecord) -> str:
    if not line.HasField("mean_score_difference_milli"):
        return "-"
    return f"{line.mean_score_difference_milli / 1000:+z.1f}"


_OPPONENTS: Final[Columns[bot_pb2.OpponentRecord]] = {
    "~opponent": lambda line: short(line.bot),
    ">matches": lambda line: line.matches,
    ">wins": lambda line: line.wins,
    ">ties": lambda line: line.ties,
    ">losses": lambda line: line.losses,
    ">score diff": _difference,
    ">last match": lambda line: short(line.last_match),
    "?ended": lambda line: format_time(line.last_match_time),
}

_ENDINGS: Final[Columns[bot_pb2.EndingCount]] = {
    "ending": lambda line: _words(ending_pb2.Termination, line.termination),
    "fault": lambda line: _words(ending_pb2.Fault, line.fault),
    ">matches": lambda line: line.matches,
    ">last match": lambda line: short(line.last_match),
    "ended": lambda line: format_time(line.last_match_time),
}


def ladder_label(line: ladder_pb2.BotStanding) -> str:
    """Return the ladder of a standing, marked if the bot was withdrawn from it."""
    return short(line.ladder) + (" (locked)" if line.locked else " (withdrawn)" if line.withdrawn else "")


def _words(enum: object, value: int) -> str:
    return enum_word(enum, value).replace("_", " ")


def _rank(line: ladder_pb2.BotStanding) -> str:
    rank = format_rank(line.standing.rank)
    return f"{rank} of {line.ranked}" if line.standing.rank else rank


def _strength(line: ladder_pb2.BotStanding) -> str:
    """Return the rating, or the adjusted score on a solo ladder."""
    solo = line.standing.solo
    if not line.standing.HasField("solo"):
        return format_milli(line.standing.rating_milli)
    return f"score {format_milli(solo.adjusted_score_milli, 2)}" if solo.boards else "-"


def _interval(line: ladder_pb2.BotStanding) -> str:
    solo = line.standing.solo
    if not line.standing.HasField("solo"):
        return format_milli(line.standing.uncertainty_milli)
    return format_milli(solo.uncertainty_milli, 2) if solo.HasField("uncertainty_milli") else "-"


_STANDINGS: Final[Columns[ladder_pb2.BotStanding]] = {
    "ladder": ladder_label,
    "?game": lambda line: line.game,
    ">rank": _rank,
    ">rating": _strength,
    ">+-": _interval,
    ">matches": lambda line: line.standing.matches,
    ">forfeits": lambda line: line.standing.forfeits,
}
