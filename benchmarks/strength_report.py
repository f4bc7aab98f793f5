"""What `make strength` prints of its matches: tables, and the promises about the sample bots."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from statistics import fmean, quantiles
from typing import Final

from rich.console import RenderableType

from arena.cli.framework.output import table
from arena.core.finished_match import FinishedMatch
from arena.core.rating.refit import Refit, refit
from arena.wire.wording import format_milli
from benchmarks.strength_contest import Contest, kind_of
from benchmarks.strength_matches import Fixture, Played
from engine.registry import GAMES
from engine.state import COMPILED

ABOVE: Final = 0.99
"""One bot is above another if this likely to be stronger, all seat counts together."""

NOT_BELOW: Final = 0.5
"""One bot is not below another if at least this likely to be stronger, all seat counts together, and ..."""

NOT_BELOW_ANYWHERE: Final = 0.05
"""... at least this likely with each seat count by itself: nowhere is the other one stronger beyond doubt."""

_RATINGS = (">rank", "bot", ">rating", ">95 % interval", ">matches", ">stronger than the next")
_ALONE = ("alone", ">matches", ">mean", ">least", ">most", "level of the mean")
_THINKING = ("bot", ">decisions", ">p50 ms", ">p99 ms", ">longest ms", ">late")


@dataclass(frozen=True, slots=True)
class Promise:
    """What is claimed, what was measured, and whether it holds."""

    claim: str
    measured: str
    holds: bool


class Groups:
    """The match groups of a plan, as they end."""

    def __init__(self, planned: Iterable[Fixture]) -> None:
        """`planned`: all matches that are to be played."""
        self._left = Counter(fixture.group for fixture in planned)
        self._total = len(self._left)
        self._open: dict[int, list[Played]] = defaultdict(list)

    def line_of(self, match: Played) -> str:
        """Return the line about the match's group if this match was the last one of it; else nothing."""
        group = match.fixture.group
        self._open[group].append(match)
        self._left[group] -= 1
        if self._left[group]:
            return ""
        ended = sum(not left for left in self._left.values())
        return f"Match group {ended} of {self._total}: {_told(self._open.pop(group))}."


def _told(group: Sequence[Played]) -> str:
    """Return the bots by their mean placing; of a group of solo matches by their score."""
    results: dict[str, list[int]] = defaultdict(list)
    alone = len(group[0].fixture.bots) == 1
    for match in group:
        for bot, result in zip(match.fixture.bots, match.scores if alone else match.placings, strict=True):
            results[bot].append(result)
    best = sorted(results, key=lambda bot: (fmean(results[bot]) * (-1 if alone else 1), bot))
    means = ", ".join(f"{bot} {fmean(results[bot]):.1f}" for bot in best)
    return f"alone, score: {means}" if alone else f"mean placing: {means}"


def ranked(matches: Iterable[Played], *, seats: int | None = None) -> list[FinishedMatch]:
    """Return the matches between bots as the refit takes them; only those of that seat count if one is given."""
    return [
        FinishedMatch(match.fixture.bots, match.placings, group=match.fixture.group or 0)
        for match in matches
        if len(match.fixture.bots) == seats or (seats is None and len(match.fixture.bots) > 1)
    ]


def ratings_table(fitted: Refit) -> RenderableType:
    """Return rank, rating with its interval, matches, and how likely each bot is stronger than the next one."""
    after = [line.player for line in fitted.ratings[1:]] + [None]
    rows = (
        (
            str(rank),
            line.player,
            format_milli(line.rating_milli),
            f"{format_milli(line.low_milli)} to {format_milli(line.high_milli)}",
            str(line.matches),
            f"{fitted.superiority(line.player, below):.4f}" if below else "",
        )
        for rank, (line, below) in enumerate(zip(fitted.ratings, after, strict=True), start=1)
    )
    return table(_RATINGS, rows)


def meetings_table(contest: Contest, matches: Sequence[Played]) -> RenderableType:
    """Return how often the second of two bots was placed before, behind and beside the first, by seat count."""
    counts = contest.seat_counts
    rows = (
        (f"{stronger} - {weaker}", *(meeting(matches, stronger, weaker, seats) for seats in counts))
        for weaker, stronger in pairwise(contest.bots)
    )
    return table(("bots", *(f">{seats} seats" for seats in counts)), rows)


def meeting(matches: Iterable[Played], one: str, other: str, seats: int) -> str:
    """How often in matches of that seat count `one` was before `other`, behind it, and level: "12-3, 1 level"."""
    before = behind = level = 0
    for match in matches:
        if len(match.placings) == seats:
            for own, its in product(_placings(match, one), _placings(match, other)):
                before, behind, level = before + (own < its), behind + (own > its), level + (own == its)
    return f"{before}-{behind}" + (f", {level} level" if level else "")


