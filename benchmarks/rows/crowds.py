"""P13: thousands of bots connected and hundreds of matches at once, on one server."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from arena.match_log.reader import read_log
from arena.v1 import time_control_pb2
from benchmarks.measuring.figures import per_second, significant
from benchmarks.measuring.goals import at_most
from benchmarks.measuring.lines import Line, Measured
from benchmarks.measuring.spread import Spread, percentile, spread
from benchmarks.processes.arena import RunningArena
from benchmarks.processes.crowd import Crowd, TroubleError, crowd
from benchmarks.processes.usage import cpu_s, memory_bytes
from benchmarks.processes.worker import WorkerFailedError
from benchmarks.rows.row import Bench
from benchmarks.rows.table_of_play import GAME

_LADDER: Final = "crowd"
_END_WITHIN_S: Final = 900.0
_SEATS: Final = 2
_GROUP: Final = 2
"""Matches of a group, which the same bots play one after the other: so twice as many are played as are at once."""

_NS_PER_MS: Final = 1_000_000
_NS_PER_US: Final = 1e3
_US_PER_S: Final = 1e6
_US_PER_MS: Final = 1e3
_BANK_MS: Final = 900_000
_BEGIN_WITHIN_S: Final = 900.0
_MB: Final = 1e6
_STALLS: Final = ("arena_stalls_total", "arena_stalled_seconds_total")

PER_DECISION_MS: Final = 1_000

_CONTROL: Final = time_control_pb2.TimeControl(
    per_decision_ms=PER_DECISION_MS,
    bank_ms=_BANK_MS,
    increment_ms=50,
    strikes=2,
    absence_ms=60_000,
    seat_limit_ms=86_400_000,
)
"""The clock of a ladder, but for a bank that lasts while the first decision of each match waits for all to begin."""


@dataclass(frozen=True, slots=True)
class Size:
    """How much is asked of the server."""

    bots: int
    """All of them connected, each by itself."""
    matches: int
    """Of two of them each, at once."""

    @property
    def seats(self) -> int:
        """Bots in play."""
        return self.matches * _SEATS


_FULL: Final = Size(5_000, 500)
_QUICK: Final = Size(500, 50)
_WINDOW_S: Final = 10.0
_WINDOW_QUICK_S: Final = 5.0


def at_once(bench: Bench) -> Measured:
    """All matches are begun, then played to their end by bots that answer at once; whatever goes wrong counts."""
    size = _QUICK if bench.effort.quick else _FULL
    try:
        return _measured(bench, size)
    except TroubleError as error:
        return broken_off(size, error)


def broken_off(size: Size, error: TroubleError) -> Measured:
    """The goals are missed: the arena let bots down before all matches had even begun."""
    what = f"{size.matches} matches: bots let down before all had begun"
    line = Line("P13", what, f"{error.count:,}", f"of {size.bots:,}", _one(error.count), at_most(0, 0, ""))
    return Measured((line,), (f"P13: {error}",))


def _measured(bench: Bench, size: Size) -> Measured:
    window_s = _WINDOW_QUICK_S if bench.effort.quick else _WINDOW_S
    with bench.arena("arena") as arena, crowd() as bots:
        tokens = arena.bots("crowd", size.bots)
        bots.connect([arena.unix, arena.tcp], tokens, GAME)
        names = [f"crowd-{number}" for number in range(size.seats)]
        arena.ladder(_LADDER, names, GAME, _CONTROL)
        before = arena.metrics()
        begin_s = _begin(arena, bots, size)
        window = _look(arena, bots, window_s)
        memory = memory_bytes(arena.pid)
        ends = _play_out(bots, size)
        after = arena.metrics()
    late, plies = late_and_all(arena.data / "logs")
    troubles = [trouble for each in ends for trouble in each["troubles"]]
    lost = sum(each["lost"] for each in ends) + abs(plies - sum(each["decisions"] for each in ends))
    stalls, stalled_s = (after[name] - before[name] for name in _STALLS)
    remark = (
        f"P13: {size.bots:,} bots are connected. Rate and waits are of {window_s:g} s with all matches in play, at "
        f"{significant(window.cpu_us)} us of the server's processor time a decision and {significant(memory / _MB)} MB "
        f"of its own memory. The matches took {significant(begin_s)} s to begin. In all, the loop stood still "
        f"{stalls:g} times, for {significant(stalled_s)} s together (gaps of its heartbeat over 20 ms)."
    )
    lines = (
        _count(f"{size.matches} matches: lost", lost, plies),
        _count(f"{size.matches} matches: late", late + len(troubles), plies),
        Line("P13", f"{size.matches} matches: rate", per_second(window.rate), "", _one(window.rate)),
        *(_wait(size, window, percent) for percent in (50, 95, 99)),
    )
    return Measured(lines, (remark, *(f"P13: {trouble}" for trouble in troubles[:3])))


@dataclass(frozen=True, slots=True)
class _Window:
    """What all programs saw while everything was in play."""

    rate: float
    """Decisions a second."""
    cpu_us: float
    """Of the server, for each of them."""
    waits_us: Sequence[float]
    """Ascending; of matches whose bots are in one program."""


def _look(arena: RunningArena, bots: Crowd, seconds: float) -> _Window:
    """All bots answer from now on; what happens within so many seconds."""
    worked_s = cpu_s(arena.pid)
    seen = bots.ask("play", seconds=seconds, go_on=True, within_s=seconds + 60)
    worked_s = cpu_s(arena.pid) - worked_s
    decisions = sum(each["decisions"] for each in seen)
    if not decisions:
        raise WorkerFailedError("no decision came while all matches were in play")
    waits = sorted(wait / _NS_PER_US for each in seen for wait in each["waits_ns"])
    return _Window(decisions / max(each["seconds"] for each in seen), worked_s / decisions * _US_PER_S, waits)


def _begin(arena: RunningArena, bots: Crowd, size: Size) -> float:
    """All matches have begun, and every first decision waits; the seconds that took."""
    began = time.monotonic()
    arena.run_ladder(_LADDER, _GROUP * size.matches)
    while (playing := sum(bots.ask("playing", within_s=60))) < size.seats:
        if time.monotonic() - began > _BEGIN_WITHIN_S:
            raise WorkerFailedError(f"only {playing} of {size.seats} seats play after {_BEGIN_WITHIN_S:g} s")
        bots.check()
        time.sleep(0.5)
    return time.monotonic() - began


def _play_out(bots: Crowd, size: Size) -> list[dict[str, Any]]:
    """How all matches have ended."""
    give_up = time.monotonic() + _END_WITHIN_S
    while True:
        ends = bots.ask("ends", within_s=60)
        if sum(each["seats"] for each in ends) >= _GROUP * size.seats:
            return ends
        if time.monotonic() > give_up:
            raise WorkerFailedError(f"the matches did not end within {_END_WITHIN_S:g} s")
        time.sleep(0.5)


def late_and_all(logs: Path) -> tuple[int, int]:
    """Decisions for which a bot was charged more than its free time, though it answered at once; and all there are.

    The first decision of each match waited for the others to begin, and does not count.
    """
    plies = [log.plies for log in (read_log(file.read_bytes()) for file in logs.rglob("*.arenalog"))]
    late = sum(ply.used_ns > PER_DECISION_MS * _NS_PER_MS for match in plies for ply in match[1:])
    return late, sum(map(len, plies))


def _wait(size: Size, window: _Window, percent: int) -> Line:
    wait = percentile(window.waits_us, percent / 100) / _US_PER_MS
    return Line(
        "P13", f"{size.matches} matches: p{percent} of wait", f"{significant(wait)} ms", "", _one(wait)
    )


def _count(what: str, count: float, of: int) -> Line:
    return Line("P13", what, f"{count:g}", f"of {of:,}", _one(count), at_most(0, 0, ""))


def _one(value: float) -> Spread:
    """Measured once: it is the sum of many."""
    return spread([value])
