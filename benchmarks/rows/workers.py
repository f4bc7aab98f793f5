"""P16: how hosted matches grow with match workers, and what they still cost the arena's own process."""

from dataclasses import dataclass
from typing import Final

from benchmarks.measuring.figures import per_second, significant
from benchmarks.measuring.goals import at_least, at_most
from benchmarks.measuring.lines import Line, Measured
from benchmarks.measuring.spread import ratios
from benchmarks.processes.hosted import play_ladder, span_s, submitted
from benchmarks.processes.usage import cpu_s
from benchmarks.rows.row import Bench

_THINK_S: Final = 0.02
"""Bots that wait take no processor, so that two cores are enough for many of them."""

_BOTS: Final = 8
_MANY: Final = 4
"""Workers; a match of two for each, so that all bots play."""

_PROGRAMS: Final = "20"
_TURNS: Final = "40"
_ROUNDS: Final = (2, 4, 8)
"""Matches for each worker, by scale."""

_GROWTH: Final = at_least(0.9 * _MANY, 0.97 * _MANY)
_SHARE: Final = at_most(0.5, 0.25)
_MS_PER_S: Final = 1e3
_US_PER_S: Final = 1e6


@dataclass(frozen=True, slots=True)
class Played:
    """A ladder of hosted bots that was played to its end."""

    rate: float
    """Decisions a second, from the first beginning to the last end."""
    decisions: int
    matches: int
    own_cpu_s: float
    """Of the arena's own process meanwhile."""


def growth(bench: Bench) -> Measured:
    """Play a ladder with one worker and with four, and one of bots that answer at once with none and with two."""
    rounds = bench.effort.sized(*_ROUNDS)
    one = played(bench, "one", _THINK_S, workers=1, matches=rounds)
    many = played(bench, "many", _THINK_S, workers=_MANY, matches=_MANY * rounds)
    own = played(bench, "own", 0.0, workers=0, matches=2 * rounds)
    two = played(bench, "two", 0.0, workers=2, matches=2 * rounds)
    lines = (
        Line(
            "P16",
            f"{_MANY} workers over 1, bots that wait",
            per_second(many.rate),
            per_second(one.rate),
            ratios([(many.rate, one.rate)]),
            _GROWTH,
        ),
        Line(
            "P16",
            "own CPU a decision: workers over none",
            f"{significant(_cpu_us(two))} us",
            f"{significant(_cpu_us(own))} us",
            ratios([(_cpu_us(two), _cpu_us(own))]),
            _SHARE,
        ),
    )
    each_ms = two.own_cpu_s / two.matches * _MS_PER_S
    remark = (
        f"P16: {_BOTS} hosted bots; those that wait do so for {_THINK_S * _MS_PER_S:g} ms at each decision, so need "
        f"few cores; start and end of programs count. With workers a match costs the arena's own process "
        f"{significant(each_ms)} ms: where a match keeps a worker's core busy for t ms, one arena feeds about "
        f"0.8 t / {significant(each_ms)} workers."
    )
    return Measured(lines, (remark,))


def _cpu_us(play: Played) -> float:
    return play.own_cpu_s / play.decisions * _US_PER_S


def played(bench: Bench, name: str, think_s: float, *, workers: int, matches: int) -> Played:
    """Play a ladder of hosted bots on an arena with so many workers. Raises WorkerFailedError: it is not played."""
    options = ("--match-workers", str(workers), "--hosted-programs", _PROGRAMS)
    with bench.arena(name, *options) as arena:
        bots = submitted(arena, bench.scratch, bench.environments.arena().python, name, think_s, _BOTS)
        began = cpu_s(arena.pid)
        rows = play_ladder(arena, bots, matches, options={"turn_limit": _TURNS})
        used = cpu_s(arena.pid) - began
    decisions = sum(row.plies for row in rows)
    return Played(decisions / span_s(rows), decisions, len(rows), used)