def _placings(match: Played, bot: str) -> list[int]:
    """Of all of its kind."""
    return [match.placings[seat] for seat in _seats(match, bot)]


def _seats(match: Played, bot: str) -> list[int]:
    return [seat for seat, name in enumerate(match.fixture.bots) if kind_of(name) == bot]


def alone_table(contest: Contest, matches: Iterable[Played]) -> RenderableType:
    """Return the scores of each bot in solo, all on the same boards."""
    alone = [match for match in matches if len(match.fixture.bots) == 1]
    by_bot = {
        bot: [match.scores[0] for match in alone if match.fixture.bots == (bot,)] for bot in contest.bots
    }
    rows = ((bot, *_scores(contest.game, scores)) for bot, scores in by_bot.items())
    return table(_ALONE, rows)


def _scores(game: str, scores: Sequence[int]) -> tuple[str, ...]:
    mean = fmean(scores)
    level = GAMES[game].level(int(mean)) or "none"
    return (str(len(scores)), f"{mean:.1f}", str(min(scores)), str(max(scores)), level)


def thinking_table(contest: Contest, matches: Sequence[Played]) -> RenderableType:
    """Return how long each bot thought about a decision by the arena's clock, and how often too long."""
    return table(_THINKING, (_thinking(matches, bot) for bot in contest.bots))


def _thinking(matches: Iterable[Played], bot: str) -> tuple[str, ...]:
    times: list[float] = []
    late = 0
    for match in matches:
        for seat in _seats(match, bot):
            times += match.thought_ms[seat]
            late += match.late[seat]
    cuts = quantiles(times, n=100)
    return (bot, str(len(times)), f"{cuts[49]:.1f}", f"{cuts[98]:.1f}", f"{max(times):.1f}", str(late))


def promises_of(contest: Contest, matches: Sequence[Played], *, compiled: bool = COMPILED) -> list[Promise]:
    """Return what is promised of the sample bots, and whether these matches bear it out.

    `compiled`: which engine they were played on.
    """
    above = (*contest.above, *(contest.above_compiled if compiled else ()))
    fitted = refit(ranked(matches))
    by_count = {seats: refit(ranked(matches, seats=seats)) for seats in contest.seat_counts}
    return [
        *(_above(fitted, *pair) for pair in above),
        *(_above_at_every_table(fitted, by_count, *pair) for pair in contest.above_at_every_table),
        *(_not_below(fitted, by_count, *pair) for pair in contest.not_below),
        _in_time(matches),
    ]


def _above(fitted: Refit, stronger: str, weaker: str) -> Promise:
    likely = fitted.superiority(stronger, weaker)
    return Promise(f"{stronger} is above {weaker}", f"likelihood {likely:.4f}", likely > ABOVE)


def _above_at_every_table(
    fitted: Refit, by_count: Mapping[int, Refit], stronger: str, weaker: str
) -> Promise:
    overall = fitted.superiority(stronger, weaker)
    each = _each_count(by_count, stronger, weaker)
    holds = min(overall, *(likely for _, likely in each)) > ABOVE
    measured = f"likelihood {overall:.4f}; " + ", ".join(_with_seats(each))
    return Promise(f"{stronger} is above {weaker} with every number of seats", measured, holds)


def _each_count(by_count: Mapping[int, Refit], one: str, other: str) -> list[tuple[int, float]]:
    """Return how likely one is stronger, by seat count."""
    return [(seats, fitted.superiority(one, other)) for seats, fitted in by_count.items()]


def _not_below(fitted: Refit, by_count: Mapping[int, Refit], one: str, other: str) -> Promise:
    overall = fitted.superiority(one, other)
    each = _each_count(by_count, one, other)
    holds = overall >= NOT_BELOW and all(likely >= NOT_BELOW_ANYWHERE for _, likely in each)
    measured = f"likelihood of being above {overall:.4f}; " + ", ".join(_with_seats(each))
    return Promise(f"{one} is not below {other}", measured, holds)


def _with_seats(each: Iterable[tuple[int, float]]) -> Iterator[str]:
    return (f"{likely:.4f} with {seats} seats" for seats, likely in each)


def _in_time(matches: Sequence[Played]) -> Promise:
    late = sum(sum(match.late) for match in matches)
    asked = sum(len(times) for match in matches for times in match.thought_ms)
    return Promise("no decision comes late", f"{late} of {asked} did", late == 0)
