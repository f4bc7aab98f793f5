"""How long rows took, beside what was planned; making environments is told apart."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from benchmarks.environments import Environments
from benchmarks.rows.row import Effort, Row


@dataclass(frozen=True, slots=True)
class RowTime:
    """A row that was measured. Times in seconds."""

    name: str
    planned_s: float
    took_s: float
    """Without making environments."""
    made_s: float
    """What making environments took."""

    def __str__(self) -> str:
        made = f", and {format_minutes(self.made_s)} to make environments" if self.made_s else ""
        return f"{self.name} took {self.took_s:.0f} s of {self.planned_s:.0f} planned{made}."


class Times:
    """The times of a run."""

    def __init__(self) -> None:
        self.rows: list[RowTime] = []

    @contextmanager
    def of(self, row: Row, effort: Effort, environments: Environments) -> Iterator[None]:
        """Take the time of a row that is measured inside."""
        began, made = time.monotonic(), environments.made_s
        yield
        took, made = time.monotonic() - began, environments.made_s - made
        self.rows.append(RowTime(row.name, row.plan.seconds(effort), took - made, made))

    def sentence(self) -> str:
        """Return what all rows took, and each of them."""
        took, planned, made = (
            (
                format_minutes(sum(figures))
                for figures in zip(
                    *((each.took_s, each.planned_s, each.made_s) for each in self.rows), strict=True
                )
            )
            if self.rows
            else ("0 s",) * 3
        )
        each = "; ".join(f"{row.name} {row.took_s:.0f} of {row.planned_s:.0f} s" for row in self.rows)
        return f"Time: {took} of {planned} planned, and {made} to make environments. {each or 'No row'}."


def format_minutes(seconds: float) -> str:
    """Return a length of time as "9 min 5 s"."""
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"
