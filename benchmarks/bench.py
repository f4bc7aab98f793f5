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
from benchmarks.rows.registry import chosen, planned_s
from benchmarks.rows.row import Bench, Effort, Row, Scale
from benchmarks.rows.times import Times, format_minutes

QUICK: Final = Effort(5, 0.8, 0.15, Scale.QUICK, everything=False)
USUAL: Final = Effort(5, 1.5, 0.35, Scale.USUAL, everything=False)
"""Planned to take ten minutes at most."""

FULL: Final = Effort(7, 3.0, 1.0, Scale.FULL, everything=True)


def bench(
    rows: Annotated[
        list[str] | None, typer.Argument(metavar="[P1 P5 ...]", help="Goals; default: all.")
    ] = None,
    full: Annotated[
        bool, typer.Option("--full", help="All rows and comparisons, longer and at full size.")
    ] = False,
    quick: Annotated[
        bool, typer.Option("--quick", help="Shorter and smaller; with --full all rows all the same.")
    ] = False,
    pairs: Annotated[int | None, typer.Option(min=5, help="Pairs of each row.")] = None,
    output: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The figures as JSON. Default: in benchmarks/results.")
    ] = None,
) -> None:
    """Measure the arena against its peers and floors, and print one table; by default in ten minutes at most.

    Example: make bench ARGS="--quick P1 P5"
    """
    effort = effort_of(full=full, quick=quick, pairs=pairs)
    try:
        selected = chosen(rows or [], everything=effort.everything)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None
    progress = Console(stderr=True, highlight=False)
    environments = Environments(ROOT / "benchmarks" / ".venvs", progress.print)
    measured: list[Measured] = []
    times = Times()
    load_before = load()
    planned = format_minutes(planned_s(selected, effort))
    progress.print(
        f"Planned: {planned} on two quiet cores, and some minutes more to make environments the first time."
    )
    stopped: int | None = None
    try:
        with interruptible():
            for row in selected:
                progress.print(f"Measuring {row.name}, planned {row.plan.seconds(effort):.0f} s.")
                with times.of(row, effort, environments):
                    measured.append(_measure(row, effort, environments))
                progress.print(f"  {times.rows[-1]}")
    except Interrupted as interrupted:
        stopped = interrupted.number
        progress.print("Stopped: here is what was measured until then.")
    wanted = [only(each, rows or []) for each in measured]
    about = circumstances(environments.versions(), load_before) | asdict(effort)
    about["arena"] = environments.arena_build
    about["times"] = [asdict(each) for each in times.rows]
    left_out = len(selected) - len(measured)
    console = Console(width=WIDTH, highlight=False)
    console.print(report(wanted, about, left_out=left_out))
    console.print(times.sentence())
    _save(wanted, about, output, progress)
    if stopped is not None:
        raise typer.Exit(128 + stopped)


def effort_of(*, full: bool, quick: bool, pairs: int | None) -> Effort:
    """Return how much is put into a run with these options."""
    effort = FULL if full else USUAL
    if quick:
        effort = replace(QUICK, everything=full)
    return effort if pairs is None else replace(effort, pairs=pairs)


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
