"""What a row of the benchmark is: something measured in one go, for one goal or several."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import grpc

from arena.cli.framework.errors import CliError
from benchmarks.environments import Environments, MissingError
from benchmarks.measuring.lines import Line, Measured
from benchmarks.processes.arena import RunningArena, arena_on
from benchmarks.processes.worker import WorkerFailedError


@dataclass(frozen=True, slots=True)
class Effort:
    """How much is put into a run."""

    pairs: int
    """How often everything is measured, at least 5."""
    seconds: float
    """How long each time, by the clock on the wall."""
    cpu_seconds: float
    """How long each time where one program works alone, by its own processor time."""
    quick: bool
    """Whether what takes long is measured on a small scale."""


@dataclass(frozen=True, slots=True)
class Bench:
    """What rows are measured with."""

    effort: Effort
    environments: Environments
    scratch: Path
    """An empty folder that is thrown away afterwards."""

    @contextmanager
    def arena(self, name: str) -> Iterator[RunningArena]:
        """Run an arena inside, as an organiser has it, on the folder of that name."""
        installed = self.environments.arena()
        with arena_on(self.scratch / name, installed.python) as running:
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
