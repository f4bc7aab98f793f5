"""Thousands of bots on one arena and hundreds of matches at once: connected, begun, watched for a while, played out."""

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from typing import Any, Final

from arena.match_log.reader import read_log
from arena.v1 import time_control_pb2
from benchmarks.calls_beside import calls_beside
from benchmarks.measuring.histogram import Histogram
from benchmarks.measuring.spread import percentile
from benchmarks.processes.arena import RunningArena
from benchmarks.processes.crowd import Crowd
from benchmarks.processes.usage import cpu_s, memory_bytes
from benchmarks.processes.worker import WorkerFailedError
from benchmarks.rows.table_of_play import GAME

SEATS: Final = 2
"""Of each match."""

_LADDER: Final = "crowd"
_BEGIN_WITHIN_S: Final = 900.0
_END_WITHIN_S: Final = 900.0
_GROUP: Final = 2
"""Matches of a group, which the same bots play one after the other: so twice as many are played as are at once."""

_PLAYED_A_SECOND: Final = 40
"""More matches than an arena plays to their end in a second: they must not run out while it is looked at."""

_NS_PER_MS: Final = 1_000_000
_US_PER_S: Final = 1e6
_BANK_MS: Final = 900_000
_STALLS: Final = ("arena_stalls_total", "arena_stalled_seconds_total")
_LAG: Final = "arena_loop_lag_seconds"
_LONGEST_LAG: Final = "arena_loop_lag_longest_seconds"
_OWN_LAG: Final = "arena_loop_own_lag_seconds"
_LONGEST_OWN_LAG: Final = "arena_loop_own_lag_longest_seconds"

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
        return self.matches * SEATS

    def played(self, seconds: float) -> int:
        """Return how many matches keep as many as that in play for so long."""
        return _GROUP * max(self.matches, ceil(seconds * _PLAYED_A_SECOND / _GROUP))


@dataclass(frozen=True, slots=True)
class Window:
    """What was seen while everything was in play and all bots answered at once."""

    rate: float
    """Decisions a second."""
    cpu_us: float
    """Of the server, for each of them."""
    waits_ms: Sequence[float]
    """From an answer to the next decision, ascending; of matches whose bots are in one program."""
    lag: Histogram
    """Seconds by which the arena's heartbeat came late."""
    own_lag: Histogram
    """The part of them that the loop's own thread worked."""
    busy: tuple[float, float]
    """Share of a core that the server used, and that all programs of bots used together."""

    def wait_ms(self, percent: int) -> float:
        """Return the wait that so many waits in a hundred do not exceed."""
        return percentile(self.waits_ms, percent / 100)


@dataclass(frozen=True, slots=True)
class Crowded:
    """How it all went."""

    connect_s: float
    """Until all bots were let in."""
    connected_bytes: int
    """The server's own memory with all connected, nothing in play."""
    begin_s: float
    """Until all matches had begun."""
    window: Window
    playing_bytes: int
    """The server's own memory with all in play."""
    lost: int
    """Decisions in which bots, results and logs do not agree."""
    late: int
    """Decisions for which more than the free time was charged, though the bot answered at once."""
    plies: int
    troubles: tuple[str, ...]
    """Everything that must not happen to bots that answer at once, a sentence each."""
    stalls: float
    """Times that the loop stood still, from the first offer to the last result."""
    stalled_s: float
    longest_lag_s: float
    longest_own_lag_s: float
    beside: Mapping[str, int]
    """By kind: the calls that were answered in the window beside the matches."""


