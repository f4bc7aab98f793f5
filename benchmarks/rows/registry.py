"""The rows of the benchmark, in the order in which they are measured and shown."""

from collections.abc import Iterable, Sequence
from typing import Final

from benchmarks.rows import (
    commands,
    comparing,
    crowds,
    idle,
    kaggle,
    logs,
    long_history,
    play,
    rules,
    stepping,
    workers,
)
from benchmarks.rows.row import Effort, Plan, Row

# How long rows take around their turns was measured on two quiet cores, and rounded up.
ROWS: Final = (
    Row(("P1", "P2", "P3"), "one match", play.one_match, Plan((8, 8, 8), 1, extra=2)),
    Row(("P1", "P2"), "16 matches", play.sixteen_matches, Plan((8, 8, 8), 1)),
    Row(("P4",), "frames of 16", play.frames, Plan((8, 8, 8), 1)),
    Row(
        ("P5",), "rules in plain Python", rules.interpreted, Plan((12, 12, 12), 5, extra=3, by_processor=True)
    ),
    Row(("P6",), "rules compiled", rules.compiled, Plan((8, 8, 14), 5, extra=7, by_processor=True)),
    Row(("P7",), "compiled over plain", rules.gained, Plan((8, 8, 8), 8, by_processor=True)),
    Row(("P8",), "end to end", kaggle.end_to_end, Plan((40, 40, 40), 4), only_full=True),
    Row(("P9",), "idle bots", idle.bots, Plan((35, 60, 130), 0)),
    Row(("P10",), "logs", logs.of_matches, Plan((12, 20, 35), 0)),
    Row(("P11",), "clones", rules.clones, Plan((12, 12, 12), 8, by_processor=True)),
    Row(("P12",), "a long history", long_history.standings_and_ratings, Plan((20, 35, 420), 0)),
    Row(("P13",), "crowds", crowds.at_once, Plan((25, 45, 240), 0)),
    Row(("P14",), "comparing two bots", comparing.matches_a_minute, Plan((25, 60, 180), 0)),
    Row(("P15",), "commands", commands.at_start, Plan((12, 12, 16), 0)),
    Row(("P16",), "match workers", workers.growth, Plan((50, 60, 120), 0), only_full=True),
    Row(
        ("P17",),
        "many matches",
        stepping.many_matches,
        Plan((4, 14, 35), 2, unless_quick=6, extra=12, by_processor=True),
    ),
)


def chosen(goal_ids: Iterable[str], *, everything: bool, rows: Sequence[Row] = ROWS) -> tuple[Row, ...]:
    """Return the rows that serve any of these goals; without goals all, or all that a usual run has.

    Raises ValueError: no row serves one of them; the message is a sentence.
    """
    wanted = {goal.upper() for goal in goal_ids}
    known = {goal for row in rows for goal in row.goal_ids}
    if wanted - known:
        every = ", ".join(sorted(known, key=lambda goal: int(goal.removeprefix("P"))))
        raise ValueError(f"There is no row {', '.join(sorted(wanted - known))}. Rows: {every}.")
    if not wanted:
        return tuple(row for row in rows if everything or not row.only_full)
    return tuple(row for row in rows if wanted & set(row.goal_ids))


def planned_s(rows: Iterable[Row], effort: Effort) -> float:
    """Return how long the rows take on two quiet cores with all environments made."""
    return sum(row.plan.seconds(effort) for row in rows)
