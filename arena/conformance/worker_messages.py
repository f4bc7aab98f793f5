"""Messages between a conformance worker and its parent process: JSON, one message a line.

The worker talks to the bots but runs none: its parent starts, signals and kills their programs.
"""

import json
from dataclasses import asdict, dataclass
from typing import Final, cast, get_args


@dataclass(frozen=True)
class Ready:
    """From the worker, once: it takes orders."""


@dataclass(frozen=True)
class _OfTrial:
    number: int
    """The number in the `Try` that began it."""


@dataclass(frozen=True)
class Try(_OfTrial):
    """To the worker: try this scenario."""

    scenario: str
    game: str | None
    patience: float
    folder: str
    """An empty folder, made by `arena.conformance.run.a_folder`."""


@dataclass(frozen=True)
class Start(_OfTrial):
    """From the worker: start the bot's program. It is answered when that has ended, by `ProcessEnded`."""

    settings: dict[str, str]


class ProcessStarted(_OfTrial):
    """To the worker: the program runs."""


@dataclass(frozen=True)
class Signal(_OfTrial):
    """From the worker: send the program a signal."""

    signal: int


class Kill(_OfTrial):
    """From the worker: end the program."""


@dataclass(frozen=True)
class ProcessWaited(_OfTrial):
    """To the worker, now and then: so long the program was ready to run since its start and got no processor."""

    seconds: float


@dataclass(frozen=True)
class ProcessEnded(_OfTrial):
    """To the worker: the program has ended."""

    code: int


class ReadOutput(_OfTrial):
    """From the worker: what has the program written? Answered by `ProcessOutput`."""


@dataclass(frozen=True)
class ProcessOutput(_OfTrial):
    """To the worker: what the program has written."""

    text: str


@dataclass(frozen=True)
class ScenarioOutcome(_OfTrial):
    """From the worker: how the scenario came out."""

    verdict: str
    why: str
    to_do: str


ToWorker = Try | ProcessStarted | ProcessWaited | ProcessEnded | ProcessOutput
FromWorker = Ready | Start | Signal | Kill | ReadOutput | ScenarioOutcome

_KINDS: Final = {kind.__name__: kind for kind in (*get_args(ToWorker), *get_args(FromWorker))}


def line_of(message: ToWorker | FromWorker) -> bytes:
    """Return the message as a line."""
    return json.dumps([type(message).__name__, asdict(message)]).encode() + b"\n"


def to_worker(line: bytes) -> ToWorker:
    """Return the message to the worker that the line holds."""
    return cast("ToWorker", _message(line))


def from_worker(line: bytes) -> FromWorker:
    """Return the message from the worker that the line holds."""
    return cast("FromWorker", _message(line))


def _message(line: bytes) -> object:
    kind, fields = json.loads(line)
    return _KINDS[kind](**fields)
