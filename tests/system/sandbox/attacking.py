"""Runs the attacks of `attacks/`: each under all protections, and in the control without the one that it is about."""

import functools
import os
import re
import socket
import struct
import subprocess
import tempfile
import tomllib
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from arena.sandbox.capabilities import Capabilities
from arena.sandbox.exit_status import ExitStatus
from arena.sandbox.process_spec import MIB, ProcessLimits, ProcessSpec
from arena.sandbox.protections import Protection
from arena.sandbox.runtime_files import read_runtimes
from arena.sandbox.sandbox import Sandbox
from tests.checkout import ROOT
from tests.system.sandbox.attack_targets import AttackTargets

FOLDER: Final = Path(__file__).parent / "attacks"
LANGUAGES: Final = ("python", "c", "node", "ruby")
RUNTIMES: Final = read_runtimes(ROOT / "sample_bots" / "ruby" / "runtimes")
"""With a runtime that an organiser has added."""

LIMITS: Final[Mapping[Protection, ProcessLimits]] = {
    Protection.MEMORY: ProcessLimits(memory_bytes=96 * MIB, tmp_bytes=512 * MIB),
    Protection.PIDS: ProcessLimits(pids=40),
    Protection.CPU: ProcessLimits(cpu_seconds=0.4),
    Protection.TMP: ProcessLimits(tmp_bytes=16 * MIB),
    Protection.OUTPUT: ProcessLimits(folder_bytes=24 * MIB),
}
"""What an attack on a protection may have: little, so that it is soon over and its control stays harmless."""
WALL_S: Final = 60.0
"""No attack takes a tenth of it, unless it hangs."""


@dataclass(frozen=True, slots=True)
class Attack:
    """One program of `attacks/` and what becomes of it."""

    program: str
    """Its file below `attacks/`; in Python its function, as python/NAME."""
    about: Protection
    inside: str
    """How it ends under all protections: "HELD <errno>", with more after " or ", or the name of a verdict."""
    control: str
    """How that goes on which it says after "ESCAPED" in the control."""
    also: frozenset[Protection] = frozenset()
    """What the control takes away beside `about`."""
    limits: Mapping[str, Any] = field(default_factory=dict)
    needs: str = ""
    """A key of `OFFERS`."""
    strict: bool = False
    build: bool = False

    @property
    def language(self) -> str:
        """python, c, node or ruby."""
        return self.program.split("/")[0]

    @property
    def name(self) -> str:
        """Its function in Python, or its file."""
        return self.program.split("/")[1]

    @property
    def does(self) -> str:
        """What it does: the docstring of its function, or the first comment of its file."""
        if self.language == "python":
            return PYTHON_ATTACKS[self.name][1]
        return (FOLDER / self.program).read_text().partition("\n")[0].strip("/*# ")

    @property
    def command(self) -> tuple[str, ...]:
        """What is run in the folder of all programs."""
        if self.language == "c":
            return (f"./{self.program.removesuffix('.c')}",)
        if self.language == "python":
            return ("python", "python/attack.py", PYTHON_ATTACKS[self.name][0], self.name)
        return (self.language, self.program)

    @property
    def bounds(self) -> ProcessLimits:
        """Its limits, the same in the control."""
        chosen = LIMITS.get(self.about, ProcessLimits())
        return replace(chosen, wall_seconds=WALL_S, **self.limits)


def _python_attacks() -> dict[str, tuple[str, str]]:
    """Return the module and the docstring of each attack in Python, by name."""
    form = re.compile(r'^@(?:attack|attack_in_child|program)\ndef (\w+)\(.*\n    """(.+)"""$', re.MULTILINE)
    return {
        name: (path.stem, does)
        for path in (FOLDER / "python").glob("*.py")
        for name, does in form.findall(path.read_text())
    }


PYTHON_ATTACKS: Final = _python_attacks()


def load() -> tuple[Attack, ...]:
    """Return all attacks, as `attacks.toml` lists them."""
    table = tomllib.loads((FOLDER / "attacks.toml").read_text())
    return tuple(
        Attack(
            program,
            Protection[about],
            **{**row, "also": frozenset(map(Protection.__getitem__, row.get("also", ())))},
        )
        for about, rows in table.items()
        for program, row in rows.items()
    )


ATTACKS: Final = load()


@dataclass(frozen=True, slots=True)
class Run:
    """One run of an attack."""

    ending: ExitStatus
    said: bytes
    left: tuple[str, ...]
    """The processes that the run has left behind."""

    @property
    def line(self) -> str:
        """What the attack said about itself; empty if nothing."""
        lines = self.said.decode(errors="replace").splitlines()
        return next((line for line in reversed(lines) if line.startswith(("HELD ", "ESCAPED"))), "")

    def __str__(self) -> str:
        tail = self.said[-2000:].decode(errors="replace")
        return f"{self.ending.reason.name} {self.ending.sentence} {self.ending.evidence}\n{tail}"


