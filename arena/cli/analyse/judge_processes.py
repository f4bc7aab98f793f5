"""The processes that judge decisions: sample bots' searches, which no part of the arena imports."""

import json
import os
import selectors
import sys
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from types import TracebackType
from typing import IO, Any, Final

from arena.analysis.judging import Reply, Request, reply_of
from arena.cli import sample_bots
from arena.cli.framework.errors import CliError
from arena.cli.framework.processes import Child, Streams, format_exit, stop_all

_MODULE: Final = "sample_bots.python.analysis.worker"


class JudgeProcesses(AbstractContextManager["JudgeProcesses"]):
    """So many processes, each with one request at a time. They end with the context."""

    def __init__(self, jobs: int) -> None:
        """Start them. Raises CliError: the sample bots are missing."""
        if not (sample_bots.checkout() / "sample_bots" / "python" / "analysis").is_dir():
            raise CliError(
                "Decisions are judged by the search of a sample bot, and the sample bots are missing from this "
                "installation. Install the package again, or run the command in a checkout."
            )
        self._processes: list[_Process] = []
        for number in range(jobs):
            self._processes.append(_Process(f"judge {number}"))

    def ask(self, requests: Sequence[Request]) -> Iterator[tuple[int, Reply]]:
        """Yield each reply with the index of its request, as they come. Raises CliError: a judge failed."""
        waiting = iter(enumerate(requests))
        with selectors.DefaultSelector() as selector:
            for process, (place, request) in zip(self._processes, waiting, strict=False):
                process.send(place, request)
                selector.register(process.replies, selectors.EVENT_READ, process)
            while selector.get_map():
                for key, _ in selector.select():
                    process = key.data
                    answered = process.receive()
                    following = next(waiting, None)
                    if following is None:
                        selector.unregister(process.replies)
                    else:
                        process.send(*following)
                    yield answered

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop them."""
        stop_all(process.child for process in self._processes)
        for process in self._processes:
            process.close()


class _Process:
    """One judge, and the request it works on."""

    def __init__(self, name: str) -> None:
        requests, self._input = os.pipe()
        output, replies = os.pipe()
        environment = {
            "PATH": os.environ.get("PATH", os.defpath),
            "PYTHONPATH": str(sample_bots.checkout()),
        }
        streams = Streams(stdin=requests, stdout=replies)
        try:
            self.child = Child(
                name, (sys.executable, "-m", _MODULE), environment=environment, streams=streams
            )
        finally:
            os.close(requests)
            os.close(replies)
        self.replies: IO[bytes] = os.fdopen(output, "rb")
        self._place = 0

    def send(self, place: int, request: Request) -> None:
        """Send a request."""
        self._place = place
        left = json.dumps(request.document()).encode() + b"\n"
        try:
            while left:
                left = left[os.write(self._input, left) :]
        except BrokenPipeError:
            raise self._failure() from None

    def receive(self) -> tuple[int, Reply]:
        """Return the place of its request, and the reply."""
        line = self.replies.readline()
        if not line.endswith(b"\n"):
            raise self._failure()
        document: dict[str, Any] = json.loads(line)
        if "error" in document:
            raise CliError(f"The decision cannot be judged. {document['error']}")
        return self._place, reply_of(document)

    def close(self) -> None:
        """Close its streams."""
        os.close(self._input)
        self.replies.close()

    def _failure(self) -> CliError:
        stop_all([self.child], within=1.0)
        code = self.child.code()
        how = "" if code is None else f" ({format_exit(code)})"
        return CliError(
            f"A process that judges decisions has ended{how}. Its output is above; try fewer --jobs."
        )
