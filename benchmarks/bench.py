"""`make bench`: how fast the arena is, against what else there is, measured side by side on this machine.

Every row is measured in turns with its peer or floor, and the goal is held against the median of the pairs' ratios.
What each row does, and why that is fair, stands in docs/performance.md.
"""

from __future__ import annotations

import json
import tempfile
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.console import Console

from benchmarks.environments import Environments
from benchmarks.measuring.goals import Verdict
from benchmarks.measuring.lines import Measured
from benchmarks.measuring.machine import circumstances
from benchmarks.measuring.results import document
from benchmarks.measuring.table import WIDTH, drawn
from benchmarks.processes.worker import ROOT
from benchmarks.rows.registry import chosen
from benchmarks.rows.row import Bench, Effort

FULL: Final = Effort(pairs=7, seconds=3.0, cpu_seconds=1.0, quick=False)
QUICK: Final = Effort(pairs=5, seconds=1.0, cpu_seconds=0.25, quick=True)


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
    """Measures the arena against its peers and floors, and prints one table.

    Example: make bench ARGS="--quick P1 P5"
    """
    effort = QUICK if quick else FULL
    if pairs is not None:
        effort = replace(effort, pairs=pairs)
    try:
        selected = chosen(rows or [])
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None
    progress = Console(stderr=True)
    environments = Environments(ROOT / "benchmarks" / ".venvs", progress.print)
    measured = []
    for row in selected:
        progress.print(f"Measuring {'/'.join(row.goal_ids)}: {row.title}.", highlight=False)
        with tempfile.TemporaryDirectory(prefix="bench-") as scratch:
            measured.append(row.measure(Bench(effort, environments, Path(scratch))))
    wanted = [_only(each, rows or []) for each in measured]
    about = circumstances(environments.versions()) | {
        "pairs": effort.pairs,
        "seconds": effort.seconds,
        "quick": quick,
    }
    _show(wanted, about)
    file = output or ROOT / "benchmarks" / "results" / f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(document(wanted, about=about), indent=2) + "\n")
    progress.print(f"Figures: {file}", highlight=False, soft_wrap=True)


def _only(measured: Measured, goal_ids: list[str]) -> Measured:
    wanted = {goal.upper() for goal in goal_ids}
    return Measured(
        tuple(line for line in measured.lines if not wanted or line.goal_id in wanted), measured.remarks
    )


def _show(measured: list[Measured], about: dict[str, object]) -> None:
    console = Console(width=WIDTH)
    lines = [line for each in measured for line in each.lines]
    versions = about["versions"]
    assert isinstance(versions, dict)
    console.print(
        f"{about['date']}, {about['cores']} cores of {about['processor']}, Python {about['python']}, "
        f"{about['pairs']} pairs of {about['seconds']} s, load {about['load_before']}",
        highlight=False,
    )
    console.print(", ".join(f"{name} {version}" for name, version in versions.items()), highlight=False)
    console.print(drawn(lines))
    for remark in (remark for each in measured for remark in each.remarks):
        console.print(f"- {remark}", highlight=False, markup=False)
    counts = {verdict: sum(line.verdict is verdict for line in lines) for verdict in Verdict}
    reached = counts[Verdict.REACHED] + counts[Verdict.BEYOND]
    console.print(
        f"Goals reached: {reached}; missed: {counts[Verdict.MISSED]}; not run: {counts[Verdict.NOT_MEASURED]}.",
        highlight=False,
    )


if __name__ == "__main__":
    typer.run(bench)
