"""Checks that the file which a command starts is an executable that a machine can run (ELF, see elf(5))."""

import struct
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

from arena.core.errors import ErrorReason, InvalidArgumentError
from arena.submissions.content import open_file
from arena.submissions.errors import shown
from arena.submissions.manifest import BINARY

_MAGIC: Final = b"\x7fELF"
_64_BIT: Final = 2
_LITTLE: Final = 1
_EXECUTABLE, _SHARED = 2, 3
_INTERPRETER: Final = 3
"""The kind of the program header that names the dynamic loader."""
_HEADER: Final = struct.Struct("<16sHHIQQQIHHH")
_PROGRAM_HEADER: Final = struct.Struct("<IIQQQQ")
_MOST_HEADERS: Final = 1024
_LONGEST_PATH: Final = 4096

MACHINES: Final = {"x86_64": 62, "aarch64": 183, "riscv64": 243}
"""By `platform.machine()`, the number in the header."""
_NAMES: Final = {3: "32-bit x86", 40: "32-bit ARM", **{number: name for name, number in MACHINES.items()}}
_FOREIGN: Final = {
    b"MZ": "a program for Windows",
    b"\xcf\xfa\xed\xfe": "a program for macOS",
    b"\xca\xfe\xba\xbe": "a program for macOS, or a class file of Java",
}
"""By the beginning of a file."""


@dataclass(frozen=True, slots=True)
class TargetMachine:
    """The machine that runs the program."""

    architecture: str
    """As `platform.machine()` names it."""
    has_loader: Callable[[str], bool]
    """Whether the sandbox has a dynamic loader at this absolute path."""


def check_executable(
    folder: Path, command: tuple[str, ...], runtime: str, target: TargetMachine | None = None
) -> None:
    """Check the file of the folder that a command starts, if it starts one and the file is there. Blocks.

    `target`: None: it is not known, and only what holds on every machine is checked. A file that is not an ELF
    executable, such as a script, is an error for the runtime `binary` alone.

    Raises InvalidArgumentError: it cannot run (EXECUTABLE_INVALID).
    """
    path = (folder / command[0]).resolve()
    if "/" not in command[0] or not path.is_relative_to(folder.resolve()) or not path.is_file():
        return
    with open_file(path) as file:
        start = file.read(_HEADER.size)
        if foreign := next((what for magic, what in _FOREIGN.items() if start.startswith(magic)), None):
            raise _bad(command[0], f"is {foreign}: build it for Linux")
        if not start.startswith(_MAGIC):
            if runtime == BINARY:
                what = "a script" if start.startswith(b"#!") else "not an ELF executable"
                raise _bad(
                    command[0],
                    f"is {what}: submit a program built for Linux, or name the runtime of its language",
                )
            return
        try:
            _check(file, start, folder, command[0], target)
        except struct.error as error:
            raise _bad(command[0], "is a damaged ELF file: build it again") from error


def _check(file: BinaryIO, start: bytes, folder: Path, name: str, target: TargetMachine | None) -> None:
    """Check an ELF file. Raises InvalidArgumentError; struct.error if it is too short."""
    ident, kind, machine, _, entry, headers, _, _, _, size, number = _HEADER.unpack(start)
    if target is not None and target.architecture not in MACHINES:
        return
    if ident[4] != _64_BIT or ident[5] != _LITTLE:
        raise _bad(
            name, "is not for a 64-bit little-endian processor: build it for the processor of the arena"
        )
    if target is not None and machine != MACHINES[target.architecture]:
        built = _NAMES.get(machine, f"processor number {machine}")
        raise _bad(
            name, f"is built for {built}, but this arena runs on {target.architecture}: build it for that"
        )
    if kind not in {_EXECUTABLE, _SHARED} or not entry:
        raise _bad(
            name, "is an ELF file that cannot be started, such as a library or an object file: link a program"
        )
    loader = _loader(file, headers, size, min(number, _MOST_HEADERS))
    if loader is None:
        return
    if not loader.startswith("/"):
        if not (folder / loader).is_file():
            raise _bad(
                name, f"needs the dynamic loader {shown(loader)}, which is not in the submission: add it"
            )
    elif target is not None and not target.has_loader(loader):
        raise _bad(
            name,
            f"needs the dynamic loader {shown(loader)}, which the sandbox does not have: link it statically",
        )


def _loader(file: BinaryIO, headers: int, size: int, number: int) -> str | None:
    """Return the path of the dynamic loader that the program names; None for a static one."""
    for index in range(number):
        file.seek(min(headers + index * size, 1 << 40))
        kind, _, offset, _, _, length = _PROGRAM_HEADER.unpack(file.read(_PROGRAM_HEADER.size))
        if kind == _INTERPRETER:
            file.seek(min(offset, 1 << 40))
            return file.read(min(length, _LONGEST_PATH)).rstrip(b"\0").decode(errors="replace")
    return None


def _bad(name: str, why: str) -> InvalidArgumentError:
    return InvalidArgumentError(
        ErrorReason.EXECUTABLE_INVALID, f"The program {shown(name)} {why}.", path=shown(name)
    )
