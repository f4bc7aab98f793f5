"""What `make strength` prints of its matches: tables, and the promises about the sample bots."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import quantiles
from typing import Final

from rich.console import RenderableType

from arena.cli.output import Column, milli, table
from arena.core.rating.refit import RankedMatch, Refit, refit
from benchmarks.strength_matches import CLASSES, Played

ABOVE: Final = 0.99
"""One bot is above another if this likely to be stronger, all seat counts together."""

NOT_BELOW: Final = 0.5
"""One bot is not below another if at least this likely to be stronger, all seat counts together, and ..."""

NOT_BELOW_ANYWHERE: Final = 0.05
"""... at least this likely with each seat count by itself: nowhere is the other one stronger beyond doubt."""

_SEAT_COUNTS: Final = (2, 3, 4)

_RATINGS = (
    Column("rank", True),
    Column("bot"),
    Column("rating", True),
    Column("95 % interval", True),
    Column("matches", True),
    Column("stronger than the next", True),
)
_MEETINGS = (Column("bots"), *(Column(f"{seats} seats", True) for seats in _SEAT_COUNTS))
_THINKING = (
    Column("bot"),
    Column("decisions", True),
    Column("p50 ms", True),
    Column("p99 ms", True),
    Column("longest ms", True),
    Column("late", True),
)


@dataclass(frozen=True, slots=True)
class Promise:
    """What is claimed, what was measured, and whether it holds."""

    claim: str
    measured: str
    holds: bool


def ranked(matches: Iterable[Played], *, seats: int | None = None) -> list[RankedMatch]:
    """The matches as the refit takes them; only those of that seat count if one is given."""
    return [
        RankedMatch(match.fixture.bots, match.placings, match.fixture.group)
        for match in matches
        if seats is None or len(match.fixture.bots) == seats
    ]


def ratings_table(fitted: Refit) -> RenderableType:
    """Rank, rating with its interval, matches, and how likely each bot is stronger than the next one."""
    after = [line.player for line in fitted.ratings[1:]] + [None]
    rows = (
        (
            str(rank),
            line.player,
            milli(line.rating_milli),
            f"{milli(line.low_milli)} to {milli(line.high_milli)}",
            str(line.matches),
            f"{fitted.superiority(line.player, below):.4f}" if below else "",
        )
        for rank, (line, below) in enumerate(zip(fitted.ratings, after, strict=True), start=1)
    )
    return table(_RATINGS, rows)


def meetings_table(matches: Sequence[Played]) -> RenderableType:
    """How often the second of two bots was placed before, behind and beside the first, by seat count."""
    rows = (
        (f"{stronger} - {weaker}", *(meeting(matches, stronger, weaker, seats) for seats in _SEAT_COUNTS))
        for weaker, stronger in pairwise(CLASSES)
    )
    return table(_MEETINGS, rows)


def meeting(matches: Iterable[Played], one: str, other: str, seats: int) -> str:
    """Matches of that seat count in which `one` was before `other`, behind it, and level: "12-3, 1 level"."""
    before = behind = level = 0
    for match in matches:
        bots = match.fixture.bots
        if len(bots) == seats and one in bots and other in bots:
            own, its = match.placings[bots.index(one)], match.placings[bots.index(other)]
            before, behind, level = before + (own < its), behind + (own > its), level + (own == its)
    return f"{before}-{behind}" + (f", {level} level" if level else "")


def thinking_table(matches: Sequence[Played]) -> RenderableType:
    """How long each bot thought about a decision by the arena's clock, and how often too long."""
    return table(_THINKING, (_thinking(matches, bot) for bot in CLASSES))


def _thinking(matches: Iterable[Played], bot: str) -> tuple[str, ...]:
    times: list[float] = []
    late = 0
    for match in matches:
        if bot in match.fixture.bots:
            seat = match.fixture.bots.index(bot)
            times += match.thought_ms[seat]
            late += match.late[seat]
    cuts = quantiles(times, n=100)
    return (bot, str(len(times)), f"{cuts[49]:.1f}", f"{cuts[98]:.1f}", f"{max(times):.1f}", str(late))


def promises_of(matches: Sequence[Played]) -> list[Promise]:
    """What is promised of the sample bots, and whether these matches bear it out."""
    fitted = refit(ranked(matches))
    return [
        _above(fitted, "greedy", "random"),
        _above(fitted, "planner", "greedy"),
        _not_below(matches, "mcts", "planner"),
        _in_time(matches),
    ]


def _above(fitted: Refit, stronger: str, weaker: str) -> Promise:
    likely = fitted.superiority(stronger, weaker)
    return Promise(f"{stronger} is above {weaker}", f"likelihood {likely:.4f}", likely > ABOVE)


def _not_below(matches: Sequence[Played], one: str, other: str) -> Promise:
    overall = refit(ranked(matches)).superiority(one, other)
    each = [(seats, refit(ranked(matches, seats=seats)).superiority(one, other)) for seats in _SEAT_COUNTS]
    holds = overall >= NOT_BELOW and all(likely >= NOT_BELOW_ANYWHERE for _, likely in each)
    measured = f"likelihood of being above {overall:.4f}; " + ", ".join(_with_seats(each))
    return Promise(f"{one} is not below {other}", measured, holds)


def _with_seats(each: Iterable[tuple[int, float]]) -> Iterator[str]:
    return (f"{likely:.4f} with {seats} seats" for seats, likely in each)


def _in_time(matches: Sequence[Played]) -> Promise:
    late = sum(sum(match.late) for match in matches)
    asked = sum(len(times) for match in matches for times in match.thought_ms)
    return Promise("no decision comes late", f"{late} of {asked} did", late == 0)
