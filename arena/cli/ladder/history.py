"""`arena ladder history`: the ratings that a bot has had on a ladder."""

from collections.abc import Iterator, Sequence
from typing import Annotated, Final

import typer
from rich.console import Group, RenderableType

from arena.cli.framework.commands import CommandContext
from arena.cli.framework.names import BotArgument, resource
from arena.cli.framework.output import plain, table
from arena.core.rating.rating import INITIAL
from arena.core.versions import shown_version
from arena.drawings.wording import counted
from arena.v1 import ladder_pb2
from arena.wire.wording import format_milli, format_time, short

_BARS: Final = "▁▂▃▄▅▆▇█"

_TITLES: Final = (">rating", "?>change", ">+-", ">matches", "~version", ">match", "time")


def rating_history(
    context: CommandContext,
    name: Annotated[str, typer.Argument(metavar="LADDER", help="The ladder, for example main.")],
    bot: BotArgument,
    points: Annotated[
        int, typer.Option("--points", min=1, max=1000, help="Show at most this many, evenly chosen.")
    ] = 40,
) -> None:
    """Show how the rating of a bot on a ladder has changed, oldest first."""
    request = ladder_pb2.GetRatingHistoryRequest(
        name=resource("ladders", name), bot=resource("bots", bot), max_points=points
    )
    context.call(lambda arena: arena.ladders.GetRatingHistory(request), _drawn)


def _drawn(history: ladder_pb2.GetRatingHistoryResponse) -> RenderableType:
    bot, ladder = short(history.bot), short(history.ladder)
    if not history.points:
        return plain(f"No match of {bot} on {ladder} has been rated yet.")
    ratings = [point.rating_milli for point in history.points]
    first, last = (format_milli(ratings[place]) for place in (0, -1))
    shown = f"{len(ratings)} of {counted(history.total_points, 'rating', 'ratings')}"
    if len(ratings) == history.total_points:
        shown = counted(len(ratings), "rating", "ratings")
    return Group(
        table(_TITLES, _lines(history)),
        plain(f"{first} {sparkline(ratings)} {last}"),
        plain(f"{bot} on {ladder}: {shown}; +- is half a 95 % interval."),
    )


def _lines(history: ladder_pb2.GetRatingHistoryResponse) -> Iterator[tuple[object, ...]]:
    before = INITIAL.rating_milli
    for point in history.points:
        yield (
            format_milli(point.rating_milli),
            f"{(point.rating_milli - before) / 1000:+z.0f}",
            format_milli(point.uncertainty_milli),
            point.matches,
            shown_version(short(point.bot_version)),
            _cause(point),
            format_time(point.time),
        )
        before = point.rating_milli


def _cause(point: ladder_pb2.RatingPoint) -> str:
    """Return what changed the rating: a match, or else in words."""
    if point.closed_season:
        return f"season {point.closed_season} closed"
    if point.anchored or point.released:
        return "anchor" if point.anchored else "no anchor"
    return f"{point.group} reverted" if point.taken_back else short(point.match)


def sparkline(values: Sequence[int]) -> str:
    """Return a bar for each value, the lowest for the least, the highest for the greatest."""
    least, span = min(values), max(values) - min(values)
    if not span:
        return _BARS[0] * len(values)
    return "".join(_BARS[(value - least) * (len(_BARS) - 1) // span] for value in values)
