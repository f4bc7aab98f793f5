"""What a submitted version is: its command and all that its arena has to know to run it."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

from arena.store.json_columns import pack


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
