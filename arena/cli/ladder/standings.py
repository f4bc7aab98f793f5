"""A ladder's standings and its queue as tables."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Group, RenderableType

from arena.cli.framework.output import Column, milli, ranked, short, table
from arena.core.versions import shown_version
from arena.drawings.wording import counted
from arena.v1 import ladder_pb2

_STANDINGS = (
    Column("rank", True),
    Column("bot"),
    Column("language"),
    Column("rating", True),
    Column("+-", True),
    Column("matches", True),
    Column("mean placing", True),
    Column("forfeits", True),
)

_SOLO = (
    Column("rank", True),
    Column("bot"),
    Column("language", spare=True),
    Column("adjusted", True),
    Column("+-", True),
    Column("mean score", True, spare=True),
    Column("best", True),
    Column("boards", True),
    Column("forfeits", True),
    Column("level"),
)

_THINKING = (
    Column("bot"),
    Column("decisions", True),
    Column("mean think ms", True),
    Column("max think ms", True),
)

_QUEUE = (
    Column("place", True),
    Column("bot", cut=True),
    Column("waited", True),
    Column("to come", True),
    Column("open", True),
    Column("free", True),
    Column("last hour", True),
)


def standings_table(standings: ladder_pb2.ListStandingsResponse) -> RenderableType:
    """Rank, bot, its language, rating with its uncertainty, matches, mean placing, forfeits.

    Of a solo ladder: adjusted and mean score, best score, complete boards and level instead of rating and placing.
    """
    if any(line.HasField("solo") for line in standings.standings):
        return table(_SOLO, (_solo(line) for line in standings.standings))
    return table(_STANDINGS, (_standing(line) for line in standings.standings))


def thinking_table(standings: ladder_pb2.ListStandingsResponse) -> RenderableType:
    """How long each bot thought about a decision."""
    return table(_THINKING, (_thinking(line) for line in standings.standings))


def queue_table(queue: ladder_pb2.ListQueueResponse) -> RenderableType:
    """Place, groups waited and at most to come, matches open, free and of the last hour."""
    return table(_QUEUE, (_place(line) for line in queue.places))


def _place(line: ladder_pb2.ListQueueResponse.QueuePlace) -> tuple[str, ...]:
    if not (line.position or line.waiting_for):  # somebody else's: its place is not told
        return "", short(line.bot), "", "", "", "", str(line.matches_last_hour)
    return (
        ranked(line.position),
        short(line.bot),
        str(line.waited_groups),
        str(line.wait_bound_groups),
        str(line.open_matches),
        str(line.free_matches),
        str(line.matches_last_hour),
    )


def _standing(line: ladder_pb2.Standing) -> tuple[str, ...]:
    return (
        ranked(line.rank),
        short(line.bot),
        line.language,
        milli(line.rating_milli),
        milli(line.uncertainty_milli),
        str(line.matches),
        milli(line.mean_placing_milli, 2) if line.matches else "",
        str(line.forfeits),
    )


def _solo(line: ladder_pb2.Standing) -> tuple[str, ...]:
    solo, scored = line.solo, line.solo.boards > 0
    return (
        ranked(line.rank),
        short(line.bot),
        line.language,
        milli(solo.adjusted_score_milli, 2) if scored else "-",
        milli(solo.uncertainty_milli, 2) if solo.HasField("uncertainty_milli") else "-",
        milli(solo.mean_score_milli, 2) if scored else "-",
        str(solo.best_score) if solo.HasField("best_score") else "-",
        str(solo.boards),
        str(line.forfeits),
        solo.level or "-",
    )


def _thinking(line: ladder_pb2.Standing) -> tuple[str, ...]:
    return short(line.bot), str(line.decisions), milli(line.mean_think_us, 1), milli(line.max_think_us, 1)


_RATINGS = (
    Column("rank", True),
    Column("bot", cut=True),
    Column("version", cut=True),
    Column("rating", True),
    Column("+-", True),
    Column("matches", True),
    Column("above next", True),
)

_SEATS = (
    Column("seats", True),
    Column("seat", True),
    Column("advantage", True),
    Column("+-", True),
    Column("matches", True),
)


def fitted_ratings_page(refit: ladder_pb2.RefitRatingsResponse) -> RenderableType:
    """Rank, bot version, rating with half its interval, matches, likelihood of being above the next; then the seats."""
    matches = counted(refit.matches, "rated match", "rated matches")
    return Group(
        table(_RATINGS, _ratings(refit)),
        table(_SEATS, _seats(refit)),
        f"Fitted to {matches} at once; +- is half a 95 % interval.",
    )


def _ratings(refit: ladder_pb2.RefitRatingsResponse) -> Iterator[tuple[str, ...]]:
    rank, rating_milli = 0, 0
    for place, line in enumerate(refit.ratings, start=1):
        if line.rating_milli != rating_milli or not rank:
            rank, rating_milli = place, line.rating_milli
        bot, _, version = line.bot_version.partition("/versions/")
        yield (
            str(rank),
            short(bot),
            shown_version(version),
            milli(line.rating_milli),
            milli((line.high_milli - line.low_milli) // 2),
            str(line.matches),
            _percent(line.superiority_ppm) if place < len(refit.ratings) else "",
        )


def _seats(refit: ladder_pb2.RefitRatingsResponse) -> Iterator[tuple[str, ...]]:
    for count in refit.seat_advantages:
        pairs = zip(count.advantage_milli, count.uncertainty_milli, strict=True)
        for seat, (advantage, uncertainty) in enumerate(pairs):
            first = (str(count.seats), str(count.matches)) if seat == 0 else ("", "")
            yield first[0], str(seat), f"{advantage / 1000:+z.0f}", milli(uncertainty), first[1]


def _percent(ppm: int) -> str:
    """Never 100 %: no history proves which of two is stronger."""
    return ">99.9 %" if ppm > 999_000 else f"{ppm / 10_000:.1f} %"
