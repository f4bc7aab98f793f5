"""The specification of a sandboxed process, and its limits."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

KIB: Final = 1024
MIB: Final = 1024 * KIB

BOT_FOLDER: Final = "/bot"
"""Path of its folder, and its first working directory, in the sandbox."""
SOCKETS_FOLDER: Final = "/run/arena"
"""Path of the folder of its socket in the sandbox."""


@dataclass(frozen=True, slots=True)
class ProcessSpec:
    """One program and what it sees."""

    command: tuple[str, ...]
    """Run in /bot; the first word is a path from there ("./bot"), a name on the runtime's PATH, or the name of the
    runtime."""
    runtime: str
    """A key of `Sandbox.runtimes.all`."""
    folder: Path
    """Shown as /bot."""
    settings: Mapping[str, str] = field(default_factory=dict)
    """Its environment, beside PATH, HOME, LANG and what the runtime needs."""
    sockets: Path | None = None
    """A folder of sockets, shown as /run/arena: it may connect to them and change nothing there."""
    writable: bool = False
    """Whether it may write /bot: a build. The folder is then the caller's own copy, and the program's uid owns it."""
    tools: bool = False
    """Whether it sees the runtime's compilers: a build."""
    strict: bool = False
    """Whether a harmful system call ends the program instead of being refused."""


@dataclass(frozen=True, slots=True)
class ProcessLimits:
    """Limits of a program; the defaults are those of a match."""

    memory_bytes: int = 256 * MIB
    """All its processes together, with /tmp and /dev/shm."""
    pids: int = 64
    """Processes and threads at once."""
    cpu_cores: float = 1.0
    """Processor seconds per second."""
    cpu_seconds: float | None = None
    """Processor time of all its processes; None: unlimited."""
    wall_seconds: float | None = None
    """From its start; None: unlimited."""
    tmp_bytes: int = 64 * MIB
    """Size of /tmp; /dev/shm has a quarter of it."""
    folder_bytes: int = 1024 * MIB
    """Disk usage of /bot in a build, measured a few times a second."""
    open_files: int = 1024
    """Open files of one process."""
    output_bytes: int = 64 * KIB
    """Bytes kept of stdout and stderr together; OUTPUT_FACTOR times as many, in one match, end the program."""


OUTPUT_FACTOR: Final = 16


class SandboxError(Exception):
    """A program cannot be started: the fault of the arena or the machine, not of the program."""

    def __init__(self, sentence: str) -> None:
        """`sentence`: for people; says what is wrong and what to do."""
        super().__init__(sentence)
        self.sentence = sentence
