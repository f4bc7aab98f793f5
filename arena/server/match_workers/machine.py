"""Where match workers run: the arena's own machine, or a node of its cluster."""

from enum import Enum
from typing import Final, Protocol

from arena.scheduling.dispatch import MatchTicket, PlayedMatch
from arena.server.match_workers.messages import FromArena
from arena.store.json_columns import VersionProgram

THIS_MACHINE: Final = ""
"""The name of the arena's own machine among those where workers run."""


class Refusal(Enum):
    """Why a result of a worker is not taken. None of them changes anything in the arena."""

    LATE = "late"
    """The match is no longer the worker's: it was void before, and is replayed."""
    SECOND = "second"
    """The worker has reported an end of the match before."""
    UNTRUE = "untrue"
    """Played again from its seed and actions, the match is another one."""
    IMPOSSIBLE = "impossible"
    """It is no message of a worker, or no record of such a match."""


class WorkerLink(Protocol):
    """A worker process that runs, as the arena reaches it."""

    def send(self, message: FromArena) -> None:
        """Send a message, without blocking. One to a process that has ended is lost."""

    async def receive(self) -> object | None:
        """Return its next message; a ValueError: it has sent something else; None: it has ended."""

    def kill(self) -> None:
        """End the process at once."""

    async def end(self) -> None:
        """Wait until the process has ended, and end it if it does not."""


class Machine(Protocol):
    """A machine that runs match workers."""

    @property
    def name(self) -> str:
        """Its name; THIS_MACHINE: the arena's own."""

    @property
    def kind(self) -> str:
        """What the speed of bots depends on: all matches of a group are played on machines of one kind."""

    @property
    def workers(self) -> int:
        """Worker processes that it runs at most. Each plays one match at a time."""

    @property
    def places(self) -> int:
        """Programs of bots that it runs at once, if each takes one place (`places_of`)."""

    def can_run(self, program: VersionProgram) -> bool:
        """Return whether a program can run there: its runtime is as on the arena's machine, and it gets its limits."""

    async def start_worker(self, number: int, name: str) -> WorkerLink:
        """Start the worker process of this number, from 1. `name`: for logs. Raises OSError: it cannot be started."""

    async def clear(self) -> None:
        """Remove what a worker that has ended has left: programs and their groups."""


class MachineReports(Protocol):
    """What the workers tell of the machines that they run on."""

    def finished(self, machine: str, ticket: MatchTicket, played: PlayedMatch) -> None:
        """Note that a match was played to its end, and is stored."""

    def lost(self, machine: str, match: int) -> None:
        """Note that a match is void because its worker ended or did not answer."""

    def refused(self, machine: str, reason: Refusal, match: int) -> None:
        """Note that a result was not taken. `match`: 0 if that is not known."""

    def stalled(self, machine: str, seconds: float) -> None:
        """Note for how long a worker stood still since it was last heard."""
