"""P10: what a match takes on disk, and what storing it costs; on the logs that a real arena has just written."""

import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from arena.codecs.codec import codec_for
from arena.match_log.files import LogFiles
from arena.match_log.keys import SigningKey, open_key_ring
from arena.match_log.reader import MatchLog, read_log
from arena.match_log.writer import MatchLogBuilder
from benchmarks.measuring.figures import microseconds, significant
from benchmarks.measuring.goals import Goal, at_most
from benchmarks.measuring.lines import Line, Measured
from benchmarks.measuring.spread import Spread, spread
from benchmarks.processes.worker import WorkerFailedError
from benchmarks.rows.replayable import replayable
from benchmarks.rows.row import Bench
from benchmarks.rows.table_of_play import Shape, playing

DECISIONS: Final = 150
"""What sizes are stated for; logs of longer and shorter matches are scaled to it."""

_LEAST: Final = 5
_US_PER_S: Final = 1e6


def of_matches(bench: Bench) -> Measured:
    """Return the sizes of the logs, and the processor time from the first record to the file."""
    files = _written(bench)
    logs = [read_log(file.read_bytes()) for file in files]
    pairs = list(zip(files, logs, strict=True))
    whole = spread(file.stat().st_size * DECISIONS / len(log.plies) for file, log in pairs)
    least = spread(_least(log) * DECISIONS / len(log.plies) for log in logs)
    keys = open_key_ring(bench.scratch / "keys").signing
    runs = range(bench.effort.pairs)
    costs = spread(_storing_us(logs, keys, bench.scratch / f"stored-{run}") for run in runs)
    plies = sum(len(log.plies) for log in logs) / len(logs)
    return Measured(
        (
            _size("seed, options and actions alone", least, at_most(400, 250, " B")),
            _size("whole log", whole, at_most(4_000, 2_500, " B")),
            Line("P10", "storing, a decision", microseconds(costs.middle), "", costs, at_most(3, 1.5, " us")),
        ),
        (f"P10: {len(logs)} logs of {significant(plies)} decisions in the mean, sizes for {DECISIONS}.",),
    )


def _least(log: MatchLog) -> int:
    return len(replayable(log.setup, [ply.action for ply in log.plies]))


def _written(bench: Bench) -> Sequence[Path]:
    shape = Shape("logs", bots=2, matches_each=1)
    with bench.arena("arena") as arena, playing(arena, shape) as side:
        folder = arena.data / "logs"
        for _ in range(bench.effort.pairs):
            side.measure(bench.effort.seconds)
    files = sorted(folder.rglob("*.arenalog"))
    if len(files) < _LEAST:
        raise WorkerFailedError(f"only {len(files)} matches ended, too few to tell their size")
    return files


def _storing_us(logs: Sequence[MatchLog], key: SigningKey, folder: Path) -> float:
    """Processor time for a decision: records encoded as they come; chained, signed, compressed, written and synced."""
    storage = LogFiles(folder)
    builds: list[Callable[[], None]] = [partial(_store, log, key, storage) for log in logs]
    builds[0]()  # code gets warm; the same log again is then only compared
    began = time.process_time()
    for build in builds[1:]:
        build()
    took = time.process_time() - began
    return took / sum(len(log.plies) for log in logs[1:]) * _US_PER_S


def _store(log: MatchLog, key: SigningKey, storage: LogFiles) -> None:
    codec = codec_for(log.setup.game)
    builder = MatchLogBuilder(log.setup, codec, software="bench", key=key, start_time_ms=0)
    if log.set_up is not None:
        builder.set_up(log.set_up.events)
    for ply in log.plies:
        builder.ply(ply)
    builder.end(log.result)
    storage.write(log.setup.match, builder.finish().data)


def _size(what: str, size: Spread, goal: Goal) -> Line:
    return Line("P10", what, f"{significant(size.middle)} B", "", size, goal)
