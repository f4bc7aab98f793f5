"""P9: what a bot costs that is connected and has nothing to do."""

from __future__ import annotations

import time
from typing import Final

from benchmarks.measuring.figures import significant
from benchmarks.measuring.goals import at_most
from benchmarks.measuring.lines import Line, Measured
from benchmarks.measuring.spread import spread
from benchmarks.processes.crowd import crowd
from benchmarks.processes.usage import cpu_s, memory_bytes
from benchmarks.rows.row import Bench
from benchmarks.rows.table_of_play import GAME

_KB: Final = 1_000
_BOTS: Final = 1_000
_BOTS_QUICK: Final = 200
_LOOKS: Final = 5
_LOOK_S: Final = 15.0
"""The arena pings every bot once in this time."""
_LOOK_QUICK_S: Final = 2.0
_REST_S: Final = 1.0


def bots(bench: Bench) -> Measured:
    """Many bots, each its own, with a connection of its own; first the memory they take, then the processor's time."""
    count = _BOTS_QUICK if bench.effort.quick else _BOTS
    look_s = _LOOK_QUICK_S if bench.effort.quick else _LOOK_S
    share = count // _LOOKS
    sizes = []
    with bench.arena("arena") as arena, crowd() as bots_of:
        tokens = arena.bots("idle", count + share)
        bots_of.connect([arena.unix], tokens[:share], GAME)  # what the first ones bring with them is nobody's
        for begin in range(share, count + share, share):
            time.sleep(_REST_S)
            before = memory_bytes(arena.pid)
            bots_of.connect([arena.unix], tokens[begin : begin + share], GAME)
            time.sleep(_REST_S)
            sizes.append((memory_bytes(arena.pid) - before) / share / _KB)
        loads = [_load(arena.pid, look_s) for _ in range(_LOOKS)]
        bots_of.check()
    memory, load = spread(sizes), spread(loads)
    return Measured(
        (
            Line(
                "P9",
                "memory of an idle bot",
                f"{significant(memory.middle)} KB",
                "",
                memory,
                at_most(40, 25, " KB"),
            ),
            Line(
                "P9",
                f"CPU with {count + share:,} idle bots",
                f"{significant(load.middle)} %",
                "",
                load,
                at_most(0.5, 0, " %"),
            ),
        ),
        (
            f"P9: each bot has a connection of its own. CPU in {_LOOKS} looks of {look_s:g} s, in percent of one core.",
        ),
    )


def _load(pid: int, seconds: float) -> float:
    """Percent of a core that the process uses."""
    before = cpu_s(pid)
    began = time.monotonic()
    time.sleep(seconds)
    return (cpu_s(pid) - before) / (time.monotonic() - began) * 100
