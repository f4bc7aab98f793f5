"""What is printed at the end: where and when, the table, remarks, and how many goals were reached."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from rich.console import Group
from rich.text import Text

from benchmarks.measuring.goals import Verdict
from benchmarks.measuring.lines import Measured
from benchmarks.measuring.table import drawn

WIDTH: Final = 100
"""Columns of everything that is printed."""


def only(measured: Measured, goal_ids: Collection[str]) -> Measured:
    """Return the lines for these goals, all if there are none: a row may serve others, too."""
    wanted = {goal.upper() for goal in goal_ids}
    lines = tuple(line for line in measured.lines if not wanted or line.goal_id in wanted)
    return Measured(lines, measured.remarks)


def report(measured: Sequence[Measured], about: Mapping[str, object], *, left_out: int = 0) -> Group:
    """Return everything, to be printed. `about`: circumstances and effort. `left_out`: rows that nobody came to."""
    lines = [line for each in measured for line in each.lines]
    remarks = [Text(f"- {remark}") for each in measured for remark in each.remarks]
    return Group(
        *_heading(about),
        Text(),
        drawn(lines),
        Text(),
        *remarks,
        Text(),
        _summary([line.verdict for line in lines], left_out),
    )


def _heading(about: Mapping[str, object]) -> Iterator[Text]:
    versions = about["versions"]
    assert isinstance(versions, Mapping)
    yield Text(
        f"{about['date']}, {about['cores']} cores of {about['processor']}, Python {about['python']}, load "
        f"{about['load_before']} before; {about['pairs']} pairs, {about['seconds']} s each time"
    )
    yield Text(", ".join(f"{name} {version}" for name, version in versions.items()))
    if about["arena"]:
        yield Text(f"The arena that was measured: {about['arena']}.")
    yield Text(f"Commit {about['commit']}. `reach; then`: two goals; `yes, then`: the second is reached too.")


def _summary(verdicts: Sequence[Verdict], left_out: int) -> Text:
    counts = Counter(verdicts)
    reached = counts[Verdict.REACHED] + counts[Verdict.BEYOND]
    rows = f" Rows that were not begun or not ended: {left_out}." if left_out else ""
    return Text(
        f"Goals reached: {reached}; missed: {counts[Verdict.MISSED]}; "
        f"not measured: {counts[Verdict.NOT_MEASURED]}.{rows}"
    )