async def run(
    attack: Attack, machine: Capabilities, targets: AttackTargets, protections: frozenset[Protection]
) -> Run:
    """Run the attack under the protections, to its end."""
    name = uuid.uuid4().hex
    sandbox = Sandbox(
        machine,
        protections=protections,
        folder=targets.folder_for_sandbox(),
        uids=targets.uids(),
        runtimes=RUNTIMES,
    )
    async with targets.sockets() as sockets:
        program = ProcessSpec(
            command=attack.command,
            runtime="binary" if attack.language == "c" else attack.language,
            folder=targets.bot_folder(alone=attack.build or attack.about is Protection.READ_ONLY),
            settings={**targets.settings, "ATTACK_RUN": name},
            sockets=sockets,
            strict=attack.strict,
            writable=attack.build,
        )
        running = await sandbox.start(program, attack.bounds)
        ending = await running.wait()
    return Run(ending, running.captured_output(), processes_of(name))


def processes_of(run: str) -> tuple[str, ...]:
    """Return the processes whose environment names the run, as "pid command"."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                if f"ATTACK_RUN={run}".encode() in (folder / "environ").read_bytes():
                    found.append(f"{folder.name} {(folder / 'cmdline').read_text()}")
            except OSError:
                continue  # it has just ended
    return tuple(found)


def _number(path: str, otherwise: int) -> int:
    try:
        return int(Path(path).read_text())
    except (OSError, ValueError):
        return otherwise


def _works(attempt: Callable[[], socket.socket]) -> bool:
    try:
        attempt().close()
    except OSError:
        return False
    return True


def _takes_access_list(tmpfs: str) -> bool:
    """Whether the kernel has access lists for files in a tmpfs."""
    plain = b"".join(struct.pack("<HHI", tag, 6, 0xFFFFFFFF) for tag in (1, 4, 32))
    with tempfile.NamedTemporaryFile(dir=tmpfs) as file:
        try:
            os.setxattr(file.name, "system.posix_acl_access", struct.pack("<I", 2) + plain)
        except OSError:
            return False
    return True


OFFERS: Final[Mapping[str, Callable[[], bool]]] = {
    "ipv6": lambda: _works(lambda: socket.create_server(("::1", 0), family=socket.AF_INET6)),
    "vsock": lambda: _works(lambda: socket.socket(socket.AF_VSOCK)),
    "keys": lambda: Path("/proc/keys").exists(),
    "io_uring": lambda: _number("/proc/sys/kernel/io_uring_disabled", 0) == 0,
    "userfaultfd": lambda: Path("/proc/sys/vm/unprivileged_userfaultfd").exists(),
    "perf": lambda: _number("/proc/sys/kernel/perf_event_paranoid", 3) <= 2,
    # Without root, bubblewrap needs a user namespace itself, and takes the right to make another one away.
    "user_namespaces": lambda: (
        os.geteuid() == 0
        and _number("/proc/sys/user/max_user_namespaces", 0) > 0
        and _number("/proc/sys/kernel/unprivileged_userns_clone", 1) == 1
        and _number("/proc/sys/kernel/apparmor_restrict_unprivileged_userns", 0) == 0
    ),
    "access_lists": lambda: _takes_access_list("/dev/shm"),
    "numa": lambda: Path("/proc/self/numa_maps").exists(),
    "aio": lambda: Path("/proc/sys/fs/aio-max-nr").exists(),
    "huge_pages": lambda: _number("/proc/sys/vm/nr_hugepages", 0) > 0,
    "ia32": lambda: Path("/proc/sys/abi/vsyscall32").exists(),
}
"""Whether something is offered here to a program that has no rights, and that no filter holds."""


@functools.cache
def offers(what: str) -> bool:
    """Return whether it is offered here; what an attack does not need is."""
    return not what or OFFERS[what]()


def compile_c(into: Path) -> None:
    """Compile the attacks in C to static programs, into the folder's subfolder `c`."""
    (into / "c").mkdir(exist_ok=True)
    for source in sorted((FOLDER / "c").glob("*.c")):
        program = str(into / "c" / source.stem)
        command = [
            "cc",
            "-D_GNU_SOURCE",
            "-O1",
            "-static",
            "-Wall",
            "-Wextra",
            "-Werror",
            "-o",
            program,
            str(source),
        ]
        subprocess.run(command, check=True)
