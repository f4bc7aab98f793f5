"""Values that are stored as JSON text: options by name, lists of numbers and ids, time controls, evidence, suites."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from arena.core.clock.time_control import TimeControl
from arena.core.suites import Suite, parse_suite

_NO_EVIDENCE: Final = "[]"


def pack(value: object) -> str:
    """Return the one JSON text of a value: sorted keys, no spaces."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


@lru_cache(maxsize=256)
def unpack_texts(text: str) -> Mapping[str, str]:
    """Read options by name, as an unchangeable mapping."""
    return _texts(json.loads(text))


@lru_cache(maxsize=256)
def unpack_numbers(text: str) -> tuple[int, ...]:
    """Read a list of whole numbers."""
    return tuple(int(number) for number in json.loads(text))


def unpack_names(text: str) -> tuple[str, ...]:
    """Read a list of ids."""
    return tuple(str(name) for name in json.loads(text))


def pack_suite(suite: Suite | None) -> str:
    """Write a suite; nothing if there is none."""
    return "" if suite is None else pack({"name": suite.name, "text": suite.text})


@lru_cache(maxsize=64)
def unpack_suite(text: str) -> Suite | None:
    """Read a suite; None if there is none."""
    if not text:
        return None
    packed = json.loads(text)
    return parse_suite(packed["name"], packed["text"])


def pack_options(options: Mapping[int, Mapping[str, str]]) -> str:
    """Write options by seat count and name."""
    return pack({str(seats): dict(values) for seats, values in options.items()})


@lru_cache(maxsize=256)
def unpack_options(text: str) -> Mapping[int, Mapping[str, str]]:
    """Read options by seat count and name, as an unchangeable mapping."""
    return MappingProxyType({int(seats): _texts(values) for seats, values in json.loads(text).items()})


@lru_cache(maxsize=256)
def pack_time_control(time_control: TimeControl) -> str:
    """Write the clock rules."""
    return pack(asdict(time_control))


@lru_cache(maxsize=256)
def unpack_time_control(text: str) -> TimeControl:
    """Read the clock rules."""
    return TimeControl(**{str(name): int(value) for name, value in json.loads(text).items()})


def _texts(values: Mapping[object, object]) -> Mapping[str, str]:
    return MappingProxyType({str(name): str(value) for name, value in values.items()})


def unpack_evidence(text: str) -> tuple[tuple[str, str], ...]:
    """Read (fact, value) pairs in order."""
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
    deterministic: bool = False
    """Whether its author says that it always answers the same to the same decisions."""
    cores: int = 1
    """Processor cores that it may use."""


def unpack_program(text: str) -> VersionProgram:
    """Read a program."""
    values = json.loads(text)
    return VersionProgram(**values | {name: tuple(values[name]) for name in ("command", "build", "games")})
