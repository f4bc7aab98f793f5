"""The rows of the benchmark, in the order in which they are measured and shown."""

from collections.abc import Iterable, Sequence
from typing import Final

from benchmarks.rows import crowds, idle, kaggle, logs, long_history, play, rules
from benchmarks.rows.row import Row

ROWS: Final = (
    Row(("P1", "P2", "P3"), "one match", play.one_match),
    Row(("P1", "P2"), "16 matches", play.sixteen_matches),
    Row(("P4",), "frames of 16", play.frames),
    Row(("P5",), "rules in plain Python", rules.interpreted),
    Row(("P6",), "rules compiled", rules.compiled),
    Row(("P7",), "compiled over plain", rules.gained),
    Row(("P8",), "end to end", kaggle.end_to_end),
    Row(("P9",), "idle bots", idle.bots),
    Row(("P10",), "logs", logs.of_matches),
    Row(("P11",), "clones", rules.clones),
    Row(("P12",), "a long history", long_history.standings_and_ratings),
    Row(("P13",), "crowds", crowds.at_once),
)


def chosen(goal_ids: Iterable[str], rows: Sequence[Row] = ROWS) -> tuple[Row, ...]:
    """Return the rows that serve any of these goals, all if there are none.

    Raises ValueError: no row serves one of them; the message is a sentence.
    """
    wanted = {goal.upper() for goal in goal_ids}
    known = {goal for row in rows for goal in row.goal_ids}
    if wanted - known:
        every = ", ".join(sorted(known, key=lambda goal: int(goal.removeprefix("P"))))
        raise ValueError(f"There is no row {', '.join(sorted(wanted - known))}. Rows: {every}.")
    return tuple(row for row in rows if not wanted or wanted & set(row.goal_ids))
