"""One line of the table: what was measured against what, and what came of it."""

from dataclasses import dataclass

from benchmarks.measuring.goals import Goal, Verdict
from benchmarks.measuring.spread import Spread


@dataclass(frozen=True, slots=True)
class Line:
    """One measurement, or the reason why there is none."""

    goal_id: str
    """For example "P1"."""
    what: str
    ours: str = ""
    """A figure with its unit, the median of all."""
    theirs: str = ""
    measured: Spread | None = None
    """What the goal is held against: of the pairs' ratios, or of the figure itself where there is nothing beside it."""
    goal: Goal | None = None
    trouble: str = ""
    """Why it was not measured: one sentence; empty if it was."""

    @property
    def verdict(self) -> Verdict:
        """What became of the goal."""
        if self.trouble or self.measured is None:
            return Verdict.NOT_MEASURED
        return Verdict.NO_GOAL if self.goal is None else self.goal.verdict(self.measured.middle)


@dataclass(frozen=True, slots=True)
class Measured:
    """What a row brings back: its lines, and what else is worth knowing about them."""

    lines: tuple[Line, ...]
    remarks: tuple[str, ...] = ()
    """Sentences for below the table."""
