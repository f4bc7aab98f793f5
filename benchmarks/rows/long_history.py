"""P12: standings, ratings and records of bots on a ladder on which a great deal has been played."""

import time
from collections.abc import Callable, Mapping
from functools import partial
from statistics import median
from typing import Final

from arena.v1 import bot_pb2, ladder_pb2
from benchmarks.growth.history import LADDER, Size, build
from benchmarks.measuring.figures import significant
from benchmarks.measuring.goals import Goal, at_most
from benchmarks.measuring.lines import Line, Measured
from benchmarks.measuring.spread import spread
from benchmarks.processes.arena import RunningArena, arena_on
from benchmarks.processes.usage import memory_bytes
from benchmarks.processes.worker import WorkerFailedError
from benchmarks.rows.row import Bench

_SIZES: Final = (Size(100, 20_000), Size(200, 50_000), Size(1_000, 1_000_000))
"""By scale."""

_CALLS: Final = 100
_LOOKS: Final = 5
_RECOMPUTED: Final = (1, 3, 3)
"""Times, by scale."""

_WITHIN_S: Final = 900.0
_MS: Final = 1e3
_MB: Final = 1e6
_NAME: Final = f"ladders/{LADDER}"


def standings_and_ratings(bench: Bench) -> Measured:
    """Measure calls to a real arena on a database with the history, from outside."""
    size = bench.effort.sized(*_SIZES)
    data = bench.scratch / "arena"
    data.mkdir()
    build(data / "arena.db", size)
    with arena_on(data) as arena:
        pages = _medians_ms(lambda: page(arena, ""))
        bot = page(arena, "", 1).standings[0].bot
        of_bot = {what: _medians_ms(partial(ask, arena, bot)) for what, ask in _OF_BOT.items()}
        lines_shown = whole(arena)
        listings = [_seconds(lambda: whole(arena)) * _MS for _ in range(_LOOKS)]
        before = memory_bytes(arena.pid)
        times = [_seconds(lambda: recompute(arena, size)) for _ in range(bench.effort.sized(*_RECOMPUTED))]
        grown = memory_bytes(arena.pid) - before
        refit_s = _seconds(lambda: refit(arena))
    lines = (
        _line("standings: p50 of a page", pages, "ms", at_most(10, 2, " ms")),
        *(_line(f"{what}: p50", figures, "ms", None) for what, figures in of_bot.items()),
        _line(f"standings: all {lines_shown:,} lines", listings, "ms", None),
        _line("recompute of all ratings", times, "s", at_most(60, 10, " s")),
    )
    remark = (
        f"P12: a ladder of {size}, asked by gRPC on the Unix socket. A page has 50 lines. The arena has taken "
        f"{significant(grown / _MB)} MB for recomputing. The refit, over the newest 200,000 matches at most, took "
        f"{significant(refit_s)} s."
    )
    return Measured(lines, (remark,))


_OF_BOT: Final[Mapping[str, Callable[[RunningArena, str], object]]] = {
    "standings of a bot": lambda arena, bot: arena.calls.ladders.ListBotStandings(
        ladder_pb2.ListBotStandingsRequest(bot=bot)
    ),
    "rating history of a bot": lambda arena, bot: arena.calls.ladders.GetRatingHistory(
        ladder_pb2.GetRatingHistoryRequest(name=_NAME, bot=bot)
    ),
    "record of a bot": lambda arena, bot: arena.calls.bots.GetBotRecord(bot_pb2.GetBotRecordRequest(bot=bot)),
}


def page(arena: RunningArena, token: str, size: int = 0) -> ladder_pb2.ListStandingsResponse:
    """Return a page of the standings; `size` 0 is the default size."""
    return arena.calls.ladders.ListStandings(
        ladder_pb2.ListStandingsRequest(name=_NAME, page_token=token, page_size=size)
    )


def whole(arena: RunningArena) -> int:
    """Return all lines of the standings, page after page as the command line reads them; how many there are."""
    lines, token = 0, ""
    while True:
        answer = page(arena, token)
        lines, token = lines + len(answer.standings), answer.next_page_token
        if not token:
            return lines


def recompute(arena: RunningArena, size: Size) -> None:
    """Recompute all ratings. Raises WorkerFailedError if one is not what the arena has."""
    answer = arena.calls.ladders.RecomputeLadder(
        ladder_pb2.RecomputeLadderRequest(name=_NAME), timeout=_WITHIN_S
    )
    if not answer.identical or answer.entries != size.matches // 2:
        raise WorkerFailedError(f"{answer.entries} entries recomputed, identical: {answer.identical}")


def refit(arena: RunningArena) -> None:
    """Fit the ratings to the history."""
    arena.calls.ladders.RefitRatings(ladder_pb2.RefitRatingsRequest(name=_NAME), timeout=_WITHIN_S)


def _medians_ms(work: Callable[[], object]) -> list[float]:
    return [median(_seconds(work) for _ in range(_CALLS)) * _MS for _ in range(_LOOKS)]


def _seconds(work: Callable[[], object]) -> float:
    began = time.monotonic()
    work()
    return time.monotonic() - began


def _line(what: str, figures: list[float], unit: str, goal: Goal | None) -> Line:
    found = spread(figures)
    return Line("P12", what, f"{significant(found.middle)} {unit}", "", found, goal)
