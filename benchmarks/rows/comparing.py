"""P14: matches a minute of `arena compare`, over a manager that talks to its bots by lines over pipes."""

import json
import os
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from arena.cli.framework.processes import without_arena
from benchmarks.measuring.figures import significant
from benchmarks.measuring.lines import Line, Measured
from benchmarks.measuring.pairs import interleaved
from benchmarks.measuring.spread import ratios, spread
from benchmarks.processes.usage import run_program
from benchmarks.processes.worker import Worker, WorkerFailedError
from benchmarks.rows.row import Bench
from benchmarks.rows.table_of_play import GAME

_PEER: Final = "benchmarks.peers.pipe_matches"
_MATCHES: Final = (4, 10, 40)
"""Of each turn, by scale; an even number, for a group has two."""

_JOBS: Final = 2
_UNDECIDED: Final = 6
"""The exit code of a comparison that was stopped by `--matches`; equal bots are rarely told apart before."""

_NO_END: Final = "0,1"
"""Points of Elo so close together that so few matches never decide."""

_S_PER_MINUTE: Final = 60.0


def matches_a_minute(bench: Bench) -> Measured:
    """Compare the random sample bot with itself; over it two random bots over pipes, start and end included."""
    python, matches = bench.environments.arena().python, bench.effort.sized(*_MATCHES)
    with ExitStack() as stack:
        peer = stack.enter_context(Worker(_PEER, GAME, python=python))

        def ours() -> float:
            return matches / compare(python, bench.scratch, matches) * _S_PER_MINUTE

        def theirs() -> float:
            took = peer.ask("play", matches=matches, jobs=_JOBS, within_s=600)
            plies.append(took["plies"] / matches)
            return float(matches / took["seconds"] * _S_PER_MINUTE)

        plies: list[float] = []
        pairs = interleaved(ours, theirs, bench.effort.pairs)
    line = Line(
        "P14",
        "arena compare, over pipes",
        f"{significant(spread(rate for rate, _ in pairs).middle)}/min",
        f"{significant(spread(rate for _, rate in pairs).middle)}/min",
        ratios(pairs),
    )
    remark = (
        f"P14: {matches} matches a turn, {_JOBS} at once, between two bots that play at random; over pipes "
        f"{significant(spread(plies).middle)} decisions each. The start of all programs counts."
    )
    return Measured((line,), (remark,))


def compare(python: Path, folder: Path, matches: int) -> float:
    """Return the seconds that `arena compare` takes for so many matches.

    Raises WorkerFailedError: it ended early, or not all were played.
    """
    state = folder / f"compare-{time.monotonic_ns()}.jsonl"
    command = [str(python), "-P", "-m", "arena.cli.app", "compare", "random", "random", "--game", GAME]
    command += ["--matches", str(matches), "--jobs", str(_JOBS), "--sprt", _NO_END, "--format", "json"]
    ended = run_program([*command, "--state", str(state)], without_arena(os.environ))
    if ended.code != _UNDECIDED:
        raise WorkerFailedError(f"arena compare ended with {ended.code} ({ended.last_line})")
    played = sum("placings" in json.loads(line) for line in state.read_text().splitlines())
    if played < matches:
        raise WorkerFailedError(f"arena compare played {played} of {matches} matches")
    return ended.seconds
