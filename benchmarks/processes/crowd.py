"""Thousands of bots, spread over several programs."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, Final

from benchmarks.processes.worker import Worker, WorkerFailedError

PROGRAMS: Final = 4
"""Enough that no single one holds the bots back; half of them dial the Unix socket, half TCP."""

_CONNECT_WITHIN_S: Final = 600.0


class TroubleError(WorkerFailedError):
    """Something happened to bots that should not have."""

    def __init__(self, troubles: Sequence[str]) -> None:
        """`troubles`: one for each time."""
        super().__init__(f"{len(troubles)} bots met trouble: {troubles[0]}")
        self.count = len(troubles)


class Crowd:
    """All bots, wherever they run."""

    def __init__(self, programs: Sequence[Worker]) -> None:
        self._programs = programs

    def connect(self, addresses: Sequence[str], tokens: Sequence[str], game: str) -> None:
        """Connect a bot for each token, spread over programs and addresses; each takes one match at a time."""
        for number, program in enumerate(self._programs):
            address = addresses[number % len(addresses)]
            program.tell(
                "connect",
                address=address,
                tokens=list(tokens[number :: len(self._programs)]),
                game=game,
                matches=1,
            )
        for program in self._programs:
            program.answer(_CONNECT_WITHIN_S)

    def ask(self, what: str, *, within_s: float, **fields: object) -> list[Any]:
        """Return the answer of each program; all of them work on it at the same time."""
        for program in self._programs:
            program.tell(what, **fields)
        return [program.answer(within_s) for program in self._programs]

    def check(self) -> None:
        """Raise TroubleError if something happened to a bot that should not have."""
        troubles = [trouble for ends in self.ask("ends", within_s=60.0) for trouble in ends["troubles"]]
        if troubles:
            raise TroubleError(troubles)


@contextmanager
def crowd(programs: int = PROGRAMS) -> Iterator[Crowd]:
    """Start so many programs without bots; they end with the `with` statement."""
    with ExitStack() as stack:
        yield Crowd([stack.enter_context(Worker("benchmarks.clients.program")) for _ in range(programs)])
