"""Ratings fitted to a ladder's whole history, and what its seats are worth, as tables."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Group, RenderableType

from arena.cli.framework.output import Column, milli, short, table
from arena.core.versions import shown_version
from arena.drawings.wording import counted
from arena.v1 import ladder_pb2

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
