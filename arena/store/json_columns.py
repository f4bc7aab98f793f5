"""Values that are stored as JSON text: options by name, lists of numbers and ids, the time control, evidence."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from arena.core.clock.time_control import TimeControl

_NO_EVIDENCE: Final = "[]"


def pack(value: object) -> str:
    """The one JSON text of a value: sorted keys, no spaces."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


@lru_cache(maxsize=256)
def unpack_texts(text: str) -> Mapping[str, str]:
    """Options by name again; nobody can change them."""
    return _texts(json.loads(text))


@lru_cache(maxsize=256)
def unpack_numbers(text: str) -> tuple[int, ...]:
    """A list of whole numbers again."""
    return tuple(int(number) for number in json.loads(text))


def unpack_names(text: str) -> tuple[str, ...]:
    """A list of ids again."""
    return tuple(str(name) for name in json.loads(text))


def pack_options(options: Mapping[int, Mapping[str, str]]) -> str:
    """Options by seat count and name as text."""
    return pack({str(seats): dict(values) for seats, values in options.items()})


@lru_cache(maxsize=256)
def unpack_options(text: str) -> Mapping[int, Mapping[str, str]]:
    """Options by seat count and name again; nobody can change them."""
    return MappingProxyType({int(seats): _texts(values) for seats, values in json.loads(text).items()})


@lru_cache(maxsize=256)
def pack_time_control(time_control: TimeControl) -> str:
    """The clock rules as text."""
    return pack(asdict(time_control))


@lru_cache(maxsize=256)
def unpack_time_control(text: str) -> TimeControl:
    """The clock rules again."""
    return TimeControl(**{str(name): int(value) for name, value in json.loads(text).items()})


def _texts(values: Mapping[object, object]) -> Mapping[str, str]:
    return MappingProxyType({str(name): str(value) for name, value in values.items()})


def pack_evidence(evidence: Sequence[tuple[str, str]]) -> str:
    """(fact, value) pairs in order, as text."""
    return pack([[fact, value] for fact, value in evidence])


def unpack_evidence(text: str) -> tuple[tuple[str, str], ...]:
    """(fact, value) pairs in order again."""
    if text == _NO_EVIDENCE:
        return ()
    return tuple((str(fact), str(value)) for fact, value in json.loads(text))


@dataclass(frozen=True, slots=True)
class VersionProgram:
    """What was submitted, as its bot.toml and its archive say."""

    command: tuple[str, ...]
    build: tuple[str, ...]
    """The command that built it; empty: nothing was to be built."""
    games: tuple[str, ...]
    runtime: str
    files: int
    bytes: int
    """Of all files together, as they were submitted."""
    memory_mib: int
    pids: int
    """Processes and threads that it may have."""
    build_seconds: int
    strict: bool
    """Whether a forbidden system call ends it."""


def pack_program(program: VersionProgram) -> str:
    """The one JSON text of a program."""
    return pack(asdict(program))


def unpack_program(text: str) -> VersionProgram:
    """The program again."""
    values = json.loads(text)
    return VersionProgram(**values | {name: tuple(values[name]) for name in ("command", "build", "games")})
