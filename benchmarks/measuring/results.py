"""What a run measured, as one JSON document that a page of figures can be written from."""

from collections.abc import Sequence
from dataclasses import asdict

from benchmarks.measuring.lines import Line, Measured


def document(measured: Sequence[Measured], *, about: dict[str, object]) -> dict[str, object]:
    """Return lines and remarks of all rows. `about`: when, where and how they were measured."""
    return {
        **about,
        "lines": [_fields(line) for each in measured for line in each.lines],
        "remarks": [remark for each in measured for remark in each.remarks],
    }


def _fields(line: Line) -> dict[str, object]:
    return {
        "goal_id": line.goal_id,
        "what": line.what,
        "ours": line.ours,
        "theirs": line.theirs,
        "measured": None if line.measured is None else asdict(line.measured),
        "goal": None if line.goal is None else str(line.goal),
        "verdict": line.verdict.value,
        "trouble": line.trouble,
    }