def crowded(arena: RunningArena, bots: Crowd, size: Size, seconds: float, *, beside: bool = False) -> Crowded:
    """Begin all matches, look at them for so long, and play them to their end by bots that answer at once.

    `beside`: make calls of organisers and owners in the window; the arena then has `with_history`.

    Raises:
        TroubleError: bots were let down before all matches had begun.
        WorkerFailedError: a program failed, a call beside was refused, or it all took too long.
    """
    tokens = arena.bots("crowd", size.bots)
    began = time.monotonic()
    bots.connect([arena.unix, arena.tcp], tokens, GAME)
    connect_s, connected_bytes = time.monotonic() - began, memory_bytes(arena.pid)
    arena.ladder(_LADDER, [f"crowd-{number}" for number in range(size.seats)], GAME, _CONTROL)
    before = arena.metrics()
    played = size.played(seconds)
    begin_s = _begin(arena, bots, size, played)
    with ExitStack() as stack:
        answered = stack.enter_context(calls_beside(arena, _LADDER)) if beside else Counter[str]()
        window = _look(arena, bots, seconds)
    playing_bytes = memory_bytes(arena.pid)
    ends = _play_out(bots, played)
    after = arena.metrics()
    late, plies = late_and_all(arena.data / "logs")
    stalls, stalled_s = (after[name] - before[name] for name in _STALLS)
    return Crowded(
        connect_s=connect_s,
        connected_bytes=connected_bytes,
        begin_s=begin_s,
        window=window,
        playing_bytes=playing_bytes,
        lost=sum(each["lost"] for each in ends) + abs(plies - sum(each["decisions"] for each in ends)),
        late=late,
        plies=plies,
        troubles=tuple(trouble for each in ends for trouble in each["troubles"]),
        stalls=stalls,
        stalled_s=stalled_s,
        longest_lag_s=after[_LONGEST_LAG],
        longest_own_lag_s=after[_LONGEST_OWN_LAG],
        beside=answered,
    )


def late_and_all(logs: Path) -> tuple[int, int]:
    """Decisions for which a bot was charged more than its free time, though it answered at once; and all there are.

    The first decision of each match waited for the others to begin, and does not count.
    """
    plies = [log.plies for log in (read_log(file.read_bytes()) for file in logs.rglob("*.arenalog"))]
    late = sum(ply.used_ns > PER_DECISION_MS * _NS_PER_MS for match in plies for ply in match[1:])
    return late, sum(map(len, plies))


def _begin(arena: RunningArena, bots: Crowd, size: Size, played: int) -> float:
    """Wait until all matches have begun and every first decision waits; return the seconds that it took."""
    began = time.monotonic()
    arena.run_ladder(_LADDER, played)
    while (playing := sum(bots.ask("playing", within_s=60))) < size.seats:
        if time.monotonic() - began > _BEGIN_WITHIN_S:
            raise WorkerFailedError(f"only {playing} of {size.seats} seats play after {_BEGIN_WITHIN_S:g} s")
        bots.check()
        time.sleep(0.5)
    return time.monotonic() - began


def _look(arena: RunningArena, bots: Crowd, seconds: float) -> Window:
    """Let all bots answer from now on; return what happens within so many seconds."""
    before = arena.metrics_page()
    worked_s, began = cpu_s(arena.pid), time.monotonic()
    seen = bots.ask("play", seconds=seconds, go_on=True, within_s=seconds + 60)
    worked_s, took_s = cpu_s(arena.pid) - worked_s, time.monotonic() - began
    decisions = sum(each["decisions"] for each in seen)
    if not decisions:
        raise WorkerFailedError("no decision came while all matches were in play")
    longest = max(each["seconds"] for each in seen)
    after = arena.metrics_page()
    return Window(
        rate=decisions / longest,
        cpu_us=worked_s / decisions * _US_PER_S,
        waits_ms=sorted(wait / _NS_PER_MS for each in seen for wait in each["waits_ns"]),
        lag=Histogram.of(after, _LAG).since(Histogram.of(before, _LAG)),
        own_lag=Histogram.of(after, _OWN_LAG).since(Histogram.of(before, _OWN_LAG)),
        busy=(worked_s / took_s, sum(each["cpu_s"] for each in seen) / longest),
    )


def _play_out(bots: Crowd, played: int) -> list[dict[str, Any]]:
    """Return how all matches have ended."""
    give_up = time.monotonic() + _END_WITHIN_S
    while True:
        ends = bots.ask("ends", within_s=60)
        if sum(each["seats"] for each in ends) >= SEATS * played:
            return ends
        if time.monotonic() > give_up:
            raise WorkerFailedError(f"the matches did not end within {_END_WITHIN_S:g} s")
        time.sleep(0.5)
