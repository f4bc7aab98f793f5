"""What is aimed at, and whether a measurement reaches it."""

from dataclasses import dataclass
from enum import Enum


class Direction(Enum):
    """Which way is better."""

    AT_LEAST = ">="
    AT_MOST = "<="


class Verdict(Enum):
    """What became of a goal, as the table says it."""

    BEYOND = "yes, then"
    """The second, further goal is reached too."""
    REACHED = "yes"
    MISSED = "no"
    NOT_MEASURED = "not run"
    """Something that the measurement needs is not there, or broke."""
    NO_GOAL = "-"
    """Shown for comparison; nothing was promised."""


@dataclass(frozen=True, slots=True)
class Goal:
    """What is to be reached first, and what then."""

    direction: Direction
    reach: float
    then: float
    unit: str = "x"

    def verdict(self, value: float) -> Verdict:
        """Return what the value, a median, means for the goal."""
        if self._meets(value, self.then):
            return Verdict.BEYOND
        return Verdict.REACHED if self._meets(value, self.reach) else Verdict.MISSED

    def _meets(self, value: float, bound: float) -> bool:
        return value >= bound if self.direction is Direction.AT_LEAST else value <= bound

    def __str__(self) -> str:
        if self.reach == self.then:
            return f"{self.direction.value} {self.reach:g}{self.unit}"
        return f"{self.direction.value} {self.reach:g}{self.unit}; {self.then:g}{self.unit}"


def at_least(reach: float, then: float, unit: str = "x") -> Goal:
    """Return a goal for which more is better."""
    return Goal(Direction.AT_LEAST, reach, then, unit)


def at_most(reach: float, then: float, unit: str = "x") -> Goal:
    """Return a goal for which less is better."""
    return Goal(Direction.AT_MOST, reach, then, unit)
