"""Standings, queue and fitted ratings of a ladder."""

from collections.abc import Iterator
from typing import Final

from rich.console import Group, RenderableType

from arena.cli.framework.output import Columns, format_milli, format_rank, short, table, table_of
from arena.core.versions import shown_version
from arena.drawings.wording import counted
from arena.v1 import ladder_pb2

_STANDINGS: Final[Columns[ladder_pb2.Standing]] = {
    ">rank": lambda line: format_rank(line.rank),
    "bot": lambda line: short(line.bot),
    "language": lambda line: line.language,
    ">rating": lambda line: format_milli(line.rating_milli),
    ">+-": lambda line: format_milli(line.uncertainty_milli),
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

_THINKING: Final[Columns[ladder_pb2.Standing]] = {
    "bot": lambda line: short(line.bot),
    ">decisions": lambda line: line.decisions,
    ">mean think ms": lambda line: format_milli(line.mean_think_us, 1),
    ">max think ms": lambda line: format_milli(line.max_think_us, 1),
}

_QUEUE: Final = (">place", "~bot", ">waited", ">to come", ">open", ">free", ">last hour")


def standings_table(standings: ladder_pb2.ListStandingsResponse) -> RenderableType:
    """Return the standings: by rating, or by adjusted score for a solo ladder."""
    solo = any(line.HasField("solo") for line in standings.standings)
    return table_of(_SOLO if solo else _STANDINGS, standings.standings)


def thinking_table(standings: ladder_pb2.ListStandingsResponse) -> RenderableType:
    """Return a table of thinking times per decision."""
    return table_of(_THINKING, standings.standings)


def queue_table(queue: ladder_pb2.ListQueueResponse) -> RenderableType:
    """Return the queue of a ladder."""
    return table(_QUEUE, map(_place, queue.places))


def _place(line: ladder_pb2.ListQueueResponse.QueuePlace) -> tuple[object, ...]:
    if not (line.position or line.waiting_for):  # of another owner: the place is hidden
        return "", short(line.bot), "", "", "", "", line.matches_last_hour
    return (
        format_rank(line.position),
        short(line.bot),
        line.waited_groups,
        line.wait_bound_groups,
        line.open_matches,
        line.free_matches,
        line.matches_last_hour,
    )


_RATINGS = (">rank", "~bot", "~version", ">rating", ">+-", ">matches", ">above next")

_SEATS = (">seats", ">seat", ">advantage", ">+-", ">matches")


def fitted_ratings_tables(refit: ladder_pb2.RefitRatingsResponse) -> RenderableType:
    """Return fitted ratings with half their intervals, then the seat advantages."""
    matches = counted(refit.matches, "rated match", "rated matches")
    return Group(
        table(_RATINGS, _ratings(refit)),
        table(_SEATS, _seats(refit)),
        f"Fitted to {matches} at once; +- is half a 95 % interval.",
    )


def _ratings(refit: ladder_pb2.RefitRatingsResponse) -> Iterator[tuple[object, ...]]:
    rank, rating_milli = 0, 0
    for place, line in enumerate(refit.ratings, start=1):
        if line.rating_milli != rating_milli or not rank:
            rank, rating_milli = place, line.rating_milli
        bot, _, version = line.bot_version.partition("/versions/")
        ppm = line.superiority_ppm
        superiority = ">99.9 %" if ppm > 999_000 else f"{ppm / 10_000:.1f} %"  # never 100 %
        yield (
            rank,
            short(bot),
            shown_version(version),
            format_milli(line.rating_milli),
            format_milli((line.high_milli - line.low_milli) // 2),
            line.matches,
            superiority if place < len(refit.ratings) else "",
        )


def _seats(refit: ladder_pb2.RefitRatingsResponse) -> Iterator[tuple[object, ...]]:
    for count in refit.seat_advantages:
        pairs = zip(count.advantage_milli, count.uncertainty_milli, strict=True)
        for seat, (advantage, uncertainty) in enumerate(pairs):
            first = (count.seats, count.matches) if seat == 0 else ("", "")
            yield first[0], seat, f"{advantage / 1000:+z.0f}", format_milli(uncertainty), first[1]
