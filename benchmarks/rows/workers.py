"""P16: how hosted matches grow with match workers, and what they still cost the arena's own process."""

import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.cli.framework.processes import without_arena
from arena.v1 import bot_pb2, ladder_pb2, match_pb2
from benchmarks.measuring.figures import per_second, significant
from benchmarks.measuring.goals import at_least, at_most
from benchmarks.measuring.lines import Line, Measured
from benchmarks.measuring.spread import ratios
from benchmarks.processes.arena import PATIENT, RunningArena
from benchmarks.processes.usage import cpu_s, run_program
from benchmarks.processes.worker import WorkerFailedError
from benchmarks.rows.row import Bench
from benchmarks.rows.table_of_play import GAME

_PROGRAM: Final = """
import random
import time

import arena.sdk


class Waiting(arena.sdk.Bot):
    name = "waiting"
    games = arena.sdk.GAMES
    matches = 8

    def choose(self, observation, legal_actions, clock):
        time.sleep({seconds})
        return random.randrange(len(legal_actions))


arena.sdk.run(Waiting)
"""

_MANIFEST: Final = f'command = ["python", "bot.py"]\nruntime = "python"\ngames = ["{GAME}"]\n'

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
_WITHIN_S: Final = 300.0
_LOOK_S: Final = 0.5
"""Each look costs the arena half a millisecond."""


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
        bots = submitted(bench, arena, name, think_s)
        began = cpu_s(arena.pid)
        ladder(arena, bots, matches)
        rows = wait_until_over(arena, matches)
        used = cpu_s(arena.pid) - began
    started = min(_seconds(row.start_time) for row in rows)
    ended = max(_seconds(row.end_time) for row in rows)
    decisions = sum(row.plies for row in rows)
    return Played(decisions / (ended - started), decisions, len(rows), used)


def submitted(bench: Bench, arena: RunningArena, name: str, think_s: float) -> Sequence[str]:
    """Have the bots admitted: all have the same content, so only the first one is tried. Return them."""
    folder = bench.scratch / f"{name}-bot"
    folder.mkdir()
    (folder / "bot.py").write_text(_PROGRAM.format(seconds=think_s))
    (folder / "bot.toml").write_text(_MANIFEST)
    python = bench.environments.arena().python
    bots = [f"{name}-{number}" for number in range(_BOTS)]
    for bot in bots:
        arena.calls.bots.CreateBot(bot_pb2.CreateBotRequest(bot_id=bot))
        submit(python, arena.data, bot, folder)
    return bots


def submit(python: Path, data: Path, bot: str, folder: Path) -> None:
    """Submit a bot and wait until it is admitted. Raises WorkerFailedError: it is not."""
    command = [
        str(python),
        "-P",
        "-m",
        "arena.cli.app",
        "bot",
        "submit",
        bot,
        str(folder),
        "--data",
        str(data),
    ]
    ended = run_program(command, without_arena(os.environ))
    if ended.code:
        raise WorkerFailedError(f"arena bot submit ended with {ended.code} ({ended.last_line})")


def ladder(arena: RunningArena, bots: Sequence[str], matches: int) -> None:
    """Run a ladder of matches of two, so many."""
    calls, name = arena.calls.ladders, "ladders/main"
    calls.CreateLadder(
        ladder_pb2.CreateLadderRequest(
            ladder_id="main", game=GAME, seat_counts=[2], time_control=PATIENT, options={"turn_limit": _TURNS}
        )
    )
    for bot in bots:
        calls.JoinLadder(ladder_pb2.JoinLadderRequest(name=name, bot=f"bots/{bot}"))
    calls.RunLadder(ladder_pb2.RunLadderRequest(name=name, matches=matches))


def wait_until_over(arena: RunningArena, matches: int) -> Sequence[match_pb2.Match]:
    """Return the matches when all have ended. Raises WorkerFailedError: it takes too long, or one is void."""
    deadline = time.monotonic() + _WITHIN_S
    running = ladder_pb2.GetLadderRequest(name="ladders/main")
    while time.monotonic() < deadline:
        shown = arena.calls.ladders.GetLadder(running).ladder
        if not (shown.remaining_matches or shown.running_matches):
            request = match_pb2.ListMatchesRequest(ladder="ladders/main", page_size=100)
            rows = arena.calls.matches.ListMatches(request).matches
            if len(rows) != matches or any(row.state != match_pb2.MATCH_STATE_FINISHED for row in rows):
                raise WorkerFailedError("a match of hosted bots was void")
            return rows
        time.sleep(_LOOK_S)
    raise WorkerFailedError(f"{matches} matches of hosted bots were not over after {_WITHIN_S:g} s")


def _seconds(moment: object) -> float:
    """Return a timestamp as seconds."""
    return float(moment.seconds) + float(moment.nanos) / 1e9  # type: ignore[attr-defined]
