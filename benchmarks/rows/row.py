"""What a row of the benchmark is: something measured in one go, for one goal or several."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final, TypeVar

import grpc

from arena.cli.framework.errors import CliError
from benchmarks.environments import Environments, MissingError
from benchmarks.measuring.lines import Line, Measured
from benchmarks.processes.arena import RunningArena, arena_on
from benchmarks.processes.worker import WorkerFailedError

T = TypeVar("T")

_BETWEEN_S: Final = 0.2
"""From a turn by the clock on the wall to the next one: what is under way comes to rest."""

_OVERRUN: Final = 1.3
"""A turn by processor time ends with a whole set of matches."""


class Scale(StrEnum):
    """How large everything is: bots, matches, histories."""

    QUICK = "quick"
    USUAL = "usual"
    FULL = "full"


@dataclass(frozen=True, slots=True)
class Effort:
    """How much is put into a run."""

    pairs: int
    """How often everything is measured, at least 5."""
    seconds: float
    """How long each time, by the clock on the wall."""
    cpu_seconds: float
    """How long each time where one program works alone, by its own processor time."""
    scale: Scale
    everything: bool
    """Whether comparisons without a goal are measured, too."""

    def sized(self, quick: T, usual: T, full: T) -> T:
        """Return the value for the scale."""
        return {Scale.QUICK: quick, Scale.USUAL: usual, Scale.FULL: full}[self.scale]


@dataclass(frozen=True, slots=True)
class Plan:
    """How long a row takes on two quiet cores with all environments made, by its effort."""

    around_s: tuple[float, float, float]
    """To start and to end what is measured, and what is measured once, by scale: quick, usual, full."""
    compared: int
    """How many times two things are measured in turns."""
    extra: int = 0
    """How many more with everything."""
    unless_quick: int = 0
    """How many more at another scale than the quick one, or with everything."""
    by_processor: bool = False
    """Whether a turn is measured by processor time."""

    def seconds(self, effort: Effort) -> float:
        """Return how long the row takes."""
        compared = self.compared + (self.extra if effort.everything else 0)
        if effort.everything or effort.scale is not Scale.QUICK:
            compared += self.unless_quick
        turns = 2 * (effort.pairs + 1) * compared
        turn = effort.cpu_seconds * _OVERRUN if self.by_processor else effort.seconds + _BETWEEN_S
        return effort.sized(*self.around_s) + turns * turn


@dataclass(frozen=True, slots=True)
class Bench:
    """What rows are measured with."""

    effort: Effort
    environments: Environments
    scratch: Path
    """An empty folder that is thrown away afterwards."""

    @contextmanager
    def arena(self, name: str, *options: str) -> Iterator[RunningArena]:
        """Run an arena inside, as an organiser has it, on the folder of that name. `options`: of `arena serve`."""
        installed = self.environments.arena()
        with arena_on(self.scratch / name, installed.python, options=options) as running:
            yield running


def _details(error: grpc.RpcError) -> str:
    call: object = error  # in fact what is raised is a call, too
    return str(call.details()) if isinstance(call, grpc.Call) else str(error)


@dataclass(frozen=True, slots=True)
class Row:
    """One measurement and the goals that it serves."""

    goal_ids: tuple[str, ...]
    title: str
    run: Callable[[Bench], Measured]
    plan: Plan
    only_full: bool = False
    """Whether it is left out unless everything is measured, or it is named."""

    @property
    def name(self) -> str:
        """Its goals and its title."""
        return f"{'/'.join(self.goal_ids)}: {self.title}"

    def measure(self, bench: Bench) -> Measured:
        """Return what `run` has measured, or a line for each goal that says why there is nothing."""
        try:
            return self.run(bench)
        except (MissingError, WorkerFailedError, CliError, OSError) as error:
            return self._failed(str(error))
        except grpc.RpcError as error:
            return self._failed(f"a call failed: {_details(error)}")

    def _failed(self, why: str) -> Measured:
        return Measured(tuple(Line(goal, self.title, trouble=why) for goal in self.goal_ids))
