"""What is run, and how much of the machine it may have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

KIB: Final = 1024
MIB: Final = 1024 * KIB

BOT_FOLDER: Final = "/bot"
"""Where a program sees its folder, and where it begins."""
SOCKETS_FOLDER: Final = "/run/arena"
"""Where a program sees the folder of its socket."""


@dataclass(frozen=True, slots=True)
class ProcessSpec:
    """One program and what it is shown."""

    command: tuple[str, ...]
    """Run in /bot; the first word is a path from there ("./bot") or a name on the runtime's PATH."""
    runtime: str
    """A key of `arena.sandbox.runtimes.RUNTIMES`: what is shown of the machine, and which calls are let through."""
    folder: Path
    """Shown as /bot."""
    settings: Mapping[str, str] = field(default_factory=dict)
    """Its environment, beside PATH, HOME, LANG and what the runtime needs."""
    sockets: Path | None = None
    """A folder of sockets, shown as /run/arena: it may connect to them and change nothing there."""
    writable: bool = False
    """It may write /bot: a build. The folder is then the caller's own copy, and is given to the program's uid."""
    tools: bool = False
    """The runtime's compilers are shown too: a build."""
    strict: bool = False
    """A system call that no runtime makes by itself ends the program, instead of being refused."""


@dataclass(frozen=True, slots=True)
class ProcessLimits:
    """How much a program may have; the defaults are those of a match."""

    memory_bytes: int = 256 * MIB
    """All its processes together, with what it keeps in /tmp and /dev/shm."""
    pids: int = 64
    """Processes and threads at once."""
    cpu_cores: float = 1.0
    """Its share: processor seconds in a second."""
    cpu_seconds: float | None = None
    """Processor time of all its processes in all; None: no end."""
    wall_seconds: float | None = None
    """From its start; None: no end."""
    tmp_bytes: int = 64 * MIB
    """What /tmp holds; /dev/shm holds a quarter of it."""
    folder_bytes: int = 1024 * MIB
    """What /bot may take of the disk in a build, looked at a few times a second."""
    open_files: int = 1024
    """Open files of one process."""
    output_bytes: int = 64 * KIB
    """So much of stdout and stderr together is kept; `OUTPUT_FACTOR` times as much ends the program. One that plays
    match after match may write as much in each."""


OUTPUT_FACTOR: Final = 16
"""A program that writes so many times what is kept of its output is ended."""


class SandboxError(Exception):
    """A program could not be started at all: the arena's or the machine's fault, not the program's."""

    def __init__(self, sentence: str) -> None:
        """`sentence`: for people; names the thing and what to do."""
        super().__init__(sentence)
        self.sentence = sentence
