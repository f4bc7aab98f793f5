"""`make bench`: how fast the arena is, against what else there is, measured side by side on this machine.

Every row is measured in turns with its peer or floor, and the goal is held against the median of the pairs' ratios.
What each row does, and why that is fair, stands in docs/benchmark.md.
"""

import json
import tempfile
from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.console import Console

from arena.cli.framework.signals import Interrupted, interruptible
from benchmarks.environments import Environments
from benchmarks.measuring.lines import Measured
from benchmarks.measuring.machine import circumstances, load
from benchmarks.measuring.report import WIDTH, only, report
from benchmarks.measuring.results import document
from benchmarks.processes.worker import ROOT
from benchmarks.rows.registry import chosen
from benchmarks.rows.row import Bench, Effort, Row

FULL: Final = Effort(pairs=7, seconds=3.0, cpu_seconds=1.0, quick=False)
QUICK: Final = Effort(pairs=5, seconds=0.8, cpu_seconds=0.25, quick=True)


def bench(
    rows: Annotated[
        list[str] | None, typer.Argument(metavar="[P1 P5 ...]", help="Goals; default: all.")
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="Shorter and smaller, in less than five minutes.")
    ] = False,
    pairs: Annotated[int | None, typer.Option(min=5, help="Pairs of each row.")] = None,
    output: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The figures as JSON. Default: in benchmarks/results.")
    ] = None,
) -> None:
    """Measure the arena against its peers and floors, and print one table.

    Example: make bench ARGS="--quick P1 P5"
    """
    effort = QUICK if quick else FULL
    if pairs is not None:
        effort = replace(effort, pairs=pairs)
    try:
        selected = chosen(rows or [])
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None
    progress = Console(stderr=True, highlight=False)
    environments = Environments(ROOT / "benchmarks" / ".venvs", progress.print)
    measured: list[Measured] = []
    load_before = load()
    stopped: int | None = None
    try:
        with interruptible():
            for row in selected:
                progress.print(f"Measuring {'/'.join(row.goal_ids)}: {row.title}.")
                measured.append(_measure(row, effort, environments))
    except Interrupted as interrupted:
        stopped = interrupted.number
        progress.print("Stopped: here is what was measured until then.")
    wanted = [only(each, rows or []) for each in measured]
    about = circumstances(environments.versions(), load_before) | asdict(effort)
    about["arena"] = environments.arena_build
    left_out = len(selected) - len(measured)
    Console(width=WIDTH, highlight=False).print(report(wanted, about, left_out=left_out))
    _save(wanted, about, output, progress)
    if stopped is not None:
        raise typer.Exit(128 + stopped)


def _measure(row: Row, effort: Effort, environments: Environments) -> Measured:
    with tempfile.TemporaryDirectory(prefix="bench-") as scratch:
        return row.measure(Bench(effort, environments, Path(scratch)))


def _save(measured: list[Measured], about: dict[str, object], output: Path | None, progress: Console) -> None:
    file = output or ROOT / "benchmarks" / "results" / f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(document(measured, about=about), indent=2) + "\n")
    progress.print(f"Figures: {file}", soft_wrap=True)


if __name__ == "__main__":
    typer.run(bench)
