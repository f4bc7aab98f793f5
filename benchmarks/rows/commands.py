"""P15: the processor time of a command before and while it does its work, and of what a bot imports."""

import os
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Final

from arena.cli.framework.processes import without_arena
from benchmarks.measuring.figures import significant
from benchmarks.measuring.goals import Goal, at_most
from benchmarks.measuring.lines import Line, Measured
from benchmarks.measuring.pairs import interleaved
from benchmarks.measuring.spread import spread
from benchmarks.processes.usage import run_program
from benchmarks.processes.worker import WorkerFailedError
from benchmarks.rows.row import Bench

_COMMAND: Final = at_most(0.3, 0.3, " s")
_IMPORT: Final = at_most(0.12, 0.12, " s")
_NOTHING: Final = ("-c", "pass")
_GRPC: Final = ("-c", "import grpc")
_ARENA: Final = ("-P", "-m", "arena.cli.app")


def at_start(bench: Bench) -> Measured:
    """Measure commands against a Python that does nothing, and the sdk against gRPC, which its program needs."""
    python = bench.environments.arena().python
    with bench.arena("arena") as arena:
        to_arena = (*_ARENA, "ladder", "list", "--data", str(arena.data))
        lines = (
            _line(bench, python, "arena --help", (*_ARENA, "--help"), _NOTHING, _COMMAND),
            _line(bench, python, "arena ladder list", to_arena, _NOTHING, _COMMAND),
            _line(bench, python, "import arena.sdk", ("-c", "import arena.sdk"), _GRPC, _IMPORT),
            _line(bench, python, "all that `run` imports", ("-c", "import arena.sdk.program"), _GRPC, None),
        )
    remark = (
        "P15: processor time of a whole process; theirs: `python -c pass`, and `python -c 'import grpc'`."
    )
    return Measured(lines, (remark,))


def _line(
    bench: Bench, python: Path, what: str, ours: Sequence[str], theirs: Sequence[str], goal: Goal | None
) -> Line:
    pairs = interleaved(
        partial(cpu_of, python, ours), partial(cpu_of, python, theirs), max(bench.effort.pairs, 5)
    )
    measured = spread(mine for mine, _ in pairs)
    beside = spread(other for _, other in pairs)
    return Line(
        "P15",
        f"{what}: CPU",
        f"{significant(measured.middle)} s",
        f"{significant(beside.middle)} s",
        measured,
        goal,
    )


def cpu_of(python: Path, arguments: Sequence[str]) -> float:
    """Return the seconds of processor time of a Python with these arguments. Raises WorkerFailedError: it fails."""
    ended = run_program([str(python), *arguments], without_arena(os.environ))
    if ended.code:
        raise WorkerFailedError(f"python {' '.join(arguments)} ended with {ended.code} ({ended.last_line})")
    return ended.cpu_s
