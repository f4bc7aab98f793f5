"""P9: what a bot costs that is connected and has nothing to do."""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from arena.v1 import play_pb2
from benchmarks.floors.script import Script
from benchmarks.measuring.figures import significant
from benchmarks.measuring.goals import at_most
from benchmarks.measuring.lines import Line, Measured
from benchmarks.measuring.spread import spread
from benchmarks.processes.crowd import Crowd, crowd
from benchmarks.processes.usage import cpu_s, memory_bytes
from benchmarks.processes.worker import Worker
from benchmarks.rows.row import Bench
from benchmarks.rows.table_of_play import GAME

_KB: Final = 1_000
_BOTS: Final = (200, 500, 1_000)
"""By scale."""

_LOOKS: Final = 5
_LOOK_S: Final = (2.0, 5.0, 60.0)
"""By scale; the arena pings every bot once in five minutes, in rounds of 15 s: five looks of a minute see all of it."""

_REST_S: Final = 1.0


def bots(bench: Bench) -> Measured:
    """Many bots, each its own, with a connection of its own; first the memory they take, then the processor's time."""
    count, look_s = bench.effort.sized(*_BOTS), bench.effort.sized(*_LOOK_S)
    share = count // _LOOKS
    with bench.arena("arena") as arena, crowd() as bots_of:
        sizes = _sizes(arena.pid, bots_of, arena.unix, arena.bots("idle", count + share), share)
        loads = [_load(arena.pid, look_s) for _ in range(_LOOKS)]
        bots_of.check()
    memory, load, bare = spread(sizes), spread(loads), spread(_bare(bench.scratch, count + share, share))
    return Measured(
        (
            Line(
                "P9",
                "memory of an idle bot",
                f"{significant(memory.middle)} KB",
                f"{significant(bare.middle)} KB",
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
            "P9: each bot has a connection of its own; theirs: the same streams to a bare gRPC server.",
            f"P9: CPU in {_LOOKS} looks of {look_s:g} s, in percent of one core; the bots accept a ping in 5 minutes.",
        ),
    )


def _sizes(pid: int, bots: Crowd, address: str, tokens: Sequence[str], share: int) -> list[float]:
    """Return KB that a process grows by for each bot that is let in, of so many at a time."""
    bots.connect([address], tokens[:share], GAME)  # what the first ones bring with them is nobody's
    sizes = []
    for begin in range(share, len(tokens), share):
        time.sleep(_REST_S)
        before = memory_bytes(pid)
        bots.connect([address], tokens[begin : begin + share], GAME)
        time.sleep(_REST_S)
        sizes.append((memory_bytes(pid) - before) / share / _KB)
    return sizes


def _bare(scratch: Path, count: int, share: int) -> list[float]:
    """Measure a floor, which lets everybody in and then sends nothing that has to be answered."""
    frame = play_pb2.PlayResponse(messages=[play_pb2.ServerMessage(welcome=play_pb2.Welcome())])
    script, socket = scratch / "welcome", scratch / "bare.sock"
    Script(((0, frame.SerializeToString()),)).save(script)
    with Worker("benchmarks.floors.grpc_echo", str(socket), str(script)) as floor, crowd() as bots_of:
        floor.answer()
        return _sizes(floor.pid, bots_of, f"unix://{socket}", [""] * count, share)


def _load(pid: int, seconds: float) -> float:
    """Return the percentage of a core that the process uses."""
    before = cpu_s(pid)
    began = time.monotonic()
    time.sleep(seconds)
    return (cpu_s(pid) - before) / (time.monotonic() - began) * 100
