"""A measuring program in a process of its own, asked by lines of JSON."""

import json
import os
import select
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from arena.cli.framework import parent_death
from arena.cli.framework.processes import without_arena

ROOT: Final = Path(__file__).parents[2]
"""The checkout."""

ANSWER_WITHIN_S: Final = 120.0

_BOOT: Final = (
    "import sys, runpy; sys.path.append(sys.argv.pop(1)); "
    "runpy.run_module(sys.argv.pop(1), run_name='__main__', alter_sys=True)"
)
"""The checkout comes last on the path: an environment that has an engine installed uses that one."""


def of_checkout(module: str, *arguments: str) -> tuple[str, ...]:
    """Return the arguments of a Python that runs a module of the checkout, whatever environment it is of."""
    return "-c", _BOOT, str(ROOT), module, *arguments


def _leash() -> list[str]:
    """Return the prefix of a command that makes a program end with this one, however that ends."""
    return [sys.executable, "-I", "-S", parent_death.__file__, str(os.getpid())]


class WorkerFailedError(Exception):
    """The program has ended, or does not answer; the message is one sentence with the last line it wrote."""


class Worker:
    """A running program. It ends with the `with` statement."""

    def __init__(self, module: str, *arguments: str, python: Path | None = None) -> None:
        """Start `module` with `python`, by default that of this process."""
        self._name = module.rsplit(".", 1)[-1]
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the worker
        self._process = subprocess.Popen(
            [*_leash(), str(python or sys.executable), "-P", *of_checkout(module, *arguments)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            env=without_arena(os.environ),
        )
        self._unread = b""

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid

    def ask(self, what: str, *, within_s: float = ANSWER_WITHIN_S, **fields: object) -> Any:
        """Send a command and return its answer. Raises WorkerFailedError."""
        self.tell(what, **fields)
        return self.answer(within_s)

    def tell(self, what: str, **fields: object) -> None:
        """Send a command; `answer` waits for its answer. Raises WorkerFailedError."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps({"do": what, **fields}).encode() + b"\n")
            self._process.stdin.flush()
        except OSError:
            raise self._failed("has ended") from None

    def answer(self, within_s: float = ANSWER_WITHIN_S) -> Any:
        """Return the answer to the oldest command that has none. Raises WorkerFailedError."""
        assert self._process.stdout is not None
        while b"\n" not in self._unread:
            ready, _, _ = select.select([self._process.stdout], [], [], within_s)
            if not ready:
                raise self._failed(f"did not answer within {within_s:g} s")
            data = os.read(self._process.stdout.fileno(), 1 << 20)
            if not data:
                raise self._failed("has ended")
            self._unread += data
        line, self._unread = self._unread.split(b"\n", 1)
        return json.loads(line)

    def _failed(self, how: str) -> WorkerFailedError:
        self._errors.seek(0)
        lines = self._errors.read().decode(errors="replace").strip().splitlines()
        return WorkerFailedError(f"{self._name} {how}" + (f" ({lines[-1].strip()})" if lines else ""))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout, self._errors):
            if stream is not None:
                with suppress(BrokenPipeError):  # a command that it never read
                    stream.close()
